import TriageCore

/// The date and time at the start of a line, in the format of the phone's language.
struct WhatsAppHeader {
    // Kept small, because there is one for each message in a piece of a chat.
    /// The three numbers of the date, in the order written.
    var first: Int16 = 0
    var second: Int16 = 0
    var third: Int16 = 0
    var secondOfDay: Int32 = 0
    var hasSeconds = false
    var isTwelveHour = false
    var isDotted = false
    var isSlashed = false
    var isYearFirst = false
    /// Whether it is `date time: ` without brackets or a dash, as in very old exports and in logs.
    var isBare = false
    /// What all headers of one export have in common: separators, brackets, digits of the year, seconds.
    var template: UInt32 = 0
    /// Number of bytes before what follows the header.
    var length: Int32 = 0

    /// Whether two headers differ only in the notation of the time, as when a phone was switched to 12 hours.
    static func areKin(_ one: UInt32, _ other: UInt32) -> Bool { (one ^ other) & 0xFFFF == 0 }

    /// Whether the three numbers are a valid date in any order.
    var isSomeDay: Bool {
        [DateOrder.dmy, .mdy, .ymd].contains { seconds($0) != nil }
    }

    /// Clock time in seconds since 1970; nil when the date is invalid in that order.
    func seconds(_ order: DateOrder) -> Int64? {
        var (year, month, day) = (first, second, third)
        switch order {
        case .ymd: break
        case .dmy: (day, month, year) = (first, second, third)
        case .mdy: (month, day, year) = (first, second, third)
        }
        if year < 100 { year += 2000 }
        guard year >= 1900 else { return nil }
        return Timestamp.days(year: Int64(year), month: Int64(month), day: Int64(day)).map {
            $0 * 86_400 + Int64(secondOfDay)
        }
    }
}

/// Finds headers in a normalized copy of a line's beginning.
///
/// The copy has no direction marks, only plain spaces and only Western digits.
struct WhatsAppScanner {
    private var text: [UInt8] = []
    /// The position in the line of each byte of the copy, plus one for the end.
    private var places: [Int] = []
    private var at = 0

    /// Maximum length of a header; what follows need not be copied.
    private static let limit = 96

    /// The header of a line; nil: it has none.
    mutating func header(_ line: UnsafeBufferPointer<UInt8>) -> WhatsAppHeader? {
        guard let byte = line.first else { return nil }
        // Most lines are rejected here.
        guard byte >= 0x80 || byte &- 0x30 < 10 || byte == UInt8(ascii: "[") else { return nil }
        normalize(line)
        at = 0
        var header = WhatsAppHeader()
        let isBracketed = take(UInt8(ascii: "["))
        guard let date = date(&header) else { return nil }
        let hasComma = take(UInt8(ascii: ","))
        guard take(0x20) else { return nil }
        guard let middle = middle(isBracketed) else { return nil }
        guard let time = time(&header, noon: middle.noon) else { return nil }
        var form: UInt32 = 1
        if isBracketed {
            guard take(UInt8(ascii: "]")), take(0x20) || at == text.count else { return nil }
        } else if take(UInt8(ascii: ":")) {
            guard take(0x20), !middle.isPresent else { return nil }
            header.isBare = true
            form = 2
        } else {
            guard take(0x20), takeDash(), take(0x20) || at == text.count else { return nil }
            form = 3
        }
        header.length = Int32(clamping: places[at])
        header.template =
            form | date << 2 | time << 16 | (hasComma ? 1 << 24 : 0) | (middle.isPresent ? 1 << 25 : 0)
        return header
    }

