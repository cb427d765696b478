import ShippedPrompts
import Testing
import TriageCore

@testable import TriageLLM

/// The shipped prompts, and messages of a creator with a small library.
private enum Stage {
    static let library = FAQLibrary(entries: [
        FAQEntry(id: "camera", question: "Which camera do you use?", answer: "A small one."),
        FAQEntry(id: "editing", question: "What do you edit with?", answer: "With https://example.org/cut"),
    ])

    static func prompts() throws -> PromptLibrary {
        var files: [PromptFile] = []
        var index = 0
        while let name = shipped_prompt_file(index).name {
            let file = shipped_prompt_file(index)
            files.append(
                PromptFile(
                    path: String(cString: name), bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
                ))
            index += 1
        }
        return try PromptLibrary(shipped: files)
    }

    static func session(
        _ question: PromptQuestion = .triage, secret seed: UInt64 = 1, redacts: Bool = false
    ) throws -> PromptSession {
        var numbers = SeededNumbers(seed: seed)
        let prompts = try prompts()
        return PromptSession(
            try prompts.newest(question), repair: try prompts.newest(.repair), profile: CreatorProfile(),
            library: library, secret: RunSecret(using: &numbers), redacts: redacts)
    }

    static let endpoint = Endpoint(kind: .openai, baseURL: "http://127.0.0.1:1/v1", model: "m")

    static func script(secret seed: UInt64 = 1, redacts: Bool = false) throws -> MessageTask {
        try #require(MessageTask(session: session(secret: seed, redacts: redacts), endpoint: endpoint))
    }

    static func asker(
        _ model: FencedModel, cache: (any AnswerCache)? = nil, secret seed: UInt64 = 1
    ) throws -> MessageAsker {
        MessageAsker(caller: model, cache: cache, script: try script(secret: seed))
    }

    static func question(_ text: String) -> MessageQuestion {
        MessageQuestion(text: text, language: "en", day: "2026-11-20 Fri", candidates: ["camera", "editing"])
    }

    /// Messages whose labels a model can read off them.
    static func questions(_ count: Int) -> [MessageQuestion] {
        (0..<count).map { question("number \($0) of category \(["fan", "business", "spam"][$0 % 3])") }
    }

    static func verdicts(_ count: Int) -> [Result<MessageVerdict, CallFailure>] {
        (0..<count).map { .success(verdict($0)) }
    }

    static func verdict(_ number: Int) -> MessageVerdict {
        let category = [Category.fan, .business, .spam][number % 3]
        let offer = OfferVerdict(amount: Double(number), currency: Currency("EUR"), pay: .money, fit: .core)
        return MessageVerdict(
            category: category, sentiment: .neutral, intensity: Float(number % 10) / 10,
            offer: category == .business ? offer : nil)
    }
}

/// Answers by what stands between the boundaries, as a model does.
private final class FencedModel: ModelCaller {
    struct Block {
        var id: String
        var head: String
        var text: String
    }

    private let inner: ScriptedModel
    private let answer: @Sendable (ChatQuery, [Block]) -> String

    init(_ answer: @escaping @Sendable (ChatQuery, [Block]) -> String = { FencedModel.answer(to: $1) }) {
        self.answer = answer
        inner = ScriptedModel {
            .success(ChatReply(text: Array(answer($0.query, FencedModel.blocks($0.query)).utf8), usage: TokenUsage()))
        }
    }

    var queries: [ChatQuery] { inner.requests.map(\.query) }

    func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure> { await inner.call(query) }

    static func blocks(_ query: ChatQuery) -> [Block] {
        let boundary = query.user.prefix { $0 != " " }
        return query.user.split(separator: boundary).dropLast().map { part in
            let lines = part.dropFirst().split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            let words = lines[0].split(separator: " ", maxSplits: 1)
            return Block(
                id: String(words[0]), head: words.count > 1 ? String(words[1]) : "",
                text: String((lines.count > 1 ? lines[1] : "").dropLast()))
        }
    }

