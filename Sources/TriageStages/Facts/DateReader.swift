internal import TriageCore

/// Reads one date at a word: dates in digits and words, weekdays, and days relative to the message.
struct DateReader {
    let text: MessageText
    let table: WordIndex
    let frame: DateFrame

    /// Day of the message in days since 1970; nil when it has no date.
    var today: Int? { frame.today }

    @inline(__always)
    func info(_ token: Int) -> WordInfo { table.info(text.hash(token)) }

    @inline(__always)
    func roles(_ token: Int) -> WordRoles { table.roles(text.hash(token)) }

    /// Whether a small word with one of these leads precedes a word.
    @inline(__always)
    func follows(_ leads: WordLeads, _ token: Int) -> Bool {
        !table.leads(text.hash(token &- 1)).isDisjoint(with: leads)
    }

    /// Returns the date that starts at a word, if there is one.
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

    /// A day without a year: the next such day, unless it has just passed.
    func inferred(month: Int, day: Int, _ first: Int, _ last: Int, end: Int) -> DateReading? {
        guard CivilDate.isValid(year: 2024, month: month, day: day) else { return nil }
        var found = reading(nil, first, last)
        found?.end = max(end, text.start(first))
        guard let today else { return found }
        let year = CivilDate.date(ofDays: today).year
        // In a common year, February 29 becomes the 28th.
        func make(_ year: Int) -> Int {
            CivilDate.days(year: year, month: month, day: min(day, CivilDate.length(ofMonth: month, year: year)))
        }
        let here = make(year)
        if here >= today {
            // In January, "28 December" is the one that has passed.
            found?.day = here - today > 305 ? make(year - 1) : here
        } else {
            found?.day = today - here <= 60 ? here : make(year + 1)
        }
        return found
    }
}

/// The context in which dates are read: the day the message was sent, the creator's time zone, and the order of day and
/// month.
struct DateFrame {
    /// The creator's wall clock; shared, because frames are copied from finder to finder.
    final class Clock: Sendable {
        let zone: TimeZoneRules
        init(_ zone: TimeZoneRules) { self.zone = zone }
    }

    /// Number of bytes of a timestamp that is only a day: `2026-10-21`.
    static let dayLength = 10

    /// When the message was sent, in seconds since 1970; nil: words such as "Friday" give no date.
    let sentAt: Int64?
    let clock: Clock
    /// Whether 03/10 is March 10.
    let isMonthFirst: Bool
    /// When the message was sent on the creator's calendar, in seconds since 1970.
    let localTime: Int64
    /// The day the message was sent on the creator's calendar, in days since 1970.
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

    /// Returns the hours from the message to an hour of a day on the creator's wall clock.
    func hours(to day: Int, hour: Int) -> Int? {
        guard let sentAt else { return nil }
        let moment = clock.zone.utc(ofLocal: Int64(day) * 86_400 + Int64(hour) * 3600)
        return Int(clamping: Self.floorDivide(moment - sentAt, 3600))
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : (a - b + 1) / b }
}

/// A date as written, before its purpose is determined.
struct DateReading {
    /// Days since 1970; nil when it depends on an unknown day.
    var day: Int?
    /// Hours from now, for "within 48 hours" and, without a clock, for "tomorrow".
    var hours: Int?
    /// The first and last word that it spans.
    var first: Int
    var last: Int
    /// Offsets in the folded text.
    var start: Int
    var end: Int
    /// Whether it is relative to now: "today", "this week", "within 48 hours".
    var isRelative = false
    /// Whether a word for "until" follows it, as in Japanese.
    var hasPostposition = false
}

/// Dates as the date finder counts them: days since 1970, and Monday is 1.
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

