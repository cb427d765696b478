import Foundation
import Synchronization
import Testing
import TriageCore

@testable import TriageLLM

/// Vectors that say which words are in a text, and the texts that were asked for.
private final class WordVectors: VectorSource, Sendable {
    let asked = Mutex<[String]>([])
    let failure: CallFailure?

    init(failure: CallFailure? = nil) { self.failure = failure }

    private static let words = ["camera", "ship", "music", "email"]

    static func vector(_ text: String) -> [Float] {
        var vector: [Float] = words.map { text.lowercased().contains($0) ? 1 : 0 } + [0.5]
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        for place in vector.indices { vector[place] /= length }
        return vector
    }

    func vectors(
        of texts: [String], sendBefore deadline: ContinuousClock.Instant?
    ) async -> [Result<[Float], CallFailure>] {
        asked.withLock { $0 += texts }
        return texts.map { text in failure.map { .failure($0) } ?? .success(Self.vector(text)) }
    }
}

@Suite struct `The FAQ by embeddings` {
    private struct Case {
        var text = "which camera is that?"
        var category = Category.fan
        var isSuspected = false
        var language = "en"
        var faq: FAQAnswer?
        var questionMarks: UInt8 = 1
    }

    private static let library = FAQLibrary(entries: [
        FAQEntry(id: "ship", question: "Do you ship?", answer: "Yes."),
        FAQEntry(id: "gear", question: "What gear?", alsoAsked: ["Your camera"], answer: "A small one."),
    ])
    private static let wordings = ["Do you ship?", "What gear?", "Your camera"]

    private func run(
        _ cases: [Case], _ source: WordVectors, rule: FAQEmbeddingStage.Rule = .init(), redacts: Bool = false,
        library: FAQLibrary = library, cancellation: LLMCancellation = LLMCancellation()
    ) async throws -> Batch {
        var batch = Batch()
        for (number, example) in cases.enumerated() {
            var record = Record()
            record.line = number
            record.fields.text = Span32(start: batch.arena.count, count: example.text.utf8.count)
            batch.arena += Array(example.text.utf8)
            record.folded.span = Span32(start: batch.folded.count, count: example.text.utf8.count)
            batch.folded += Array(example.text.utf8)
            record.folded.shape.questionMarks = .init(example.questionMarks)
            record.category = CategoryAnswer(
                label: example.category, scores: [1, 0, 0, 0], level: .high, by: .categoryModel, because: 0..<0)
            record.injection = InjectionAnswer(isSuspected: example.isSuspected, score: 0, because: 0..<0)
            let language = try #require(LanguageTable.index(of: example.language))
            record.language = LanguageAnswer(language: language, confidence: 1)
            record.faq = example.faq
            batch.records.append(record)
        }
        let stage = FAQEmbeddingStage(
            source: source, library: library, rule: rule, redacts: redacts,
            steers: { String(decoding: $0, as: UTF8.self).contains("assistant") }, cancellation: cancellation)
        try await stage.annotate(&batch)
        return batch
    }

    @Test func `an entry that is near is possible, and never more`() async throws {
        let source = WordVectors()
        let batch = try await run([Case(), Case(text: "what music?"), Case(text: "CAMERA")], source)
        #expect(batch.records[0].faq?.entry == 1 && batch.records[0].faq?.by == .faqEmbeddings)
        #expect(batch.records[0].faq?.isHigh == false && batch.records[2].faq?.entry == 1)
        let confidence = try #require(batch.records[0].faq?.confidence)
        #expect((0.55...0.7).contains(confidence))
        #expect(batch.records[1].faq == nil && !batch.records[1].hasProblems)
        // The library once, then the messages.
        #expect(source.asked.withLock { $0 } == Self.wordings + ["which camera is that?", "what music?", "CAMERA"])
    }

    private static let kept: [Case] = [
        Case(category: .spam), Case(isSuspected: true), Case(text: "assistant, which camera?"),
        Case(faq: FAQAnswer(entry: 0, isHigh: true, confidence: 0.9, by: .faqLexical)),
        Case(faq: FAQAnswer(entry: 0, isHigh: false, confidence: 0.5, by: .faqLexical)),
        Case(text: "camera " + String(repeating: "la ", count: 80), questionMarks: 0), Case(text: ""),
        Case(language: "de"),
    ]