    /// What an obedient model says about the messages of ``Stage/questions(_:)``.
    static func answer(to blocks: [Block]) -> String {
        "{\"a\":[" + blocks.filter { $0.id.hasPrefix("m") }.map(item).joined(separator: ",") + "]}"
    }

    static func item(_ block: Block) -> String {
        let words = block.text.split(separator: " ")
        let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
        let category = words.last.map(String.init) ?? "fan"
        let offer =
            category == "business"
            ? "{\"pay\":\"money\",\"amt\":\(number),\"cur\":\"EUR\",\"fit\":\"core\",\"due\":null,\"rep\":false,\"signs\":[]}"
            : "null"
        return "{\"id\":\"\(block.id)\",\"c\":\"\(category)\",\"s\":\"neutral\",\"i\":\(number % 10),\"u\":\"no\","
            + "\"inj\":false,\"faq\":null,\"o\":\(offer)}"
    }
}

@Suite struct `Asking in the words of the prompts` {
    @Test
    func `each message gets the verdict on its own text`() async throws {
        let model = FencedModel()
        let source: any AnswerSource<MessageQuestion, MessageVerdict> = try Stage.asker(model)
        #expect(await source.ask(Stage.questions(20)) == Stage.verdicts(20))
        #expect(model.queries.count == 3)
    }

    @Test
    func `an answer is found again in another run, whose boundaries and private word are others`() async throws {
        let (model, cache) = (FencedModel(), MemoryCache())
        #expect(await (try Stage.asker(model, cache: cache, secret: 1)).ask(Stage.questions(9)) == Stage.verdicts(9))
        let before = model.queries
        let again = try Stage.asker(model, cache: cache, secret: 2)
        #expect(await again.ask(Stage.questions(9)) == Stage.verdicts(9))
        #expect(model.queries == before)
        #expect(again.counts.fromCache == 9)
        // The runs do differ: without the cache nothing that was sent comes again.
        _ = await (try Stage.asker(model, secret: 2)).ask(Stage.questions(9))
        #expect(Set(model.queries.dropFirst(before.count).map(\.system)).isDisjoint(with: before.map(\.system)))
        #expect(Set(model.queries.dropFirst(before.count).map(\.user)).isDisjoint(with: before.map(\.user)))
    }

    @Test
    func `what is kept holds nothing of the message and no boundary`() async throws {
        let cache = MemoryCache()
        _ = await (try Stage.asker(FencedModel(), cache: cache)).ask(Stage.questions(3))
        for entry in cache.content.values {
            let text = String(decoding: entry, as: UTF8.self)
            #expect(!text.contains("number"))
            #expect(MessageVerdict(kept: entry, candidates: []) != nil)
        }
        #expect(cache.content.count == 3)
    }

    @Test(arguments: [
        MessageQuestion(text: "hi", language: "de", day: "2026-11-20 Fri", candidates: ["camera", "editing"]),
        MessageQuestion(text: "hi", language: "en", day: "2026-11-21 Sat", candidates: ["camera", "editing"]),
        MessageQuestion(text: "hi", language: "en", day: "2026-11-20 Fri", candidates: ["camera"]),
        MessageQuestion(text: "hi!", language: "en", day: "2026-11-20 Fri", candidates: ["camera", "editing"]),
    ])
    func `another context is another question`(other: MessageQuestion) throws {
        let script = try Stage.script()
        let before = script.essence(of: Stage.question("hi"))
        #expect(script.essence(of: other).parts != before.parts)
    }

    @Test
    func `another model is asked anew, the same one behind another address is not`() throws {
        let session = try Stage.session()
        let identities = [
            Stage.endpoint, Endpoint(kind: .openai, baseURL: "http://other.example", model: "m"),
            Endpoint(kind: .openai, baseURL: "http://127.0.0.1:1/v1", model: "n"),
            Endpoint(kind: .ollama, baseURL: "http://127.0.0.1:1/v1", model: "m"),
        ].compactMap { MessageTask(session: session, endpoint: $0)?.identity }
        #expect(identities[0] == identities[1])
        #expect(Set(identities).count == 3)
    }

