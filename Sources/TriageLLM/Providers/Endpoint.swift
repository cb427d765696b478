/// A server, a model on it, and how the two are spoken to.
public struct Endpoint: Sendable, Equatable {
    public var kind: ProviderKind
    /// `http` or `https`, with or without a slash or `/v1` at its end; a query, such as `?api-version=1`, is kept.
    public var baseURL: String
    public var model: String
    /// Nil: the server asks for none.
    public var key: SecretKey?
    public var settings: Settings

    /// What differs between servers of one kind.
    public struct Settings: Sendable, Equatable {
        /// Anthropic's `anthropic-version`; sampling parameters go out only before `2026-10-21`, which refuses them.
        public var apiVersion = "2026-10-21"
        /// Whether the key goes to Anthropic's kind as `authorization: Bearer` in place of `x-api-key`.
        public var usesBearer = false
        /// Whether the cap is called `max_completion_tokens`; nil: only on OpenAI's own server, older ones know only
        /// `max_tokens`.
        public var usesCompletionTokens: Bool?
        /// Whether ranges and lengths stay in schemas, rather than in descriptions.
        ///
        /// Nil: except on OpenAI's and OpenRouter's own servers, which refuse some of them. Anthropic's kind always has
        /// them in descriptions.
        public var keepsRanges: Bool?
        /// Seed under ``ServerFeatures/sampling``.
        public var seed = 1
        /// Ollama's window in tokens, prompt and answer; without it a server cuts at 4,096 in silence.
        public var contextTokens = 8192
        /// Members added to the body, such as OpenRouter's `"provider":{"require_parameters":true}`; they replace ours
        /// of the same name, except those that make a request what it is (model, messages, system, stream, input).
        public var extra: [JSONMember] = []
        /// How hard a model thinks that does; nil: nothing is said of it, which for Ollama means not at all.
        public var reasoningEffort: ReasoningEffort?
        /// Fields added to every request; they replace ours of the same name.
        public var extraHeaders: [ExtraHeader] = []

        public init() {}
    }

    /// How hard a model thinks before it answers.
    public enum ReasoningEffort: String, Sendable, CaseIterable { case none, minimal, low, medium, high, xhigh, max }

    public init(
        kind: ProviderKind, baseURL: String, model: String, key: SecretKey? = nil, settings: Settings = Settings()
    ) {
        self.kind = kind
        self.baseURL = baseURL
        self.model = model
        self.key = key
        self.settings = settings
    }

    /// What to ask of the server until it refuses something.
    public var features: ServerFeatures {
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
    public var enforcesRanges: Bool { kind != .anthropic && keepsRanges }

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
