import TriageConfig
import TriageCore
import TriageLLM

/// Makes of `triage.yaml` what speaks to a server.
enum ModelAddress {
    /// - Throws: ``TriageError`` when the key cannot be read.
    static func endpoint(_ llm: ModelSettings.LLM) throws -> Endpoint {
        var settings = Endpoint.Settings()
        if let version = llm.apiVersion { settings.apiVersion = version }
        settings.usesBearer = llm.usesBearer
        if llm.usesCompletionTokens { settings.usesCompletionTokens = true }
        settings.contextTokens = llm.contextTokens
        return Endpoint(
            kind: kind(llm.provider), baseURL: llm.baseURL, model: llm.model,
            key: try KeyReader.key(variable: llm.keyVariable, file: llm.keyFile, for: llm.baseURL), settings: settings)
    }

    static func endpoint(_ embeddings: ModelSettings.Embeddings) throws -> Endpoint {
        Endpoint(
            kind: kind(embeddings.provider), baseURL: embeddings.baseURL, model: embeddings.model,
            key: try KeyReader.key(
                variable: embeddings.keyVariable, file: embeddings.keyFile, for: embeddings.baseURL))
    }

    private static func kind(_ provider: ModelSettings.Provider) -> ProviderKind {
        switch provider {
        case .openai: .openai
        case .anthropic: .anthropic
        case .ollama: .ollama
        }
    }

    static func transport(_ llm: ModelSettings.LLM) -> NamedTransport {
        var options = CurlTransport.Options()
        options.maxConnectionsPerHost = max(2, llm.maxConcurrency)
        options.caFile = llm.caFile
        options.isHTTP1Only = llm.usesHTTP1Only
        options.userAgent = "triage/\(Version.current)"
        options.proxy = proxies
        return NamedTransport(CurlTransport(options), model: llm.model, url: llm.baseURL, keyVariable: llm.keyVariable)
    }

    static func transport(_ embeddings: ModelSettings.Embeddings) -> NamedTransport {
        var options = CurlTransport.Options()
        options.userAgent = "triage/\(Version.current)"
        options.proxy = proxies
        return NamedTransport(
            CurlTransport(options), model: embeddings.model, url: embeddings.baseURL,
            keyVariable: embeddings.keyVariable)
    }

    /// By the variables that curl reads.
    static var proxies: ProxySettings {
        var environment: [String: String] = [:]
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] {
            if let value = Terminal.environment(name) { environment[name] = value }
        }
        return ProxySettings(environment: environment)
    }

    /// What the caller may do: limits, prices and concurrency of the configuration.
    static func callerSettings(_ llm: ModelSettings.LLM, limits: ModelSettings.Limits) -> CallerSettings {
        var settings = CallerSettings()
        settings.maxConcurrency = llm.maxConcurrency
        settings.isLocal = CurlTransport.isLoopback(llm.baseURL)
        settings.limits = SpendLimits(cost: limits.maxCost, requests: limits.maxRequests, tokens: limits.maxTokens)
        settings.price = llm.price.map {
            ModelPrice(input: $0.input, cachedInput: $0.cachedInput, output: $0.output)
        }
        return settings
    }
}
