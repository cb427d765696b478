internal import TriageCore

/// Properties of the links and addresses in a text.
struct LinkFindings: Equatable {
    struct Kinds: OptionSet {
        let rawValue: UInt16
        static let short = Kinds(rawValue: 1 << 0)
        static let ip = Kinds(rawValue: 1 << 1)
        static let punycode = Kinds(rawValue: 1 << 2)
        static let lookalike = Kinds(rawValue: 1 << 3)
        static let messenger = Kinds(rawValue: 1 << 4)
        static let pathVerb = Kinds(rawValue: 1 << 5)
        static let only = Kinds(rawValue: 1 << 6)
        static let freeMail = Kinds(rawValue: 1 << 7)
        static let companyMail = Kinds(rawValue: 1 << 8)
    }

    var kinds: Kinds = []
    var links = 0
    /// Folded offsets of the first link, messenger contact, and addresses; empty when there is none.
    var firstLink = 0..<0
    var messenger = 0..<0
    var freeMail = 0..<0
    var companyMail = 0..<0
}

/// Finds links, bare domains, messenger contacts and mail addresses in one pass over the dots and at signs of a text.
///
/// Takes time linear in the text: the search at each dot covers only its own host, and nothing is read twice.
struct LinkFinder {
    /// Maximum number of links of a text that are examined.
    static let limit = 64

    let text: MessageText

    func find() -> LinkFindings {
        var result = LinkFindings()
        var linkBytes = 0
        if text.shape.dots > 0 {
            var i = 0
            while result.links < Self.limit, let dot = text.firstOffset(of: 0x2E, from: i) {
                // A dot before a blank, as most are, is not part of a host.
                let end = isWordByte(text.byte(dot + 1)) ? host(at: dot, linkBytes: &linkBytes, into: &result) : 0
                i = max(dot + 1, end)
            }
        }
        findMessengers(into: &result)
        if result.links > 0, text.bytes.count - linkBytes <= 24 { result.kinds.insert(.only) }
        return result
    }

    private func isHostByte(_ byte: UInt8) -> Bool { isWordByte(byte) || byte == 0x2D }

    /// Examines the host around a dot; returns where reading continues.
    private func host(at dot: Int, linkBytes: inout Int, into result: inout LinkFindings) -> Int {
        guard isWordByte(text.byte(dot + 1)), isHostByte(text.byte(dot - 1)) else { return dot + 1 }
        var start = dot
        while start > 0, dot - start < 128, isHostByte(text.byte(start - 1)) || text.byte(start - 1) == 0x5F {
            start -= 1
        }
        var end = dot + 1
        var lastDot = dot
        while end < text.bytes.count, end - dot < 255 {
            let byte = text.byte(end)
            if byte == 0x2E {
                guard isHostByte(text.byte(end + 1)) else { break }
                lastDot = end
            } else if !isHostByte(byte), byte != 0x5F {
                break
            }
            end += 1
        }
        // The local part of an address may contain dots itself.
        if text.byte(end) == 0x40 { return max(dot + 1, end) }
        if text.byte(start - 1) == 0x40 || text.byte(start - 1) == 0x2B {
            return address(start, end, lastDot, into: &result)
        }
        let hasScheme = text.has("://", before: start)
        if !hasScheme {
            start = bareStart(start, dot)
            guard start < dot else { return end }
        }
        let startsPath = text.byte(end) == 0x2F || text.byte(end) == 0x3A && isDigit(text.byte(end + 1))
        guard isLink(start, lastDot, end, hasScheme: hasScheme, hasPath: startsPath && hasPath(end), into: &result)
        else { return end }
        // Only a link's path is read to its end. The search then continues after it, so the whole remains linear.
        let path = startsPath ? pathEnd(end) : end
        let from = hasScheme ? schemeStart(start) : start
        result.links += 1
        if result.firstLink.isEmpty { result.firstLink = from..<path }
        linkBytes += path - from
        judge(host: start..<end, whole: start..<path, into: &result)
        return path
    }

    private func schemeStart(_ start: Int) -> Int {
        var i = start - 3
        while i > 0, isLetter(text.byte(i - 1)) { i -= 1 }
        return i
    }

    /// Returns where a host without a scheme begins: after the last letter of a script that may put no blank before it.
    private func bareStart(_ start: Int, _ dot: Int) -> Int {
        var i = dot
        while i > start, text.byte(i - 1) < 0x80 { i -= 1 }
        guard i > start else { return start }
        var lead = i - 1
        while lead > start, text.byte(lead) & 0xC0 == 0x80 { lead -= 1 }
        // Two-byte letters are Latin, Greek, Cyrillic …: part of a name, or of one that imitates it.
        return text.byte(lead) >= 0xE0 || text.byte(lead) & 0xC0 == 0x80 ? i : wholeScalar(start, dot)
    }