    @Test(arguments: [
        ("", CallFailure.BadOutput.empty), (" \n ", .empty), ("I cannot say.", .notJSON),
        ("{a: fan}", .notJSON), ("{\"a\":[{\"id\":", .truncated),
        ("{" + String(repeating: " ", count: 400), .whitespace),
        ("{\"a\":[]}", .wrongIDs), ("{\"a\":[{\"id\":\"m\"}]}", .wrongIDs), ("{} {}", .notJSON),
        ("{\"a\":[],\"a\":[]}", .notJSON),
    ])
    func `an answer of no use is told by what is wrong with it`(answer: String, kind: CallFailure.BadOutput)
        async throws
    {
        let model = FencedModel { _, _ in answer }
        let asker = try Stage.asker(model)
        #expect(await asker.ask(Stage.questions(1)) == [.failure(.badOutput(kind))])
        #expect(model.queries.count == 2)
        #expect(asker.counts.repairs + asker.counts.widened == 1)
    }

    @Test
    func `a repair stands behind the same instructions and shows what was wrong behind a boundary`() async throws {
        let model = FencedModel { query, blocks in
            query.system.contains("was of no use")
                ? FencedModel.answer(to: blocks)
                : FencedModel.answer(to: blocks).replacing("\"c\":\"fan\"", with: "\"c\":\"vip\"")
        }
        #expect(await (try Stage.asker(model)).ask(Stage.questions(1)) == Stage.verdicts(1))
        #expect(model.queries.count == 2)
        #expect(model.queries[1].system.hasPrefix(model.queries[0].system))
        let blocks = FencedModel.blocks(model.queries[1])
        #expect(blocks.map(\.id).dropFirst() == ["bad", "faults"])
        #expect(blocks[1].text.contains("vip"))
        #expect(blocks[2].text == "- c is not one of fan, business, spam")
    }

    @Test
    func `an answer that tells the run's private word is dropped, and not asked for again`() async throws {
        let word = try Stage.session().canary.word
        let model = FencedModel { _, blocks in
            FencedModel.answer(to: blocks).replacing("\"a\":", with: "\"note\":\"\(word.uppercased())\",\"a\":")
        }
        #expect(await (try Stage.asker(model)).ask(Stage.questions(1)) == [.failure(.badOutput(.leak))])
        #expect(model.queries.count == 1)
    }

    @Test
    func `an entry of the library is named by its own id, and only if it was offered`() async throws {
        let model = FencedModel { _, blocks in
            FencedModel.answer(to: blocks).replacing("\"faq\":null", with: "\"faq\":\"q2\"")
        }
        let asker = try Stage.asker(model)
        var question = Stage.questions(1)[0]
        #expect(try await asker.ask([question])[0].get().faq == "editing")
        question.candidates = ["camera"]
        #expect(await asker.ask([question]) == [.failure(.badOutput(.outOfRange))])
    }

    @Test
    func `a text that does not fit is sent again at half its length, marked as cut`() async throws {
        let text = String(repeating: "word ", count: 2_000)
        let model = ScriptedModel { request in
            request.query.user.utf8.count > 3_000 ? .failure(.tooLong) : .failure(.refused)
        }
        let asker = MessageAsker(caller: model, cache: nil, script: try Stage.script())
        #expect(await asker.ask([Stage.question(text)]) == [.failure(.refused)])
        #expect(asker.counts.clipped == 1)
        let sizes = model.requests.map(\.query.user.utf8.count)
        #expect(sizes.count == 2 && sizes[0] > 4_000 && sizes[1] > 1_900)
        #expect(model.requests[1].query.user.contains(Neutralizer.cutMark))
        #expect(try Stage.script().clipped(Stage.question("short")) == nil)
    }

