import Synchronization

/// Whether the run still asks: once it does not, everything that waits fails at once and nothing more is sent.
///
/// Share one between the askers of a run, for a key that is wrong for messages is wrong for drafts.
public final class AskingStop: Sendable {
    private let state = Mutex<CallFailure?>(nil)

    public init() {}

    /// What stopped the asking, always final for the run; nil while it goes on.
    public var failure: CallFailure? { state.withLock { $0 } }

    /// Stops if nothing sent later can escape the failure; the first one stays.
    func note(_ failure: CallFailure) {
        guard failure.isFinalForRun else { return }
        state.withLock { if $0 == nil { $0 = failure } }
    }
}