    /// Returns the first offset from here on at which a scalar begins.
    private func wholeScalar(_ start: Int, _ dot: Int) -> Int {
        var i = start
        while i < dot, text.byte(i) & 0xC0 == 0x80 { i += 1 }
        return i
    }

    private func isPathEnd(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x22 || byte == 0x3E }

    /// Whether punctuation belongs to the sentence rather than to the link before it.
    private func isTrailing(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2E, 0x2C, 0x29, 0x21, 0x3F, 0x3B, 0x27: true
        default: false
        }
    }

    /// Whether more than punctuation follows the first byte of a path.
    private func hasPath(_ end: Int) -> Bool {
        var i = end + 1
        while i < text.bytes.count, isTrailing(text.bytes[i]) { i += 1 }
        return i < text.bytes.count && !isPathEnd(text.bytes[i])
    }

    private func pathEnd(_ end: Int) -> Int {
        var i = end
        while i < text.bytes.count, !isPathEnd(text.bytes[i]) { i += 1 }
        while i > end, isTrailing(text.bytes[i - 1]) { i -= 1 }
        return i
    }

    private func isLink(
        _ start: Int, _ lastDot: Int, _ end: Int, hasScheme: Bool, hasPath: Bool, into result: inout LinkFindings
    ) -> Bool {
        if isIP(start..<end) {
            guard hasScheme || hasPath else { return false }
            result.kinds.insert(.ip)
            return true
        }
        if hasScheme { return true }
        let level = UnsafeBufferPointer(rebasing: text.bytes[(lastDot + 1)..<end])
        // A handle such as @jo.smith is not a host, nor is a file such as video.mp4.
        if text.byte(start - 1) == 0x40 || level.contains(where: isDigit) { return false }
        if text.has("xn--", in: start..<end) { return true }
        guard WebNames.topLevels.contains(level) else { return false }
        // Folding reduces three equal letters to two: "www" becomes "ww".
        if hasPath || text.has("ww.", at: start) { return true }
        let host = UnsafeBufferPointer(rebasing: text.bytes[start..<end])
        if WebNames.shorteners.contains(host) || WebNames.messengers.contains(host) { return true }
        // "thanks.co" lacks a blank: this requires an unambiguous top-level domain, and a letter before the dot.
        return !WebNames.wordLevels.contains(level) && end - start >= 5 && !isDigit(text.byte(start))
    }

    private func isIP(_ range: Range<Int>) -> Bool {
        var parts = 1
        var value = 0
        var digits = 0
        for byte in text.bytes[range] {
            if byte == 0x2E {
                guard digits > 0 else { return false }
                parts += 1
                value = 0
                digits = 0
            } else {
                guard isDigit(byte) else { return false }
                value = value * 10 + Int(byte - 0x30)
                digits += 1
                guard digits <= 3, value <= 255 else { return false }
            }
        }
        return parts == 4 && digits > 0
    }

    private func judge(host: Range<Int>, whole: Range<Int>, into result: inout LinkFindings) {
        let from = text.has("ww.", at: host.lowerBound) ? host.lowerBound + 3 : host.lowerBound
        let name = UnsafeBufferPointer(rebasing: text.bytes[from..<host.upperBound])
        var hasShortenerLook = false
        var hasVerb = false
        var isLookalike = false
        let hostEnd = host.upperBound - whole.lowerBound
        let hostStart = host.lowerBound - whole.lowerBound
        WebNames.linkParts.scan(UnsafeBufferPointer(rebasing: text.bytes[whole])) { list, number, place in
            if list == WebNames.verbList {
                hasVerb = true
                return
            }
            guard place.lowerBound >= hostStart, place.upperBound <= hostEnd else { return }
            if list == WebNames.shortenerList {
                hasShortenerLook = true
            } else if !isOwn(name, WebNames.brands[number].own) {
                isLookalike = true
            }
        }
        if hasShortenerLook || WebNames.shorteners.contains(name) {
            result.kinds.insert(.short)
        } else if host.count <= 6, whole.count > host.count + 3, whole.count <= host.count + 12 {
            // A host of at most six bytes with a short path: link shorteners look like this, ordinary sites do not.
            result.kinds.insert(.short)
        }
        if text.has("xn--", in: host) { result.kinds.insert(.punycode) }
        if WebNames.messengers.contains(name) {
            result.kinds.insert(.messenger)
            if result.messenger.isEmpty { result.messenger = whole }
        }
        if isLookalike { result.kinds.insert(.lookalike) }
        if hasVerb { result.kinds.insert(.pathVerb) }
    }

    /// Whether a host is a brand's own domain or a subdomain of it.
    private func isOwn(_ host: UnsafeBufferPointer<UInt8>, _ own: StaticString) -> Bool {
        let count = own.utf8CodeUnitCount
        guard count > 0, host.count >= count else { return false }
        for i in 0..<count where host[host.count - count + i] != own.utf8Start[i] { return false }
        return host.count == count || host[host.count - count - 1] == 0x2E
    }

    private func isLocalByte(_ byte: UInt8) -> Bool {
        isHostByte(byte) || byte == 0x2E || byte == 0x5F || byte == 0x2B
    }

    /// Reads an address whose domain starts after its at sign.
    private func address(_ start: Int, _ end: Int, _ lastDot: Int, into result: inout LinkFindings) -> Int {
        var local = start - 1
        // The local part has at most 64 bytes; searching further for each address would not be linear.
        while local > 0, start - local <= 64, isLocalByte(text.byte(local - 1)) { local -= 1 }
        local = wholeScalar(local, start)
        // "@brand.co" alone is a handle.
        guard local < start - 1, end - lastDot > 2 else { return end }
        let domain = UnsafeBufferPointer(rebasing: text.bytes[start..<end])
        if AddressKinds.isFreeMail(domain) {
            result.kinds.insert(.freeMail)
            if result.freeMail.isEmpty { result.freeMail = local..<end }
        } else {
            result.kinds.insert(.companyMail)
            if result.companyMail.isEmpty { result.companyMail = local..<end }
        }
        return end
    }

    /// Finds contacts on messengers: "whatsapp +44…", "telegram: @name", "dm me on telegram".
    private func findMessengers(into result: inout LinkFindings) {
        guard text.shape.atSigns > 0 || text.shape.longestDigits >= 4 || result.links > 0 || text.shape.digits >= 8
        else { return }
        // A messenger's name is followed by a handle, or by a number that has a plus sign or seven digits.
        let signs = TextShape.bit(of: 0x40) | TextShape.bit(of: 0x2B)
        guard text.shape.marks & signs != 0 || text.shape.digits >= 7 else { return }
        let (tokens, bytes) = (text.tokens, text.bytes)
        for i in 0..<tokens.count {
            let start = Int(tokens[i].start)
            // Almost all words begin with a letter other than s, t and w.
            let letter = bytes[start] &- UInt8(ascii: "s")
            guard letter <= 4, 0b10011 &>> letter & 1 != 0, tokens[i].count &- 2 <= 10,
                mayNameMessenger(bytes[start], bytes[start &+ 1])
            else { continue }
            let token = tokens[i]
            let isName =
                text.has("whatsapp", at: start) || text.has("telegram", at: start) || text.has("watsapp", at: start)
                || text.has("whats app", at: start) || text.has("signal", at: start) && token.count == 6
                || text.has("tg", at: start) && token.count == 2 || text.has("telegran", at: start)
            guard isName else { continue }
            // A number or a handle must follow closely.
            let end = text.end(i)
            var at = end
            while at < min(text.bytes.count, end + 28) {
                let byte = text.byte(at)
                if byte == 0x40 && isWordByte(text.byte(at + 1)) || byte == 0x2B && isDigit(text.byte(at + 1))
                    || isDigit(byte) && digitCount(at) >= 7
                {
                    result.kinds.insert(.messenger)
                    if result.messenger.isEmpty { result.messenger = start..<at + 1 }
                    return
                }
                at += 1
            }
        }
    }

    /// Whether a word with these first two bytes may be one of the names that ``findMessengers(into:)`` looks for.
    @inline(__always)
    private func mayNameMessenger(_ first: UInt8, _ second: UInt8) -> Bool {
        switch UInt16(first) << 8 | UInt16(second) {
        // wh, wa, te, si, tg
        case 0x7768, 0x7761, 0x7465, 0x7369, 0x7467: true
        default: false
        }
    }

    private func digitCount(_ at: Int) -> Int {
        var count = 0
        var i = at
        while i < at + 24, isDigit(text.byte(i)) || [0x20, 0x2D, 0x28, 0x29, 0x2E].contains(text.byte(i)) {
            if isDigit(text.byte(i)) { count += 1 }
            i += 1
        }
        return count
    }
}