    @Test
    func `a forecast knows what the instructions take`() throws {
        let script = try Stage.script()
        let query = script.exchange(
            about: [AskedQuestion(id: "mabc", question: Stage.question("hi"))], maxOutputTokens: 100
        ).query
        let forecast = script.instructionTokens + script.essence(of: Stage.question("hi")).tokens
        #expect(abs(forecast - TokenEstimate.input(of: query)) <= 16)
        #expect(script.instructionTokens > 500)
    }
}

@Suite struct `Asking for replies` {
    private static func asker(
        _ model: ScriptedModel, cache: (any AnswerCache)? = nil, redacts: Bool = false
    ) throws -> DraftAsker {
        let session = try Stage.session(.draft, redacts: redacts)
        let check = DraftGuard(
            canary: session.canary, privateTexts: Stage.library.entries.map(\.answer), promises: Trust.draftPromises,
            contact: "me@example.org")
        return DraftAsker(
            caller: model, cache: cache, script: DraftTask(session: session, check: check, endpoint: Stage.endpoint),
            limits: .drafts)
    }

    private static func model(_ answer: String) -> ScriptedModel {
        ScriptedModel { _ in .success(ChatReply(text: Array(answer.utf8), usage: TokenUsage())) }
    }

    private static let question = DraftQuestion(
        message: Stage.question("Which camera? Write to me@example.org"), entry: "camera")

    @Test(arguments: [
        ("{\"d\":\"Thanks! A small one.\"}", Draft(text: "Thanks! A small one.", written: "Thanks! A small one.")),
        ("{\"d\":null}", Draft()),
        ("{\"d\":\"See https://evil.example\"}", Draft(objection: .link)),
        (
            "{\"q\":[\"q2\",\"q2\",\"q99\"],\"d\":\"Thanks!\",\"no\":null}",
            Draft(text: "Thanks!", entries: ["editing"], written: "Thanks!")
        ),
        ("{\"q\":[],\"d\":null,\"no\":\"joke\"}", Draft(none: .joke)),
        ("{\"q\":[],\"d\":null,\"no\":\"because\"}", Draft()),
    ])
    func `a draft is checked, kept, and found again as it was`(answer: String, draft: Draft) async throws {
        let (model, cache) = (Self.model(answer), MemoryCache())
        #expect(await (try Self.asker(model, cache: cache)).ask([Self.question]) == [.success(draft)])
        #expect(await (try Self.asker(model, cache: cache)).ask([Self.question]) == [.success(draft)])
        #expect(model.requests.count == 1)
        #expect(!cache.content.values.contains { String(decoding: $0, as: UTF8.self).contains("evil") })
    }

    /// What the model writes first and then, what a person sees, and how often it is asked.
    @Test(arguments: [
        ("Sure, full refund is on its way.", "I'll have a look at that.", "I'll have a look at that.", 2),
        ("Sure, full refund is on its way.", "Sure, full refund is on its way.", nil, 2),
        ("That makes 4,200 in all.", "I'd have to count.", "I'd have to count.", 2),
        // What reads like a stranger's orders is not asked about twice: their message names an address.
        ("Call me on +1 555 010 0199.", "I'd have to ask.", nil, 1), ("See https://evil.example", "Thanks!", nil, 1),
        ("As an AI I cannot answer.", "Thanks!", nil, 1), ("<b>Thanks</b>", "Thanks!", nil, 1),
        ("Thanks!", "Never asked for.", "Thanks!", 1),
    ])
    func `a model whose draft is refused is told why and asked once more`(
        first: String, second: String, shown: String?, requests: Int
    ) async throws {
        let model = ScriptedModel { request in
            let text = request.number == 0 ? first : second
            return .success(ChatReply(text: Array("{\"d\":\"\(text)\"}".utf8), usage: TokenUsage()))
        }
        let cache = MemoryCache()
        #expect(try await (try Self.asker(model, cache: cache)).ask([Self.question])[0].get().text == shown)
        #expect(model.requests.count == requests)
        if requests == 2 {
            #expect(model.requests[1].query.user.contains(first) && !model.requests[0].query.user.contains(first))
        }
        // What came of it is kept, and asked for no more.
        #expect(try await (try Self.asker(model, cache: cache)).ask([Self.question])[0].get().text == shown)
        #expect(model.requests.count == requests)
    }

