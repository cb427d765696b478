/// Separates what the sender of an email wrote from quotes and signatures; nothing is lost.
struct MailText {
    /// What the sender wrote.
    private(set) var text: String
    /// The quotes, and the signature, below the text, from top to bottom.
    private(set) var quoted: [String] = []
    private(set) var signature: [String] = []

    private typealias Line = ArraySlice<UInt8>

    /// - Parameters:
    ///   - body: plain text; quoted lines begin with `>`.
    ///   - isForward: whether the subject marks it as forwarded, so that the quoted text is the message.
    ///   - isReply: whether it replies to another email; in the first email of a thread, header lines come from a form.
    init(_ body: [UInt8], isForward: Bool, isReply: Bool = true) {
        let lines = body.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }
        var end = lines.count
        if !isForward, !lines.contains(where: MailPhrases.isForwardMark) {
            if isReply, let header = Self.beginOfHeader(lines[...]) {
                quoted.append(Self.joined(lines[header..<end]))
                end = header
            }
            // Quotes and signatures can alternate at the end; the loop is bounded for any input.
            var wasSigned = false
            for _ in 0..<8 {
                while end > 0, Self.isBlank(lines[end - 1]) { end -= 1 }
                let quote = Self.beginOfQuote(lines[..<end])
                if quote < end {
                    quoted.insert(Self.joined(lines[quote..<end]), at: 0)
                    end = quote
                    wasSigned = false
                    continue
                }
                let sign = Self.beginOfSignature(lines[..<end], isLast: !wasSigned)
                guard sign < end else { break }
                // Only the text after the last signature mark is a signature.
                wasSigned = wasSigned || Self.isMark(lines[sign])
                signature.insert(Self.joined(lines[sign..<end]), at: 0)
                end = sign
            }
        }
        text = Self.joined(lines[..<end])
        if text.isEmpty {
            // Nothing else was written, so this is the message.
            text = Self.joined(lines[...])
            quoted = []
            signature = []
        }
        quoted.removeAll(where: \.isEmpty)
        signature.removeAll(where: \.isEmpty)
    }

    /// Where the quote at the end begins; the end if there is none.
    private static func beginOfQuote(_ lines: ArraySlice<Line>) -> Int {
        var at = lines.endIndex
        while at > 0, isBlank(lines[at - 1]) || trimmed(lines[at - 1]).first == UInt8(ascii: ">") { at -= 1 }
        // Blank lines before a quote do not belong to it.
        while at < lines.endIndex, isBlank(lines[at]) { at += 1 }
        var before = at
        while before > 0, isBlank(lines[before - 1]) { before -= 1 }
        for count in 1...3 where before >= count {
            let taken = lines[(before - count)..<before].map(trimmed)
            // A wrapped line breaks off in mid-sentence; a line above that ends a sentence is not part of the
            // attribution.
            if taken.dropLast().contains(where: { $0.last.map { ".?!:".utf8.contains($0) } ?? true }) { break }
            let joined = Array(taken.joined(separator: [0x20]))
            guard MailPhrases.isAttribution(joined) else { continue }
            // If no quote follows, only an attribution with a date or time was certainly written by a program.
            if at == lines.endIndex, !joined.contains(where: { $0 &- 0x30 < 10 }) { continue }
            return before - count
        }
        return at
    }

    /// Where the first header quoted by Outlook begins, including the rule above it; all text after it is an unmarked
    /// quote.
    private static func beginOfHeader(_ lines: ArraySlice<Line>) -> Int? {
        let kinds = lines.map(MailPhrases.headerKind)
        for at in kinds.indices where kinds[at] == .from {
            let near = kinds[at...].prefix(8)
            guard near.contains(.subject), near.contains(.date) || near.contains(.to) else { continue }
            var begin = at
            while begin > 0, isBlank(lines[begin - 1]) || isRule(lines[begin - 1]) { begin -= 1 }
            return begin
        }
        return nil
    }

    /// Maximum size of a signature, in lines and bytes.
    private static let longestSignature = (lines: 15, bytes: 1200)
    /// Maximum size of a signature whose mark lacks the trailing space.
    private static let longestUnsure = (lines: 6, bytes: 400)

    /// Where the signature at the end begins; the end if there is none.
    ///
    /// - Parameter isLast: whether no signature mark was found further down.
    private static func beginOfSignature(_ lines: ArraySlice<Line>, isLast: Bool) -> Int {
        if let last = lines.last, MailPhrases.isDeviceLine(trimmed(last)) { return lines.endIndex - 1 }
        if isLast, let at = lines.indices.suffix(longestSignature.lines + 1).last(where: { isMark(lines[$0]) }) {
            let rest = lines[(at + 1)...]
            let isSure = lines[at].count > 2
            if rest.reduce(0, { $0 + $1.count + 1 }) <= (isSure ? longestSignature.bytes : longestUnsure.bytes),
                !rest.contains(where: { trimmed($0).first == UInt8(ascii: ">") }),
                isSure || (rest.count <= longestUnsure.lines && isCard(rest))
            {
                return at
            }
        }
        return lines.endIndex
    }

    /// Whether it is the signature mark: dash, dash and space; some programs remove the space.
    private static func isMark(_ line: Line) -> Bool {
        line.elementsEqual("-- ".utf8) || line.elementsEqual("--\u{A0}".utf8) || line.elementsEqual("--".utf8)
    }

    /// Whether the lines form a business card: a name, and contact details.
    ///
    /// This check is needed because people also use two dashes to separate parts of their text.
    private static func isCard(_ lines: ArraySlice<Line>) -> Bool {
        var isFirst = true
        for line in lines {
            let content = trimmed(line)
            if content.isEmpty { continue }
            let words = String(decoding: content, as: UTF8.self).split(separator: " ")
            if content.contains(UInt8(ascii: "?")) || content.contains(UInt8(ascii: "!")) { return false }
            let isAddress = words.contains { $0.contains("@") || $0.hasPrefix("http") || $0.hasPrefix("www.") }
            let isNumber = content.allSatisfy { $0 < 0x80 && !($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) }
            if isFirst {
                // A name: a few capitalized words without digits or a colon.
                guard words.count <= 4, !content.contains(where: { $0 &- 0x30 < 10 || $0 == 0x3A }),
                    words.allSatisfy({ !($0.first?.isLowercase ?? true) || ["de", "von", "van", "da"].contains($0) })
                else { return false }
            } else if !isAddress, !isNumber, words.count > 6 {
                return false
            }
            isFirst = false
        }
        return !isFirst
    }

    /// Whether the line is a rule of underscores or dashes.
    private static func isRule(_ line: Line) -> Bool {
        let content = trimmed(line)
        return content.count >= 5
            && (content.allSatisfy { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
                || (content.starts(with: "-----".utf8) && content.reversed().starts(with: "-----".utf8)))
    }

    private static func isBlank(_ line: Line) -> Bool { trimmed(line).isEmpty }

    private static func trimmed(_ line: Line) -> Line {
        var rest = line
        while let first = rest.first {
            if Opening.isBlank(first) {
                rest = rest.dropFirst()
            } else if rest.starts(with: [0xC2, 0xA0]) {
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        while let last = rest.last, Opening.isBlank(last) { rest = rest.dropLast() }
        return rest
    }

    private static func joined(_ lines: ArraySlice<Line>) -> String {
        var rest = lines
        while let first = rest.first, isBlank(first) { rest = rest.dropFirst() }
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        var out: [UInt8] = []
        for (count, line) in rest.enumerated() {
            if count > 0 { out.append(0x0A) }
            out.append(contentsOf: line)
        }
        while let last = out.last, last == 0x20 || last == 0x09 { out.removeLast() }
        return String(decoding: out, as: UTF8.self)
    }

    /// Joins the lines that were wrapped by `format=flowed`.
    static func unflowed(_ body: [UInt8], deletesSpace: Bool) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(body.count)
        var depth = -1
        for raw in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
            var line = raw.last == 0x0D ? raw.dropLast() : raw
            let own = line.prefix { $0 == UInt8(ascii: ">") }.count
            if depth == own {
                // The line continues the previous one.
                line = line.dropFirst(own)
                if line.first == 0x20 { line = line.dropFirst() }
            } else {
                if depth >= 0 || !out.isEmpty { out.append(0x0A) }
                if own == 0, line.first == 0x20 { line = line.dropFirst() }
            }
            let isSignature = line.elementsEqual("-- ".utf8)
            depth = line.last == 0x20 && !isSignature ? own : -1
            out.append(contentsOf: depth >= 0 && deletesSpace ? line.dropLast() : line)
            if depth < 0, out.isEmpty { out.append(0x0A) }
        }
        return out
    }
}
