import Synchronization
internal import TriageCore

/// Finds out what would be asked, over any number of calls and without sending anything.
public final class AskingSurvey<Item: Sendable>: Sendable {
    /// What was found up to now.
    public struct Totals: Sendable {
        /// One for each distinct question without an answer in the cache, in the order in which they came.
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

    /// Whether the digest is new.
    func isNew(_ digest: String) -> Bool {
        state.withLock { state in
            let isNew = state.seen.insert(digest).inserted
            if !isNew { state.totals.repeated += 1 }
            return isNew
        }
    }

    func add(_ item: Item) { state.withLock { $0.totals.items.append(item) } }

    func add(kept digest: String) { state.withLock { _ = $0.totals.kept.insert(digest) } }
}

/// What asking would take.
public typealias AskingForecast = AskingSurvey<AskingEstimate.Message>

/// The questions that would be asked.
public typealias AskingGathering<Question: Sendable> = AskingSurvey<GatheredQuestion<Question>>

/// A question and the digest under which its answer is kept.
public struct GatheredQuestion<Question: Sendable>: Sendable {
    /// 64 hex digits.
    public var digest: String
    public var question: Question

    public init(digest: String, question: Question) {
        self.digest = digest
        self.question = question
    }
}

extension Asker {
    /// Finds out what asking these questions would take; sends nothing.
    public func foresee(_ questions: [Question], in forecast: AskingForecast) async {
        await survey(questions, in: forecast) { _, essence, _ in
            AskingEstimate.Message(tokens: essence.tokens, travelsAlone: essence.travelsAlone)
        }
    }

    /// Gathers these questions instead of asking them; sends nothing.
    public func gather(_ questions: [Question], in gathering: AskingGathering<Question>) async {
        await survey(questions, in: gathering) { question, _, digest in
            GatheredQuestion(digest: digest, question: question)
        }
    }

    private func survey<Item>(
        _ questions: [Question], in survey: AskingSurvey<Item>, _ item: (Question, AskingEssence, String) -> Item
    ) async {
        let key = AnswerKey(identity: script.identity)
        var new: [(question: Question, essence: AskingEssence, digest: String)] = []
        for question in questions {
            let essence = script.essence(of: question)
            let digest = key.digest(of: essence.parts)
            if survey.isNew(digest) { new.append((question, essence, digest)) }
        }
        let kept = await cache?.answers(for: new.map(\.digest)) ?? [:]
        for (question, essence, digest) in new {
            if let bytes = kept[digest], script.answer(in: bytes, to: question) != nil {
                survey.add(kept: digest)
            } else {
                survey.add(item(question, essence, digest))
            }
        }
    }
}