/// Dates that begin with a word: weekdays, months, and days and units of time relative to now.
extension DateReader {
    func weekday(at token: Int, _ info: WordInfo) -> DateReading? {
        if !info.roles.contains(.weekday), !isLedByWeakPreposition(token) { return nil }
        // A title such as "Feedback Friday" is not a date.
        if info.roles.contains(.creator) {
            if roles(token + 1).contains(.creator), !text.breaks(from: token, to: token + 1) { return nil }
            if token > 0, roles(token - 1).contains(.creator), !text.breaks(from: token - 1, to: token) {
                return nil
            }
        }
        if token > 0, isPast(token) { return nil }
        if follows(.recurring, token) { return nil }
        // "Monday 9 November", "Friday, 10/3", "lunes 16", "Wednesday 9th".
        var next = token + 1
        if next < text.tokens.count, text.has("feira", at: text.start(next)) { next += 1 }
        var hops = 0
        while next < text.tokens.count, hops < 2, !text.tokens[next].flags.contains(.digits),
            !roles(next).isDisjoint(with: [.article, .partOfDay, .month])
        {
            if roles(next).contains(.month) { break }
            next += 1
            hops += 1
        }
        if next < text.tokens.count, text.start(next) - text.end(next - 1) <= 3 {
            if text.tokens[next].flags.contains(.digits),
                var found = numeric(at: next) ?? dayNumber(next).flatMap({ dayBeforeMonth(at: next, day: $0.day) })
            {
                found.first = token
                found.start = text.start(token)
                return found
            }
            if roles(next).contains(.month), var found = month(at: next, self.info(next)), found.last > next {
                found.first = token
                found.start = text.start(token)
                return found
            }
            if let (day, _) = dayNumber(next), text.tokens[next].flags.contains(.digits), let today,
                let candidate = nextDayOfMonth(day, from: today),
                CivilDate.weekday(ofDays: candidate) == Int(info.weekday)
            {
                return reading(candidate, token, next)
            }
        }
        let nextWeek = nextWeek(behind: token)
        guard let today else { return reading(nil, token, nextWeek ?? token) }
        if let nextWeek { return reading(day(info.weekday, ofWeekAfter: today), token, nextWeek) }
        var delta = (Int(info.weekday) - CivilDate.weekday(ofDays: today) + 7) % 7
        if delta == 0, !isLedByThis(token) { delta = 7 }
        if let later = weeks(behind: token) { return reading(today + delta + 7 * later.count, token, later.last) }
        return reading(today + delta, token, token)
    }

    /// Returns how many weeks after the coming one are meant: "Friday week", "Freitag in einer Woche", "vendredi en
    /// huit".
    private func weeks(behind weekday: Int) -> (count: Int, last: Int)? {
        let next = weekday + 1
        guard next < text.tokens.count, !text.breaks(before: next), text.byte(text.end(weekday)) == 0x20 else {
            return nil
        }
        if text.has("week", at: text.start(next)), text.tokens[next].count == 4 {
            // "Friday week 3" belongs to a course.
            return text.hasDigits(next + 1) ? nil : (1, next)
        }
        guard next + 1 < text.tokens.count else { return nil }
        if text.has("en huit", at: text.start(next)) { return (1, next + 1) }
        if text.has("en quinze", at: text.start(next)) { return (2, next + 1) }
        return text.has("in einer woche", at: text.start(next)) ? (1, next + 2) : nil
    }

    private func day(_ weekday: UInt8, ofWeekAfter today: Int) -> Int {
        today + 7 - CivilDate.weekday(ofDays: today) + Int(weekday)
    }

    /// Returns the last word of a "next week" that follows a weekday: "Friday next week", "Freitag der nächsten Woche",
    /// "viernes de la semana que viene"; nil when this week's day is meant.
    private func nextWeek(behind weekday: Int) -> Int? {
        var i = weekday + 1
        if i < text.tokens.count, text.has("feira", at: text.start(i)) { i += 1 }
        guard text.byte(text.end(i - 1)) != 0x2C else { return nil }
        let end = min(text.tokens.count, i + 4)
        var isNext = false
        while i < end, !text.breaks(before: i) {
            let info = info(i)
            if info.unit == .week {
                if isNext || info.roles.contains(.next) { return i }
                if i + 1 < text.tokens.count, roles(i + 1).contains(.next) { return i + 1 }
                return isComing(i) ? min(i + 2, text.tokens.count - 1) : nil
            }
            if info.roles.contains(.next) {
                isNext = true
            } else if !isLink(i) {
                return nil
            }
            // "By Friday, next week is too late."
            if text.byte(text.end(i)) == 0x2C { return nil }
            i += 1
        }
        return nil
    }

    /// Whether a word only links a weekday to its week.
    private func isLink(_ token: Int) -> Bool {
        !roles(token).isDisjoint(with: [.article, .within]) || text.has("на", at: text.start(token))
            || text.has("della", at: text.start(token))
    }

