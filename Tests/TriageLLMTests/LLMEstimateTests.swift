import Testing

@testable import TriageLLM

@Suite struct `Forecasts of asking` {
    @Test(arguments: [(0, 0), (-5, 0), (1, 1), (3, 1), (4, 2), (7, 2), (8, 3), (14, 4), (3_500, 1_000)])
    func `a token is three and a half bytes, rounded up`(bytes: Int, tokens: Int) {
        #expect(TokenEstimate.tokens(bytes: bytes) == tokens)
    }

    @Test
    func `no size is too large for an estimate`() {
        #expect(TokenEstimate.tokens(bytes: .max) > Int.max / 4)
        let query = ChatQuery(model: "m", system: "s", user: "u", maxOutputTokens: .max)
        #expect(TokenEstimate.most(of: query) == .max)
        let estimate = LLMEstimate(
            [.init(tokens: .max), .init(tokens: .max)], instructions: .max, answer: .max)
        #expect(estimate.inputTokens == .max)
        #expect(estimate.outputTokens == .max)
    }

    @Test
    func `a query counts its turns and its schema`() {
        var query = ChatQuery(model: "m", system: "1234567", user: "1234567", maxOutputTokens: 100)
        #expect(TokenEstimate.input(of: query) == 4 + 2 * TokenEstimate.perTurn)
        // {"a":["b",1,null,true]} and its name.
        let root = JSONValue.object([JSONMember("a", .array([.string("b"), .number("1"), .null, .bool(true)]))])
        query.schema = AnswerSchema(name: "name", root: root)
        #expect(
            TokenEstimate.input(of: query) == TokenEstimate.tokens(bytes: 14 + 4 + 23) + 2 * TokenEstimate.perTurn)
        #expect(TokenEstimate.most(of: query) == TokenEstimate.input(of: query) + 100)
    }

    @Test(arguments: [
        (0, 0, 0), (1, 1, 2), (2, 1, 5), (8, 1, 19), (9, 2, 21), (80, 10, 190),
    ])
    func `short messages travel eight a request`(messages: Int, requests: Int, most: Int) {
        let estimate = LLMEstimate(
            Array(repeating: .init(tokens: 10), count: messages), instructions: 500, answer: 60)
        #expect(estimate.requests == requests)
        #expect(estimate.mostRequests == most)
        #expect(estimate.inputTokens == requests * 500 + messages * 10)
        #expect(estimate.outputTokens == messages * 60)
        #expect(estimate.mostOutputTokens == requests * 64 + messages * 192)
    }

    @Test
    func `long messages and possible injection are sent alone`() {
        let messages = [
            LLMEstimate.Message(tokens: 10), .init(tokens: 10, travelsAlone: true), .init(tokens: 9_000),
        ]
        #expect(LLMEstimate(messages, instructions: 0, answer: 1).requests == 3)
    }

    @Test
    func `a model that is never of use takes as many requests as forecast`() async {
        let model = ScriptedModel { _ in .success(ChatReply(text: Array("garbage".utf8), usage: TokenUsage())) }
        let limits = LLMLimits(packSize: 11)
        let asked = (0..<30).map { PlainQuestion(text: "\($0)") }
        _ = await LLMClient(caller: model, cache: nil, script: PlainScript(), limits: limits).ask(asked)
        let estimate = LLMEstimate(
            asked.map { .init(tokens: $0.tokens) }, instructions: 0, answer: 1, limits: limits)
        #expect(model.requests.count == estimate.mostRequests)
    }
}
