import Synchronization

/// What asking came to, for the summary of a run.
public struct AskingCounts: Sendable, Equatable {
    /// Questions handed in.
    public var asked = 0
    /// Distinct questions whose answer was kept from before.
    public var fromCache = 0
    /// Questions that shared the answer of another one, of the same call or under way elsewhere.
    public var coalesced = 0
    /// Requests about two messages or more.
    public var packs = 0
    /// First requests about one message.
    public var singles = 0
    /// Second requests about one message, with what was wrong about its answer.
    public var repairs = 0
    /// Second requests about one message, with twice the room for the answer.
    public var widened = 0
    /// Second requests about one message, with a shorter text.
    public var clipped = 0
    /// Packs of whose answer nothing was of use, and which were divided.
    public var splits = 0
    /// Messages that a pack's answer left out or spoiled, and which were asked again alone.
    public var resent = 0
    /// Messages of a pack whose answer was against what the program was sure of, or in step with its neighbors', and which
    /// were asked about again alone.
    public var confirmed = 0
    /// Answers that the cache did not take; they are used and, in another run, paid for again.
    public var notKept = 0
    /// Questions without an answer, by ``CallFailure/code``.
    public var failures: [String: Int] = [:]
    /// What happened and how to fix it, by the codes in ``failures``.
    public var explanations: [String: String] = [:]

    public init() {}

    /// Requests handed to the caller; it may have sent some more than once.
    public var requests: Int { packs + singles + repairs + widened + clipped + confirmed }
}

/// The counts while they grow.
final class AskingTally: Sendable {
    private let state = Mutex(AskingCounts())

    var counts: AskingCounts { state.withLock { $0 } }

    /// Counts what came of questions.
    func add<Answer>(resultsOf results: [Result<Answer, CallFailure>]) {
        add { counts in
            for case .failure(let failure) in results {
                counts.failures[failure.code, default: 0] += 1
                counts.explanations[failure.code] = counts.explanations[failure.code] ?? failure.explanation
            }
        }
    }

    func add(_ change: (inout AskingCounts) -> Void) {
        state.withLock { change(&$0) }
    }
}
