internal import TriageCore

/// Reads `llm`, `embeddings` and `limits` of `triage.yaml`.
struct ModelSettingsReader {
    let folder: String
    let faults: FaultCollector

    func read(_ reader: MappingReader) -> ModelSettings {
        var models = ModelSettings()
        models.llm = llm(reader)
        models.embeddings = embeddings(reader)
        models.limits = limits(reader)
        return models
    }

    private func llm(_ outer: MappingReader) -> ModelSettings.LLM? {
        guard let node = outer.node("llm") else { return nil }
        let reader = MappingReader(
            node, in: outer.document, subject: "'llm'",
            keys: [
                "provider", "base_url", "model", "api_key", "api_key_env", "api_key_file", "max_concurrency", "price",
                "api_version", "auth", "max_tokens_field", "num_ctx", "pack", "http_version", "ca_file", "allow_http",
                "redact", "prompts", "request_timeout", "queue_timeout", "reasoning_effort", "max_output_tokens",
                "extra_body", "extra_headers", "draft_model", "share_voice",
            ], faults: faults)
        let endpoint = endpoint(reader, "llm")
        let key = key(reader)
        let concurrency = reader.int("max_concurrency", in: 1...1024)
        let price = price(reader)
        guard let endpoint else { return nil }
        var llm = ModelSettings.LLM(provider: endpoint.provider, baseURL: endpoint.baseURL, model: endpoint.model)
        llm.keyVariable = key.variable
        llm.keyFile = key.file
        if let concurrency { llm.maxConcurrency = concurrency }
        llm.price = price
        readWire(reader, into: &llm)
        readOutput(reader, into: &llm)
        return llm
    }

    /// Reads time limits, output limits, and additions to every request.
    private func readOutput(_ reader: MappingReader, into llm: inout ModelSettings.LLM) {
        let extra = ExtraRequestReader(faults: faults)
        llm.requestTimeout = reader.number("request_timeout", in: 1...86_400)
        llm.queueTimeout = reader.number("queue_timeout", in: 1...604_800)
        llm.maxOutputTokens = reader.int("max_output_tokens", in: 64...1_000_000)
        if let name = reader.string("reasoning_effort") {
            llm.reasoningEffort = ModelSettings.ReasoningEffort(rawValue: name)
            if llm.reasoningEffort == nil {
                let names = ModelSettings.ReasoningEffort.allCases.map(\.rawValue)
                faults.add(
                    "config.unknown-choice", "'reasoning_effort' cannot be '\(name.prefix(40))'",
                    at: reader.place("reasoning_effort"), remedy: "write one of " + names.joined(separator: ", "))
            }
        }
        llm.extraBody = extra.body(reader)
        llm.extraHeaders = extra.headers(reader)
    }

    /// Reads how to communicate with the server.
    private func readWire(_ reader: MappingReader, into llm: inout ModelSettings.LLM) {
        llm.apiVersion = reader.string("api_version")
        llm.usesBearer = choice(reader, "auth", ["x-api-key", "bearer"]) == 1
        llm.usesCompletionTokens = choice(reader, "max_tokens_field", ["max_tokens", "max_completion_tokens"]) == 1
        llm.usesHTTP1Only = choice(reader, "http_version", ["auto", "1.1"]) == 1
        if let tokens = reader.int("num_ctx", in: 512...1_048_576) { llm.contextTokens = tokens }
        if let pack = reader.int("pack", in: 1...25) { llm.pack = pack }
        llm.caFile = reader.string("ca_file").map { ConfigurationFile.resolve($0, in: folder) }
        llm.draftModel = reader.string("draft_model")
        llm.sharesVoice = reader.bool("share_voice") ?? false
        llm.prompts = reader.string("prompts").map { ConfigurationFile.resolve($0, in: folder) }
        llm.redacts = reader.bool("redact") ?? false
        llm.allowsHTTP = reader.bool("allow_http") ?? false
        if !llm.allowsHTTP { requireSafety(of: llm.baseURL, reader) }
    }

    /// The index of a key's value among its choices; 0 when the key is absent.
    private func choice(_ reader: MappingReader, _ key: String, _ names: [String]) -> Int {
        guard let value = reader.string(key) else { return 0 }
        if let index = names.firstIndex(of: value) { return index }
        faults.add(
            "config.unknown-choice", "'\(key)' cannot be '\(value.prefix(40))'", at: reader.place(key),
            remedy: "write one of " + names.joined(separator: ", "))
        return 0
    }

    private func embeddings(_ outer: MappingReader) -> ModelSettings.Embeddings? {
        guard let node = outer.node("embeddings") else { return nil }
        let reader = MappingReader(
            node, in: outer.document, subject: "'embeddings'",
            keys: [
                "provider", "base_url", "model", "api_key", "api_key_env", "api_key_file", "threshold", "languages",
                "price", "allow_http", "request_timeout", "queue_timeout", "extra_headers",
            ], faults: faults)
        let endpoint = endpoint(reader, "embeddings")
        let key = key(reader)
        let threshold = reader.number("threshold", in: 0...1)
        let price = reader.number("price", in: 0...100_000)
        let languages = languages(reader)
        let requestTimeout = reader.number("request_timeout", in: 1...86_400)
        let queueTimeout = reader.number("queue_timeout", in: 1...604_800)
        let extraHeaders = ExtraRequestReader(faults: faults).headers(reader)
        let allowsHTTP = reader.bool("allow_http") ?? false
        guard let endpoint else { return nil }
        if endpoint.provider == .anthropic {
            faults.add(
                "config.unknown-provider", "'anthropic' does not support embeddings", at: reader.place("provider"),
                remedy: "write provider: openai (any compatible server) or ollama")
        }
        if !allowsHTTP { requireSafety(of: endpoint.baseURL, reader) }
        var embeddings = ModelSettings.Embeddings(
            provider: endpoint.provider, baseURL: endpoint.baseURL, model: endpoint.model)
        embeddings.keyVariable = key.variable
        embeddings.keyFile = key.file
        embeddings.threshold = threshold
        embeddings.price = price
        embeddings.languages = languages
        embeddings.requestTimeout = requestTimeout
        embeddings.queueTimeout = queueTimeout
        embeddings.extraHeaders = extraHeaders
        return embeddings
    }

