import TriageCore

/// Parses times in tables: epochs, ISO forms, `D/M/Y` and `M/D/Y`, RFC 2822.
struct TableTime: Equatable {
    enum DateOrder: String { case dmy, mdy, ymd }

    /// A time and its precision.
    struct Reading: Equatable {
        var seconds: Int64
        var milliseconds = 0
        /// `minute` or `day` if the source is not more precise.
        var precision: String?
        /// Whether the source has a zone or needs none.
        var hasZone: Bool
    }

    /// Order of day and month in this column; nil: undecided.
    var order: DateOrder?

    /// Determines the order from the first rows of the column.
    init(sample: [String]) {
        var firstAbove = false
        var secondAbove = false
        var isDotted = false
        var hasClock12 = false
        var firsts: [Int] = []
        var seconds: [Int] = []
        for cell in sample {
            guard let parts = Self.parts(cell) else { continue }
            if parts.numbers[0] > 31 || parts.digits[0] == 4 {
                order = .ymd
                return
            }
            firstAbove = firstAbove || parts.numbers[0] > 12
            secondAbove = secondAbove || parts.numbers[1] > 12
            isDotted = isDotted || parts.separator == UInt8(ascii: ".")
            hasClock12 = hasClock12 || cell.lowercased().hasSuffix("m")
            firsts.append(parts.numbers[0])
            seconds.append(parts.numbers[1])
        }
        if firstAbove != secondAbove {
            order = firstAbove ? .dmy : .mdy
        } else if !firstAbove, !firsts.isEmpty {
            let firstChanges = zip(firsts, firsts.dropFirst()).count { $0 != $1 }
            let secondChanges = zip(seconds, seconds.dropFirst()).count { $0 != $1 }
            // The number that changes more often is the day.
            if firstChanges != secondChanges {
                order = firstChanges > secondChanges ? .dmy : .mdy
            } else if isDotted {
                order = .dmy
            } else if hasClock12 {
                order = .mdy
            }
        }
    }

    /// The time in a cell; nil when it is not a time, or when day and month are ambiguous.
    func read(_ cell: String) -> Reading? {
        let text = cell.trimmingBlanks()
        guard !text.isEmpty else { return nil }
        if let epoch = Self.epoch(text) { return epoch }
        var copy = text
        if let seconds = copy.withUTF8({ Timestamp.seconds($0) }) {
            let bytes = Array(text.utf8)
            let colons = bytes.dropFirst(10).prefix(9).count { $0 == 0x3A }
            return Reading(
                seconds: seconds, milliseconds: Self.milliseconds(bytes),
                precision: bytes.count == 10 ? "day" : colons < 2 ? "minute" : nil,
                hasZone: bytes.dropFirst(10).contains {
                    $0 == 0x5A || $0 == 0x7A || $0 == 0x2B || $0 == 0x2D || $0 == 0x55
                })
        }
        return numeric(text) ?? Self.rfc2822(text)
    }

    /// Whether a cell looks like a time.
    static func looksLikeTime(_ cell: String) -> Bool {
        let text = cell.trimmingBlanks()
        if parts(text) != nil { return true }
        if let epoch = epoch(text) { return epoch.seconds >= 300_000_000 }
        var copy = text
        return copy.withUTF8 { Timestamp.seconds($0) } != nil || rfc2822(text) != nil
    }

    /// Whether a cell looks like a day without a clock time.
    static func looksLikeDay(_ cell: String) -> Bool {
        let text = cell.trimmingBlanks()
        return text.utf8.count <= 10 && Int64(text) == nil && looksLikeTime(text)
    }

    /// Whether a cell looks like a clock time without a day.
    static func looksLikeClock(_ cell: String) -> Bool {
        clock(cell.trimmingBlanks()).map { $0.precision != "day" } ?? false
    }

    private static func milliseconds(_ bytes: [UInt8]) -> Int {
        guard bytes.count > 20, bytes[19] == 0x2E || bytes[19] == 0x2C else { return 0 }
        var value = 0
        for place in 0..<3 {
            let at = 20 + place
            let isDigit = at < bytes.count && bytes[at] >= 0x30 && bytes[at] <= 0x39
            value = value * 10 + (isDigit ? Int(bytes[at]) - 0x30 : 0)
            if !isDigit {
                for _ in (place + 1)..<3 { value *= 10 }
                return value
            }
        }
        return value
    }

    /// Reads seconds, milliseconds, microseconds or nanoseconds, distinguished by their size.
    private static func epoch(_ text: String) -> Reading? {
        guard text.utf8.count >= 9, text.utf8.count <= 19, let value = Int64(text), value > 0 else { return nil }
        switch value {
        case ..<100_000_000_000: return Reading(seconds: value, hasZone: true)
        case ..<100_000_000_000_000:
            return Reading(seconds: value / 1000, milliseconds: Int(value % 1000), hasZone: true)
        case ..<100_000_000_000_000_000:
            return Reading(seconds: value / 1_000_000, milliseconds: Int(value / 1000 % 1000), hasZone: true)
        default:
            return Reading(seconds: value / 1_000_000_000, milliseconds: Int(value / 1_000_000 % 1000), hasZone: true)
        }
    }

    private struct Parts {
        var numbers: [Int]
        var digits: [Int]
        var separator: UInt8
        var rest: Substring.UTF8View
    }

