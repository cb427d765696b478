import Platform
package import TriageConfig
import TriageCore
package import TriageLLM

/// Turns the model settings of `triage.yaml` into endpoints, headers and limits for talking to a server.
package enum ModelAddress {
    /// - Throws: ``TriageError`` when the key cannot be read.
    package static func endpoint(_ llm: ModelSettings.LLM) throws -> Endpoint {
        var settings = Endpoint.Settings()
        if let version = llm.apiVersion { settings.apiVersion = version }
        settings.usesBearer = llm.usesBearer
        if llm.usesCompletionTokens { settings.usesCompletionTokens = true }
        settings.contextTokens = llm.contextTokens
        settings.reasoningEffort = llm.reasoningEffort.flatMap { Endpoint.ReasoningEffort(rawValue: $0.rawValue) }
        settings.extra = llm.extraBody.map(members) ?? []
        settings.extraHeaders = try headers(llm.extraHeaders, for: llm.baseURL)
        return Endpoint(
            kind: kind(llm.provider), baseURL: llm.baseURL, model: llm.model,
            key: try KeyReader.key(variable: llm.keyVariable, file: llm.keyFile, for: llm.baseURL), settings: settings)
    }

    package static func endpoint(_ embeddings: ModelSettings.Embeddings) throws -> Endpoint {
        var settings = Endpoint.Settings()
        settings.extraHeaders = try headers(embeddings.extraHeaders, for: embeddings.baseURL)
        return Endpoint(
            kind: kind(embeddings.provider), baseURL: embeddings.baseURL, model: embeddings.model,
            key: try KeyReader.key(
                variable: embeddings.keyVariable, file: embeddings.keyFile, for: embeddings.baseURL),
            settings: settings)
    }

    /// The members of a configuration mapping as JSON.
    private static func members(_ node: ConfigNode) -> [JSONMember] {
        guard case .mapping(let entries) = node.value else { return [] }
        return entries.map { JSONMember($0.key, value($0.value)) }
    }

    private static func value(_ node: ConfigNode) -> JSONValue {
        switch node.value {
        case .null: return .null
        case .sequence(let items): return .array(items.map(value))
        case .mapping: return .object(members(node))
        case .scalar(let text, let isPlain):
            guard isPlain else { return .string(text) }
            switch text {
            case "true", "True", "TRUE": return .bool(true)
            case "false", "False", "FALSE": return .bool(false)
            default:
                // A valid JSON number becomes a number; anything else that looks like one stays text.
                let parsed = try? StrictJSON.parse(Array(text.utf8))
                if case .number? = parsed { return parsed ?? .string(text) }
                return .string(text)
            }
        }
    }

    /// - Parameter url: where the headers are sent.
    /// - Throws: ``TriageError`` (exit 78) when a variable is unset or holds another provider's key, or its value is
    ///   not allowed in a header.
    private static func headers(_ headers: [ModelSettings.Header], for url: String) throws -> [ExtraHeader] {
        try headers.map { header in
            let value: String
            switch header.value {
            case .literal(let text): value = text
            case .variable(let name):
                try KeyHome.check(name, for: url)
                guard let text = Terminal.environment(name) else {
                    throw TriageError(
                        "llm.no-key", "environment variable \(name) is not set", at: "extra_headers: \(header.name)",
                        remedy: "export \(name), or use --offline", exit: .badConfiguration)
                }
                value = text
            }
            guard let made = ExtraHeader(header.name, value) else {
                throw TriageError(
                    "llm.bad-header", "the value is not a valid header value: it is empty, or not ASCII on one line",
                    at: "extra_headers: \(header.name)", remedy: "check the value", exit: .badConfiguration)
            }
            return made
        }
    }

    private static func kind(_ provider: ModelSettings.Provider) -> ProviderKind {
        switch provider {
        case .openai: .openai
        case .anthropic: .anthropic
        case .ollama: .ollama
        }
    }

    package static func transport(_ llm: ModelSettings.LLM) -> NamedTransport {
        var options = CurlTransport.Options()
        options.maxConnectionsPerHost = max(2, llm.maxConcurrency)
        options.caFile = llm.caFile
        options.isHTTP1Only = llm.usesHTTP1Only
        options.userAgent = "triage/\(Version.current)"
        options.proxy = proxies
        return NamedTransport(CurlTransport(options), model: llm.model, url: llm.baseURL, keyVariable: llm.keyVariable)
    }

    package static func transport(_ embeddings: ModelSettings.Embeddings) -> NamedTransport {
        var options = CurlTransport.Options()
        options.userAgent = "triage/\(Version.current)"
        options.proxy = proxies
        return NamedTransport(
            CurlTransport(options), model: embeddings.model, url: embeddings.baseURL,
            keyVariable: embeddings.keyVariable)
    }

    /// Proxy settings from the environment variables that curl reads.
    package static var proxies: ProxySettings {
        var environment: [String: String] = [:]
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] {
            if let value = Terminal.environment(name) { environment[name] = value }
        }
        return ProxySettings(environment: environment)
    }

    /// The caller's limits, prices and concurrency, from the configuration.
    package static func callerSettings(_ llm: ModelSettings.LLM, limits: ModelSettings.Limits) -> CallerSettings {
        var settings = CallerSettings()
        settings.maxConcurrency = llm.maxConcurrency
        if let seconds = llm.requestTimeout { settings.requestTimeout = .milliseconds(Int(seconds * 1000)) }
        settings.queueTimeout = llm.queueTimeout.map { .milliseconds(Int($0 * 1000)) }
        settings.isLocal = CurlTransport.isLoopback(llm.baseURL)
        settings.limits = SpendLimits(cost: limits.maxCost, requests: limits.maxRequests, tokens: limits.maxTokens)
        settings.price = llm.price.map {
            ModelPrice(input: $0.input, cachedInput: $0.cachedInput, output: $0.output)
        }
        return settings
    }
}