    /// Returns the weekday after "next week": "next week on Friday", "nächste Woche Freitag", "la semana que viene, el
    /// viernes".
    private func weekday(behindWeek week: Int) -> Int? {
        var i = week + 1
        if isComing(week) {
            i += 2
        } else if i < text.tokens.count, roles(i).contains(.next) {
            i += 1
        }
        let end = min(text.tokens.count, i + 3)
        while i < end, !text.breaks(before: i) {
            if roles(i).contains(.weekday) || roles(i).contains(.weakWeekday) && isLedByWeakPreposition(i) { return i }
            // The "s" of "next week's Friday" is a separate word.
            if !isLink(i), text.tokens[i].count > 1 { return nil }
            i += 1
        }
        return nil
    }

    private func isLedByWeakPreposition(_ token: Int) -> Bool {
        if text.has("feira", at: text.end(token) + 1) { return true }
        guard token > 0 else { return false }
        if roles(token - 1).contains(.deadlinePreposition) { return true }
        // "até esta sexta"; without the first word, "sexta" may be a sixth of something.
        if isLedByThis(token), token > 1, roles(token - 2).contains(.deadlinePreposition) { return true }
        if follows(.beforeWeekday, token) { return true }
        return token + 1 < text.tokens.count && text.tokens[token + 1].flags.contains(.digits)
            && !roles(token + 2).isDisjoint(with: [.month, .weakMonth])
    }

    private func isLedByThis(_ token: Int) -> Bool { roles(token - 1).contains(.this) }

    /// "since Monday", "last Friday".
    private func isPast(_ token: Int) -> Bool {
        guard token > 0 else { return false }
        return roles(token - 1).contains(.past)
            || roles(token - 1).contains(.article) && roles(token - 2).contains(.past)
    }

    func month(at token: Int, _ info: WordInfo) -> DateReading? {
        let month = Int(info.month)
        let isWeak = !info.roles.contains(.month)
        if isPast(token) { return nil }
        let next = token + 1
        if next < text.tokens.count, text.tokens[next].flags.contains(.digits), text.start(next) - text.end(token) <= 2,
            let (day, _) = dayNumber(next), !isAmount(next),
            !isWeak || follows(.monthFirst, next)
        {
            let (year, last) = yearBehind(next)
            if let year { return explicit(year, month, day, token, last, end: text.end(last)) }
            return inferred(month: month, day: day, token, next, end: text.end(next))
        }
        guard !isWeak else { return nil }
        // "end of October", "mid-September", "fin octobre", "Ende Januar".
        var part: WordRoles = []
        var first = token
        for i in stride(from: token - 1, through: max(0, token - 3), by: -1) where i >= 0 {
            let roles = roles(i)
            let wanted: WordRoles = [.endOf, .middleOf, .startOf]
            if !roles.isDisjoint(with: wanted) {
                part = roles.intersection(wanted)
                first = i
                break
            }
            guard roles.contains(.article) || text.tokens[i].count <= 2 else { break }
        }
        let (year, last) = yearBehind(token)
        guard let today else {
            guard let year else { return reading(nil, first, last) }
            return reading(CivilDate.days(year: year, month: month, day: 1), first, last)
        }
        let now = CivilDate.date(ofDays: today)
        let inYear = year ?? (month < now.month ? now.year + 1 : now.year)
        if year == nil, now.month - month == 1 || now.month == 1 && month == 12, part.isEmpty {
            // The name of last month refers to the past.
            return nil
        }
        let length = CivilDate.length(ofMonth: month, year: inYear)
        let day = part.contains(.endOf) ? length : part.contains(.middleOf) ? 15 : 1
        let found = CivilDate.days(year: inYear, month: month, day: day)
        return reading(part.isEmpty ? max(found, min(today, found + length)) : found, first, last)
    }

    /// "October 3,000 copies", "Oct 20 %", "October 2 pm".
    private func isAmount(_ token: Int) -> Bool {
        let end = text.end(token)
        if text.byte(end) == 0x25 || text.byte(end) == 0x3A { return true }
        return text.byte(end) == 0x2C && isDigit(text.byte(end + 1))
    }

    func relativeDay(at token: Int, _ info: WordInfo) -> DateReading? {
        var offset = Int(info.dayOffset)
        // "depois de amanhã"; after any other "de", the word means morning.
        let isAfterNext = offset == 1 && token > 1 && follows(.of, token) && follows(.later, token - 1)
        if follows(.notTomorrow, token), !isAfterNext, !text.has("demain", at: text.start(token)) { return nil }
        var first = token
        if offset == 1, token >= 2, follows(.after, token), follows(.day, token - 1) {
            offset = 2
            first = token - 2
        }
        // "pasado mañana", "après-demain"
        if isAfterNext || offset == 1 && follows(.dayAfterTomorrow, token) {
            offset = 2
            first = token - (isAfterNext ? 2 : 1)
        }
        var found = reading(today.map { $0 + offset }, first, token)
        found?.isRelative = true
        if today == nil { found?.hours = offset * 24 + 12 }
        return found
    }

