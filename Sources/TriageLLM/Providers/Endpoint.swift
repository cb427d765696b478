/// A server, a model on it, and the settings for talking to it.
package struct Endpoint: Sendable, Equatable {
    package var kind: ProviderKind
    /// `http` or `https`, with or without a final slash or `/v1`; a query, such as `?api-version=1`, is kept.
    package var baseURL: String
    package var model: String
    /// Nil: the server requires none.
    package var key: SecretKey?
    package var settings: Settings

    /// Settings that differ between servers of one kind.
    package struct Settings: Sendable, Equatable {
        /// Anthropic's `anthropic-version`; from `2026-10-21` on, no sampling parameters are sent, as it refuses them.
        package var apiVersion = "2026-10-21"
        /// Whether the key for Anthropic's kind is sent as `authorization: Bearer` instead of `x-api-key`.
        package var usesBearer = false
        /// Whether the output cap is called `max_completion_tokens`; nil: only on OpenAI's own server, because older
        /// ones know only `max_tokens`.
        package var usesCompletionTokens: Bool?
        /// Whether ranges and lengths stay in schemas, rather than in descriptions.
        ///
        /// Nil: they stay, except on OpenAI's and OpenRouter's own servers, which refuse some of them. For Anthropic's
        /// kind, they are always in descriptions.
        package var keepsRanges: Bool?
        /// The seed, sent with ``ServerFeatures/sampling``.
        package var seed = 1
        /// Ollama's context window in tokens, prompt and answer; without it, a server silently cuts at 4,096.
        package var contextTokens = 8192
        /// Members added to the body, such as OpenRouter's `"provider":{"require_parameters":true}`; they replace
        /// members of the same name, except those that define the request (model, messages, system, stream, input).
        package var extra: [JSONMember] = []
        /// The effort of a reasoning model; nil: not sent, which for Ollama means no thinking.
        package var reasoningEffort: ReasoningEffort?
        /// Headers added to every request; they replace headers of the same name.
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

    /// The features to request until the server refuses one.
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

    /// Whether this version of Anthropic's API has sampling parameters; versions are dates and sort as text.
    var takesSampling: Bool { settings.apiVersion < "2026-10-21" }

    /// Whether schemas with ranges and lengths are sent unchanged: prompts for such a server are `bounded`.
    package var enforcesRanges: Bool { kind != .anthropic && keepsRanges }

    var keepsRanges: Bool {
        settings.keepsRanges ?? !["api.openai.com", "openrouter.ai"].contains(host)
    }

    /// The host in lower case, without port and brackets; empty when there is none.
    var host: String {
        var rest = Substring(baseURL.lowercased())
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
        if rest.first == "[" { return String(rest.dropFirst().prefix { $0 != "]" }) }
        return String(rest.prefix { $0 != ":" })
    }

    /// The URL for a path, such as `/chat/completions`, below the root of the API.
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

    /// The headers of every request; one of them contains the key.
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

    /// A body extended by ``Settings/extra``: objects are merged one level deep.
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

/// A header added to every request; its value may be a secret and is never printed.
package struct ExtraHeader: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package let name: String
    package let value: String

    /// - Returns: nil for a name or a value that is not allowed in a header.
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

/// An API key: sent in one header and never printed.
package struct SecretKey: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    /// - Returns: nil for white space only, and for text that is not allowed in a header, such as a line break inside.
    package init?(_ text: String) {
        let inner = text.utf8.drop(while: StrictJSON.isSpace)
        guard let end = inner.lastIndex(where: { !StrictJSON.isSpace($0) }) else { return nil }
        let key = inner[...end]
        guard key.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = String(Substring(key))
    }

    /// The key itself, for a request header.
    package var headerValue: String { text }

    package var description: String { "<key>" }
    package var debugDescription: String { "<key>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Endpoint {
    /// What distinguishes the answers of this model from those of another one; for the key of a cache.
    ///
    /// The address and the key are not included: the same model behind another address gives the same answers.
    var identity: [[UInt8]] {
        let version = kind == .anthropic ? settings.apiVersion : ""
        // Ollama cuts text that is longer than the window.
        let window = kind == .ollama ? "\(settings.contextTokens)" : ""
        let effort = settings.reasoningEffort.map { [Array($0.rawValue.utf8)] } ?? []
        return [
            Array(kind.rawValue.utf8), Array(model.utf8), Array(version.utf8), Array(window.utf8),
            Array("\(settings.seed)".utf8), JSONValue.object(settings.extra).encoded,
        ] + effort
    }
}

/// The supported families of servers.
package enum ProviderKind: String, Sendable, CaseIterable {
    /// Chat completions: OpenAI, llama.cpp, vLLM, LM Studio, OpenRouter, LiteLLM and most others.
    case openai
    case anthropic
    /// Ollama's native API; its other API silently cuts long prompts.
    case ollama

    /// The provider that an endpoint needs.
    package static func provider(_ endpoint: Endpoint) -> any ChatProvider {
        switch endpoint.kind {
        case .openai: OpenAIChat(endpoint)
        case .anthropic: AnthropicMessages(endpoint)
        case .ollama: OllamaChat(endpoint)
        }
    }
}