/// Reads server keys from the variable or file named in `triage.yaml`, never from the command line.
private enum KeyReader {
    /// The size limit of a key file; keys are a few hundred bytes.
    private static let limit = 16 << 10

    /// - Parameter url: where the key will be sent.
    /// - Throws: ``TriageError`` (exit 78) when the variable is unset or holds another provider's key, or the file is
    ///   missing, empty or accessible to others.
    static func key(variable: String?, file: String?, for url: String) throws -> SecretKey? {
        if let variable {
            try KeyHome.check(variable, for: url)
            guard let text = Terminal.environment(variable) else {
                throw TriageError(
                    "llm.no-key", "environment variable \(variable) is not set", at: "api_key_env",
                    remedy: "export \(variable), or use --offline", exit: .badConfiguration)
            }
            guard let key = SecretKey(text) else { throw unusable("variable \(variable)", "api_key_env") }
            return key
        }
        guard let file else { return nil }
        var info = stat()
        guard stat(file, &info) == 0 else {
            throw TriageError(
                "llm.no-key", "cannot read the key file: \(String(cString: strerror(errno)))", at: file,
                remedy: "check api_key_file, or use --offline", exit: .badConfiguration)
        }
        guard info.st_mode & 0o077 == 0 else {
            throw TriageError(
                "llm.open-key", "other users can read the key file", at: file, remedy: "chmod 600 \(file)",
                exit: .badConfiguration)
        }
        guard info.st_size <= limit else { throw unusable("file", file) }
        guard let key = SecretKey(String(decoding: try ConfigurationFile.read(file), as: UTF8.self)) else {
            throw unusable("file", file)
        }
        return key
    }

    private static func unusable(_ what: String, _ place: String) -> TriageError {
        TriageError(
            "llm.bad-key", "the \(what) has no key: it is empty, or contains spaces or line breaks", at: place,
            remedy: "put only the key there, on one line", exit: .badConfiguration)
    }
}
