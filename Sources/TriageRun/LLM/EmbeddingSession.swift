package import TriageConfig
package import TriageCore
import TriageFormats
import TriageLLM
import TriageStore

/// The parts of a run that ask an embedding model; created only if one is configured and wanted.
package final class EmbeddingSession: Sendable {
    private let model: String
    private let cancellation = LLMCancellation()
    private let transport: NamedTransport
    private let caller: ReliableCaller
    private let embedder: Embedder
    private let cache: AnswerDatabase?
    private let library: FAQLibrary
    private let rule: FAQEmbeddingStage.Rule
    private let redacts: Bool

    /// - Parameter notice: shows a line to people.
    /// - Throws: ``TriageError`` when the key cannot be read, or the provider has no embeddings.
    package init(
        _ embeddings: ModelSettings.Embeddings, configuration: LoadedConfiguration, options: LLMOptions,
        notice: @escaping @Sendable (String) -> Void
    ) throws {
        let endpoint = try ModelAddress.endpoint(embeddings)
        guard let provider = EmbeddingsChat(endpoint) else {
            throw TriageError(
                "llm.no-embeddings", "this provider does not support embeddings", at: "embeddings.provider",
                exit: .badConfiguration)
        }
        model = endpoint.model
        transport = ModelAddress.transport(embeddings)
        var settings = CallerSettings()
        settings.isLocal = CurlTransport.isLoopback(embeddings.baseURL)
        if let seconds = embeddings.requestTimeout { settings.requestTimeout = .milliseconds(Int(seconds * 1000)) }
        settings.queueTimeout = embeddings.queueTimeout.map { .milliseconds(Int($0 * 1000)) }
        let limits = options.limits(configuration.models.limits)
        settings.limits = SpendLimits(cost: limits.maxCost, requests: limits.maxRequests, tokens: limits.maxTokens)
        settings.price = embeddings.price.map { ModelPrice(input: $0, output: 0) }
        caller = ReliableCaller(transport: transport, provider: provider, settings: settings, features: [])
        cache = try LLMSession.cache(options, notice: notice)
        embedder = Embedder(caller: caller, cache: cache, endpoint: endpoint)
        library = configuration.faq
        var rule = FAQEmbeddingStage.Rule(languages: embeddings.languages)
        if let threshold = embeddings.threshold { rule.threshold = Float(threshold) }
        self.rule = rule
        redacts = options.redact || configuration.models.llm?.redacts == true
    }

    /// The stage that asks for embeddings.
    package var stage: StageSlot {
        let hints = InjectionHeuristics()
        return .remote(
            FAQEmbeddingStage(
                source: embedder, library: library, rule: rule, redacts: redacts,
                steers: { hints.suspects(String(decoding: $0, as: UTF8.self)) }, cancellation: cancellation))
    }

    /// Stops asking; held messages keep their offline answers.
    package func stop() { cancellation.cancelAll() }

    /// Closes the connections and the cache.
    package func finish() async {
        transport.close()
        await cache?.close()
    }

    /// A summary of what was spent, for people.
    package func summary() -> [String] {
        let (counts, spend) = (embedder.counts, caller.report)
        var parts = ["\(counts.texts.of("vector"))"]
        if counts.fromCache > 0 { parts.append("\(MoneyText.count(counts.fromCache)) from the cache") }
        parts.append(spend.requests.of("request"))
        if spend.usage.input > 0 { parts.append("\(MoneyText.count(spend.usage.input)) tokens") }
        if spend.cost != nil, spend.requests > 0 { parts.append(SpendText.money(spend.cost)) }
        var lines = ["\(model): " + parts.joined(separator: ", ")]
        if !counts.failures.isEmpty {
            let failed = counts.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            lines.append(
                "without a vector: "
                    + failed.map { "\(MoneyText.count($0.value)) \($0.key)" }.joined(separator: ", "))
        }
        for (code, words) in spend.said.sorted(by: { $0.key < $1.key }) {
            lines.append("  the server said (\(code)) \(Terminal.harmlessLine(words.description))")
        }
        return lines
    }

    /// The exit status of a shortfall with `--require-llm`; nil when every text has its vector.
    package var shortfall: ExitStatus? {
        if embedder.counts.failures.isEmpty { return nil }
        return caller.finalFailure != nil ? .unavailable : .temporary
    }
}
