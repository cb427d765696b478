import Synchronization
internal import TriageCore

/// Finds out what would be asked, over any number of calls and without sending anything.
package final class LLMSurvey<Item: Sendable>: Sendable {
    /// What was found up to now.
    package struct Totals: Sendable {
        /// One for each distinct question without an answer in the cache, in the order in which they came.
        package var items: [Item] = []
        /// Digests of distinct questions whose answer is kept.
        package var kept: Set<String> = []
        /// Questions that ask the same as one before them.
        package var repeated = 0

        package init() {}
    }

    private struct State {
        var totals = Totals()
        var seen: Set<String> = []
    }

    private let state = Mutex(State())

    package init() {}

    package var totals: Totals { state.withLock { $0.totals } }

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
package typealias AskingForecast = LLMSurvey<LLMEstimate.Message>

/// The questions that would be asked.
package typealias AskingGathering<Question: Sendable> = LLMSurvey<GatheredQuestion<Question>>

/// A question and the digest under which its answer is kept.
package struct GatheredQuestion<Question: Sendable>: Sendable {
    /// 64 hex digits.
    package var digest: String
    package var question: Question

    package init(digest: String, question: Question) {
        self.digest = digest
        self.question = question
    }
}

extension LLMClient {
    /// Finds out what asking these questions would take; sends nothing.
    package func estimate(_ questions: [Question], in forecast: AskingForecast) async {
        await survey(questions, in: forecast) { _, essence, _ in
            LLMEstimate.Message(tokens: essence.tokens, travelsAlone: essence.travelsAlone)
        }
    }

    /// Gathers these questions instead of asking them; sends nothing.
    package func gather(_ questions: [Question], in gathering: AskingGathering<Question>) async {
        await survey(questions, in: gathering) { question, _, digest in
            GatheredQuestion(digest: digest, question: question)
        }
    }

    private func survey<Item>(
        _ questions: [Question], in survey: LLMSurvey<Item>, _ item: (Question, LLMEssence, String) -> Item
    ) async {
        let key = AnswerKey(identity: script.identity)
        var new: [(question: Question, essence: LLMEssence, digest: String)] = []
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

/// What asking about messages would take, before anything is sent: by ``TokenEstimate``, nothing in the cache.
package struct LLMEstimate: Sendable, Equatable {
    /// If every answer is of use at once.
    package var requests: Int
    /// If none is: packs divided down to single messages, each with its second chance.
    package var mostRequests: Int
    /// Of ``requests``: instructions once a request, and every message.
    package var inputTokens: Int
    /// Of ``requests``, as answers usually come out.
    package var outputTokens: Int
    /// Of ``requests``, with every allowance used up: what is reserved.
    package var mostOutputTokens: Int

    /// A message to be asked about.
    package struct Message: Sendable, Equatable {
        /// With its context, by ``TokenEstimate``.
        package var tokens: Int
        package var travelsAlone: Bool

        package init(tokens: Int, travelsAlone: Bool = false) {
            self.tokens = tokens
            self.travelsAlone = travelsAlone
        }
    }

    /// - Parameters:
    ///   - messages: distinct ones; packed in this order, so that the count of requests may differ a little from a run's.
    ///   - instructions: tokens of a request without its messages.
    ///   - answer: tokens that an answer about one message usually takes.
    package init(_ messages: [Message], instructions: Int, answer: Int, limits: LLMLimits = LLMLimits()) {
        let items = messages.map {
            PackPlan.Item(digest: "", tokens: $0.tokens, travelsAlone: $0.travelsAlone)
        }
        let packs = PackPlan.packs(of: items, order: Array(items.indices), limits: limits)
        requests = packs.count
        mostRequests = packs.reduce(0) { $0 + Self.mostRequests(of: $1.count) }
        inputTokens = Self.sum(Self.product(packs.count, instructions), messages.reduce(0) { Self.sum($0, $1.tokens) })
        outputTokens = Self.product(messages.count, answer)
        mostOutputTokens = packs.reduce(0) { Self.sum($0, limits.output(for: $1.count)) }
    }

    /// What two kinds of questions take together.
    package static func + (a: LLMEstimate, b: LLMEstimate) -> LLMEstimate {
        var both = a
        both.requests = sum(a.requests, b.requests)
        both.mostRequests = sum(a.mostRequests, b.mostRequests)
        both.inputTokens = sum(a.inputTokens, b.inputTokens)
        both.outputTokens = sum(a.outputTokens, b.outputTokens)
        both.mostOutputTokens = sum(a.mostOutputTokens, b.mostOutputTokens)
        return both
    }

    /// Requests that a pack takes if nothing ever is of use.
    static func mostRequests(of count: Int, isPart: Bool = false) -> Int {
        if count <= 1 { return 2 * max(0, count) }
        if isPart, count <= 4 { return 1 + 2 * count }
        return 1 + mostRequests(of: count / 2, isPart: true) + mostRequests(of: count - count / 2, isPart: true)
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(max(0, b))
        return overflow ? Int.max : sum
    }

    private static func product(_ a: Int, _ b: Int) -> Int {
        let (product, overflow) = a.multipliedReportingOverflow(by: max(0, b))
        return overflow ? Int.max : product
    }
}
