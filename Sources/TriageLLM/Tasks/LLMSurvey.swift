import Synchronization
internal import TriageCore

/// Finds out what would be asked, over any number of calls, without sending anything.
package final class LLMSurvey<Item: Sendable>: Sendable {
    /// The findings so far.
    package struct Totals: Sendable {
        /// One item for each distinct question without a cached answer, in order of arrival.
        package var items: [Item] = []
        /// The digests of distinct questions whose answer is cached.
        package var kept: Set<String> = []
        /// Questions that repeat an earlier one.
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

/// A survey that estimates the cost of asking.
package typealias AskingForecast = LLMSurvey<LLMEstimate.Message>

/// A survey that collects the questions.
package typealias AskingGathering<Question: Sendable> = LLMSurvey<GatheredQuestion<Question>>

/// A question, and the digest under which its answer is stored.
package struct GatheredQuestion<Question: Sendable>: Sendable {
    /// 64 hex digits.
    package var digest: String
    package var question: Question
}

extension LLMClient {
    /// Estimates the cost of asking these questions; sends nothing.
    package func estimate(_ questions: [Question], in forecast: AskingForecast) async {
        await survey(questions, in: forecast) { _, essence, _ in
            LLMEstimate.Message(tokens: essence.tokens, travelsAlone: essence.travelsAlone)
        }
    }

    /// Collects these questions instead of asking them; sends nothing.
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

/// An estimate of what asking about messages would use, by ``TokenEstimate``, if nothing were cached.
package struct LLMEstimate: Sendable, Equatable {
    /// The number of requests if every first answer is useful.
    package var requests: Int
    /// The number if none is: packs divided down to single messages, each with its second chance.
    package var mostRequests: Int
    /// The input tokens of ``requests``: the instructions for each request, and every message.
    package var inputTokens: Int
    /// The usual number of output tokens for ``requests``.
    package var outputTokens: Int
    /// The output tokens of ``requests`` if every allowance is used up; this is what is reserved.
    package var mostOutputTokens: Int

    /// A message to ask about.
    package struct Message: Sendable, Equatable {
        /// The tokens of the message with its context, by ``TokenEstimate``.
        package var tokens: Int
        package var travelsAlone: Bool

        package init(tokens: Int, travelsAlone: Bool = false) {
            self.tokens = tokens
            self.travelsAlone = travelsAlone
        }
    }

    /// - Parameters:
    ///   - messages: distinct messages, packed in this order, so the number of requests may differ slightly from a
    ///     run's.
    ///   - instructions: the tokens of a request without its messages.
    ///   - answer: the usual number of tokens in an answer about one message.
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

    /// The sum for two kinds of questions.
    package static func + (a: LLMEstimate, b: LLMEstimate) -> LLMEstimate {
        var both = a
        both.requests = sum(a.requests, b.requests)
        both.mostRequests = sum(a.mostRequests, b.mostRequests)
        both.inputTokens = sum(a.inputTokens, b.inputTokens)
        both.outputTokens = sum(a.outputTokens, b.outputTokens)
        both.mostOutputTokens = sum(a.mostOutputTokens, b.mostOutputTokens)
        return both
    }

    /// The number of requests for a pack if no answer is ever useful.
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
