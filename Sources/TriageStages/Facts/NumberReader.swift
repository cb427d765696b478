/// A number as people write it: `5,000`, `1.500,50`, `1 500`, `1,80,000`, `3.5`.
struct NumberReader {
    var value: Double
    /// Offset after its last digit.
    var end: Int
    /// Number of digits before any decimal separator, to distinguish years and phone numbers from amounts.
    var wholeDigits: Int
    var hasSeparator: Bool
}

extension NumberReader {
    /// Reads the number that starts at a digit; nil when it is too long to be an amount.
    init?(_ text: MessageText, at start: Int) {
        var end = start
        var whole: UInt64 = 0
        while isDigit(text.byte(end)), end &- start < 16 {
            whole = whole &* 10 &+ UInt64(text.byte(end) &- 0x30)
            end &+= 1
        }
        guard end > start, end - start <= 15 else { return nil }
        // Most numbers are a single run of digits.
        if isSeparator(text.byte(end)), isDigit(text.byte(end + 1)) {
            self.init(separated: text, at: start)
        } else {
            self.init(value: Double(whole), end: end, wholeDigits: end - start, hasSeparator: false)
        }
    }

    /// Reads a number that may continue after a separator.
    private init?(separated text: MessageText, at start: Int) {
        var i = start
        var groups = 0
        var whole = 0.0
        var digits = 0
        var separator: UInt8 = 0
        func run(_ from: Int) -> Int {
            var j = from
            while isDigit(text.byte(j)), j - from < 20 { j += 1 }
            return j - from
        }
        func value(_ from: Int, _ count: Int) -> Double {
            var result = 0.0
            for j in from..<from + count { result = result * 10 + Double(text.byte(j) &- 0x30) }
            return result
        }
        let first = run(i)
        guard first > 0, first <= 15 else { return nil }
        whole = value(i, first)
        digits = first
        let leadsWithZero = text.byte(i) == 0x30
        i += first
        var fraction = 0.0
        var isDone = false
        while !isDone {
            let mark = text.byte(i)
            guard isSeparator(mark) else { break }
            let count = run(i + 1)
            guard count > 0 else { break }
            let isSame = separator == 0 || separator == mark
            switch (mark, count) {
            case (0x20, 3), (0x27, 3):
                // A blank separates thousands only in groups of exactly three digits: "1 500", not "2026 500".
                guard isSame, groups > 0 || first <= 3, !leadsWithZero, digits <= 12 else { isDone = true; break }
                whole = whole * 1000 + value(i + 1, 3)
                separator = mark
            case (0x2C, 3), (0x2E, 3):
                if isSame, groups > 0 || first <= 3, !leadsWithZero {
                    whole = whole * 1000 + value(i + 1, 3)
                    separator = mark
                } else {
                    fraction = value(i + 1, 3) / 1000
                    isDone = true
                }
            case (0x2C, 2) where isSame && first <= 2 && text.byte(i + 3) == 0x2C && run(i + 4) >= 2:
                // Lakhs: 1,80,000.
                whole = whole * 100 + value(i + 1, 2)
                separator = mark
            case (0x2C, 1...2), (0x2E, 1...2):
                fraction = value(i + 1, count) / (count == 1 ? 10 : 100)
                isDone = true
            default:
                isDone = true
                continue
            }
            if isDone, fraction == 0, count == 3 { break }
            i += 1 + count
            digits += count
            groups += 1
            if digits > 18 { return nil }
        }
        self.value = whole + fraction
        end = i
        wholeDigits = digits
        hasSeparator = groups > 0
    }
}

/// Whether a byte may separate digits of a number: `,`, `.`, `'` or a blank.
@inline(__always)
private func isSeparator(_ byte: UInt8) -> Bool { byte == 0x2C || byte == 0x2E || byte == 0x27 || byte == 0x20 }
