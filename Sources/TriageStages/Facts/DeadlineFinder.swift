internal import TriageCore

/// When an answer, an event or a delivery is due according to a text.
struct Deadline: Equatable {
    enum Kind: Int, Equatable, Comparable {
        case date, preposition, reply
        static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
    }

    /// Days since 1970; nil when the wording depends on an unknown day.
    var day: Int?
    /// Hours from the message; nil when unknown.
    var hours: Int?
    var kind: Kind
    /// Offsets in the folded text.
    var start: Int
    var end: Int

    /// Whether an answer is needed by then, as opposed to the date of an event or delivery.
    var isReply: Bool { kind != .date }
}

/// What the dates of a text amount to.
struct DeadlineResult: Equatable {
    var deadline: Deadline?
    /// Whether there is any date at all.
    var hasDate = false
    /// Whether it says "soon", "asap", or names a season or a year without a day.
    var saysSoon = false
}

/// Finds the date by which a sender wants an answer, or else the nearest date of an event.
///
/// Takes time linear in the text; at most ``limit`` dates are examined.
struct DeadlineFinder {
    static let limit = 32

    private let reader: DateReader
    private var text: MessageText {
        @inline(__always) get { reader.text }
    }

    init(text: MessageText, table: WordIndex, frame: DateFrame) {
        reader = DateReader(text: text, table: table, frame: frame)
    }

    /// Finds the deadline of the text.
    ///
    /// - Parameter candidates: words with digits, and trigger words.
    func find(at candidates: UnsafeBufferPointer<Int32>) -> DeadlineResult {
        var result = DeadlineResult()
        // Copied out; otherwise a part of `self` would be copied for every call.
        let reader = reader
        var count = 0
        var next = 0
        for candidate in candidates where count < Self.limit {
            let i = Int(candidate)
            guard i >= next else { continue }
            let hasDigits = text.tokens[i].flags.contains(.digits)
            // "Q1" has a digit but is a season.
            let isWord = !hasDigits || text.byte(text.start(i)) == 0x71
            let roles = isWord ? reader.roles(i) : []
            if roles.contains(.soon) { result.saysSoon = true }
            guard hasDigits || !roles.isDisjoint(with: .dateTriggers), let found = reader.read(at: i) else {
                if hasDigits, isYearAhead(i) { result.saysSoon = true }
                continue
            }
            count += 1
            weigh(found, into: &result)
            next = found.last + 1
        }
        if text.shape.kana &+ text.shape.han > 0 { findKana(into: &result) }
        return result
    }

    /// Whether a word names a coming year: "in 2027", "next year".
    private func isYearAhead(_ token: Int) -> Bool {
        guard text.tokens[token].flags.contains(.digits), text.tokens[token].count == 4, let today = reader.today else {
            return false
        }
        let word = text.word(token)
        guard word.allSatisfy(isDigit) else { return false }
        let year = word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let now = CivilDate.date(ofDays: today).year
        return year > now && year <= now + 3
    }

    private func weigh(_ found: DateReading, into result: inout DeadlineResult) {
        result.hasDate = true
        let today = reader.today
        if let day = found.day, let today, day < today { return }
        let kind = kind(of: found)
        var deadline = Deadline(day: found.day, hours: found.hours, kind: kind, start: found.start, end: found.end)
        if deadline.hours == nil, let day = found.day {
            let hour = hour(near: found) ?? (day == today ? 22 : 18)
            deadline.hours = reader.frame.hours(to: day, hour: hour).map { max(0, $0) }
        }
        guard let best = result.deadline else {
            result.deadline = deadline
            return
        }
        if deadline.kind > best.kind || deadline.kind == best.kind && isEarlier(deadline, best) {
            result.deadline = deadline
        }
    }