    /// The header as written, without marks, for use in an id.
    func written(_ header: WhatsAppHeader) -> String {
        let end = places.firstIndex { $0 >= Int(header.length) } ?? text.count
        return String(decoding: text[..<min(end, text.count)], as: UTF8.self)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < text.count, text[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func takeDash() -> Bool {
        if take(UInt8(ascii: "-")) { return true }
        guard at + 2 < text.count, text[at] == 0xE2, text[at + 1] == 0x80, text[at + 2] == 0x93 || text[at + 2] == 0x94
        else { return false }
        at += 3
        return true
    }

    private mutating func number(_ most: Int) -> (value: Int, digits: Int)? {
        var value = 0
        var digits = 0
        while digits < most, at < text.count, text[at] &- 0x30 < 10 {
            value = value * 10 + Int(text[at] - 0x30)
            digits += 1
            at += 1
        }
        return digits > 0 ? (value, digits) : nil
    }

    private mutating func separator() -> UInt8? {
        guard at < text.count else { return nil }
        let byte = text[at]
        guard byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-") else { return nil }
        at += 1
        _ = take(0x20)
        return byte
    }

    /// - Returns: the date's part of the template.
    private mutating func date(_ header: inout WhatsAppHeader) -> UInt32? {
        guard let first = number(4), let one = separator(), let second = number(2), let two = separator(),
            let third = number(4)
        else { return nil }
        _ = take(UInt8(ascii: "."))
        guard first.digits != 3, third.digits != 3 else { return nil }
        header.first = Int16(first.value)
        header.second = Int16(second.value)
        header.third = Int16(third.value)
        header.isYearFirst = first.digits == 4
        header.isDotted = one == UInt8(ascii: ".")
        header.isSlashed = one == UInt8(ascii: "/")
        // One file may write days and months with one digit or two, but not years.
        return UInt32(one & 15) | UInt32(two & 15) << 4 | (header.isYearFirst ? 1 << 8 : 0)
            | (third.digits == 4 ? 1 << 9 : 0)
    }

    private static let mornings = ["上午", "오전", "午前"].map { Array($0.utf8) }
    private static let evenings = ["下午", "오후", "午後"].map { Array($0.utf8) }

    /// A word between date and time, such as `klo` or `à`, or AM/PM in languages that put it there.
    private mutating func middle(_ isBracketed: Bool) -> (isPresent: Bool, noon: Int?)? {
        guard at < text.count, text[at] &- 0x30 >= 10 else { return at < text.count ? (false, nil) : nil }
        let start = at
        var count = 0
        let end: UInt8 = isBracketed ? UInt8(ascii: "]") : UInt8(ascii: "-")
        while at < text.count, text[at] &- 0x30 >= 10 {
            if text[at] == end { return nil }
            if text[at] & 0xC0 != 0x80 { count += 1 }
            at += 1
        }
        guard at < text.count, count <= 11 else { return nil }
        let word = text[start..<at]
        if Self.mornings.contains(where: { word.starts(with: $0) }) { return (true, 0) }
        if Self.evenings.contains(where: { word.starts(with: $0) }) { return (true, 12) }
        return word.last == 0x20 ? (true, nil) : nil
    }

    /// - Parameter noon: 0 or 12 when a preceding word said AM or PM.
    private mutating func time(_ header: inout WhatsAppHeader, noon: Int?) -> UInt32? {
        guard var hour = number(2)?.value, at < text.count else { return nil }
        let separator = text[at]
        guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: ".") else { return nil }
        at += 1
        guard let minute = twoDigits() else { return nil }
        var second = 0
        let behind = at
        if take(UInt8(ascii: ":")) || take(UInt8(ascii: ".")) {
            if let value = twoDigits() {
                second = value
                header.hasSeconds = true
            } else {
                at = behind
            }
        }
        guard let half = noon ?? halfOfDay() else { return nil }
        if half >= 0 {
            header.isTwelveHour = true
            if hour == 12 { hour = half } else if hour < 12 { hour += half }
        }
        if hour == 24 { hour = 0 }
        guard hour < 24, minute < 60, second < 60 else { return nil }
        header.secondOfDay = Int32(hour * 3600 + minute * 60 + second)
        return (separator == UInt8(ascii: ":") ? 1 : 0) | (header.hasSeconds ? 2 : 0) | (header.isTwelveHour ? 4 : 0)
    }

    private mutating func twoDigits() -> Int? {
        guard let number = number(2), number.digits == 2 else { return nil }
        return number.value
    }

    /// Parses `AM`, `p. m.`, `ص` …: 0 or 12; -1 when there is none, nil when it is something else.
    private mutating func halfOfDay() -> Int? {
        let start = at
        _ = take(0x20)
        guard at < text.count else { return -1 }
        let byte = text[at] | 0x20
        if byte == UInt8(ascii: "a") || byte == UInt8(ascii: "p") {
            at += 1
            _ = take(UInt8(ascii: "."))
            _ = take(0x20)
            guard take(UInt8(ascii: "m")) || take(UInt8(ascii: "M")) else { return nil }
            _ = take(UInt8(ascii: "."))
            return byte == UInt8(ascii: "a") ? 0 : 12
        }
        if at + 1 < text.count, text[at] == 0xD8 || text[at] == 0xD9 {
            let half: Int
            if text[at] == 0xD8, text[at + 1] == 0xB5 {
                half = 0
            } else if text[at] == 0xD9, text[at + 1] == 0x85 {
                half = 12
            } else {
                return nil
            }
            while at + 1 < text.count, text[at] & 0xE0 == 0xC0 { at += 2 }
            return half
        }
        at = start
        return -1
    }

    // MARK: The copy

    private mutating func normalize(_ line: UnsafeBufferPointer<UInt8>) {
        text.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        var i = 0
        while i < line.count, text.count < Self.limit {
            let byte = line[i]
            if byte < 0x80 {
                text.append(byte == 0x09 ? 0x20 : byte)
                places.append(i)
                i += 1
                continue
            }
            let length = min(WhatsAppMarks.length(byte), line.count - i)
            switch WhatsAppMarks.judge(line, i, length) {
            case .mark: break
            case .plain(let plain):
                text.append(plain)
                places.append(i)
            case .other:
                for k in 0..<length {
                    text.append(line[i + k])
                    places.append(i)
                }
            }
            i += length
        }
        places.append(i)
    }
}

/// Characters that exports insert without meaning, or use in place of plain ones.
enum WhatsAppMarks {
    enum Judgement {
        /// A direction mark or an invisible character.
        case mark
        /// Stands for an ASCII character.
        case plain(UInt8)
        case other
    }