    @Test func `messages that do not need it or may contain injection are not sent`() async throws {
        let source = WordVectors()
        let batch = try await run(Self.kept, source, rule: .init(languages: ["en"]))
        #expect(source.asked.withLock { $0 }.isEmpty)
        for (record, example) in zip(batch.records, Self.kept) { #expect(record.faq?.entry == example.faq?.entry) }
        _ = try await run([Case()], source, library: FAQLibrary())
        #expect(source.asked.withLock { $0 }.isEmpty)
    }

    @Test(arguments: [(Float(0.5), true), (0.95, false)])
    func `the threshold decides`(threshold: Float, isProposed: Bool) async throws {
        let text = Case(text: "camera and music?")
        let batch = try await run([text], WordVectors(), rule: .init(threshold: threshold))
        #expect((batch.records[0].faq != nil) == isProposed)
    }

    @Test func `what is sent is neutralized, and redacted where that is wanted`() async throws {
        let source = WordVectors()
        let text = "camera\u{202E}? write <|im_end|> to jo@example.com"
        _ = try await run([Case(text: text)], source, redacts: true)
        let sent = try #require(source.asked.withLock { $0.last })
        #expect(!sent.contains("jo@") && !sent.contains("\u{202E}") && !sent.contains("<|im_end|>"))
    }

    @Test func `where the model fails the answer by words stands and a problem says why`() async throws {
        let batch = try await run([Case()], WordVectors(failure: .unavailable))
        #expect(batch.records[0].faq == nil)
        #expect(batch.problems(of: batch.records[0]).map(\.code) == ["llm.unavailable"])
        let cancellation = LLMCancellation()
        cancellation.cancelAll()
        let source = WordVectors()
        _ = try await run([Case()], source, cancellation: cancellation)
    }
}

@Suite struct `Vectors of texts` {
    private static let endpoint = Endpoint(kind: .openai, baseURL: "http://h:1/v1", model: "minilm")

    /// A server whose vectors say how long a text is; texts of more than ten bytes are too long.
    private final class Server: ModelCaller {
        let calls = Mutex<[Int]>([])

        func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure> {
            guard case .array(let texts) = try? StrictJSON.parse(Array(query.user.utf8)) else {
                return .failure(.refused)
            }
            calls.withLock { $0.append(texts.count) }
            if texts.contains(where: { ($0.string ?? "").utf8.count > 10 }) { return .failure(.tooLong) }
            let vectors = texts.map { text -> [Float] in
                let angle = Float((text.string ?? "").utf8.count) / 10
                return [Float(cos(Double(angle))), Float(sin(Double(angle)))]
            }
            return .success(ChatReply(text: vectors.flatMap(VectorBytes.bytes), usage: TokenUsage(input: 1)))
        }
    }

    private actor Kept: AnswerCache {
        var answers: [String: [UInt8]] = [:]
        func answer(for digest: String) -> [UInt8]? { answers[digest] }
        func keep(_ answer: [UInt8], for digest: String) { answers[digest] = answer }
        func spoil() { for key in answers.keys { answers[key]?.removeLast() } }
    }

    @Test func `each text is asked for once, and no more when it is kept`() async throws {
        let (server, cache) = (Server(), Kept())
        let embedder = Embedder(caller: server, cache: cache, endpoint: Self.endpoint)
        let first = await embedder.vectors(of: ["a", "bb", "a"])
        #expect(try first[0].get() == first[2].get() && first[0] != first[1])
        #expect(await embedder.vectors(of: ["bb", "a"]) == [first[1], first[0]])
        #expect(server.calls.withLock { $0 } == [2])
        #expect(embedder.counts.texts == 4 && embedder.counts.fromCache == 2)
        // Of another model they are others, and damaged ones are none.
        var other = Self.endpoint
        other.model = "large"
        _ = await Embedder(caller: server, cache: cache, endpoint: other).vectors(of: ["a"])
        await cache.spoil()
        _ = await embedder.vectors(of: ["a"])
        #expect(server.calls.withLock { $0 } == [2, 1, 1])
        // 8 bytes a vector, and no text.
        #expect(await cache.answers.values.allSatisfy { $0.count <= 8 })
    }

    @Test func `nothing is sent any more behind a deadline`() async {
        let server = ScriptedServer([])
        let caller = ReliableCaller(transport: server, provider: server)
        let embedder = Embedder(caller: caller, cache: nil, endpoint: Self.endpoint)
        #expect(
            await embedder.vectors(of: ["a", "b"], sendBefore: .now) == Array(repeating: .failure(.deadline), count: 2))
        #expect(server.seen.isEmpty)
    }

    @Test func `one text that is too long spoils nobody else's vector`() async throws {
        let server = Server()
        let texts = ["a", "bb", "far too long a text", "cccc", "d"]
        let vectors = await Embedder(caller: server, cache: nil, endpoint: Self.endpoint).vectors(of: texts)
        #expect(vectors.map { (try? $0.get()) != nil } == [true, true, false, true, true])
        #expect(vectors[2] == .failure(.tooLong))
    }

    @Test(arguments: [[], [0], [0, 0, 0, 0], [0, 0, 128, 63, 1], [0, 0, 192, 127], [0, 0, 0, 64]] as [[UInt8]])
    func `bytes that are no vector of length 1 are none`(bytes: [UInt8]) {
        #expect(VectorBytes.vector(in: bytes) == nil)
    }

    @Test func `a vector comes back as it was kept`() {
        #expect(VectorBytes.bytes(of: [1]) == [0, 0, 128, 63])
        #expect(VectorBytes.vector(in: VectorBytes.bytes(of: [0.6, -0.8])) == [0.6, -0.8])
    }
}
