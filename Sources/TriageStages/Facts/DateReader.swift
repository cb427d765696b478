internal import TriageCore

/// Reads one date at a word: dates in digits and words, weekdays, and days relative to the message.
struct DateReader {
    let text: MessageText
    let table: WordIndex
    let frame: DateFrame

    /// Days since 1970 of the message; nil when it has no date.
    var today: Int? { frame.today }

    @inline(__always)
    func info(_ token: Int) -> WordInfo { table.info(text.hash(token)) }

    @inline(__always)
    func roles(_ token: Int) -> WordRoles { table.roles(text.hash(token)) }

    /// Whether one of some small words stands before a word.
    @inline(__always)
    func follows(_ leads: WordLeads, _ token: Int) -> Bool {
        !table.leads(text.hash(token &- 1)).isDisjoint(with: leads)
    }

    /// The date that starts at a word, if one does.
    func read(at token: Int) -> DateReading? {
        if text.tokens[token].flags.contains(.digits) { return digits(at: token) }
        let info = info(token)
        if !info.roles.isDisjoint(with: [.weekday, .weakWeekday]), let found = weekday(at: token, info) {
            return found
        }
        if !info.roles.isDisjoint(with: [.month, .weakMonth]), let found = month(at: token, info) { return found }
        if info.roles.contains(.relativeDay), let found = relativeDay(at: token, info) { return found }
        if info.roles.contains(.unit), let found = unit(at: token, info) { return found }
        if info.roles.contains(.endOfDay) { return endOfDay(at: token) }
        return nil
    }

    // MARK: - Making

    func reading(_ day: Int?, _ first: Int, _ last: Int) -> DateReading? {
        DateReading(day: day, hours: nil, first: first, last: last, start: text.start(first), end: text.end(last))
    }

    func explicit(_ year: Int, _ month: Int, _ day: Int, _ first: Int, _ last: Int, end: Int) -> DateReading? {
        guard (1990...2199).contains(year), CivilDate.isValid(year: year, month: month, day: day) else { return nil }
        var found = reading(CivilDate.days(year: year, month: month, day: day), first, last)
        found?.end = max(end, text.start(first))
        return found
    }

    /// A day without a year: the next one, unless it is just over.
    func inferred(month: Int, day: Int, _ first: Int, _ last: Int, end: Int) -> DateReading? {
        guard CivilDate.isValid(year: 2024, month: month, day: day) else { return nil }
        var found = reading(nil, first, last)
        found?.end = max(end, text.start(first))
        guard let today else { return found }
        let year = CivilDate.date(ofDays: today).year
        // February 29 of a common year is the 28th.
        func make(_ year: Int) -> Int {
            CivilDate.days(year: year, month: month, day: min(day, CivilDate.length(ofMonth: month, year: year)))
        }
        let here = make(year)
        if here >= today {
            // In January, "28 December" is the one that was.
            found?.day = here - today > 305 ? make(year - 1) : here
        } else {
            found?.day = today - here <= 60 ? here : make(year + 1)
        }
        return found
    }
}

/// Where and when dates are read: the day a message was sent, the creator's time zone and the order of day and month.
struct DateFrame {
    /// The creator's wall clock; shared, because frames are copied from finder to finder.
    final class Clock: Sendable {
        let zone: TimeZoneRules
        init(_ zone: TimeZoneRules) { self.zone = zone }
    }

    /// Bytes of a time that is a day alone: `2026-10-21`.
    static let dayLength = 10

    /// Seconds since 1970 when the message was sent; nil: words such as "Friday" give no date.
    let sentAt: Int64?
    let clock: Clock
    /// Whether 03/10 is March 10.
    let isMonthFirst: Bool
    /// Seconds since 1970 when the message was sent, on the creator's calendar.
    let localTime: Int64
    /// Days since 1970 of the sender's message, on the creator's calendar.
    let today: Int?

    init(sentAt: Int64?, clock: Clock, isMonthFirst: Bool) {
        self.sentAt = sentAt
        self.clock = clock
        self.isMonthFirst = isMonthFirst
        localTime = sentAt.map { $0 + clock.zone.offset(at: $0) } ?? 0
        today = sentAt == nil ? nil : Int(Self.floorDivide(localTime, 86_400))
    }

    init(sentAt: Int64?, zone: TimeZoneRules, isMonthFirst: Bool) {
        self.init(sentAt: sentAt, clock: Clock(zone), isMonthFirst: isMonthFirst)
    }

    /// Hours from the message to an hour of a day, on the creator's wall clock.
    func hours(to day: Int, hour: Int) -> Int? {
        guard let sentAt else { return nil }
        let moment = clock.zone.utc(ofLocal: Int64(day) * 86_400 + Int64(hour) * 3600)
        return Int(clamping: Self.floorDivide(moment - sentAt, 3600))
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : (a - b + 1) / b }
}

/// A date as it is written, before it is asked what it is for.
struct DateReading {
    /// Days since 1970; nil when it depends on a day that is not known.
    var day: Int?
    /// Hours from now, for "within 48 hours" and, without a clock, for "tomorrow".
    var hours: Int?
    /// Words it spans.
    var first: Int
    var last: Int
    /// Offsets in the folded text.
    var start: Int
    var end: Int
    /// Said relative to now: "today", "this week", "within 48 hours".
    var isRelative = false
    /// "Until" is said behind it, as in Japanese.
    var hasPostposition = false
}

/// Days as the date finder counts them: days since 1970, Monday is 1.
extension CivilDate {
    static func days(year: Int, month: Int, day: Int) -> Int {
        CivilDate(year: year, month: month, day: day).daysSince1970
    }

    static func date(ofDays days: Int) -> CivilDate { CivilDate(daysSince1970: days) }

    /// Monday is 1, Sunday 7.
    static func weekday(ofDays days: Int) -> Int { ((days + 3) % 7 + 7) % 7 + 1 }

    static func length(ofMonth month: Int, year: Int) -> Int { daysIn(month: month, year: year) }

    static func isValid(year: Int, month: Int, day: Int) -> Bool {
        (1...12).contains(month) && day >= 1 && day <= daysIn(month: month, year: year)
    }

    /// Monday of an ISO week.
    static func monday(ofWeek week: Int, year: Int) -> Int {
        let january4 = days(year: year, month: 1, day: 4)
        return january4 - (weekday(ofDays: january4) - 1) + (week - 1) * 7
    }
}
