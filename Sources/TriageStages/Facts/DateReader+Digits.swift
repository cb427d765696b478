internal import TriageCore

/// Dates that begin with digits: numeric and ideographic ones, days before a month, spans of time, calendar weeks.
extension DateReader {
    func digits(at token: Int) -> DateReading? {
        let start = text.start(token)
        let before = text.byte(start - 1)
        if before == 0x23 || before == 0x24 { return nil }
        // Most numbers are no dates: each reading is asked only where its first sign is there.
        if isNumeric(at: start), let found = numeric(at: token) { return found }
        if text.shape.han > 0, let found = ideographic(at: token) { return found }
        if follows(.calendarWeek, token), let found = calendarWeek(at: token) { return found }
        let hasUnit = mayHaveUnit(token)
        guard let (day, isOrdinal) = dayNumber(token) else { return hasUnit ? duration(at: token) : nil }
        if mayLeadToMonth(token + 1), let found = dayBeforeMonth(at: token, day: day) { return found }
        if hasUnit, let found = duration(at: token) { return found }
        if isOrdinal || follows(.article, token), isDayOfMonth(at: token, isOrdinal: isOrdinal) {
            return reading(today.flatMap { nextDayOfMonth(day, from: $0) }, token, token)
        }
        if isLedByContraction(token) { return reading(today.flatMap { nextDayOfMonth(day, from: $0) }, token, token) }
        return nil
    }

    private static let contractions: [StaticString] = ["zum ", "del ", "dia "]

    /// "Bis zum 15.", "antes del 15", "até o dia 15": a day of the month behind an article that is part of another word.
    private func isLedByContraction(_ token: Int) -> Bool {
        guard token > 1, !text.breaks(from: token - 2, to: token), text.byte(text.end(token)) != 0x25,
            Self.contractions.contains(where: { text.has($0, at: text.start(token - 1)) })
        else { return false }
        // "Bis zum 15. Mal", "antes del 15 aniversario": what is counted stands behind it.
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

    /// Whether one to five digits are here with a mark behind them that dates have.
    @inline(__always)
    private func isNumeric(at start: Int) -> Bool {
        var i = start
        while isDigit(text.byte(i)), i - start < 5 { i &+= 1 }
        let behind = text.byte(i)
        return i > start && (behind == 0x2D || behind == 0x2F || behind == 0x2E)
    }

    /// Whether a unit of time may be in the word of a number, behind its digits, or be the next word.
    @inline(__always)
    private func mayHaveUnit(_ token: Int) -> Bool {
        !isDigit(text.byte(text.end(token) - 1)) || info(token + 1).unit != .none
            || text.shape.kana | text.shape.han != 0
    }

    /// Whether a word may stand between a day and its month, or is a month.
    @inline(__always)
    private func mayLeadToMonth(_ token: Int) -> Bool {
        let info = info(token)
        return !info.roles.isDisjoint(with: [.month, .weakMonth, .article, .rangeJoin, .weekday])
            || info.leads.contains(.ordinal) || text.hasDigits(token)
    }

    /// Whether an ordinal is a day: "by the 12th", "before the 20th", "on the 3rd".
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

    /// The day of the month a word stands for: "3", "3rd", "1er", "12th".
    func dayNumber(_ token: Int) -> (day: Int, isOrdinal: Bool)? {
        let (value, count) = text.leadingNumber(token, limit: 3)
        guard count >= 1, count <= 2, (1...31).contains(value) else { return nil }
        if count == Int(text.tokens[token].count) { return (value, false) }
        let word = text.word(token)
        let suffix = UnsafeBufferPointer(rebasing: word[count...])
        if table.leads(TextFolder.hash(suffix)).contains(.ordinal) { return (value, suffix.count == 2) }
        // A Turkish or Japanese ending may be glued on.
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
        // Up to three numbers with one mark between them.
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

    /// A day before its month: "3 October", "3rd of Oct 2026", "6-9 October", also two days of one month.
    func dayBeforeMonth(at token: Int, day: Int) -> DateReading? {
        var i = token + 1
        var hops = 0
        while i < text.tokens.count, hops <= 3, text.start(i) - text.end(i - 1) <= 3, !isSentenceEnd(before: i) {
            let info = info(i)
            if !info.roles.isDisjoint(with: [.month, .weakMonth]) {
                // "5 may work": a weak name needs the number to be a day and no blank verb behind.
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

    /// A full stop of "14." is none.
    private func isSentenceEnd(before token: Int) -> Bool {
        guard text.tokens[token].flags.contains(.startsSentence), text.start(token) > 1 else { return false }
        if text.tokens[token - 1].flags.contains(.digits) { return false }
        return text.breaks(from: token - 1, to: token)
    }

    private func isPlausibleWeakMonth(_ token: Int) -> Bool {
        let next = token + 1
        guard next < text.tokens.count, !text.breaks(from: token, to: next) else { return true }
        // "on 5 may we": fine; "3 may be": not.
        if text.has("may", at: text.start(token)), text.tokens[token].count == 3 {
            return !table.leads(text.tokens[next].hash).contains(.behindVerbMay)
        }
        return true
    }

    /// A year behind a month, with the word it ends at.
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

    /// "within 3", "in the next 3": only small words between; "in the first 3" is a length.
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

    /// "KW 42", "in week 45"; a week alone may be one of a program.
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
