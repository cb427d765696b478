internal import TriageCore

/// Where and when dates are read: the day a message was sent, the creator's time zone and the order of day and month.
struct DateFrame {
    /// Seconds since 1970 when the message was sent; nil: words such as "Friday" give no date.
    var sentAt: Int64?
    var zone: TimeZoneRules
    /// Whether 03/10 is March 10.
    var isMonthFirst: Bool

    /// Days since 1970 of the sender's message, on the creator's calendar.
    var today: Int? { sentAt.map { Int(floorDivide($0 + zone.offset(at: $0), 86_400)) } }

    /// Hours from the message to an hour of a day, on the creator's wall clock.
    func hours(to day: Int, hour: Int) -> Int? {
        guard let sentAt else { return nil }
        let moment = zone.utc(ofLocal: Int64(day) * 86_400 + Int64(hour) * 3600)
        return Int(clamping: floorDivide(moment - sentAt, 3600))
    }

    private func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : (a - b + 1) / b }
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

/// Small words that decide what stands behind them.
private enum LeadWords {
    static let article = WordSet("the dem den le el il")
    static let on = WordSet("on from after")
    static let beforeDay = WordSet("on am vom zum el le il em dia den ab the")
    static let germanDay = WordSet("vom zum ab")
    static let calendarWeek = WordSet("kw week semaine semana settimana")
    static let inside = WordSet("in")
    static let recurring = WordSet("every black cyber each jeden cada chaque ogni")
    static let beforeWeekday = WordSet("on this next na proxima")
    static let monthFirst = WordSet("jan may mar apr")
    /// "guten Morgen", "por la mañana".
    static let notTomorrow = WordSet("guten heute la de good")
    static let after = WordSet("after")
    static let day = WordSet("day")
    static let dayAfterTomorrow = WordSet("pasado apres")
    static let of = WordSet("de")
    static let later = WordSet("depois")
    static let end = WordSet("end")
    static let ordinals = WordSet("st nd rd th er o a e eme")
    /// Words behind "may" that show the verb.
    static let behindVerbMay = WordSet("be not have work need take help or fit")
}

/// Reads one date at a word: dates in digits and words, weekdays, and days relative to the message.
struct DateReader {
    let text: MessageText
    let table: WordIndex
    let frame: DateFrame
    let today: Int?

    init(text: MessageText, table: WordIndex, frame: DateFrame) {
        self.text = text
        self.table = table
        self.frame = frame
        today = frame.today
    }

