import Testing
import TriageCore

@testable import TriageLLM

@Suite struct `Batches of questions` {
    private static let digest = String(repeating: "a1", count: 32)

    private static func reply(_ text: String, isTruncated: Bool = false) -> Result<ChatReply, CallFailure> {
        .success(ChatReply(text: Array(text.utf8), usage: TokenUsage(), isTruncated: isTruncated))
    }

    /// The id inside of a request, as the plain script writes it.
    private static func name(_ asking: LLMBatch<PlainQuestion, String>) -> String {
        let user = asking.question([digest], [digest: PlainQuestion(text: "x")]).query.user
        return String(user.prefix { $0 != "=" })
    }

    @Test
    func `a question has the digest for its name and is the same in every process`() {
        let asking = LLMBatch(script: PlainScript())
        let one = [Self.digest: PlainQuestion(text: "x")]
        let question = asking.question([Self.digest], one)
        #expect(question.id == Self.digest && question.query.user.hasSuffix("=x"))
        #expect(question == LLMBatch(script: PlainScript()).question([Self.digest], one))
        #expect(asking.identity.utf8.count == 64)
        #expect(asking.identity != LLMBatch(script: PlainScript(identity: [[1]])).identity)
    }

    @Test(arguments: [
        ("ID=answer to x", false, nil), ("garbage", false, CallFailure.badOutput(.notJSON)),
        ("other=answer to x", false, .badOutput(.wrongIDs)), ("refused", false, .refused),
        ("garbage", true, .badOutput(.truncated)), ("ID=answer to x\nID=answer to x", false, .badOutput(.wrongIDs)),
        // What the cache could not be read from again is not kept.
        ("ID=something else", false, .badOutput(.wrongSchema)),
    ])
    func `an answer is checked as a live one is`(text: String, isTruncated: Bool, failure: CallFailure?) {
        let asking = LLMBatch(script: PlainScript())
        let text = text.split(separator: "ID", omittingEmptySubsequences: false).joined(separator: Self.name(asking))
        let result = asking.answers(
            in: Self.reply(text, isTruncated: isTruncated), to: [Self.digest],
            [Self.digest: PlainQuestion(text: "x")])[Self.digest]
        #expect(result == failure.map { .failure($0) } ?? .success(Array("1 answer to x".utf8)))
    }

    @Test
    func `a failure of the server stays what it is`() {
        let result = LLMBatch(script: PlainScript()).answers(
            in: .failure(.quota), to: [Self.digest], [Self.digest: PlainQuestion(text: "x")])
        #expect(result == [Self.digest: .failure(.quota)])
    }

    private static func gathered(_ count: Int) -> [GatheredQuestion<PlainQuestion>] {
        (0..<count).map { number in
            GatheredQuestion(
                digest: SHA256.hex(Array("\(number)".utf8)),
                question: PlainQuestion(text: "text \(number)", travelsAlone: number % 10 == 9))
        }
    }

    @Test
    func `questions are packed as in a run, each once, and possible injection is sent alone`() {
        let asking = LLMBatch(script: PlainScript(), limits: LLMLimits(packSize: 4))
        let packs = asking.packs(of: Self.gathered(40))
        #expect(packs.flatMap { $0.map(\.digest) }.sorted() == Self.gathered(40).map(\.digest).sorted())
        #expect(packs.count == 4 + 9 && packs.allSatisfy { $0.count <= 4 })
        #expect(packs.allSatisfy { pack in pack.count == 1 || !pack.contains { $0.question.travelsAlone } })
        let names = packs.map { LLMBatch<PlainQuestion, String>.name($0.map(\.digest)) }
        #expect(Set(names).count == packs.count && names.allSatisfy { $0.utf8.count == 64 })
    }

    @Test
    func `a pack is read by who knows only some of its messages, and each answer is its own message's`() throws {
        let asking = LLMBatch(script: PlainScript())
        let pack = Self.gathered(5)
        let digests = pack.map(\.digest)
        let all = Dictionary(uniqueKeysWithValues: pack.map { ($0.digest, $0.question) })
        let lines = asking.question(digests, all).query.user.split(separator: "\n").reversed().map { line in
            line.replacing("=", with: "=answer to ")
        }
        let some = all.filter { $0.key != digests[1] && $0.key != digests[3] }
        // The third is left out, the last is there twice.
        let reply = Self.reply((lines.filter { !$0.hasSuffix("text 2") } + [lines[0]]).joined(separator: "\n"))
        let found = asking.answers(in: reply, to: digests, some)
        #expect(
            found == [
                digests[0]: .success(Array("1 answer to text 0".utf8)), digests[2]: .failure(.badOutput(.wrongIDs)),
                digests[4]: .failure(.badOutput(.wrongIDs)),
            ])
    }

    @Test
    func `questions are gathered once, without those that are kept`() async {
        let cache = HeldAnswers()
        let caller = ScriptedCaller { _ in .failure(.quota) }
        let asker = LLMClient(caller: caller, cache: cache, script: PlainScript())
        let first = AskingGathering<PlainQuestion>()
        await asker.gather(["a", "b", "a"].map { PlainQuestion(text: $0) }, in: first)
        await asker.gather([PlainQuestion(text: "b"), PlainQuestion(text: "c")], in: first)
        #expect(first.totals.items.map(\.question.text) == ["a", "b", "c"] && first.totals.repeated == 2)
        await cache.hold("1 answer to a", first.totals.items[0].digest)
        // Damaged, so it counts as none.
        await cache.hold("nonsense", first.totals.items[1].digest)
        let second = AskingGathering<PlainQuestion>()
        await asker.gather(["a", "b", "c"].map { PlainQuestion(text: $0) }, in: second)
        #expect(second.totals.items.map(\.question.text) == ["b", "c"])
        #expect(second.totals.kept == [first.totals.items[0].digest])
    }

    @Test(arguments: [
        (BatchLimits(entries: 2, bytes: 1_000), [2, 2, 1]), (BatchLimits(entries: 9, bytes: 11), [1, 1, 1, 1, 1]),
        (BatchLimits(entries: 9, bytes: 22), [2, 2, 1]), (BatchLimits(entries: 9, bytes: 1), [1, 1, 1, 1, 1]),
        (BatchLimits(entries: 0, bytes: 0), [1, 1, 1, 1, 1]), (BatchLimits(entries: 5, bytes: 1_000), [5]),
    ])
    func `batches are filled up to the limits, and no entry is left out`(limits: BatchLimits, sizes: [Int]) {
        var found: [Int] = []
        var fill = BatchFill(limits)
        for _ in 0..<5 {
            let entry = [UInt8](repeating: 0x61, count: 10)
            if !fill.takes(entry) {
                found.append(fill.entries.count)
                fill = BatchFill(limits)
            }
            fill.add(entry)
        }
        #expect(found + [fill.entries.count] == sizes)
    }

    @Test
    func `no batch is larger than memory bears, whatever a server takes`() {
        #expect(BatchFill(BatchLimits(entries: 1, bytes: Int.max)).limits.bytes == BatchFill.mostBytes)
    }

    @Test(arguments: ["", "ab", String(repeating: "g", count: 64), String(repeating: "A", count: 64)])
    func `a secret is read from what was written and from nothing else`(text: String) throws {
        let secret = RunSecret()
        let other = try #require(RunSecret(hex: secret.hex))
        #expect(other.hex == secret.hex && secret.hex.utf8.count == 64)
        #expect(RunSecret(hex: text) == nil && RunSecret(hex: secret.hex + "0") == nil)
    }
}

