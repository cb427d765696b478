import Synchronization
import TriageCore

@testable import TriageLLM

/// A question of the tests: what is asked and what a script needs to know.
struct PlainQuestion: Sendable, Equatable {
    var text: String
    var travelsAlone = false
    /// 1 a byte, so that tests can count them.
    var tokens: Int { text.utf8.count }
}

/// A whole script in the smallest words that will do: a line for each question, a line for each answer.
struct PlainScript: LLMTask {
    var identity: [[UInt8]] = [Array("plain/v1".utf8)]

    func essence(of question: PlainQuestion) -> LLMEssence {
        LLMEssence(
            parts: [Array(question.text.utf8)], tokens: question.tokens, travelsAlone: question.travelsAlone)
    }

    func exchange(about questions: [AskedQuestion<PlainQuestion>], maxOutputTokens: Int) -> LLMExchange<String> {
        exchange("ask", questions, maxOutputTokens)
    }

    func repair(
        of answer: [UInt8], errors: [String], about question: AskedQuestion<PlainQuestion>, maxOutputTokens: Int
    ) -> LLMExchange<String>? {
        exchange("repair \(answer.count) \(errors.joined(separator: ","))", [question], maxOutputTokens)
    }

    func clipped(_ question: PlainQuestion) -> PlainQuestion? {
        let half = question.text.prefix(question.text.count / 2)
        return half.isEmpty ? nil : PlainQuestion(text: String(half))
    }

    func bytes(of answer: String) -> [UInt8] { Array("1 \(answer)".utf8) }

    func answer(in bytes: [UInt8], to question: PlainQuestion) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasPrefix("1 answer to ") ? String(text.dropFirst(2)) : nil
    }

    private func exchange(
        _ system: String, _ questions: [AskedQuestion<PlainQuestion>], _ room: Int
    ) -> LLMExchange<String> {
        let user = questions.map { "\($0.id)=\($0.question.text)" }.joined(separator: "\n")
        let query = ChatQuery(model: "m", system: system, user: user, maxOutputTokens: room)
        return LLMExchange(query: query) { reply in
            var reading = LLMReading<String>()
            guard let lines = String(validating: reply.text, as: UTF8.self), !lines.contains("garbage") else {
                reading.whole = LLMFault(.badOutput(.notJSON), errors: ["not lines"])
                return reading
            }
            if lines == "refused" {
                reading.whole = LLMFault(.refused)
                return reading
            }
            for line in lines.split(separator: "\n") {
                guard let equals = line.firstIndex(of: "=") else { continue }
                let id = String(line[..<equals])
                if reading.answers.updateValue(String(line[line.index(after: equals)...]), forKey: id) != nil {
                    reading.faults[id] = LLMFault(.badOutput(.wrongIDs), errors: ["doubled"])
                }
            }
            return reading
        }
    }
}

/// One request as a scripted model sees it.
struct ScriptedRequest: Sendable {
    var query: ChatQuery
    /// Counted from 0 in the order of arrival.
    var number: Int
    var asked: [(id: String, text: String)]

    var isRepair: Bool { query.system.hasPrefix("repair") }

    init(_ query: ChatQuery, number: Int) {
        self.query = query
        self.number = number
        asked = query.user.split(separator: "\n").map { line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// What an obedient model says: an answer that names its question.
    var lines: [String] { asked.map { "\($0.id)=answer to \($0.text)" } }

    static func reply(_ lines: [String], isTruncated: Bool = false) -> Result<ChatReply, CallFailure> {
        .success(
            ChatReply(
                text: Array(lines.joined(separator: "\n").utf8), usage: TokenUsage(), isTruncated: isTruncated))
    }

    var obedience: Result<ChatReply, CallFailure> { Self.reply(lines) }
}

/// A model that answers by a function of the request, and remembers what it was asked.
final class ScriptedModel: ModelCaller {
    private struct State {
        var requests: [ScriptedRequest] = []
        var running = 0
        var most = 0
        var useless = 0
    }

    private let state = Mutex(State())
    private let answer: @Sendable (ScriptedRequest) async -> Result<ChatReply, CallFailure>

    private let patience: Int

    /// - Parameter patience: after so many useless replies in a row every call fails as useless.
    init(
        patience: Int = .max,
        _ answer: @escaping @Sendable (ScriptedRequest) async -> Result<ChatReply, CallFailure> = { $0.obedience }
    ) {
        self.patience = patience
        self.answer = answer
    }

    var requests: [ScriptedRequest] { state.withLock { $0.requests } }
    /// Most requests at a time.
    var most: Int { state.withLock { $0.most } }

    func note(badOutput: Bool) {
        state.withLock { $0.useless = badOutput ? $0.useless + 1 : 0 }
    }

    func call(_ query: ChatQuery) async -> Result<ChatReply, CallFailure> {
        if state.withLock({ $0.useless >= patience }) { return .failure(.useless) }
        let request = state.withLock { state in
            let request = ScriptedRequest(query, number: state.requests.count)
            state.requests.append(request)
            state.running += 1
            state.most = max(state.most, state.running)
            return request
        }
        let result = await answer(request)
        state.withLock { $0.running -= 1 }
        return result
    }
}

/// A cache in memory that remembers what was done with it.
final class MemoryCache: AnswerCache {
    struct Full: Error {}

    private let entries: Mutex<[String: [UInt8]]>
    private let log: EventLog?
    private let isFull: Bool
    private let beforeKeeping: @Sendable () async -> Void

    init(
        _ entries: [String: [UInt8]] = [:], log: EventLog? = nil, isFull: Bool = false,
        beforeKeeping: @escaping @Sendable () async -> Void = {}
    ) {
        self.entries = Mutex(entries)
        self.log = log
        self.isFull = isFull
        self.beforeKeeping = beforeKeeping
    }

    var content: [String: [UInt8]] { entries.withLock { $0 } }

    func answer(for digest: String) async -> [UInt8]? { entries.withLock { $0[digest] } }

    func keep(_ answer: [UInt8], for digest: String) async throws {
        await beforeKeeping()
        // As a store would: a write that is called off in its middle keeps nothing.
        try Task.checkCancellation()
        if isFull { throw Full() }
        entries.withLock { $0[digest] = answer }
        log?.add("kept")
    }
}

/// What happened, in order.
final class EventLog: Sendable {
    private let lines = Mutex<[String]>([])
    var events: [String] { lines.withLock { $0 } }
    func add(_ event: String) { lines.withLock { $0.append(event) } }
}

/// Closed until it is opened.
final class Gate: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }

    /// Waits until the gate opens or the task is cancelled.
    func pass() async {
        while !isOpen.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
    }
}

/// Numbers that are the same for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