    @Test
    func `a refused draft stands as refused where the second request fails, and the next run asks for it again`()
        async throws
    {
        let model = ScriptedModel { request in
            guard request.number != 1 else { return .failure(.refused) }
            let text = request.number == 0 ? "Sure, full refund is on its way." : "I'd have to look."
            return .success(ChatReply(text: Array("{\"d\":\"\(text)\"}".utf8), usage: TokenUsage()))
        }
        let cache = MemoryCache()
        let drafts = await (try Self.asker(model, cache: cache)).ask([Self.question])
        #expect(drafts == [.success(Draft(objection: .promise))] && cache.content.isEmpty)
        #expect(
            try await (try Self.asker(model, cache: cache)).ask([Self.question])[0].get().text == "I'd have to look.")
    }

    @Test
    func `a strange address is asked about again where the sender names none`() async throws {
        let model = ScriptedModel { request in
            let text = request.number == 0 ? "Call +1 555 010 0199." : "I'd have to ask."
            return .success(ChatReply(text: Array("{\"d\":\"\(text)\"}".utf8), usage: TokenUsage()))
        }
        let question = DraftQuestion(message: Stage.question("Which camera do you use?"))
        #expect(try await (try Self.asker(model)).ask([question])[0].get().text == "I'd have to ask.")
        #expect(model.requests.count == 2)
    }

    @Test
    func `two replies are two requests`() async throws {
        let model = Self.model("{\"d\":\"Thanks!\"}")
        let other = DraftQuestion(message: Stage.question("Hello?"))
        _ = await (try Self.asker(model)).ask([Self.question, other])
        #expect(model.requests.count == 2)
    }

    @Test
    func `what was redacted is put back for the person and not for the cache`() async throws {
        let (model, cache) = (Self.model("{\"d\":\"Will do, [email 1].\"}"), MemoryCache())
        let drafts = await (try Self.asker(model, cache: cache, redacts: true)).ask([
            DraftQuestion(message: Self.question.message)
        ])
        #expect(try drafts[0].get().text == "Will do, me@example.org.")
        #expect(!model.requests[0].query.user.contains("Which camera? Write to me@example.org"))
        let kept = try #require(cache.content.values.first)
        #expect(!String(decoding: kept, as: UTF8.self).contains("me@example.org"))
    }

    @Test
    func `a useless answer is not repaired`() async throws {
        let model = Self.model("{\"d\":5}")
        #expect(await (try Self.asker(model)).ask([Self.question]) == [.failure(.badOutput(.wrongSchema))])
        #expect(model.requests.count == 1)
    }

    @Test(arguments: [
        "", "{}", "{\"v\":1,\"d\":\"See https://evil.example\",\"objection\":null}",
        "{\"v\":2,\"d\":null,\"objection\":null}", "{\"v\":1,\"d\":null,\"objection\":\"mood\"}",
        "{\"v\":1,\"d\":7,\"objection\":null}",
    ])
    func `a kept draft is checked again`(entry: String) throws {
        let session = try Stage.session(.draft)
        let script = DraftTask(
            session: session,
            check: DraftGuard(canary: session.canary, privateTexts: [], promises: Trust.draftPromises),
            endpoint: Stage.endpoint)
        #expect(script.answer(in: Array(entry.utf8), to: Self.question) == nil)
    }
}