    /// Length of a UTF-8 character by its first byte.
    static func length(_ lead: UInt8) -> Int { lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }

    static func judge(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, _ length: Int) -> Judgement {
        guard length >= 2, at + length <= bytes.count else { return .other }
        let (a, b) = (bytes[at], bytes[at + 1])
        if length == 2 {
            switch (a, b) {
            case (0xC2, 0xA0): return .plain(0x20)
            case (0xD8, 0x8C): return .plain(UInt8(ascii: ","))
            case (0xD9, 0xA0...0xA9): return .plain(0x30 + (b - 0xA0))
            case (0xDB, 0xB0...0xB9): return .plain(0x30 + (b - 0xB0))
            default: return .other
            }
        }
        guard length == 3 else { return .other }
        let c = bytes[at + 2]
        switch (a, b, c) {
        case (0xE2, 0x80, 0x8B), (0xE2, 0x80, 0x8E), (0xE2, 0x80, 0x8F), (0xE2, 0x80, 0xAA...0xAE),
            (0xE2, 0x81, 0xA6...0xA9), (0xEF, 0xBB, 0xBF):
            return .mark
        case (0xE2, 0x80, 0xAF), (0xE2, 0x80, 0x89): return .plain(0x20)
        case (0xE0, 0xA5, 0xA6...0xAF), (0xE0, 0xA7, 0xA6...0xAF): return .plain(0x30 + (c - 0xA6))
        case (0xE0, 0xB9, 0x90...0x99), (0xEF, 0xBC, 0x90...0x99): return .plain(0x30 + (c - 0x90))
        default: return .other
        }
    }

    /// A name or a short line without marks, with plain spaces, trimmed.
    static func plain(_ bytes: some Collection<UInt8>) -> String {
        var out: [UInt8] = []
        let array = Array(bytes)
        array.withUnsafeBufferPointer { bytes in
            var i = 0
            while i < bytes.count {
                let length = min(Self.length(bytes[i]), bytes.count - i)
                switch judge(bytes, i, length) {
                case .mark: break
                case .plain(0x20): out.append(0x20)
                default: out.append(contentsOf: bytes[i..<(i + length)])
                }
                i += length
            }
        }
        while out.last.map(Opening.isBlank) ?? false { out.removeLast() }
        return String(decoding: out.drop(while: Opening.isBlank), as: UTF8.self)
    }

    /// U+200E, which precedes WhatsApp's own text.
    static let own: [UInt8] = [0xE2, 0x80, 0x8E]
}
