import Synchronization
import Testing
import TriageCore

@testable import TriageLLM

/// A model that does to all messages of a request what one of them orders, and counts its requests.
private final class ObedientModel: ModelCaller {
    private struct State {
        var requests: [Int] = []
        var budget = Int.max
    }

    private let state = Mutex(State())
    /// The category of a message alone.
    private let honest: @Sendable (String) -> Category

    init(budget: Int = .max, honest: @escaping @Sendable (String) -> Category) {
        self.honest = honest
        state.withLock { $0.budget = budget }
    }

    /// Messages of each request.
    var requests: [Int] { state.withLock { $0.requests } }

    func note(badOutput: Bool) {}

    func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure> {
        let boundary = String(query.user.prefix { $0 != " " })
        var messages: [(id: String, text: String)] = []
        for line in query.user.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(boundary + " ") {
                messages.append((String(line.split(separator: " ")[1]), ""))
            } else if !messages.isEmpty {
                messages[messages.count - 1].text += line
            }
        }
        messages.removeAll { $0.id == "end" }
        let isOver = state.withLock { state in
            guard state.requests.count < state.budget else { return true }
            state.requests.append(messages.count)
            return false
        }
        if isOver { return .failure(.budget) }
        let isOrdered = messages.contains { $0.text.contains("ORDER") }
        let entries = messages.map { message in
            let label = isOrdered && messages.count > 1 ? "spam" : "\(honest(message.text))"
            return
                #"{"id":"\#(message.id)","c":"\#(label)","s":"neutral","i":0,"u":"no","inj":false,"faq":null,"o":null}"#
        }
        let text = #"{"a":["# + entries.joined(separator: ",") + "]}"
        return .success(ChatReply(text: Array(text.utf8), usage: TokenUsage()))
    }
}

/// What comes together with others' messages is believed at once only where nobody could have ordered it.
@Suite struct `Doubtful answers of a pack` {
    private static func view(_ category: TriageCore.Category, _ confidence: Float) -> OfflineView {
        var scores = SIMD4<Float>(repeating: 0)
        for other in Category.allCases { scores[Int(other.rawValue)] = (1 - confidence) / 2 }
        scores[Int(category.rawValue)] = confidence
        return OfflineView(
            scores: scores, category: category, sentiment: .neutral, sentimentConfidence: 0.9, isUrgent: false,
            urgency: 0.01, urgentThreshold: 0.5)
    }

    private static func asker(_ model: ObedientModel, cache: MemoryCache? = nil) throws -> MessageAsker {
        let session = try Trust.session()
        let endpoint = Endpoint(kind: .openai, baseURL: "http://127.0.0.1:1/v1", model: "m")
        let script = try #require(MessageTask(session: session, endpoint: endpoint))
        return MessageAsker(caller: model, cache: cache, script: script)
    }

    private static func questions(_ count: Int, _ confidence: Float, ordered: Bool) -> [MessageQuestion] {
        (0..<count).map { number in
            MessageQuestion(
                text: "message \(number)" + (ordered && number % 8 == 0 ? " ORDER" : ""),
                offline: view(.fan, confidence))
        }
    }

    @Test(arguments: [Float(0.45), 0.6, 0.8, 0.95])
    func `an order to call everything spam moves no neighbor, however unsure the program was`(
        confidence: Float
    ) async throws {
        let model = ObedientModel { _ in .fan }
        let results = try await Self.asker(model).ask(Self.questions(64, confidence, ordered: true))
        #expect(try results.allSatisfy { try $0.get().category == .fan })
    }

    @Test func `one answer against what was sure is asked for again alone, and then it counts`() async throws {
        let model = ObedientModel { $0 == "message 3" ? .business : .fan }
        let asker = try Self.asker(model)
        let results = await asker.ask(Self.questions(8, 0.8, ordered: false))
        #expect(try results.map { try $0.get().category == .business } == (0..<8).map { $0 == 3 })
        #expect(model.requests == [8, 1])
        #expect(asker.counts.confirmed == 1 && asker.counts.requests == 2)
    }

    @Test func `an answer that agrees, or decides one open case, costs nothing more`() async throws {
        let sure = ObedientModel { _ in .fan }
        _ = try await Self.asker(sure).ask(Self.questions(64, 0.9, ordered: false))
        #expect(sure.requests.count == 8)
        let open = ObedientModel { $0 == "message 3" ? .business : .fan }
        let results = try await Self.asker(open).ask(Self.questions(8, 0.5, ordered: false))
        #expect(try results[3].get().category == .business)
        #expect(open.requests == [8])
    }

    @Test func `where nothing more may be asked, what nobody confirmed does not count and is not kept`() async throws {
        let model = ObedientModel(budget: 1) { _ in .fan }
        let cache = MemoryCache()
        let results = try await Self.asker(model, cache: cache).ask(Self.questions(8, 0.8, ordered: true))
        #expect(try results.allSatisfy { try $0.get().category == .fan })
        #expect(model.requests == [8])
        #expect(cache.content.isEmpty)
    }

    @Test func `a confirmed answer is kept, and found without asking`() async throws {
        let model = ObedientModel { _ in .fan }
        let cache = MemoryCache()
        let asked = Self.questions(8, 0.8, ordered: true)
        _ = try await Self.asker(model, cache: cache).ask(asked)
        let count = model.requests.count
        let again = try await Self.asker(model, cache: cache).ask(asked)
        #expect(try again.allSatisfy { try $0.get().category == .fan })
        #expect(model.requests.count == count)
    }
}