    func unit(at token: Int, _ info: WordInfo) -> DateReading? {
        let previous = self.info(token - 1)
        let following = self.info(token + 1)
        if token + 1 < text.tokens.count, text.tokens[token + 1].flags.contains(.digits),
            text.start(token + 1) - text.end(token) == 1
        {
            return nil
        }
        let isNext =
            info.roles.contains(.next) || token > 0 && previous.roles.contains(.next)
            || following.roles.contains(.next) || isComing(token)
        // "end of the month", "fim do mês", "Ende der Woche"
        for i in stride(from: token - 1, through: max(0, token - 3), by: -1) where i >= 0 {
            let roles = roles(i)
            if info.unit == .day, roles.contains(.endOf), isBesideDay(from: i, to: token) { return nil }
            if roles.contains(.endOf), !roles.contains(.past) || follows(.end, i + 1) {
                return end(of: info.unit, i, token, isNext: isNext)
            }
            guard roles.contains(.article) || roles.contains(.this) || roles.contains(.next) else { break }
        }
        if isNext, info.unit == .week, let weekday = weekday(behindWeek: token) {
            return reading(today.map { day(self.info(weekday).weekday, ofWeekAfter: $0) }, token, weekday)
        }
        if isNext, info.unit != .hour, info.unit != .day { return beginning(ofNext: info.unit, token) }
        if token > 0, previous.roles.contains(.this) { return end(of: info.unit, token - 1, token, isNext: false) }
        // "a week from Friday"
        if info.unit == .week, text.has("from ", at: text.end(token) + 1), roles(token + 2).contains(.weekday),
            var found = weekday(at: token + 2, self.info(token + 2))
        {
            found.day = found.day.map { $0 + 7 * max(1, Int(previous.number)) }
            found.first = token
            found.start = text.start(token)
            return found
        }
        // "within a week", "in two weeks", "خلال أسبوع"
        let isCounted = previous.roles.contains(.number) && previous.number > 0
        let first = isCounted ? token - 1 : token
        guard first > 0, roles(first - 1).contains(.within) || isCounted && isWithin(first) else {
            return nil
        }
        return elapsed(isCounted ? Int(previous.number) : 1, info.unit, first, token)
    }

    /// Whether "que viene" or "que vem" follows.
    private func isComing(_ token: Int) -> Bool {
        text.has("que vi", at: text.end(token) + 1) || text.has("que vem", at: text.end(token) + 1)
    }

    private func end(of unit: TimeUnit, _ first: Int, _ last: Int, isNext: Bool) -> DateReading? {
        guard let today else { return reading(nil, first, last) }
        let now = CivilDate.date(ofDays: today)
        var found: DateReading?
        switch unit {
        case .day: found = reading(today, first, last)
        case .week:
            let sunday = today + 7 - CivilDate.weekday(ofDays: today) + (isNext ? 7 : 0)
            found = reading(sunday, first, last)
        case .month:
            var (year, month) = (now.year, now.month)
            if isNext { (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1) }
            found = reading(
                CivilDate.days(year: year, month: month, day: CivilDate.length(ofMonth: month, year: year)), first, last
            )
        case .year: found = reading(CivilDate.days(year: now.year, month: 12, day: 31), first, last)
        default: return nil
        }
        found?.isRelative = true
        return found
    }

    private func beginning(ofNext unit: TimeUnit, _ token: Int) -> DateReading? {
        guard let today else { return reading(nil, token, token) }
        let now = CivilDate.date(ofDays: today)
        var found: DateReading?
        switch unit {
        case .week: found = reading(today + 8 - CivilDate.weekday(ofDays: today), token, token)
        case .month:
            let (year, month) = now.month == 12 ? (now.year + 1, 1) : (now.year, now.month + 1)
            found = reading(CivilDate.days(year: year, month: month, day: 1), token, token)
        case .year: found = reading(CivilDate.days(year: now.year + 1, month: 1, day: 1), token, token)
        default: return nil
        }
        found?.isRelative = true
        return found
    }