    private func languages(_ reader: MappingReader) -> [String] {
        (reader.strings("languages") ?? []).compactMap { item in
            if LanguageTable.index(of: item.text) != nil { return item.text }
            faults.add(
                "config.unknown-language", "'\(item.text.prefix(40))' is not a language tag",
                at: reader.place("languages"), remedy: "write tags such as en or pt-BR")
            return nil
        }
    }

    private func requireSafety(of url: String, _ reader: MappingReader) {
        guard !ModelSettings.staysSafe(url) else { return }
        reader.faults.add(
            "config.plain-http", "'base_url' would send messages over the network unencrypted",
            at: reader.place("base_url"),
            remedy: "write https://, or allow_http: true for a network only you can read")
    }

    private func endpoint(
        _ reader: MappingReader, _ subject: String
    ) -> (provider: ModelSettings.Provider, baseURL: String, model: String)? {
        let name = reader.string("provider") ?? "openai"
        let provider = ModelSettings.Provider(rawValue: name)
        if provider == nil {
            faults.add(
                "config.unknown-provider", "there is no provider '\(name.prefix(40))'", at: reader.place("provider"),
                remedy: Suggestion.remedy(for: name, among: ModelSettings.Provider.allCases.map(\.rawValue)))
        }
        let url = reader.string("base_url")
        if let url {
            if !(url.hasPrefix("http://") || url.hasPrefix("https://")) || url.utf8.contains(where: { $0 <= 0x20 }) {
                // The address is not repeated in the fault, because people put keys into addresses.
                faults.add(
                    "config.bad-url", "'base_url' must begin with http:// or https://", at: reader.place("base_url"),
                    remedy: "write base_url: http://127.0.0.1:8080/v1")
            } else if url.dropFirst(8).prefix(while: { $0 != "/" }).contains("@") {
                faults.add(
                    "config.inline-key", "'base_url' contains a user name or password", at: reader.place("base_url"),
                    remedy: "remove it and use api_key_env or api_key_file")
            }
        } else if reader.node("base_url") == nil {
            missing("base_url", subject, reader)
        }
        let model = reader.string("model")
        if model == nil, reader.node("model") == nil { missing("model", subject, reader) }
        guard let provider, let url, let model else { return nil }
        return (provider, url, model)
    }

    private func missing(_ key: String, _ subject: String, _ reader: MappingReader) {
        reader.fault("config.missing-key", "'\(subject)' needs '\(key)'", at: reader.node, remedy: "add '\(key): …'")
    }

    private func key(_ reader: MappingReader) -> (variable: String?, file: String?) {
        if reader.has("api_key") {
            faults.add(
                "config.inline-key", "a key must not be in this file", at: reader.place("api_key"),
                remedy: "put it in an environment variable and write api_key_env: NAME, or use api_key_file")
        }
        let variable = reader.string("api_key_env")
        if let variable,
            variable.isEmpty
                || !variable.utf8.allSatisfy({
                    (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
                })
        {
            // The value is not repeated: whoever gets this wrong has probably pasted the key.
            faults.add(
                "config.bad-variable", "'api_key_env' must be the name of an environment variable",
                at: reader.place("api_key_env"), remedy: "write api_key_env: OPENAI_API_KEY")
        }
        let file = reader.string("api_key_file").map { ConfigurationFile.resolve($0, in: folder) }
        if variable != nil, file != nil {
            faults.add(
                "config.both-given", "'api_key_env' and 'api_key_file' are both given",
                at: reader.place("api_key_file"), remedy: "keep one of the two")
        }
        return (variable, file)
    }

    private func price(_ outer: MappingReader) -> ModelSettings.Price? {
        guard let node = outer.node("price") else { return nil }
        let reader = MappingReader(
            node, in: outer.document, subject: "'price'", keys: ["input", "output", "cached_input", "batch"],
            faults: faults)
        for key in ["input", "output"] where reader.node(key) == nil { missing(key, "price", reader) }
        guard let input = reader.number("input", in: 0...100_000), let output = reader.number("output", in: 0...100_000)
        else { return nil }
        return ModelSettings.Price(
            input: input, output: output, cachedInput: reader.number("cached_input", in: 0...100_000),
            batch: reader.number("batch", in: 0...1))
    }

    private func limits(_ outer: MappingReader) -> ModelSettings.Limits {
        var limits = ModelSettings.Limits()
        guard let node = outer.node("limits") else { return limits }
        let reader = MappingReader(
            node, in: outer.document, subject: "'limits'",
            keys: ["max_cost", "max_requests", "max_tokens", "escalate_below"], faults: faults)
        limits.maxCost = reader.number("max_cost", in: 0...1_000_000)
        limits.maxRequests = reader.int("max_requests", in: 0...Int.max)
        limits.maxTokens = reader.int("max_tokens", in: 0...Int.max)
        return limits
    }
}
