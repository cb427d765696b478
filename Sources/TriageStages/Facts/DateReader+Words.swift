internal import TriageCore

/// Dates that begin with a word: weekdays, months, days and units of time said relative to now.
extension DateReader {
    func weekday(at token: Int, _ info: WordInfo) -> DateReading? {
        if !info.roles.contains(.weekday), !isLedByWeakPreposition(token) { return nil }
        // A title such as "Feedback Friday" is no date.
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

    /// "Friday week", "Freitag in einer Woche", "vendredi en huit": so many weeks after the coming one.
    private func weeks(behind weekday: Int) -> (count: Int, last: Int)? {
        let next = weekday + 1
        guard next < text.tokens.count, !text.breaks(before: next), text.byte(text.end(weekday)) == 0x20 else {
            return nil
        }
        if text.has("week", at: text.start(next)), text.tokens[next].count == 4 {
            // "Friday week 3" is of a course.
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

    /// The last word of "next week" behind a weekday: "Friday next week", "Freitag der nächsten Woche", "viernes de la
    /// semana que viene"; nil when it is this week's.
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

    /// Whether a word only joins a weekday to its week.
    private func isLink(_ token: Int) -> Bool {
        !roles(token).isDisjoint(with: [.article, .within]) || text.has("на", at: text.start(token))
            || text.has("della", at: text.start(token))
    }

    /// The weekday behind "next week": "next week on Friday", "nächste Woche Freitag", "la semana que viene, el viernes".
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
            // The "s" of "next week's Friday" is a word of its own.
            if !isLink(i), text.tokens[i].count > 1 { return nil }
            i += 1
        }
        return nil
    }

    private func isLedByWeakPreposition(_ token: Int) -> Bool {
        if text.has("feira", at: text.end(token) + 1) { return true }
        guard token > 0 else { return false }
        if roles(token - 1).contains(.deadlinePreposition) { return true }
        // "até esta sexta"; without the first word it may be a sixth of something.
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
            // Last month's name is about what was.
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
        // "depois de amanhã"; any other "de" stands before a morning.
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

    /// "EOD tomorrow", "by end of day Friday": the hour of another date.
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