    /// Whether a word for an hour belongs to another date: "EOD tomorrow", "by end of day Friday".
    private func isBesideDay(from first: Int, to last: Int) -> Bool {
        for i in max(0, first - 2)..<min(text.tokens.count, last + 3) where i < first || i > last {
            if !roles(i).isDisjoint(with: [.relativeDay, .weekday, .weakWeekday, .month]) { return true }
        }
        return false
    }

    func endOfDay(at token: Int) -> DateReading? {
        if isBesideDay(from: token, to: token) { return nil }
        guard let today else { return reading(nil, token, token) }
        let kind = text.byte(text.start(token) + 2)
        let day: Int
        switch kind {
        // eow: Friday; eom: the month's last day.
        case 0x77: day = today + max(0, 5 - CivilDate.weekday(ofDays: today))
        case 0x6D:
            let now = CivilDate.date(ofDays: today)
            day = CivilDate.days(
                year: now.year, month: now.month, day: CivilDate.length(ofMonth: now.month, year: now.year))
        default: day = today
        }
        var found = reading(day, token, token)
        found?.isRelative = true
        return found
    }
}

/// Dates that begin with digits: numeric and ideographic ones, days before a month, spans of time, calendar weeks.
extension DateReader {
    func digits(at token: Int) -> DateReading? {
        let start = text.start(token)
        let before = text.byte(start - 1)
        if before == 0x23 || before == 0x24 { return nil }
        // Most numbers are not dates, so each reading is tried only where its first sign is present.
        if isNumeric(at: start), let found = numeric(at: token) { return found }
        if text.shape.han > 0, let found = ideographic(at: token) { return found }
        if follows(.calendarWeek, token), let found = calendarWeek(at: token) { return found }
        let hasUnit = mayHaveUnit(token)
        guard let (day, isOrdinal) = dayNumber(token) else { return hasUnit ? duration(at: token) : nil }
        if mayLeadToMonth(token + 1), let found = dayBeforeMonth(at: token, day: day) { return found }
        if hasUnit, let found = duration(at: token) { return found }
        if isOrdinal || follows(.article, token), isDayOfMonth(at: token, isOrdinal: isOrdinal) {
            if let found = dayOfMonthNamedBefore(token, day: day) { return found }
            return reading(today.flatMap { nextDayOfMonth(day, from: $0) }, token, token)
        }
        if isLedByContraction(token) { return reading(today.flatMap { nextDayOfMonth(day, from: $0) }, token, token) }
        return nil
    }

    private static let contractions: [StaticString] = ["zum ", "del ", "dia "]

    /// Whether an article fused with a preposition precedes a day of the month: "Bis zum 15.", "antes del 15", "até o
    /// dia 15".
    private func isLedByContraction(_ token: Int) -> Bool {
        guard token > 1, !text.breaks(from: token - 2, to: token), text.byte(text.end(token)) != 0x25,
            Self.contractions.contains(where: { text.has($0, at: text.start(token - 1)) })
        else { return false }
        // "Bis zum 15. Mal", "antes del 15 aniversario": the noun that is counted follows.
        let next = token + 1
        if next < text.tokens.count, text.byte(text.end(token)) == 0x20, text.start(next) == text.end(token) + 1 {
            guard roles(next).isDisjoint(with: [.countable, .unit]) else { return false }
        }
        for i in (max(0, token - 4)..<(token - 1)).reversed() {
            if roles(i).contains(.deadlinePreposition) { return true }
            guard roles(i).contains(.article) else { return false }
        }
        return false
    }

    /// Whether there are one to five digits here, followed by a mark that dates have.
    @inline(__always)
    private func isNumeric(at start: Int) -> Bool {
        var i = start
        while isDigit(text.byte(i)), i - start < 5 { i &+= 1 }
        let behind = text.byte(i)
        return i > start && (behind == 0x2D || behind == 0x2F || behind == 0x2E)
    }

    /// Whether a unit of time may follow the digits within the word of a number, or be the next word.
    @inline(__always)
    private func mayHaveUnit(_ token: Int) -> Bool {
        !isDigit(text.byte(text.end(token) - 1)) || info(token + 1).unit != .none
            || text.shape.kana | text.shape.han != 0
    }

    /// Whether a word is a month or may come between a day and its month.
    @inline(__always)
    private func mayLeadToMonth(_ token: Int) -> Bool {
        let info = info(token)
        return !info.roles.isDisjoint(with: [.month, .weakMonth, .article, .rangeJoin, .weekday])
            || info.leads.contains(.ordinal) || text.hasDigits(token)
    }

