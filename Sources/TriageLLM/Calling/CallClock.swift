/// Time as calls see it: since the clock was made, so that moments are plain durations.
public struct CallClock: Sendable {
    private let read: @Sendable () -> Duration
    private let rest: @Sendable (Duration) async throws -> Void

    public init<Base: Clock>(_ clock: Base) where Base.Duration == Duration {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        rest = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Since the clock was made.
    public var now: Duration { read() }

    /// Returns at `moment`, at once if it has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until moment: Duration) async throws { try await rest(moment) }
}

extension Duration {
    /// In seconds, as near as a `Double` comes.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// A duration of so many seconds between nothing and a hundred years; any `Double` is taken, for rates may be tiny.
    init(clampingSeconds seconds: Double) {
        self = seconds > 0 ? .seconds(min(seconds, 3_155_760_000)) : .zero
    }
}
