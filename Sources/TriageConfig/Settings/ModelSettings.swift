/// What `triage.yaml` says about language models, spending and the store.
package struct ModelSettings: Sendable, Equatable {
    package var llm: LLM?
    package var embeddings: Embeddings?
    package var limits = Limits()
    /// Path of the store, resolved against the folder of `triage.yaml`.
    package var store: String?

    /// A language model that is reached over HTTP.
    package struct LLM: Sendable, Equatable {
        package var provider: Provider
        package var baseURL: String
        package var model: String
        /// Name of the environment variable that holds the key; the key itself is never kept here.
        package var keyVariable: String?
        package var keyFile: String?
        package var maxConcurrency = 8
        package var price: Price?
        /// `anthropic-version`; nil: the provider's standard.
        package var apiVersion: String?
        /// Whether an Anthropic key goes as `Authorization: Bearer` in place of `x-api-key`.
        package var usesBearer = false
        /// `max_completion_tokens` in place of `max_tokens`.
        package var usesCompletionTokens = false
        /// Ollama's context window in tokens.
        package var contextTokens = 8192
        /// Most messages in one request.
        package var pack = 8
        /// Whether HTTP/2 is left alone.
        package var usesHTTP1Only = false
        /// Certificates that are trusted in place of the system's.
        package var caFile: String?
        /// Whether `http://` may go to another machine.
        package var allowsHTTP = false
        /// Whether addresses, numbers and handles are taken out before anything leaves.
        package var redacts = false
        /// Most seconds that one request may take from the moment it goes out; nil: the standard.
        package var requestTimeout: Double?
        /// Most seconds that a message waits for its turn; nil: as long as it takes.
        package var queueTimeout: Double?
        /// How hard a model thinks that does; nil: nothing is said of it.
        package var reasoningEffort: ReasoningEffort?
        /// Most tokens of a request's answer, thinking included; nil: by what the answer needs.
        package var maxOutputTokens: Int?
        /// A mapping whose members are added to the body of every request.
        package var extraBody: ConfigNode?
        /// Fields added to every request.
        package var extraHeaders: [Header] = []
        /// Writes drafts in place of ``model``; nil: ``model`` does.
        package var draftModel: String?
        /// Whether the creator's own replies to others may go along, as examples of how they write.
        package var sharesVoice = false
        /// Folder of prompts that replace the shipped ones.
        package var prompts: String?

        package init(provider: Provider, baseURL: String, model: String) {
            self.provider = provider
            self.baseURL = baseURL
            self.model = model
        }
    }

    package enum ReasoningEffort: String, Sendable, CaseIterable { case none, minimal, low, medium, high, xhigh, max }

    /// A field of every request; what is secret stays in the environment.
    package struct Header: Sendable, Equatable {
        package var name: String
        package var value: Value

        package enum Value: Sendable, Equatable {
            case literal(String)
            /// Name of an environment variable.
            case variable(String)
        }

        package init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    package enum Provider: String, Sendable, CaseIterable { case openai, anthropic, ollama }

    /// US dollars for a million tokens.
    package struct Price: Sendable, Equatable {
        package var input: Double
        package var output: Double
        /// Input that the server had in its cache; nil: as other input.
        package var cachedInput: Double?
        /// What a batch costs of these prices, 0–1; nil: not known, so that limits reckon with all of them.
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
        /// Least cosine, 0–1, at which an entry is proposed; nil: the standard, which is for all-MiniLM-L6-v2.
        package var threshold: Double?
        /// Languages that the model knows, as tags; empty: all.
        package var languages: [String] = []
        /// US dollars for a million tokens; nil: not known.
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