    /// Whether an ordinal is a day of the month: "by the 12th", "before the 20th", "on the 3rd".
    private func isDayOfMonth(at token: Int, isOrdinal: Bool) -> Bool {
        var i = token - 1
        var sawArticle = false
        while i >= 0, token - i <= 3 {
            let roles = roles(i)
            if roles.contains(.deadlinePreposition) { return true }
            if isOrdinal, sawArticle, follows(.on, i + 1) { return true }
            guard roles.contains(.article) || !roles.isDisjoint(with: [.weekday, .partOfDay]) else { return false }
            sawArticle = true
            i -= 1
        }
        return false
    }

    /// How many words back the month may have been named.
    private static let monthReach = 14

    /// A day in the month that was named last, if it lies ahead: "Draft by 9 October, live by the 16th".
    private func dayOfMonthNamedBefore(_ token: Int, day: Int) -> DateReading? {
        for i in stride(from: token - 1, through: max(1, token - Self.monthReach), by: -1) {
            let word = info(i)
            guard word.roles.contains(.month) else { continue }
            let beside = [i - 1, i + 1].first { text.tokens[$0].flags.contains(.digits) && $0 != token }
            guard let today, let beside, let (named, _) = dayNumber(beside),
                let before = inferred(month: Int(word.month), day: named, i, i, end: text.end(i))?.day, before >= today,
                let found = inferred(month: Int(word.month), day: day, token, token, end: text.end(token)),
                let ahead = found.day, ahead >= before
            else { return nil }
            return found
        }
        return nil
    }

    /// Returns the day of the month that a word stands for: "3", "3rd", "1er", "12th".
    func dayNumber(_ token: Int) -> (day: Int, isOrdinal: Bool)? {
        let (value, count) = text.leadingNumber(token, limit: 3)
        guard count >= 1, count <= 2, (1...31).contains(value) else { return nil }
        if count == Int(text.tokens[token].count) { return (value, false) }
        let word = text.word(token)
        let suffix = UnsafeBufferPointer(rebasing: word[count...])
        if table.leads(TextFolder.hash(suffix)).contains(.ordinal) { return (value, suffix.count == 2) }
        // A Turkish or Japanese ending may be attached.
        return word[count] >= 0x80 ? (value, false) : nil
    }

    func nextDayOfMonth(_ day: Int, from today: Int) -> Int? {
        let now = CivilDate.date(ofDays: today)
        var (year, month, current) = (now.year, now.month, now.day)
        if day < current { (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1) }
        current = min(day, CivilDate.length(ofMonth: month, year: year))
        return CivilDate.days(year: year, month: month, day: current)
    }

    /// 2026-10-03, 03/10/2026, 3.10., 10/3.
    func numeric(at token: Int) -> DateReading? {
        let start = text.start(token)
        guard !isDigit(text.byte(start - 2)) || text.byte(start - 1) == 0x20 else { return nil }
        guard isNumeric(at: start) else { return nil }
        var i = start
        // Up to three numbers with the same mark between them.
        var parts = SIMD4<Int>()
        var widths = SIMD4<Int>()
        var count = 0
        var mark: UInt8 = 0
        while count < 3 {
            var value = 0
            let from = i
            while isDigit(text.byte(i)), i - from < 5 {
                value = value * 10 + Int(text.byte(i) - 0x30)
                i += 1
            }
            guard i > from else { break }
            parts[count] = value
            widths[count] = i - from
            count += 1
            let next = text.byte(i)
            guard count < 3, next == 0x2D || next == 0x2F || next == 0x2E, mark == 0 || mark == next,
                isDigit(text.byte(i + 1)) || count == 2 && mark == 0x2E
            else { break }
            mark = next
            i += 1
        }
        guard count >= 2, mark != 0 else { return nil }
        if isDigit(text.byte(i)) || text.byte(i) == 0x25 { return nil }
        let lastToken = max(token, text.firstToken(from: i, near: token) - 1)
        if count == 3 {
            if widths[0] == 4 { return explicit(parts[0], parts[1], parts[2], token, lastToken, end: i) }
            guard widths[2] == 4 || widths[2] == 2, widths[0] <= 2, widths[1] <= 2 else { return nil }
            let year = widths[2] == 2 ? 2000 + parts[2] : parts[2]
            let (day, month) = dayAndMonth(parts[0], parts[1], isMonthFirst: mark == 0x2F && frame.isMonthFirst)
            return explicit(year, month, day, token, lastToken, end: i)
        }
        guard widths[0] <= 2, widths[1] <= 2, mark != 0x2D else { return nil }
        let isClosed = mark == 0x2E && text.byte(i - 1) == 0x2E
        guard isClosed || isLedByPreposition(token) else { return nil }
        if mark == 0x2E, !isClosed, widths[1] == 1 || parts[1] > 12 { return nil }
        let (day, month) = dayAndMonth(parts[0], parts[1], isMonthFirst: mark == 0x2F && frame.isMonthFirst)
        return inferred(month: month, day: day, token, lastToken, end: i)
    }

