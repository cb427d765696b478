/// A server, a model on it, and how the two are spoken to.
package struct Endpoint: Sendable, Equatable {
    package var kind: ProviderKind
    /// `http` or `https`, with or without a slash or `/v1` at its end; a query, such as `?api-version=1`, is kept.
    package var baseURL: String
    package var model: String
    /// Nil: the server asks for none.
    package var key: SecretKey?
    package var settings: Settings

    /// What differs between servers of one kind.
    package struct Settings: Sendable, Equatable {
        /// Anthropic's `anthropic-version`; sampling parameters go out only before `2026-10-21`, which refuses them.
        package var apiVersion = "2026-10-21"
        /// Whether the key goes to Anthropic's kind as `authorization: Bearer` in place of `x-api-key`.
        package var usesBearer = false
        /// Whether the cap is called `max_completion_tokens`; nil: only on OpenAI's own server, older ones know only
        /// `max_tokens`.
        package var usesCompletionTokens: Bool?
        /// Whether ranges and lengths stay in schemas, rather than in descriptions.
        ///
        /// Nil: except on OpenAI's and OpenRouter's own servers, which refuse some of them. Anthropic's kind always has
        /// them in descriptions.
        package var keepsRanges: Bool?
        /// Seed under ``ServerFeatures/sampling``.
        package var seed = 1
        /// Ollama's window in tokens, prompt and answer; without it a server cuts at 4,096 in silence.
        package var contextTokens = 8192
        /// Members added to the body, such as OpenRouter's `"provider":{"require_parameters":true}`; they replace ours
        /// of the same name, except those that make a request what it is (model, messages, system, stream, input).
        package var extra: [JSONMember] = []
        /// How hard a model thinks that does; nil: nothing is said of it, which for Ollama means not at all.
        package var reasoningEffort: ReasoningEffort?
        /// Fields added to every request; they replace ours of the same name.
        package var extraHeaders: [ExtraHeader] = []

        package init() {}
    }

    /// How hard a model thinks before it answers.
    package enum ReasoningEffort: String, Sendable, CaseIterable { case none, minimal, low, medium, high, xhigh, max }

    package init(
        kind: ProviderKind, baseURL: String, model: String, key: SecretKey? = nil, settings: Settings = Settings()
    ) {
        self.kind = kind
        self.baseURL = baseURL
        self.model = model
        self.key = key
        self.settings = settings
    }

    /// What to ask of the server until it refuses something.
    package var features: ServerFeatures {
        settings.reasoningEffort == nil ? plainFeatures : plainFeatures.union(.reasoning)
    }

    private var plainFeatures: ServerFeatures {
        switch kind {
        case .openai:
            let isOpenAI = ["api.openai.com"].contains(host)
            let base: ServerFeatures = [.schema, .jsonObject, .sampling]
            return settings.usesCompletionTokens ?? isOpenAI ? base.union(.completionTokens) : base
        case .anthropic: return takesSampling ? [.schema, .sampling] : [.schema]
        case .ollama: return [.schema, .jsonObject, .sampling]
        }
    }

    /// Whether the version of Anthropic's interface has sampling parameters; versions are dates and sort as text.
    var takesSampling: Bool { settings.apiVersion < "2026-10-21" }

    /// Whether schemas with ranges and lengths go out as they are: prompts for such a server are made `bounded`.
    package var enforcesRanges: Bool { kind != .anthropic && keepsRanges }

    var keepsRanges: Bool {
        settings.keepsRanges ?? !["api.openai.com", "openrouter.ai"].contains(host)
    }

    /// The host in small letters, without port and brackets; empty when there is none.
    var host: String {
        var rest = Substring(baseURL.lowercased())
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
        if rest.first == "[" { return String(rest.dropFirst().prefix { $0 != "]" }) }
        return String(rest.prefix { $0 != ":" })
    }

    /// The address of a path such as `/chat/completions` below the interface's root.
    func url(_ path: String) -> String {
        let base = baseURL.prefix { $0 != "#" }
        let query = base.firstIndex(of: "?") ?? base.endIndex
        var root = base[..<query]
        while root.last == "/" { root.removeLast() }
        let hasPath = root.firstRange(of: "://").map { root[$0.upperBound...].contains("/") } ?? true
        var prefix = String(root)
        switch kind {
        case .openai: if !hasPath { prefix += "/v1" }
        case .anthropic: if !prefix.hasSuffix("/v1") { prefix += "/v1" }
        case .ollama:
            for end in ["/v1", "/api"] where prefix.hasSuffix(end) { prefix.removeLast(end.count) }
            prefix += "/api"
        }
        return prefix + path + base[query...]
    }

    /// The fields that every request carries; the key is in one of them.
    var headers: [HTTPHeader] {
        var headers = [HTTPHeader("accept", "application/json"), HTTPHeader("user-agent", "triage")]
        if kind == .anthropic { headers.append(HTTPHeader("anthropic-version", settings.apiVersion)) }
        if let key {
            let isPlain = kind == .anthropic && !settings.usesBearer
            headers.append(
                isPlain
                    ? HTTPHeader("x-api-key", key.headerValue)
                    : HTTPHeader("authorization", "Bearer " + key.headerValue))
        }
        for extra in settings.extraHeaders {
            headers.removeAll { $0.name.lowercased() == extra.name.lowercased() }
            headers.append(HTTPHeader(extra.name, extra.value))
        }
        return headers
    }

    func post(_ path: String, _ body: [JSONMember]) -> HTTPRequest { post(to: url(path), body) }

    func post(to address: String, _ body: [JSONMember]) -> HTTPRequest {
        HTTPRequest(
            .post, address, headers: [HTTPHeader("content-type", "application/json")] + headers,
            body: JSONValue.object(withExtra(body)).encoded)
    }

    func get(_ path: String, query: String? = nil) -> HTTPRequest {
        var address = url(path)
        if let query { address += (address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query }
        return HTTPRequest(.get, address, headers: headers)
    }

    func delete(_ path: String) -> HTTPRequest { HTTPRequest(.delete, url(path), headers: headers) }

    /// A body with ``Settings/extra``: objects are merged one level deep.
    func withExtra(_ body: [JSONMember]) -> [JSONMember] {
        let ours: Set<String> = ["model", "messages", "system", "stream", "input"]
        var body = body
        for member in settings.extra where !ours.contains(member.key) {
            guard let at = body.firstIndex(where: { $0.key == member.key }) else {
                body.append(member)
                continue
            }
            if case .object(var old) = body[at].value, case .object(let new) = member.value {
                for inner in new {
                    if let place = old.firstIndex(where: { $0.key == inner.key }) {
                        old[place] = inner
                    } else {
                        old.append(inner)
                    }
                }
                body[at].value = .object(old)
            } else {
                body[at].value = member.value
            }
        }
        return body
    }
}

/// A field that is added to every request; its value may be a secret, and is printed nowhere.
package struct ExtraHeader: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package let name: String
    package let value: String

    /// - Returns: nil for a name or a value that cannot stand in a header.
    package init?(_ name: String, _ value: String) {
        let isName =
            (1...100).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
        let isValue =
            (1...8_192).contains(value.utf8.count) && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && value.first != " " && value.last != " "
        guard isName, isValue else { return nil }
        self.name = name
        self.value = value
    }

    package var description: String { "\(name): <value>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// A key for a server: goes into one header and is printed nowhere.
package struct SecretKey: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    /// - Returns: nil for nothing but white space, and for what cannot stand in a header, such as a line break inside.
    package init?(_ text: String) {
        let inner = text.utf8.drop(while: StrictJSON.isSpace)
        guard let end = inner.lastIndex(where: { !StrictJSON.isSpace($0) }) else { return nil }
        let key = inner[...end]
        guard key.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = String(Substring(key))
    }

    /// The key itself, for the header of a request.
    package var headerValue: String { text }

    package var description: String { "<key>" }
    package var debugDescription: String { "<key>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Endpoint {
    /// What makes the answers of this model others than those of another one: for the key of a cache.
    ///
    /// Without the address and the key: the same model behind another door gives the same answers.
    var identity: [[UInt8]] {
        let version = kind == .anthropic ? settings.apiVersion : ""
        // Ollama cuts what is longer than the window.
        let window = kind == .ollama ? "\(settings.contextTokens)" : ""
        let effort = settings.reasoningEffort.map { [Array($0.rawValue.utf8)] } ?? []
        return [
            Array(kind.rawValue.utf8), Array(model.utf8), Array(version.utf8), Array(window.utf8),
            Array("\(settings.seed)".utf8), JSONValue.object(settings.extra).encoded,
        ] + effort
    }
}

/// The families of servers that are spoken to.
package enum ProviderKind: String, Sendable, CaseIterable {
    /// Chat completions: OpenAI, llama.cpp, vLLM, LM Studio, OpenRouter, LiteLLM and most others.
    case openai
    case anthropic
    /// Ollama's own interface; the other one that it offers cuts long prompts in silence.
    case ollama

    /// How an endpoint is spoken to.
    package static func provider(_ endpoint: Endpoint) -> any ChatProvider {
        switch endpoint.kind {
        case .openai: OpenAIChat(endpoint)
        case .anthropic: AnthropicMessages(endpoint)
        case .ollama: OllamaChat(endpoint)
        }
    }
}
