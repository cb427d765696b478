/// What `triage.yaml` says about language models, spending and the store.
public struct ModelSettings: Sendable, Equatable {
    public var llm: LLM?
    public var embeddings: Embeddings?
    public var limits = Limits()
    /// Path of the store, resolved against the folder of `triage.yaml`.
    public var store: String?

    /// A language model that is reached over HTTP.
    public struct LLM: Sendable, Equatable {
        public var provider: Provider
        public var baseURL: String
        public var model: String
        /// Name of the environment variable that holds the key; the key itself is never kept here.
        public var keyVariable: String?
        public var keyFile: String?
        public var maxConcurrency = 8
        public var price: Price?
        /// `anthropic-version`; nil: the provider's standard.
        public var apiVersion: String?
        /// Whether an Anthropic key goes as `Authorization: Bearer` in place of `x-api-key`.
        public var usesBearer = false
        /// `max_completion_tokens` in place of `max_tokens`.
        public var usesCompletionTokens = false
        /// Ollama's context window in tokens.
        public var contextTokens = 8192
        /// Most messages in one request.
        public var pack = 8
        /// Whether HTTP/2 is left alone.
        public var usesHTTP1Only = false
        /// Certificates that are trusted in place of the system's.
        public var caFile: String?
        /// Whether `http://` may go to another machine.
        public var allowsHTTP = false
        /// Whether addresses, numbers and handles are taken out before anything leaves.
        public var redacts = false
        /// Most seconds that one request may take from the moment it goes out; nil: the standard.
        public var requestTimeout: Double?
        /// Most seconds that a message waits for its turn; nil: as long as it takes.
        public var queueTimeout: Double?
        /// How hard a model thinks that does; nil: nothing is said of it.
        public var reasoningEffort: ReasoningEffort?
        /// Most tokens of a request's answer, thinking included; nil: by what the answer needs.
        public var maxOutputTokens: Int?
        /// A mapping whose members are added to the body of every request.
        public var extraBody: ConfigNode?
        /// Fields added to every request.
        public var extraHeaders: [Header] = []
        /// Folder of prompts that replace the shipped ones.
        public var prompts: String?

        public init(provider: Provider, baseURL: String, model: String) {
            self.provider = provider
            self.baseURL = baseURL
            self.model = model
        }
    }

    public enum ReasoningEffort: String, Sendable, CaseIterable { case none, minimal, low, medium, high, xhigh, max }

    /// A field of every request; what is secret stays in the environment.
    public struct Header: Sendable, Equatable {
        public var name: String
        public var value: Value

        public enum Value: Sendable, Equatable {
            case literal(String)
            /// Name of an environment variable.
            case variable(String)
        }

        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    public enum Provider: String, Sendable, CaseIterable { case openai, anthropic, ollama }

    /// US dollars for a million tokens.
    public struct Price: Sendable, Equatable {
        public var input: Double
        public var output: Double
        /// Input that the server had in its cache; nil: as other input.
        public var cachedInput: Double?
        /// What a batch costs of these prices, 0–1; nil: not known, so that limits reckon with all of them.
        public var batch: Double?

        public init(input: Double, output: Double, cachedInput: Double? = nil, batch: Double? = nil) {
            self.input = input
            self.output = output
            self.cachedInput = cachedInput
            self.batch = batch
        }
    }

    /// A model that turns texts into vectors.
    public struct Embeddings: Sendable, Equatable {
        public var provider: Provider
        public var baseURL: String
        public var model: String
        public var keyVariable: String?
        public var keyFile: String?
        /// Least cosine, 0–1, at which an entry is proposed; nil: the standard, which is for all-MiniLM-L6-v2.
        public var threshold: Double?
        /// Languages that the model knows, as tags; empty: all.
        public var languages: [String] = []
        /// US dollars for a million tokens; nil: not known.
        public var price: Double?
        /// As ``LLM/requestTimeout``.
        public var requestTimeout: Double?
        /// As ``LLM/queueTimeout``.
        public var queueTimeout: Double?
        public var extraHeaders: [Header] = []

        public init(provider: Provider, baseURL: String, model: String) {
            self.provider = provider
            self.baseURL = baseURL
            self.model = model
        }
    }

    /// What a run may spend; nil: no limit.
    public struct Limits: Sendable, Equatable {
        /// US dollars.
        public var maxCost: Double?
        public var maxRequests: Int?
        public var maxTokens: Int?

        public init() {}
    }

    public init() {}

    /// Whether what goes to an address is encrypted or stays on this machine.
    static func staysSafe(_ url: String) -> Bool {
        guard url.hasPrefix("http://") else { return true }
        let authority = url.dropFirst(7).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
        let host = authority.prefix { $0 != ":" }
        // Every address of 127.0.0.0/8, and only if it is one: 127.evil.example is a name.
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return host.lowercased() == "localhost" || isLoopback
    }
}
