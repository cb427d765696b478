internal import TriageCore

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
