internal import ShippedLanguages
internal import TriageCore

/// The day that a message is about, where it names one day with its month and no other.
enum DayNamed {
    /// By the hash of a month's name in any language: the months that it names, as bits.
    private static let months: [UInt64: UInt16] = {
        var months: [UInt64: UInt16] = [:]
        for section in ["months", "weak_months"] {
            for entry in ShippedLanguages.entries(of: section) {
                guard let month = Int(entry.key), (1...12).contains(month) else { continue }
                for word in entry.values {
                    months[Array(word.utf8).withUnsafeBufferPointer(TextFolder.hash), default: 0] |= 1 << UInt16(month)
                }
            }
        }
        return months
    }()

    /// Words that are looked at.
    private static let limit = 1000

    /// Days since 1970 of the day that was read, if its number and its month stand side by side and nothing else may be a
    /// day: of two days nobody can tell which is meant, and of a week or a range none is the day.
    static func only(in record: UnsafePointer<Record>, _ view: AnswerView) -> Int32? {
        guard let day = record.pointee.facts.deadlineDay else { return nil }
        let wanted = CivilDate(daysSince1970: Int(day))
        let tokens = view.tokens[record.pointee.folded.tokens.prefix(limit)]
        guard tokens.count < limit else { return nil }
        let base = Int(record.pointee.folded.span.start)
        var place: Int?
        for index in tokens.indices {
            let word = word(tokens[index], base, view)
            guard let number = number(word), (1...31).contains(number), !isTime(tokens[index], base, view) else {
                continue
            }
            // A second number that may be a day.
            guard place == nil, number == wanted.day else { return nil }
            place = index
        }
        guard let place else { return nil }
        // "12 October", "October 12", "12. Oktober", "12 de octubre".
        for index in [place - 1, place + 1, place + 2] where tokens.indices.contains(index) {
            if months[tokens[index].hash, default: 0] >> UInt16(wanted.month) & 1 != 0 { return day }
        }
        return nil
    }

    private static func word(_ token: Token, _ base: Int, _ view: AnswerView) -> Slice<UnsafeBufferPointer<UInt8>> {
        let start = base + Int(token.start)
        return view.folded[start..<start + Int(token.count)]
    }

    /// The number that a word begins with, of two digits at most, with an ending of two letters at most.
    private static func number(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let digits = word.prefix(while: isDigit)
        guard (1...2).contains(digits.count), word.count - digits.count <= 2 else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// "9.30" and "10:45", of which each part is a word, and "1,400".
    private static func isTime(_ token: Token, _ base: Int, _ view: AnswerView) -> Bool {
        let (start, end) = (base + Int(token.start), base + Int(token.start) + Int(token.count))
        func joins(_ sign: Int, _ digit: Int) -> Bool {
            guard view.folded.indices.contains(sign), view.folded.indices.contains(digit) else { return false }
            return [0x2C, 0x2E, 0x3A].contains(view.folded[sign]) && isDigit(view.folded[digit])
        }
        return joins(end, end + 1) || joins(start - 1, start - 2)
    }
}
