import Synchronization

/// Whether the run still asks: once it does not, everything that waits fails at once and nothing more is sent.
///
/// Share one between the askers of a run, for a key that is wrong for messages is wrong for drafts.
public final class AskingStop: Sendable {
    private struct State {
        var failure: CallFailure?
        /// Whether any question of the run has been answered.
        var isAnswered = false
        var thinks = false
        /// Packs and single questions whose larger allowance, too, went into thinking.
        var overthought = 0
    }

    /// So many without one answer are no chance of their messages.
    private static let mostOverthought = 3

    private let state = Mutex(State())

    public init() {}

    /// What stopped the asking, always final for the run; nil while it goes on.
    public var failure: CallFailure? { state.withLock { $0.failure } }

    /// Stops if nothing sent later can escape the failure; the first one stays.
    func note(_ failure: CallFailure) {
        guard failure.isFinalForRun else { return }
        state.withLock { if $0.failure == nil { $0.failure = failure } }
    }

    /// Whether the server, the model and the prompt are any good.
    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Whether the model takes the larger allowance.
    var thinks: Bool { state.withLock { $0.thinks } }

    func answered() { state.withLock { $0.isAnswered = true } }

    /// What follows when a request's allowance went into thinking.
    enum Overthought { case askAgain, divide, giveUp }

    /// - Parameters:
    ///   - hadRoom: whether the request had the larger allowance.
    ///   - isPart: whether it is about part of what was asked before.
    func overthought(hadRoom: Bool, isPart: Bool) -> Overthought {
        state.withLock { state in
            guard hadRoom else {
                state.thinks = true
                return .askAgain
            }
            // A stranger's text may set a model thinking; it must not end the asking for all others.
            if isPart { return .giveUp }
            state.overthought += 1
            if !state.isAnswered, state.overthought >= Self.mostOverthought, state.failure == nil {
                state.failure = .overthinking
            }
            return state.failure == nil ? .divide : .giveUp
        }
    }
}