    private func isEarlier(_ a: Deadline, _ b: Deadline) -> Bool {
        switch (a.day, b.day) {
        case (let x?, let y?): return x < y || x == y && (a.hours ?? .max) < (b.hours ?? .max)
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil): return (a.hours ?? .max) < (b.hours ?? .max)
        }
    }

    private func kind(of found: DateReading) -> Deadline.Kind {
        var hasPreposition = found.hasPostposition
        var hasReply = false
        var hasNoun = false
        var isDelivery = false
        var i = found.first - 1
        while i >= 0, found.first - i <= 10, !text.breaks(before: i + 1) {
            let roles = reader.roles(i)
            let distance = found.first - i
            if roles.contains(.deadlinePreposition),
                distance <= 2 || distance <= 4 && isBridge(from: i, to: found.first)
            {
                hasPreposition = true
            }
            if roles.contains(.reply) { hasReply = true }
            if roles.contains(.deadlineNoun), distance <= 7 { hasNoun = true }
            if roles.contains(.delivery), distance <= 5 { isDelivery = true }
            i -= 1
        }
        i = found.last + 1
        while i < text.tokens.count, i - found.last <= 8, !text.breaks(before: i) {
            let roles = reader.roles(i)
            if roles.contains(.reply) { hasReply = true }
            if roles.contains(.deadlineNoun), i - found.last <= 4 { hasNoun = true }
            if roles.contains(.delivery), i - found.last <= 2 { isDelivery = true }
            // Turkish and Hindi put the preposition after the date: "30 Kasım'a kadar".
            if i - found.last <= 3,
                text.has("kadar", at: text.start(i)) || text.has("tak", at: text.start(i)) && text.tokens[i].count == 3
            {
                hasPreposition = true
            }
            i += 1
        }
        if hasNoun { return isDelivery && !hasReply ? .preposition : .reply }
        if hasReply, hasPreposition || found.isRelative { return .reply }
        if hasPreposition, !isDelivery { return .preposition }
        return .date
    }

    /// Whether only small words come between a preposition and its date: "by the end of", "bis zum", "by 5pm".
    private func isBridge(from first: Int, to last: Int) -> Bool {
        for i in (first + 1)..<max(first + 1, last) {
            let roles = reader.roles(i)
            if text.tokens[i].flags.contains(.digits) { continue }
            guard
                !roles.isDisjoint(with: [
                    .article, .this, .next, .endOf, .middleOf, .startOf, .weekday, .partOfDay, .endOfDay, .month,
                ])
                    || text.tokens[i].count <= 3
            else { return false }
        }
        return true
    }

    /// Returns the hour given near a date: "5pm", "17:00", "18 Uhr", "noon", "morning".
    private func hour(near found: DateReading) -> Int? {
        // Only words in the same sentence or line.
        var first = found.first
        while first > 0, found.first - first < 4, !text.breaks(before: first) { first -= 1 }
        var end = found.last + 1
        while end < text.tokens.count, end - found.last < 6, !text.breaks(before: end) { end += 1 }
        var best: Int?
        for i in first..<end {
            if text.tokens[i].flags.contains(.digits) {
                guard i < found.first || i > found.last else { continue }
                if let hour = clock(at: i) { return hour }
            } else if best == nil {
                let info = reader.info(i)
                if info.roles.contains(.partOfDay) { best = Int(info.hour) }
            }
        }
        return best
    }

    private func clock(at token: Int) -> Int? {
        let (value, count) = text.leadingNumber(token, limit: 3)
        guard count >= 1, count <= 2, value <= 24 else { return nil }
        var end = text.start(token) + count
        let mark = text.byte(end)
        var hasMinutes = false
        if mark == 0x3A || mark == 0x2E, isDigit(text.byte(end + 1)), isDigit(text.byte(end + 2)),
            !isDigit(text.byte(end + 3))
        {
            end += 3
            hasMinutes = mark == 0x3A
        }
        let at = text.byte(end) == 0x20 ? end + 1 : end
        if text.has("pm", at: at) || text.has("p.m", at: at) { return value < 12 ? value + 12 : value }
        if text.has("am", at: at) || text.has("a.m", at: at), !isWordByte(text.byte(at + 2)) {
            return value == 12 ? 0 : value
        }
        if text.has("uhr", at: at) || text.has("h", at: end) && !isLetter(text.byte(end + 1)) || text.has("時", at: end)
        {
            return value
        }
        return hasMinutes ? value : nil
    }

    /// Finds Japanese days, because Japanese puts no blank between words: 明日, 今週, 来週, 月末.
    private func findKana(into result: inout DeadlineResult) {
        let places = findKanaDays()
        if places.saysSoon { result.saysSoon = true }
        guard places.hasDays, let today = reader.today else { return }
        let now = CivilDate.date(ofDays: today)
        let monthEnd = CivilDate.days(
            year: now.year, month: now.month, day: CivilDate.length(ofMonth: now.month, year: now.year))
        let monday = today + 8 - CivilDate.weekday(ofDays: today)
        let days = [today, today, today + 1, today + 2, monday - 1, monday, monthEnd, monthEnd]
        for (place, day) in days.enumerated() {
            let at = Int(places.offsets[place])
            guard at >= 0 else { continue }
            var day = day
            var end = at + Self.kanaDays[place].utf8CodeUnitCount
            // "来週の金曜日" means that day of the week, not its beginning or end.
            if place == 4 || place == 5, let named = kanaWeekday(behind: end) {
                day = (place == 4 ? monday - 7 : monday) + named.weekday - 1
                end = named.end
                guard day >= today else { continue }
            }
            result.hasDate = true
            var kind = Deadline.Kind.date
            if text.has("まで", in: end..<min(text.bytes.count, end + 24)) { kind = .reply }
            let deadline = Deadline(
                day: day, hours: reader.frame.hours(to: day, hour: 18).map { max(0, $0) }, kind: kind, start: at,
                end: end)
            if result.deadline.map({ kind > $0.kind }) ?? true { result.deadline = deadline }
        }
    }

    /// Returns the weekday directly after a week, with Monday as 1: 金曜, の金曜日.
    private func kanaWeekday(behind week: Int) -> (weekday: Int, end: Int)? {
        let at = text.has("の", at: week) ? week + 3 : week
        guard text.has("曜", at: at + 3), let index = Self.kanaWeekdays.firstIndex(where: { text.has($0, at: at) })
        else { return nil }
        return (index + 1, text.has("日", at: at + 6) ? at + 9 : at + 6)
    }

    private static let kanaWeekdays: [StaticString] = ["月", "火", "水", "木", "金", "土", "日"]

    private static let kanaDays: [StaticString] = ["本日", "今日", "明日", "明後日", "今週", "来週", "今月末", "今月中"]

    /// The first place of each word for a day, in the order of ``kanaDays``; −1 for those that do not occur.
    private struct KanaDays {
        var offsets = SIMD8<Int32>(repeating: -1)
        var saysSoon = false
        var hasDays = false
    }

    /// Searches for all of the words in one pass.
    private func findKanaDays() -> KanaDays {
        var found = KanaDays()
        let days = Self.kanaDays
        // The first bytes of these words, and of both words for "soon", are among these four.
        for i in 0..<text.bytes.count where text.bytes[i] &- 0xE3 < 6 {
            switch text.bytes[i] {
            // All kana begin with this byte, so the second byte is checked before the rest.
            case 0xE3 where text.byte(i + 1) == 0x81: found.saysSoon = found.saysSoon || text.has("お早め", at: i)
            case 0xE8: found.saysSoon = found.saysSoon || text.has("至急", at: i)
            case 0xE4, 0xE6:
                for (place, day) in days.enumerated() where found.offsets[place] < 0 && text.has(day, at: i) {
                    found.offsets[place] = Int32(truncatingIfNeeded: i)
                    found.hasDays = true
                }
            default: break
            }
        }
        return found
    }
}
