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