    private func dayAndMonth(_ a: Int, _ b: Int, isMonthFirst: Bool) -> (day: Int, month: Int) {
        if a > 12 { return (a, b) }
        if b > 12 { return (b, a) }
        return isMonthFirst ? (b, a) : (a, b)
    }

    private func isLedByPreposition(_ token: Int) -> Bool {
        guard token > 0 else { return false }
        let roles = roles(token - 1)
        if !roles.isDisjoint(with: [.deadlinePreposition, .weekday, .deadlineNoun]) { return true }
        return follows(.beforeDay, token) && (roles.contains(.article) || follows(.germanDay, token))
    }

    /// 10月3日, 10月末, 3日.
    private func ideographic(at token: Int) -> DateReading? {
        let word = text.word(token)
        guard word.count <= 2, word.allSatisfy(isDigit) else { return nil }
        let value = word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let end = text.end(token)
        if text.has("月", at: end) {
            let next = token + 1
            if text.has("月末", at: end) { return endOfMonth(value, token, end: end + 6) }
            if next < text.tokens.count, text.start(next) == end + 3, let (day, _) = dayNumber(next) {
                let tail = text.end(next) + (text.has("日", at: text.end(next)) ? 3 : 0)
                var found = inferred(month: value, day: day, token, next, end: tail)
                found?.hasPostposition = text.has("まで", at: tail) || text.has("迄", at: tail)
                return found
            }
            return nil
        }
        if text.has("日", at: end), text.has("まで", at: end + 3), let today, (1...31).contains(value) {
            var found = reading(nextDayOfMonth(value, from: today), token, token)
            found?.hasPostposition = true
            return found
        }
        return nil
    }

    private func endOfMonth(_ month: Int, _ token: Int, end: Int) -> DateReading? {
        guard let today, (1...12).contains(month) else { return nil }
        let now = CivilDate.date(ofDays: today)
        let year = month < now.month ? now.year + 1 : now.year
        let day = CivilDate.days(year: year, month: month, day: CivilDate.length(ofMonth: month, year: year))
        var found = reading(day, token, token)
        found?.end = end
        found?.hasPostposition = text.has("まで", at: end)
        return found
    }

    /// Reads a day before its month: "3 October", "3rd of Oct 2026", "6-9 October", and two days of one month.
    func dayBeforeMonth(at token: Int, day: Int) -> DateReading? {
        var i = token + 1
        var hops = 0
        while i < text.tokens.count, hops <= 3, text.start(i) - text.end(i - 1) <= 3, !isSentenceEnd(before: i) {
            let info = info(i)
            if !info.roles.isDisjoint(with: [.month, .weakMonth]) {
                // "5 may work": an ambiguous month name requires the number to be a day, and no verb may follow.
                if info.roles.contains(.weakMonth), !info.roles.contains(.month), !isPlausibleWeakMonth(i) {
                    return nil
                }
                let (year, last) = yearBehind(i)
                if let year { return explicit(year, Int(info.month), day, token, last, end: text.end(last)) }
                return inferred(month: Int(info.month), day: day, token, i, end: text.end(i))
            }
            let isLink = info.roles.contains(.article) || info.roles.contains(.rangeJoin)
            let isSecondDay =
                text.tokens[i].flags.contains(.digits) && dayNumber(i) != nil && hops > 0
                || text.tokens[i].flags.contains(.digits) && text.byte(text.start(i) - 1) == 0x2D && dayNumber(i) != nil
            let isSuffix = text.tokens[i].count <= 2 && info.leads.contains(.ordinal)
            guard isLink || isSecondDay || isSuffix || info.roles.contains(.weekday) else { return nil }
            i += 1
            hops += 1
        }
        return nil
    }

