/// The lines that stand between the messages of an mbox file, and those that begin a message.
enum MailSeparator {
    /// Longer lines are none.
    static let maximumLength = 1024

    enum Form {
        /// With a sender or none, and a date.
        case dated
        /// `From - `, as Thunderbird writes it.
        case dashed
        /// `From ` and nothing else: only what follows can say whether it is one.
        case bare
    }

    /// What kind of separator a line is, without its line break; nil: none.
    static func form(_ line: ArraySlice<UInt8>) -> Form? {
        guard line.count <= maximumLength, line.starts(with: "From ".utf8) else { return nil }
        let words = line.dropFirst(5).split(whereSeparator: Opening.isBlank)
        guard let first = words.first else { return .bare }
        if seconds(words) != nil { return .dated }
        let rest = words.dropFirst()
        if seconds(Array(rest)) != nil {
            // A patch in a body begins like this, with the name of a commit.
            return first.count == 40 && first.allSatisfy(isHexadecimal) ? nil : .dated
        }
        return first.elementsEqual("-".utf8) && line.count > 6 ? .dashed : nil
    }

    /// Seconds since 1970 of a separator's date; nil when it has none.
    static func time(_ line: ArraySlice<UInt8>) -> Int64? {
        guard line.starts(with: "From ".utf8) else { return nil }
        let words = line.dropFirst(5).split(whereSeparator: Opening.isBlank)
        return seconds(words) ?? seconds(Array(words.dropFirst()))
    }

    /// `Sat Jun 01 10:40:00 +0000 2024`, with the zone before or behind the year or left out.
    private static func seconds(_ words: [ArraySlice<UInt8>]) -> Int64? {
        guard words.count >= 5, words.count <= 6, days.contains(where: { words[0].elementsEqual($0.utf8) }),
            let month = months.firstIndex(where: { words[1].elementsEqual($0.utf8) }),
            words[2].count <= 2, let day = number(words[2])
        else { return nil }
        let parts = words[3].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ $0.count == 2 }),
            let hour = number(parts[0]), let minute = number(parts[1]), let second = number(parts.last ?? [])
        else { return nil }
        var yearWord = words[4]
        var zone: ArraySlice<UInt8> = []
        if words.count == 6 {
            if isYear(words[4]) { zone = words[5] } else { (zone, yearWord) = (words[4], words[5]) }
        }
        guard isYear(yearWord), let year = number(yearWord), let offset = Self.offset(zone),
            let date = Timestamp.days(year: year, month: Int64(month + 1), day: day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        return date * 86_400 + hour * 3600 + minute * 60 + (parts.count == 3 ? second : 0) - offset
    }

    /// Seconds east of UTC; letters name a zone that is taken for UTC; nil: not a zone.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
        guard let sign = zone.first else { return 0 }
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            guard zone.count == 5, let value = number(zone.dropFirst()) else { return nil }
            let seconds = value / 100 * 3600 + value % 100 * 60
            return sign == UInt8(ascii: "-") ? -seconds : seconds
        }
        guard zone.count >= 3, zone.count <= 4, zone.allSatisfy({ $0 >= 0x41 && $0 <= 0x5A }) else { return nil }
        return 0
    }

    private static func isYear(_ word: ArraySlice<UInt8>) -> Bool { word.count == 4 && number(word) != nil }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count <= 4 else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            value = value * 10 + Int64(digit - 0x30)
        }
        return value
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66)
    }

    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The name of the header field that a line begins; nil: it begins none.
    static func fieldName(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = line.prefix(256).firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            return nil
        }
        let name = line[line.startIndex..<colon]
        return name.allSatisfy { $0 >= 0x21 && $0 <= 0x7E } ? name : nil
    }
}
