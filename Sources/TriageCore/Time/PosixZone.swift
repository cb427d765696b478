/// The rule in a TZif footer, such as `EST5EDT,M3.2.0,M11.1.0`.
struct PosixZone: Sendable, Equatable {
    private var standard: Int32 = 0
    private var summer: Int32?
    private var start = Change()
    private var end = Change()

    /// When clocks change.
    private struct Change: Sendable, Equatable {
        enum Kind: Sendable, Equatable { case monthWeekDay, julian, zeroBased }
        var kind = Kind.monthWeekDay
        var month = 3
        var week = 2
        var day = 0
        /// Seconds after local midnight.
        var time: Int32 = 7200
    }

    init?(_ text: [UInt8]) {
        var i = 0
        func peek() -> UInt8 { i < text.count ? text[i] : 0 }
        func name() -> Bool {
            let from = i
            if peek() == 0x3C {
                while i < text.count, text[i] != 0x3E { i += 1 }
                i += 1
            } else {
                while (peek() | 0x20) &- 0x61 < 26 { i += 1 }
            }
            return i > from && i <= text.count
        }
        func number() -> Int32? {
            let from = i
            var value: Int32 = 0
            while peek() &- 0x30 < 10, i - from < 4 {
                value = value * 10 + Int32(peek() - 0x30)
                i += 1
            }
            return i > from ? value : nil
        }
        func time() -> Int32? {
            var sign: Int32 = 1
            if peek() == 0x2D || peek() == 0x2B {
                sign = peek() == 0x2D ? -1 : 1
                i += 1
            }
            guard var seconds = number().map({ $0 * 3600 }) else { return nil }
            for scale: Int32 in [60, 1] where peek() == 0x3A {
                i += 1
                guard let part = number() else { return nil }
                seconds += part * scale
            }
            return sign * seconds
        }
        func change() -> Change? {
            guard peek() == 0x2C else { return nil }
            i += 1
            var result = Change()
            if peek() == 0x4D {
                i += 1
                guard let month = number(), peek() == 0x2E else { return nil }
                i += 1
                guard let week = number(), peek() == 0x2E else { return nil }
                i += 1
                guard let day = number(), (1...12).contains(month), (1...5).contains(week), day <= 6 else { return nil }
                result.month = Int(month)
                result.week = Int(week)
                result.day = Int(day)
            } else {
                result.kind = peek() == 0x4A ? .julian : .zeroBased
                if peek() == 0x4A { i += 1 }
                guard let day = number(), day <= 366 else { return nil }
                result.day = Int(day)
            }
            if peek() == 0x2F {
                i += 1
                guard let at = time() else { return nil }
                result.time = at
            }
            return result
        }
        guard name(), let west = time() else { return nil }
        standard = -west
        guard i < text.count else { return }
        guard name() else { return nil }
        summer = standard + 3600
        if peek() != 0x2C, let west = time() { summer = -west }
        guard let first = change(), let second = change() else { return nil }
        start = first
        end = second
    }

    func offset(at utc: Int64) -> Int32 {
        guard let summer else { return standard }
        let days = Int(
            (utc + Int64(standard)) >= 0
                ? (utc + Int64(standard)) / 86_400 : (utc + Int64(standard) - 86_399) / 86_400)
        let year = CivilDate(daysSince1970: days).year
        let begins = Self.moment(of: start, year: year) - Int64(standard)
        let ends = Self.moment(of: end, year: year) - Int64(summer)
        let isSummer = begins < ends ? utc >= begins && utc < ends : utc >= begins || utc < ends
        return isSummer ? summer : standard
    }

    /// Local seconds since 1970 of a change in a year.
    private static func moment(of change: Change, year: Int) -> Int64 {
        let day: Int
        switch change.kind {
        case .monthWeekDay:
            let first = CivilDate(year: year, month: change.month, day: 1).daysSince1970
            let firstWeekday = ((first + 4) % 7 + 7) % 7
            var inMonth = 1 + (change.day - firstWeekday + 7) % 7 + (change.week - 1) * 7
            while inMonth > CivilDate.daysIn(month: change.month, year: year) { inMonth -= 7 }
            day = first + inMonth - 1
        case .julian:
            // Day 60 is always March 1.
            let isLeap = CivilDate.daysIn(month: 2, year: year) == 29
            day =
                CivilDate(year: year, month: 1, day: 1).daysSince1970 + change.day - 1
                + (isLeap && change.day >= 60 ? 1 : 0)
        case .zeroBased: day = CivilDate(year: year, month: 1, day: 1).daysSince1970 + change.day
        }
        return Int64(day) * 86_400 + Int64(change.time)
    }
}