    /// Whether a sentence ends before a word; the full stop of "14." does not end one.
    private func isSentenceEnd(before token: Int) -> Bool {
        guard text.tokens[token].flags.contains(.startsSentence), text.start(token) > 1 else { return false }
        if text.tokens[token - 1].flags.contains(.digits) { return false }
        return text.breaks(from: token - 1, to: token)
    }

    private func isPlausibleWeakMonth(_ token: Int) -> Bool {
        let next = token + 1
        guard next < text.tokens.count, !text.breaks(from: token, to: next) else { return true }
        // "on 5 may we" is a date; "3 may be" is not.
        if text.has("may", at: text.start(token)), text.tokens[token].count == 3 {
            return !table.leads(text.tokens[next].hash).contains(.behindVerbMay)
        }
        return true
    }

    /// Returns the year after a month, with the word at which it ends.
    func yearBehind(_ token: Int) -> (Int?, Int) {
        for i in (token + 1)..<max(token + 1, min(text.tokens.count, token + 3)) {
            let word = text.word(i)
            if word.count == 4, word.allSatisfy(isDigit) {
                let year = word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
                if (2000...2099).contains(year), text.byte(text.end(i)) != 0x2D || !isDigit(text.byte(text.end(i) + 1))
                {
                    return (year, i)
                }
            }
            guard roles(i).contains(.article) else { break }
        }
        return (nil, token)
    }

    /// "within 48 hours", "in the next 3 hours", "24h", "in 10 days".
    private func duration(at token: Int) -> DateReading? {
        let word = text.word(token)
        let (value, count) = text.leadingNumber(token, limit: 4)
        guard value > 0 else { return nil }
        var unit = TimeUnit.none
        var last = token
        if count < word.count {
            let suffix = UnsafeBufferPointer(rebasing: word[count...])
            unit = table.info(TextFolder.hash(suffix)).unit
        } else if token + 1 < text.tokens.count, text.start(token + 1) - text.end(token) <= 1 {
            unit = info(token + 1).unit
            last = token + 1
            if unit == .none, text.shape.kana + text.shape.han > 0, text.has("時間", at: text.end(token)) {
                unit = .hour
                last = token
            }
        } else if text.has("時間", at: text.end(token)) {
            unit = .hour
        } else if text.has("日以内", at: text.end(token)) {
            return elapsed(value, .day, token, token)
        }
        guard unit != .none, isWithin(token) || text.has("時間以内", at: text.end(token)) else { return nil }
        return elapsed(value, unit, token, last)
    }

    /// Whether only small words connect to "within": "within 3", "in the next 3"; "in the first 3" is a length.
    func isWithin(_ token: Int) -> Bool {
        var i = token - 1
        while i >= 0, token - i <= 3, !text.breaks(from: i, to: token) {
            let roles = roles(i)
            if roles.contains(.within) { return true }
            guard roles.contains(.article) || roles.contains(.next), text.start(i + 1) - text.end(i) == 1 else {
                return false
            }
            i -= 1
        }
        return false
    }

    func elapsed(_ count: Int, _ unit: TimeUnit, _ first: Int, _ last: Int) -> DateReading? {
        let hours: Int
        switch unit {
        case .hour: hours = count
        case .day: hours = count * 24
        case .week: hours = count * 168
        case .month: hours = count * 730
        default: return nil
        }
        guard hours <= 24 * 400 else { return nil }
        var found = DateReading(
            day: nil, hours: hours, first: first, last: last, start: text.start(first), end: text.end(last),
            isRelative: true)
        if frame.sentAt != nil { found.day = Int((frame.localTime + Int64(hours) * 3600) / 86_400) }
        return found
    }

    /// Reads a calendar week: "KW 42", "in week 45"; a bare week may belong to a program.
    private func calendarWeek(at token: Int) -> DateReading? {
        guard text.start(token) - text.end(token - 1) == 1 else { return nil }
        let word = text.word(token)
        guard word.count <= 2, word.allSatisfy(isDigit) else { return nil }
        let week = word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let isKW = text.tokens[token - 1].count == 2
        guard (1...53).contains(week),
            isKW || follows(.inside, token - 1) || roles(token - 2).contains(.deadlinePreposition)
        else { return nil }
        guard let today else { return reading(nil, token - 1, token) }
        let year = CivilDate.date(ofDays: today).year
        let monday = CivilDate.monday(ofWeek: week, year: year)
        return reading(
            monday + 6 < today ? CivilDate.monday(ofWeek: week, year: year + 1) : monday, token - 1, token)
    }
}
