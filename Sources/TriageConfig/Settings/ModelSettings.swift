/// The settings of `triage.yaml` for language models, spending and the store.
package struct ModelSettings: Sendable, Equatable {
    package var llm: LLM?
    package var embeddings: Embeddings?
    package var limits = Limits()
    /// The path of the store, resolved relative to the folder of `triage.yaml`.
    package var store: String?

    /// A language model that is reached over HTTP.
    package struct LLM: Sendable, Equatable {
        package var provider: Provider
        package var baseURL: String
        package var model: String
        /// The name of the environment variable that holds the key; the key itself is never stored here.
        package var keyVariable: String?
        package var keyFile: String?
        package var maxConcurrency = 8
        package var price: Price?
        /// The `anthropic-version` header; nil: the provider's default.
        package var apiVersion: String?
        /// Whether an Anthropic key is sent as `Authorization: Bearer` instead of `x-api-key`.
        package var usesBearer = false
        /// Whether to send `max_completion_tokens` instead of `max_tokens`.
        package var usesCompletionTokens = false
        /// Ollama's context window in tokens.
        package var contextTokens = 8192
        /// The maximum number of messages in one request.
        package var pack = 8
        /// Whether to avoid HTTP/2.
        package var usesHTTP1Only = false
        /// A file of certificates to trust instead of the system's.
        package var caFile: String?
        /// Whether `http://` is allowed to other machines.
        package var allowsHTTP = false
        /// Whether addresses, numbers and handles are removed before anything is sent.
        package var redacts = false
        /// The time limit for one request after it is sent, in seconds; nil: the default.
        package var requestTimeout: Double?
        /// The maximum time that a message waits for its turn, in seconds; nil: no limit.
        package var queueTimeout: Double?
        /// How hard a reasoning model thinks; nil: not sent.
        package var reasoningEffort: ReasoningEffort?
        /// The maximum number of output tokens of a request, thinking included; nil: as the answer requires.
        package var maxOutputTokens: Int?
        /// A mapping whose members are added to the body of every request.
        package var extraBody: ConfigNode?
        /// Headers added to every request.
        package var extraHeaders: [Header] = []
        /// The model that writes drafts; nil: ``model`` does.
        package var draftModel: String?
        /// Whether the creator's own replies to others may be sent, as examples of their style.
        package var sharesVoice = false
        /// The folder of prompts that replace the shipped ones.
        package var prompts: String?

        package init(provider: Provider, baseURL: String, model: String) {
            self.provider = provider
            self.baseURL = baseURL
            self.model = model
        }
    }

    package enum ReasoningEffort: String, Sendable, CaseIterable { case none, minimal, low, medium, high, xhigh, max }

    /// A header of every request; secret values stay in the environment.
    package struct Header: Sendable, Equatable {
        package var name: String
        package var value: Value

        package enum Value: Sendable, Equatable {
            case literal(String)
            /// The name of an environment variable.
            case variable(String)
        }

        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    package enum Provider: String, Sendable, CaseIterable { case openai, anthropic, ollama }

    /// Prices in US dollars per million tokens.
    package struct Price: Sendable, Equatable {
        package var input: Double
        package var output: Double
        /// The price of input that the server had cached; nil: the same as other input.
        package var cachedInput: Double?
        /// The price of a batch as a fraction of these prices, 0–1; nil: unknown, so limits assume full prices.
        package var batch: Double?

        package init(input: Double, output: Double, cachedInput: Double? = nil, batch: Double? = nil) {
            self.input = input
            self.output = output
            self.cachedInput = cachedInput
            self.batch = batch
        }
    }

    /// A model that turns texts into vectors.
    package struct Embeddings: Sendable, Equatable {
        package var provider: Provider
        package var baseURL: String
        package var model: String
        package var keyVariable: String?
        package var keyFile: String?
        /// The minimum cosine, 0–1, for proposing an entry; nil: the default, which is for all-MiniLM-L6-v2.
        package var threshold: Double?
        /// The languages that the model supports, as tags; empty: all.
        package var languages: [String] = []
        /// US dollars per million tokens; nil: unknown.
        package var price: Double?
        /// As ``LLM/requestTimeout``.
        package var requestTimeout: Double?
        /// As ``LLM/queueTimeout``.
        package var queueTimeout: Double?
        package var extraHeaders: [Header] = []

        package init(provider: Provider, baseURL: String, model: String) {
            self.provider = provider
            self.baseURL = baseURL
            self.model = model
        }
    }

    /// What a run may spend; nil: no limit.
    package struct Limits: Sendable, Equatable {
        /// US dollars.
        package var maxCost: Double?
        package var maxRequests: Int?
        package var maxTokens: Int?

        package init() {}
    }

    package init() {}

    /// Whether requests to an address are encrypted or stay on this machine.
    static func staysSafe(_ url: String) -> Bool {
        guard url.hasPrefix("http://") else { return true }
        let authority = url.dropFirst(7).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
        let host = authority.prefix { $0 != ":" }
        // All addresses in 127.0.0.0/8, but only real addresses: 127.evil.example is a name.
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return host.lowercased() == "localhost" || isLoopback
    }
}
