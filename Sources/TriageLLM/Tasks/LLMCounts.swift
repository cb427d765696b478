import Synchronization

/// The counts of requests and answers, for the summary of a run.
package struct LLMCounts: Sendable, Equatable {
    /// Questions handed in.
    package var asked = 0
    /// Distinct questions whose answer was in the cache.
    package var fromCache = 0
    /// Questions that shared the answer to another one, in the same call or under way elsewhere.
    package var coalesced = 0
    /// Requests about two or more messages.
    package var packs = 0
    /// First requests about one message.
    package var singles = 0
    /// Second requests about one message, which name the faults of its answer.
    package var repairs = 0
    /// Second requests about one message, with twice the room for the answer.
    package var widened = 0
    /// Second requests about one message, with a shorter text.
    package var clipped = 0
    /// Packs whose answer was entirely useless, and which were divided.
    package var splits = 0
    /// Messages that a pack's answer left out or garbled, and which were asked about again alone.
    package var resent = 0
    /// Messages of a pack that were asked about again alone because the answer was doubtful.
    ///
    /// It contradicted something that the program was sure of, or changed in the same way as its neighbors.
    package var confirmed = 0
    /// Answers that could not be cached; they are used, but another run has to pay for them again.
    package var notKept = 0
    /// Questions without an answer, by ``CallFailure/code``.
    package var failures: [String: Int] = [:]
    /// What happened and how to fix it, by the codes in ``failures``.
    package var explanations: [String: String] = [:]

    package init() {}

    /// Requests passed to the caller, which may have sent some of them more than once.
    package var requests: Int { packs + singles + repairs + widened + clipped + confirmed }
}

/// The running counts.
final class LLMTally: Sendable {
    private let state = Mutex(LLMCounts())

    var counts: LLMCounts { state.withLock { $0 } }

    /// Counts the results of questions.
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
