import Synchronization
internal import TriageCore

/// Gathers the questions that would be asked, over any number of calls and without sending anything.
public final class AskingGathering<Question: Sendable>: Sendable {
    /// A question and the digest under which its answer is kept.
    public struct Item: Sendable {
        /// 64 hex digits.
        public var digest: String
        public var question: Question
    }

    /// What was found up to now.
    public struct Totals: Sendable {
        /// Distinct questions without an answer in the cache, in the order in which they came.
        public var items: [Item] = []
        /// Digests of distinct questions whose answer is kept.
        public var kept: Set<String> = []
        /// Questions that ask the same as one before them.
        public var repeated = 0

        public init() {}
    }

    private struct State {
        var totals = Totals()
        var seen: Set<String> = []
    }

    private let state = Mutex(State())

    public init() {}

    public var totals: Totals { state.withLock { $0.totals } }

    func isNew(_ digest: String) -> Bool {
        state.withLock { state in
            let isNew = state.seen.insert(digest).inserted
            if !isNew { state.totals.repeated += 1 }
            return isNew
        }
    }

    func add(_ question: Question, _ digest: String, isKept: Bool) {
        state.withLock { state in
            if isKept {
                state.totals.kept.insert(digest)
            } else {
                state.totals.items.append(Item(digest: digest, question: question))
            }
        }
    }
}

extension Asker {
    /// Gathers these questions instead of asking them; sends nothing.
    public func gather(_ questions: [Question], in gathering: AskingGathering<Question>) async {
        let key = AnswerKey(identity: script.identity)
        for question in questions {
            let digest = key.digest(of: script.essence(of: question).parts)
            guard gathering.isNew(digest) else { continue }
            let bytes = await cache?.answer(for: digest)
            let isKept = bytes.map { script.answer(in: $0, to: question) != nil } ?? false
            gathering.add(question, digest, isKept: isKept)
        }
    }
}
