/// The moment at which an answer is wanted at the latest.
public struct AnswerDeadline: Sendable, Equatable {
    // An instant itself has no fixed layout, which a batch would pay for at each look.
    private let sinceStart: Duration

    private static let start = ContinuousClock.now

    /// A moment so long from now.
    public init(after time: Duration) { sinceStart = Self.start.duration(to: .now) + time }

    /// The moment on the clock.
    public var instant: ContinuousClock.Instant { Self.start + sinceStart }
}