@Suite struct `A batch that was lost` {
    private static func batches(_ kind: ProviderKind, _ base: String = "https://h/v1") throws -> any BatchProvider {
        try #require(ProviderKind.batches(Endpoint(kind: kind, baseURL: base, model: "m")))
    }

    private static func response(_ rows: String, more: Bool = false, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(#"{"data":[\#(rows)],"has_more":\#(more)}"#.utf8))
    }

    @Test
    func `OpenAI's is found by what was uploaded for it`() throws {
        let batches = try Self.batches(.openai)
        let lost = LostBatch(upload: "file-2", entries: 3, since: 1_000)
        func row(_ id: String, _ file: String, _ at: Int = 2_000) -> String {
            #"{"id":"\#(id)","input_file_id":"\#(file)","created_at":\#(at)}"#
        }
        #expect(batches.recent().url == "https://h/v1/batches?limit=100")
        #expect(
            batches.find(lost, in: Self.response(row("b1", "file-1") + "," + row("b2", "file-2"))) == .success(["b2"]))
        #expect(batches.find(lost, in: Self.response("")) == .success([]))
        #expect(batches.find(lost, in: Self.response(row("../x", "file-2"))) == .success([]))
        // A list that ends too early says nothing, and one that goes back far enough does.
        #expect(
            batches.find(lost, in: Self.response(row("b1", "file-1"), more: true)) == .failure(.badOutput(.wrongIDs)))
        #expect(batches.find(lost, in: Self.response(row("b1", "file-1", 10), more: true)) == .success([]))
        #expect(batches.find(lost, in: Self.response("", status: 404)) != .success([]))
        #expect(
            batches.find(LostBatch(entries: 1, since: 0), in: Self.response(#"{"id":"b","input_file_id":null}"#))
                == .success([]))
    }

    @Test(arguments: [
        ("1970-01-01T00:20:00Z", 3, ["b"]), ("1970-01-01T00:20:00Z", 4, []), ("1970-01-01T00:00:01Z", 3, []),
        ("nonsense", 3, ["b"]),
    ])
    func `Anthropic's is found by its size and time`(created: String, count: Int, found: [String]) throws {
        let row = #"""
            {"id":"b","created_at":"\#(created)","request_counts":{"processing":\#(count - 1),"succeeded":1,"errored":0}}
            """#
        let lost = LostBatch(entries: 3, since: 1_000)
        #expect(try Self.batches(.anthropic).find(lost, in: Self.response(row)) == .success(found))
    }

    @Test
    func `a query of the address is kept`() throws {
        let url = try Self.batches(.anthropic, "https://h/v1?api-version=1").recent().url
        #expect(url == "https://h/v1/messages/batches?api-version=1&limit=100")
    }

    @Test
    func `texts are deleted from the server by name`() throws {
        let state = BatchState(id: "b", phase: .ended, files: ["out", "../err"])
        let openai = try Self.batches(.openai).cleanUp(state, upload: "in")
        #expect(openai.map(\.url) == ["in", "out", "_"].map { "https://h/v1/files/" + $0 })
        let anthropic = try Self.batches(.anthropic).cleanUp(state, upload: nil)
        #expect(anthropic.map(\.url) == ["https://h/v1/messages/batches/b"])
        #expect((openai + anthropic).allSatisfy { $0.method == .delete })
    }
}

/// Answers of which a test says what they are.
private actor HeldAnswers: AnswerCache {
    private var answers: [String: [UInt8]] = [:]

    func hold(_ text: String, _ digest: String) { answers[digest] = Array(text.utf8) }
    func answer(for digest: String) -> [UInt8]? { answers[digest] }
    func keep(_ answer: [UInt8], for digest: String) { answers[digest] = answer }
}

private struct ScriptedCaller: ModelCaller {
    var answer: @Sendable (ChatQuery) -> Result<ChatReply, CallFailure>
    func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure> { answer(query) }
}
