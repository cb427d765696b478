import Synchronization

/// What asking came to, for the summary of a run.
package struct LLMCounts: Sendable, Equatable {
    /// Questions handed in.
    package var asked = 0
    /// Distinct questions whose answer was kept from before.
    package var fromCache = 0
    /// Questions that shared the answer of another one, of the same call or under way elsewhere.
    package var coalesced = 0
    /// Requests about two messages or more.
    package var packs = 0
    /// First requests about one message.
    package var singles = 0
    /// Second requests about one message, with what was wrong about its answer.
    package var repairs = 0
    /// Second requests about one message, with twice the room for the answer.
    package var widened = 0
    /// Second requests about one message, with a shorter text.
    package var clipped = 0
    /// Packs of whose answer nothing was of use, and which were divided.
    package var splits = 0
    /// Messages that a pack's answer left out or spoiled, and which were asked again alone.
    package var resent = 0
    /// Messages of a pack whose answer was against what the program was sure of, or in step with its neighbors', and which
    /// were asked about again alone.
    package var confirmed = 0
    /// Answers that the cache did not take; they are used and, in another run, paid for again.
    package var notKept = 0
    /// Questions without an answer, by ``CallFailure/code``.
    package var failures: [String: Int] = [:]
    /// What happened and how to fix it, by the codes in ``failures``.
    package var explanations: [String: String] = [:]

    package init() {}

    /// Requests handed to the caller; it may have sent some more than once.
    package var requests: Int { packs + singles + repairs + widened + clipped + confirmed }
}

/// The counts while they grow.
final class LLMTally: Sendable {
    private let state = Mutex(LLMCounts())

    var counts: LLMCounts { state.withLock { $0 } }

    /// Counts what came of questions.
    func add<Answer>(resultsOf results: [Result<Answer, CallFailure>]) {
        add { counts in
            for case .failure(let failure) in results {
                counts.failures[failure.code, default: 0] += 1
                counts.explanations[failure.code] = counts.explanations[failure.code] ?? failure.explanation
            }
        }
    }

    func add(_ change: (inout LLMCounts) -> Void) {
        state.withLock { change(&$0) }
    }
}
