import ShippedPrompts
import TriageCore

@testable import TriageLLM

/// Everything between a message and a server, as the program puts it together.
struct PeerAsking {
    var endpoint: Endpoint
    var transport: CurlTransport
    var settings: CallerSettings
    /// Evenly distributed in 0..<1: spreads the waits between attempts.
    var random: @Sendable () -> Double = { 0.5 }

    /// - Parameter address: such as `http://127.0.0.1:8080/v1`.
    init(
        _ kind: ProviderKind, _ address: String, model: String = "tiny-random", key: String? = nil,
        transport: CurlTransport
    ) {
        endpoint = Endpoint(kind: kind, baseURL: address, model: model, key: key.flatMap { SecretKey($0) })
        self.transport = transport
        settings = CallerSettings()
        settings.isLocal = true
        settings.maxConcurrency = 2
        settings.startConcurrency = 2
    }

    var provider: any ChatProvider { ProviderKind.provider(endpoint) }

    var caller: ReliableCaller {
        ReliableCaller(
            transport: transport, provider: provider, settings: settings, features: endpoint.features, random: random)
    }

    /// A short query whose answer is free text.
    func query(_ user: String = "Say something.", room: Int = 8) -> ChatQuery {
        ChatQuery(model: endpoint.model, system: "Be brief.", user: user, maxOutputTokens: room)
    }

    /// Ends in the answer or the failure of one request, sent once.
    func once(_ query: ChatQuery) async throws -> Result<ChatReply, CallFailure> {
        let response = try await transport.send(provider.request(query, features: endpoint.features))
        return provider.read(response, to: query)
    }
}

/// The shipped prompt for messages, with a small library.
enum PeerPrompts {
    static let library = FAQLibrary(entries: [
        FAQEntry(id: "camera", question: "Which camera do you use?", answer: "A small one."),
        FAQEntry(id: "editing", question: "What do you edit with?", answer: "With scissors."),
    ])

    static func session() throws -> PromptSession {
        var files: [PromptFile] = []
        var index = 0
        while let name = shipped_prompt_file(index).name {
            let file = shipped_prompt_file(index)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            files.append(PromptFile(path: String(cString: name), bytes: bytes))
            index += 1
        }
        let prompts = try PromptLibrary(shipped: files)
        var numbers = SeededNumbers(seed: 1)
        return PromptSession(
            try prompts.newest(.triage), repair: try prompts.newest(.repair), profile: CreatorProfile(),
            library: library, secret: RunSecret(using: &numbers), bounded: true)
    }

    struct NoScript: Error {}

    static func script(for endpoint: Endpoint) throws -> MessageTask {
        guard let script = MessageTask(session: try session(), endpoint: endpoint) else { throw NoScript() }
        return script
    }

    static func question(_ text: String) -> MessageQuestion {
        MessageQuestion(text: text, language: "en", day: "2026-11-20 Fri", candidates: ["camera", "editing"])
    }

    static func asked(_ texts: [String]) -> [AskedQuestion<MessageQuestion>] {
        zip(["mbcd", "mfgh", "mjkm", "mnpq"], texts).map { AskedQuestion(id: $0, question: question($1)) }
    }
}
