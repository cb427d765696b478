import Synchronization

/// Whether the run still asks: once it does not, everything that waits fails at once and nothing more is sent.
///
/// Share one between the askers of a run, for a key that is wrong for messages is wrong for drafts.
public final class AskingStop: Sendable {
    private struct State {
        var failure: CallFailure?
        var useless = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// What stopped the asking; nil while it goes on.
    public var failure: CallFailure? { state.withLock { $0.failure } }

    /// Stops with a failure that nothing sent later can escape; the first one stays.
    func stop(with failure: CallFailure) {
        state.withLock { if $0.failure == nil { $0.failure = failure } }
    }

    /// An answer was of use.
    func useful() {
        state.withLock { $0.useless = 0 }
    }

    /// A message was given up for what the model said about it; stops after `limit` without a useful answer between.
    func useless(_ failure: CallFailure, limit: Int) {
        state.withLock {
            $0.useless += 1
            if $0.useless >= limit, $0.failure == nil { $0.failure = failure }
        }
    }
}
