internal import TriageCore

/// Finds phone numbers: seven to fifteen digits in groups, with some sign that it is a phone number.
struct PhoneFinder {
    let text: MessageText

    /// Returns the folded offsets of the first number; nil when there is none.
    ///
    /// - Parameter candidates: words that include all words with digits, in order.
    func find(at candidates: UnsafeBufferPointer<Int32>) -> Range<Int>? {
        // Without a plus sign a number needs nine digits.
        guard text.shape.digits >= (text.shape.marks & TextShape.bit(of: 0x2B) != 0 ? 7 : 9) else { return nil }
        var read = 0
        // Digits occur only in these words.
        for candidate in candidates where text.hasDigits(Int(candidate)) {
            let token = text.tokens[Int(candidate)]
            if let found = find(in: Int(token.start)..<Int(token.start) + Int(token.count), from: &read) {
                return found
            }
        }
        return nil
    }

    /// Searches one word.
    ///
    /// - Parameter read: the end of the last number examined.
    private func find(in word: Range<Int>, from read: inout Int) -> Range<Int>? {
        var i = max(word.lowerBound, read)
        while i < min(word.upperBound, text.bytes.count) {
            guard isDigit(text.bytes[i]) else { i += 1; continue }
            let hasPlus = text.byte(i - 1) == 0x2B || text.byte(i - 1) == 0x28 && text.byte(i - 2) == 0x2B
            var digits = 0
            var groups = 0
            var end = i
            var j = i
            var inGroup = false
            while j < text.bytes.count, digits <= 15 {
                let byte = text.bytes[j]
                if isDigit(byte) {
                    digits += 1
                    if !inGroup { groups += 1 }
                    inGroup = true
                    end = j + 1
                } else if (byte == 0x20 || byte == 0x2D || byte == 0x2E || byte == 0x28 || byte == 0x29) && j - end < 3
                {
                    inGroup = false
                } else {
                    break
                }
                j += 1
            }
            let isAmount =
                text.byte(i - 1) == 0x24 || text.byte(i - 1) >= 0x80 || text.byte(end) == 0x2C
                || text.byte(i - 1) == 0x2C
            if !isAmount, !isWordByte(text.byte(i - 1)), !isWordByte(text.byte(end)) {
                // "+44 20 7946 0958", "020 7946 0958", "(555) 010-2233"; not "2026-10-03".
                if hasPlus, (7...15).contains(digits) { return (i - 1)..<end }
                if digits >= 9, digits <= 15, groups >= 3, !isDate(i) { return i..<end }
                if digits >= 9, digits <= 13, groups <= 2, text.bytes[i] == 0x30 { return i..<end }
                if digits == 10, groups <= 3, text.byte(i - 1) == 0x28 { return i..<end }
            }
            i = max(end, i + 1)
            read = i
        }
        return nil
    }

    private func isDate(_ at: Int) -> Bool {
        text.byte(at + 4) == 0x2D && text.byte(at + 7) == 0x2D || text.byte(at + 2) == 0x2E && text.byte(at + 5) == 0x2E
    }
}