    func info(_ token: Int) -> WordInfo {
        token >= 0 && token < text.tokens.count ? table.info(text.tokens[token].hash) : WordInfo()
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

    // MARK: - Digits

    private func digits(at token: Int) -> DateReading? {
        let start = text.start(token)
        let before = text.byte(start - 1)
        if before == 0x23 || before == 0x24 { return nil }
        if let found = numeric(at: token) { return found }
        if let found = ideographic(at: token) { return found }
        if let found = calendarWeek(at: token) { return found }
        guard let (day, isOrdinal) = dayNumber(token) else { return duration(at: token) }
        if let found = dayBeforeMonth(at: token, day: day) { return found }
        if let found = duration(at: token) { return found }
        if isOrdinal || follows(LeadWords.article, token), isDayOfMonth(at: token, isOrdinal: isOrdinal) {
            return reading(today.flatMap { nextDayOfMonth(day, from: $0) }, token, token)
        }
        return nil
    }

    private func follows(_ words: WordSet, _ token: Int) -> Bool {
        token > 0 && words.contains(hash: text.tokens[token - 1].hash)
    }

    /// Whether an ordinal is a day: "by the 12th", "before the 20th", "on the 3rd".
    private func isDayOfMonth(at token: Int, isOrdinal: Bool) -> Bool {
        var i = token - 1
        var sawArticle = false
        while i >= 0, token - i <= 3 {
            let roles = info(i).roles
            if roles.contains(.deadlinePreposition) { return true }
            if isOrdinal, sawArticle, follows(LeadWords.on, i + 1) { return true }
            guard roles.contains(.article) || !roles.isDisjoint(with: [.weekday, .partOfDay]) else { return false }
            sawArticle = true
            i -= 1
        }
        return false
    }

    /// The day of the month a word stands for: "3", "3rd", "1er", "12th".
    private func dayNumber(_ token: Int) -> (day: Int, isOrdinal: Bool)? {
        let word = text.word(token)
        var value = 0
        var count = 0
        for byte in word {
            guard isDigit(byte), count < 3 else { break }
            value = value * 10 + Int(byte - 0x30)
            count += 1
        }
        guard count >= 1, count <= 2, (1...31).contains(value) else { return nil }
        if count == word.count { return (value, false) }
        let suffix = word[count...]
        if LeadWords.ordinals.contains(suffix) { return (value, suffix.count == 2) }
        // A Turkish or Japanese ending may be glued on.
        return word[count] >= 0x80 ? (value, false) : nil
    }

    private func nextDayOfMonth(_ day: Int, from today: Int) -> Int? {
        let now = CivilDate.date(ofDays: today)
        var (year, month, current) = (now.year, now.month, now.day)
        if day < current { (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1) }
        current = min(day, CivilDate.length(ofMonth: month, year: year))
        return CivilDate.days(year: year, month: month, day: current)
    }

    /// 2026-10-03, 03/10/2026, 3.10., 10/3.
    private func numeric(at token: Int) -> DateReading? {
        let start = text.start(token)
        guard !isDigit(text.byte(start - 2)) || text.byte(start - 1) == 0x20 else { return nil }
        var i = start
        // Most numbers have no mark behind them: no work for those.
        while isDigit(text.byte(i)), i - start < 5 { i += 1 }
        let behind = text.byte(i)
        guard i > start, behind == 0x2D || behind == 0x2F || behind == 0x2E else { return nil }
        i = start
        var parts: [Int] = []
        var widths: [Int] = []
        var mark: UInt8 = 0
        while parts.count < 3 {
            var value = 0
            let from = i
            while isDigit(text.byte(i)), i - from < 5 {
                value = value * 10 + Int(text.byte(i) - 0x30)
                i += 1
            }
            guard i > from else { break }
            parts.append(value)
            widths.append(i - from)
            let next = text.byte(i)
            guard parts.count < 3, next == 0x2D || next == 0x2F || next == 0x2E, mark == 0 || mark == next,
                isDigit(text.byte(i + 1)) || parts.count == 2 && mark == 0x2E
            else { break }
            mark = next
            i += 1
        }
        guard parts.count >= 2, mark != 0 else { return nil }
        if isDigit(text.byte(i)) || text.byte(i) == 0x25 { return nil }
        let lastToken = max(token, text.firstToken(from: i) - 1)
        if parts.count == 3 {
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
        let roles = info(token - 1).roles
        if !roles.isDisjoint(with: [.deadlinePreposition, .weekday, .deadlineNoun]) { return true }
        return follows(LeadWords.beforeDay, token)
            && (roles.contains(.article) || follows(LeadWords.germanDay, token))
    }

    /// 10月3日, 10月末, 3日.
    private func ideographic(at token: Int) -> DateReading? {
        guard text.shape.han > 0 else { return nil }
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
    private func dayBeforeMonth(at token: Int, day: Int) -> DateReading? {
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
            let isSuffix = text.tokens[i].count <= 2 && LeadWords.ordinals.contains(hash: text.tokens[i].hash)
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
            return !LeadWords.behindVerbMay.contains(hash: text.tokens[next].hash)
        }
        return true
    }

    /// A year behind a month, with the word it ends at.
    private func yearBehind(_ token: Int) -> (Int?, Int) {
        for i in (token + 1)..<max(token + 1, min(text.tokens.count, token + 3)) {
            let word = text.word(i)
            if word.count == 4, word.allSatisfy(isDigit) {
                let year = word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
                if (2000...2099).contains(year), text.byte(text.end(i)) != 0x2D || !isDigit(text.byte(text.end(i) + 1))
                {
                    return (year, i)
                }
            }
            guard info(i).roles.contains(.article) else { break }
        }
        return (nil, token)
    }

    /// "within 48 hours", "in the next 3 hours", "24h", "in 10 days".
    private func duration(at token: Int) -> DateReading? {
        let word = text.word(token)
        var value = 0
        var count = 0
        for byte in word {
            guard isDigit(byte), count < 4 else { break }
            value = value * 10 + Int(byte - 0x30)
            count += 1
        }
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
    private func isWithin(_ token: Int) -> Bool {
        var i = token - 1
        while i >= 0, token - i <= 3, !text.breaks(from: i, to: token) {
            let roles = info(i).roles
            if roles.contains(.within) { return true }
            guard roles.contains(.article) || roles.contains(.next), text.start(i + 1) - text.end(i) == 1 else {
                return false
            }
            i -= 1
        }
        return false
    }

    private func elapsed(_ count: Int, _ unit: TimeUnit, _ first: Int, _ last: Int) -> DateReading? {
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
        if let sentAt = frame.sentAt {
            let local = sentAt + frame.zone.offset(at: sentAt)
            found.day = Int((local + Int64(hours) * 3600) / 86_400)
        }
        return found
    }

    /// "KW 42", "in week 45"; a week alone may be one of a program.
    private func calendarWeek(at token: Int) -> DateReading? {
        guard follows(LeadWords.calendarWeek, token), text.start(token) - text.end(token - 1) == 1 else { return nil }
        let word = text.word(token)
        guard word.count <= 2, word.allSatisfy(isDigit) else { return nil }
        let week = word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let isKW = text.tokens[token - 1].count == 2
        guard (1...53).contains(week),
            isKW || follows(LeadWords.inside, token - 1) || info(token - 2).roles.contains(.deadlinePreposition)
        else { return nil }
        guard let today else { return reading(nil, token - 1, token) }
        let year = CivilDate.date(ofDays: today).year
        let monday = CivilDate.monday(ofWeek: week, year: year)
        return reading(
            monday + 6 < today ? CivilDate.monday(ofWeek: week, year: year + 1) : monday, token - 1, token)
    }

    // MARK: - Words

    private func weekday(at token: Int, _ info: WordInfo) -> DateReading? {
        if !info.roles.contains(.weekday), !isLedByWeakPreposition(token) { return nil }
        // A title such as "Feedback Friday" is no date.
        if info.roles.contains(.creator) {
            if self.info(token + 1).roles.contains(.creator), !text.breaks(from: token, to: token + 1) { return nil }
            if token > 0, self.info(token - 1).roles.contains(.creator), !text.breaks(from: token - 1, to: token) {
                return nil
            }
        }
        if token > 0, isPast(token) { return nil }
        if follows(LeadWords.recurring, token) { return nil }
        // "Monday 9 November", "Friday, 10/3", "lunes 16", "Wednesday 9th".
        var next = token + 1
        if next < text.tokens.count, text.has("feira", at: text.start(next)) { next += 1 }
        var hops = 0
        while next < text.tokens.count, hops < 2, !text.tokens[next].flags.contains(.digits),
            !self.info(next).roles.isDisjoint(with: [.article, .partOfDay, .month])
        {
            if self.info(next).roles.contains(.month) { break }
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
            if self.info(next).roles.contains(.month), var found = month(at: next, self.info(next)), found.last > next {
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
        guard let today else { return reading(nil, token, token) }
        var delta = (Int(info.weekday) - CivilDate.weekday(ofDays: today) + 7) % 7
        if delta == 0, !isLedByThis(token) { delta = 7 }
        return reading(today + delta, token, token)
    }

    private func isLedByWeakPreposition(_ token: Int) -> Bool {
        if text.has("feira", at: text.end(token) + 1) { return true }
        guard token > 0 else { return false }
        if self.info(token - 1).roles.contains(.deadlinePreposition) { return true }
        if follows(LeadWords.beforeWeekday, token) { return true }
        return token + 1 < text.tokens.count && text.tokens[token + 1].flags.contains(.digits)
            && !info(token + 2).roles.isDisjoint(with: [.month, .weakMonth])
    }

    private func isLedByThis(_ token: Int) -> Bool { info(token - 1).roles.contains(.this) }

    /// "since Monday", "last Friday".
    private func isPast(_ token: Int) -> Bool {
        guard token > 0 else { return false }
        return info(token - 1).roles.contains(.past)
            || info(token - 1).roles.contains(.article) && info(token - 2).roles.contains(.past)
    }

    private func month(at token: Int, _ info: WordInfo) -> DateReading? {
        let month = Int(info.month)
        let isWeak = !info.roles.contains(.month)
        if isPast(token) { return nil }
        let next = token + 1
        if next < text.tokens.count, text.tokens[next].flags.contains(.digits), text.start(next) - text.end(token) <= 2,
            let (day, _) = dayNumber(next), !isAmount(next),
            !isWeak || follows(LeadWords.monthFirst, next)
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
            let roles = self.info(i).roles
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

    private func relativeDay(at token: Int, _ info: WordInfo) -> DateReading? {
        if follows(LeadWords.notTomorrow, token), !text.has("demain", at: text.start(token)) { return nil }
        var offset = Int(info.dayOffset)
        var first = token
        if offset == 1, token >= 2, follows(LeadWords.after, token), follows(LeadWords.day, token - 1) {
            offset = 2
            first = token - 2
        }
        // "pasado mañana", "après-demain", "depois de amanhã"
        if offset == 1,
            follows(LeadWords.dayAfterTomorrow, token)
                || token > 1 && follows(LeadWords.of, token) && follows(LeadWords.later, token - 1)
        {
            offset = 2
            first = token - 1
        }
        var found = reading(today.map { $0 + offset }, first, token)
        found?.isRelative = true
        if today == nil { found?.hours = offset * 24 + 12 }
        return found
    }

    private func unit(at token: Int, _ info: WordInfo) -> DateReading? {
        let previous = self.info(token - 1)
        let following = self.info(token + 1)
        if token + 1 < text.tokens.count, text.tokens[token + 1].flags.contains(.digits),
            text.start(token + 1) - text.end(token) == 1
        {
            return nil
        }
        let isNext = token > 0 && previous.roles.contains(.next) || following.roles.contains(.next) || isComing(token)
        // "end of the month", "fim do mês", "Ende der Woche"
        for i in stride(from: token - 1, through: max(0, token - 3), by: -1) where i >= 0 {
            let roles = self.info(i).roles
            if info.unit == .day, roles.contains(.endOf), isBesideDay(from: i, to: token) { return nil }
            if roles.contains(.endOf), !roles.contains(.past) || follows(LeadWords.end, i + 1) {
                return end(of: info.unit, i, token, isNext: isNext)
            }
            guard roles.contains(.article) || roles.contains(.this) || roles.contains(.next) else { break }
        }
        if isNext, info.unit != .hour, info.unit != .day { return beginning(ofNext: info.unit, token) }
        if token > 0, previous.roles.contains(.this) { return end(of: info.unit, token - 1, token, isNext: false) }
        // "within a week", "in two weeks", "خلال أسبوع"
        let isCounted = previous.roles.contains(.number) && previous.number > 0
        let first = isCounted ? token - 1 : token
        guard first > 0, self.info(first - 1).roles.contains(.within) || isCounted && isWithin(first) else {
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
            if !info(i).roles.isDisjoint(with: [.relativeDay, .weekday, .weakWeekday, .month]) { return true }
        }
        return false
    }

    private func endOfDay(at token: Int) -> DateReading? {
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

    // MARK: - Making

    private func reading(_ day: Int?, _ first: Int, _ last: Int) -> DateReading? {
        DateReading(day: day, hours: nil, first: first, last: last, start: text.start(first), end: text.end(last))
    }

    private func explicit(_ year: Int, _ month: Int, _ day: Int, _ first: Int, _ last: Int, end: Int) -> DateReading? {
        guard (1990...2199).contains(year), CivilDate.isValid(year: year, month: month, day: day) else { return nil }
        var found = reading(CivilDate.days(year: year, month: month, day: day), first, last)
        found?.end = max(end, text.start(first))
        return found
    }

    /// A day without a year: the next one, unless it is just over.
    private func inferred(month: Int, day: Int, _ first: Int, _ last: Int, end: Int) -> DateReading? {
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
