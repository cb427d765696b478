import TriageCore

/// A time on Meta's HTML pages, in the account's language: `Sep 22, 2017 6:33 am`, `03. Sept. 2026, 21:33`.
struct MetaHTMLTime: Equatable {
    /// The clock time, as seconds since 1970.
    var local: Int64
    var hasSeconds = false
    /// Seconds east of UTC, if the text includes it.
    var offset: Int64?

    private struct Number {
        var value: Int64
        var digits: Int
        /// The character right after the number.
        var next: Unicode.Scalar?
    }

    /// nil: not a time, or a numeric date whose order neither the text nor `order` shows.
    init?(_ text: String, order: DateOrder? = nil) {
        guard text.utf8.count <= 200 else { return nil }
        var rest = text[...]
        if let zone = text.firstRange(of: "UTC") ?? text.firstRange(of: "GMT") {
            offset = Self.offset(text[zone.upperBound...])
            rest = text[..<zone.lowerBound]
        }
        var (numbers, words) = Self.parts(rest)
        guard let time = Self.takeTime(&numbers) else { return nil }
        hasSeconds = time.hasSeconds
        var hour = time.hour
        if let isAfternoon = Self.isAfternoon(words) {
            guard hour <= 12 else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        let month = words.lazy.compactMap(MetaMonths.number).first
        guard hour < 24, time.minute < 60, time.second <= 60, let date = Self.date(numbers, month, order),
            let days = Timestamp.days(year: date.year, month: date.month, day: date.day)
        else { return nil }
        local = days * 86_400 + hour * 3600 + time.minute * 60 + time.second
    }

    /// The numbers and words, each in order of appearance.
    private static func parts(_ text: Substring) -> (numbers: [Number], words: [String]) {
        var numbers: [Number] = []
        var words: [String] = []
        var word = ""
        var isInNumber = false
        for scalar in text.unicodeScalars {
            if scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue.map({ Int64($0) })
            {
                if isInNumber {
                    let last = numbers.count - 1
                    if numbers[last].digits < 10 { numbers[last].value = numbers[last].value * 10 + digit }
                    numbers[last].digits += 1
                } else {
                    numbers.append(Number(value: digit, digits: 1, next: nil))
                }
                isInNumber = true
                continue
            }
            if isInNumber { numbers[numbers.count - 1].next = scalar }
            isInNumber = false
            if scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark {
                word.unicodeScalars.append(scalar)
            } else if scalar != "." || word.utf8.count > 1 {
                // Treat `p. m.` and `p.m.` as one word.
                let isHalf = scalar == " " || scalar == "\u{A0}" || scalar == "\u{202F}" || scalar == "."
                if !word.isEmpty, !(isHalf && (word == "a" || word == "p" || word == "A" || word == "P")) {
                    words.append(word.lowercased())
                    word = ""
                }
            }
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return (numbers, words)
    }

    private static func takeTime(
        _ numbers: inout [Number]
    ) -> (hour: Int64, minute: Int64, second: Int64, hasSeconds: Bool)? {
        func isPair(_ i: Int, _ mark: Unicode.Scalar) -> Bool {
            i + 1 < numbers.count && numbers[i].next == mark && numbers[i].digits <= 2 && numbers[i + 1].digits == 2
        }
        var start = numbers.indices.first { isPair($0, ":") }
        if start == nil {
            // Times such as `06.33` and `6h33` follow the year.
            let year = numbers.firstIndex { $0.digits == 4 } ?? 0
            start = numbers.indices.first { $0 > max(year, 1) && (isPair($0, ".") || isPair($0, "h")) }
        }
        guard let start else { return nil }
        let mark = numbers[start].next ?? ":"
        let hasSeconds = isPair(start + 1, mark)
        let second = hasSeconds ? numbers[start + 2].value : 0
        let found = (numbers[start].value, numbers[start + 1].value, second, hasSeconds)
        numbers.removeSubrange(start...(start + (hasSeconds ? 2 : 1)))
        return found
    }

    private static func isAfternoon(_ words: [String]) -> Bool? {
        for word in words {
            if morning.contains(word) { return false }
            if afternoon.contains(word) { return true }
        }
        return nil
    }

    private static let morning: Set<String> = ["am", "a m", "午前", "上午", "오전", "πμ", "ص"]
    private static let afternoon: Set<String> = ["pm", "p m", "午後", "下午", "오후", "μμ", "م"]

    private static func date(
        _ numbers: [Number], _ month: Int64?, _ order: DateOrder?
    ) -> (year: Int64, month: Int64, day: Int64)? {
        if let month {
            guard let year = numbers.first(where: { $0.digits == 4 }),
                let day = numbers.first(where: { $0.digits <= 2 })
            else { return nil }
            return (year.value, month, day.value)
        }
        guard numbers.count >= 3 else { return nil }
        let (a, b, c) = (numbers[0], numbers[1], numbers[2])
        if a.digits == 4 { return (a.value, b.value, c.value) }
        guard c.digits == 4, a.digits <= 2, b.digits <= 2 else { return nil }
        if a.value > 12 { return (c.value, b.value, a.value) }
        if b.value > 12 { return (c.value, a.value, b.value) }
        switch order {
        case .dmy: return (c.value, b.value, a.value)
        case .mdy: return (c.value, a.value, b.value)
        // With dots as separators, the day always comes first.
        default: return a.next == "." ? (c.value, b.value, a.value) : nil
        }
    }

    /// Parses `+02:00`, `-3`, `+0530` or nothing.
    private static func offset(_ text: Substring) -> Int64? {
        let (numbers, _) = parts(text)
        let sign = text.unicodeScalars.first { $0 != " " }
        guard let first = numbers.first, let sign, ["+", "-", "\u{2212}"].contains(sign) else {
            return numbers.isEmpty ? 0 : nil
        }
        let isShort = first.digits <= 2
        let minutes = isShort ? (first.next == ":" && numbers.count > 1 ? numbers[1].value : 0) : first.value % 100
        let hours = isShort ? first.value : first.value / 100
        guard hours <= 14, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == "+" ? 1 : -1)
    }
}

/// Converts clock times on Meta's HTML pages to UTC.
struct MetaHTMLClock {
    private let rules: TimeZoneRules?
    private let zoneName: String
    /// The export's time zone according to the page, in seconds east of UTC.
    var header: Int64?

