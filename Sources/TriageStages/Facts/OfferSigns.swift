import Platform
internal import TriageCore

/// Signs of a real offer that lists of phrases cannot cover.
///
/// Counted deliverables, a sender who is named in the text, a signature with a job title. Only used for messages that
/// have another sign of business.
struct OfferSigns {
    let text: MessageText
    let table: WordIndex

    /// Maximum number of words that are read.
    static let limit = 2000

    /// Whether something countable is requested: "two reels", "30 minutes", "a 15 minute segment".
    ///
    /// - Parameter candidates: words that include all ``WordRoles/countable`` words among the first ``limit``.
    func namesDeliverables(at candidates: UnsafeBufferPointer<Int32>) -> Bool {
        let context = MoneyContext(text: text, table: table)
        for candidate in candidates {
            let i = Int(candidate)
            let info = table.info(text.hash(i))
            guard info.roles.contains(.countable), info.unit == .none || info.unit == .hour else { continue }
            if context.numeral(before: i) != nil { return true }
        }
        return false
    }

    /// Whether a word of the sender's name with at least four letters occurs in the text.
    func isNamed(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { word in
            let end = min(name.count, word.count)
            var count = 0
            for i in 0...end {
                let byte = i < end ? name[i] : 0
                let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
                if isLetter(lower) || isDigit(lower) {
                    word[count] = lower
                    count += 1
                } else {
                    let hash = TextFolder.hash(UnsafeBufferPointer(rebasing: word[..<count]))
                    if count >= 4, hasToken(hash) { return true }
                    count = 0
                }
            }
            return false
        }
    }

    private func hasToken(_ hash: UInt64) -> Bool {
        for token in text.tokens.prefix(Self.limit) where token.hash == hash { return true }
        return false
    }

    /// Whether the text ends in "Name, Role", or in a name with a job title on the line below.
    ///
    /// - Parameter raw: the decoded text.
    static func signsWithRole(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
        let last = line(raw, before: raw.count)
        guard !last.isEmpty else { return false }
        // The part after the last sentence end, for signatures on the same line. Anything longer than this limit is too
        // long for a name and a job title.
        var start = max(last.lowerBound, last.upperBound - 256)
        var i = last.upperBound - 2
        while i >= start {
            if isSentenceEnd(raw[i]), raw[i + 1] == 0x20 {
                start = i + 2
                break
            }
            i -= 1
        }
        while start < last.upperBound,
            raw[start] == 0x2D || raw[start] == 0x20 || raw[start] >= 0xE2 && raw[start] < 0xE3
        {
            start += raw[start] >= 0xE2 ? 3 : 1
        }
        if start < last.upperBound, isNameAndRole(raw, start..<last.upperBound) { return true }
        guard last.count <= 60 else { return false }
        let above = line(raw, before: last.lowerBound)
        return above.count <= 40 && isName(raw, above)
            && !raw[last].contains { isDigit($0) || $0 == 0x40 }
    }

    @inline(__always)
    private static func isSentenceEnd(_ byte: UInt8) -> Bool {
        // All of them precede the letters in ASCII.
        byte < 0x40 && (byte == 0x2E || byte == 0x21 || byte == 0x3F)
    }

    private static func isNameAndRole(_ raw: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        // A name begins with a capital letter and has at most forty bytes.
        guard range.count <= 90, isCapital(raw[range.lowerBound]) else { return false }
        for i in range.prefix(41) where raw[i] == 0x2C || raw[i] == 0x7C || raw[i] == 0x28 {
            guard isName(raw, range.lowerBound..<i) else { return false }
            var letters = 0
            for byte in raw[(i + 1)..<range.upperBound] where byte | 0x20 &- 0x61 < 26 || byte >= 0x80 { letters += 1 }
            return letters >= 4
        }
        return false
    }

    /// Whether a byte is a capital letter, or may begin a non-ASCII one.
    @inline(__always)
    private static func isCapital(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 || byte >= 0xC3 }

    /// Whether a range contains one to four words with capital letters.
    private static func isName(_ raw: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 3, range.count <= 40 else { return false }
        var words = 0
        var atStart = true
        for i in range {
            let byte = raw[i]
            if byte == 0x20 {
                atStart = true
            } else if atStart {
                guard isCapital(byte) else { return false }
                words += 1
                atStart = false
            } else if byte == 0x3F || byte == 0x21 || byte == 0x3A {
                return false
            }
        }
        return words >= 1 && words <= 4
    }

    /// Returns the last non-blank line before an offset; for a long line, its end.
    private static func line(_ raw: UnsafeBufferPointer<UInt8>, before offset: Int) -> Range<Int> {
        var end = offset
        while end > 0, raw[end - 1] <= 0x20 { end -= 1 }
        // The search for the line start is short, unless blanks hide it.
        var start = max(0, end - 300)
        if start > 0, start < end, raw[start] <= 0x20 { start = max(0, end - 2000) }
        guard let base = raw.baseAddress else { return 0..<0 }
        while start < end, let found = memchr(base + start, 0x0A, end - start) {
            start = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
        }
        while start < end, raw[start] <= 0x20 { start += 1 }
        return start..<end
    }
}