    /// Three numbers with the same separator at the start of a cell.
    private static func parts(_ cell: String) -> Parts? {
        var numbers: [Int] = []
        var digits: [Int] = []
        var separator: UInt8 = 0
        var view = Substring(cell).utf8
        for place in 0..<3 {
            let run = view.prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard (1...4).contains(run.count), let number = Int(String(Substring(run))) else { return nil }
            numbers.append(number)
            digits.append(run.count)
            view = view.dropFirst(run.count)
            guard place < 2 else { break }
            guard let next = view.first, next == 0x2F || next == 0x2E || next == 0x2D else { return nil }
            guard place == 0 || next == separator else { return nil }
            separator = next
            view = view.dropFirst()
        }
        guard digits[0] == 4 || digits[2] == 4 || digits[2] == 2 else { return nil }
        return Parts(numbers: numbers, digits: digits, separator: separator, rest: view)
    }

    private func numeric(_ text: String) -> Reading? {
        guard let parts = Self.parts(text) else { return nil }
        var (year, month, day) = (0, 0, 0)
        switch order {
        case .ymd: (year, month, day) = (parts.numbers[0], parts.numbers[1], parts.numbers[2])
        case .dmy: (day, month, year) = (parts.numbers[0], parts.numbers[1], parts.numbers[2])
        case .mdy: (month, day, year) = (parts.numbers[0], parts.numbers[1], parts.numbers[2])
        case nil:
            guard parts.digits[0] == 4 || parts.numbers[0] == parts.numbers[1] else { return nil }
            (year, month, day) = (parts.numbers[0], parts.numbers[1], parts.numbers[2])
            if parts.digits[0] != 4 { (day, year) = (parts.numbers[0], parts.numbers[2]) }
        }
        if year < 100 { year += 2000 }
        guard let days = Timestamp.days(year: Int64(year), month: Int64(month), day: Int64(day)) else { return nil }
        guard let clock = Self.clock(String(Substring(parts.rest))) else { return nil }
        return Reading(
            seconds: days * 86_400 + clock.seconds, precision: clock.precision, hasZone: clock.hasZone)
    }

    /// Parses what follows a date: nothing, `HH:MM[:SS]`, `HHhMM`, `AM`/`PM`, `Uhr`, `Z`.
    private static func clock(_ text: String) -> (seconds: Int64, precision: String?, hasZone: Bool)? {
        var rest = Substring(text)
        while let first = rest.first, first == " " || first == "," || first == "T" { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return (0, "day", false) }
        let words = rest.split { $0 == " " || $0 == "\u{202F}" || $0 == "\u{A0}" }
        guard var time = words.first, words.count <= 2 else { return nil }
        var suffix = words.count == 2 ? words[1].lowercased() : ""
        var hasZone = false
        if time.hasSuffix("Z") {
            time = time.dropLast()
            hasZone = true
        }
        if suffix.isEmpty, time.lowercased().hasSuffix("am") || time.lowercased().hasSuffix("pm") {
            suffix = time.suffix(2).lowercased()
            time = time.dropLast(2)
        }
        let numbers = time.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "h" }
        guard numbers.count == 2 || numbers.count == 3, numbers.allSatisfy({ (1...2).contains($0.utf8.count) }),
            var hour = Int64(numbers[0]), let minute = Int64(numbers[1]),
            let second = numbers.count == 3 ? Int64(numbers[2]) : 0
        else { return nil }
        switch suffix.filter({ $0 != "." }) {
        case "", "uhr": break
        case "am": hour = hour == 12 ? 0 : hour
        case "pm": hour = hour < 12 ? hour + 12 : hour
        case "utc", "gmt": hasZone = true
        default: return nil
        }
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second) else { return nil }
        return (hour * 3600 + minute * 60 + second, numbers.count == 2 ? "minute" : nil, hasZone)
    }

    private static let months = [
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
        "dec": 12,
    ]

    /// Parses `Tue, 05 Mar 2024 14:02:11 +0000` and `Tue Mar 05 14:02:11 +0000 2024`.
    private static func rfc2822(_ text: String) -> Reading? {
        var words = text.split { $0 == " " || $0 == "," }.map(String.init)
        guard (4...6).contains(words.count) else { return nil }
        if words[0].utf8.count == 3, months[words[0].lowercased()] == nil { words.removeFirst() }
        guard words.count >= 4 else { return nil }
        if let month = months[words[0].lowercased()], words.count == 5, let day = Int64(words[1]),
            let year = Int64(words[4])
        {
            return rfc2822(day, Int64(month), year, words[2], words[3])
        }
        guard let day = Int64(words[0]), let month = months[words[1].prefix(3).lowercased()], let year = Int64(words[2])
        else { return nil }
        return rfc2822(day, Int64(month), year, words[3], words.count > 4 ? words[4] : "")
    }

    private static func rfc2822(_ day: Int64, _ month: Int64, _ year: Int64, _ time: String, _ zone: String) -> Reading?
    {
        guard let days = Timestamp.days(year: year, month: month, day: day), let clock = clock(time) else { return nil }
        var offset: Int64 = 0
        let digits = Array(zone.utf8)
        let isNumber = digits.count == 5 && (digits[0] == 0x2B || digits[0] == 0x2D)
        if isNumber, let value = Int64(zone.dropFirst()), value % 100 < 60, value < 2400 {
            offset = (value / 100 * 3600 + value % 100 * 60) * (digits[0] == 0x2D ? -1 : 1)
        } else if !zone.isEmpty, !["gmt", "utc", "ut", "z"].contains(zone.lowercased()) {
            return nil
        }
        return Reading(
            seconds: days * 86_400 + clock.seconds - offset, precision: clock.precision, hasZone: !zone.isEmpty)
    }
}

extension String {
    /// The text without whitespace at both ends.
    func trimmingBlanks() -> String {
        var view = Substring(self)
        while let first = view.unicodeScalars.first, first.properties.isWhitespace { view.unicodeScalars.removeFirst() }
        while let last = view.unicodeScalars.last, last.properties.isWhitespace { view.unicodeScalars.removeLast() }
        return String(view)
    }
}