    init(zone: String) {
        rules = zone.isEmpty ? nil : TimeZoneRules(name: zone)
        zoneName = zone
    }

    /// Seconds since 1970, and the assumption made; nil: no assumption was needed.
    ///
    /// The user's setting takes precedence, then what the pages say. Instagram's pages are eight hours behind UTC all
    /// year. Facebook's are in the account's time zone, which is unknown; they are read as UTC.
    func moment(of time: MetaHTMLTime, _ platform: MetaPlatform) -> (seconds: Int64, assumed: String?) {
        if let offset = time.offset { return (time.local - offset, nil) }
        if let rules { return (rules.utc(ofLocal: time.local), zoneName) }
        if let header { return (time.local - header, Self.text(header)) }
        return platform == .instagram ? (time.local + 8 * 3600, "-08:00") : (time.local, "UTC")
    }

    /// The offset that a page reveals by giving one moment both in UTC and in its clock time.
    static func offset(moment: String, shown: String) -> Int64? {
        guard let time = MetaHTMLTime(shown) else { return nil }
        if let offset = time.offset { return offset }
        var copy = moment
        guard let seconds = copy.withUTF8({ Timestamp.seconds($0) }) else { return nil }
        // Either side may omit the seconds; time zones are multiples of a quarter of an hour.
        let difference = time.local - seconds
        guard difference.magnitude <= 14 * 3600 + 60 else { return nil }
        let quarter = (Double(difference) / 900).rounded()
        return Int64(quarter) * 900
    }

    private static func text(_ offset: Int64) -> String {
        let minutes = Int(offset.magnitude / 60)
        func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
        return (offset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }
}

/// Names of months in common account languages, by their first letters.
private enum MetaMonths {
    /// The number of the month named by a lower-case word; nil: none.
    static func number(_ word: String) -> Int64? {
        // The longest match counts: `marras…` is not `mar…`.
        var part = word.unicodeScalars.prefix(10)
        while part.count >= 3 {
            if let month = months[String(String.UnicodeScalarView(part))] { return month }
            part = part.dropLast()
        }
        return nil
    }

    private static let names = [
        "jan ene gen janv ian jän tam oca sty led янв січ ιαν يناير",
        "feb fév fev fév feb hel şub lut úno фев лют φεβ فبراير",
        "mar mär mrt maalis már bře мар бер μαρ μάρ مارس",
        "apr abr avr huh nis kwi ápr dub апр кві απρ أبريل",
        "may mai mag maj mei maí touko máj kvě мая май тра μαϊ μαΐ μαι مايو",
        "jun juin giu kes haz cze iun jún červn červen июн чер ιουν يونيو",
        "jul juil lug hei tem lip iul júl červenc июл лип ιουλ يوليو",
        "aug ago aoû agu ağu elo sie srp авг сер αυγ أغسطس",
        "sep set sept syy eyl wrz szept zář сен вер σεπ سبتمبر",
        "oct okt ott out lok eki paź říj окт жов οκτ أكتوبر",
        "nov marras kas lis noi noe ноя лис νοε نوفمبر",
        "dec dez dic déc des jou ara gru pro дек гру δεκ ديسمبر",
    ]

    private static let months: [String: Int64] = {
        var all: [String: Int64] = [:]
        for (index, line) in names.enumerated() {
            for name in line.split(separator: " ") { all[String(name)] = Int64(index + 1) }
        }
        return all
    }()
}
