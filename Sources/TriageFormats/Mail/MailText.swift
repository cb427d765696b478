/// Sets apart what a mail quotes and signs with from what its sender wrote.
struct MailText {
    /// What the sender wrote.
    private(set) var text: String
    /// Bytes of quotes, and of the signature, that are left out.
    private(set) var quoted = 0
    private(set) var signature = 0

    private typealias Line = ArraySlice<UInt8>

    /// - Parameters:
    ///   - body: plain text; quotes begin their lines with `>`.
    ///   - isForward: whether the subject says that other people's words are the message.
    init(_ body: [UInt8], isForward: Bool) {
        let lines = body.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }
        var end = lines.count
        if !isForward, !lines.contains(where: MailPhrases.isForwardMark) {
            if let header = Self.beginOfHeader(lines[...]) {
                quoted += Self.size(lines[header..<end])
                end = header
            }
            // Quotes and signatures alternate at the end; a few times at most, whatever the mail is made of.
            for _ in 0..<8 {
                while end > 0, Self.isBlank(lines[end - 1]) { end -= 1 }
                let quote = Self.beginOfQuote(lines[..<end])
                let sign = quote < end ? quote : Self.beginOfSignature(lines[..<end])
                guard sign < end else { break }
                let size = Self.size(lines[sign..<end])
                if quote < end { quoted += size } else { signature += size }
                end = sign
            }
        }
        text = Self.joined(lines[..<end])
        if text.isEmpty {
            // Nothing else was said: then this is the message.
            text = Self.joined(lines[...])
            quoted = 0
            signature = 0
        }
    }

    /// Where the quote at the end begins; the end when there is none.
    private static func beginOfQuote(_ lines: ArraySlice<Line>) -> Int {
        var at = lines.endIndex
        while at > 0, isBlank(lines[at - 1]) || trimmed(lines[at - 1]).first == UInt8(ascii: ">") { at -= 1 }
        // Blanks before a quote are no quote.
        while at < lines.endIndex, isBlank(lines[at]) { at += 1 }
        var before = at
        while before > 0, isBlank(lines[before - 1]) { before -= 1 }
        for count in 1...3 where before >= count {
            let joined = lines[(before - count)..<before].map(trimmed).joined(separator: [0x20])
            if MailPhrases.isAttribution(Array(joined)) { return before - count }
        }
        return at
    }

    /// Where the first header that Outlook repeats begins, with the rule above it; all behind it is quoted, unmarked.
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

    private static func beginOfSignature(_ lines: ArraySlice<Line>) -> Int {
        // Longer than that it is a part of the text behind a dash.
        for at in lines.indices.suffix(30).reversed() {
            let line = lines[at]
            if line.elementsEqual("-- ".utf8) || line.elementsEqual("--".utf8) || line.elementsEqual("--\u{A0}".utf8) {
                return at
            }
        }
        if let last = lines.last, MailPhrases.isDeviceLine(trimmed(last)) { return lines.endIndex - 1 }
        return lines.endIndex
    }

    /// Underscores or dashes across the page.
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

    private static func size(_ lines: ArraySlice<Line>) -> Int { lines.reduce(0) { $0 + $1.count + 1 } }

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

    /// Joins the lines that `format=flowed` broke.
    static func unflowed(_ body: [UInt8], deletesSpace: Bool) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(body.count)
        var depth = -1
        for raw in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
            var line = raw.last == 0x0D ? raw.dropLast() : raw
            let own = line.prefix { $0 == UInt8(ascii: ">") }.count
            if depth == own {
                // Goes on with the line before, whose blank stays.
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
