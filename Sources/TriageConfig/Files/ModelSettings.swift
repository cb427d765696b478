/// What `triage.yaml` says about models, spending and the store; read and checked, though rules alone decide so far.
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

        public init(provider: Provider, baseURL: String, model: String) {
            self.provider = provider
            self.baseURL = baseURL
            self.model = model
        }
    }

    public enum Provider: String, Sendable, CaseIterable { case openai, anthropic, ollama }

    /// US dollars for a million tokens.
    public struct Price: Sendable, Equatable {
        public var input: Double
        public var output: Double

        public init(input: Double, output: Double) {
            self.input = input
            self.output = output
        }
    }

    /// A model that turns texts into vectors.
    public struct Embeddings: Sendable, Equatable {
        public var provider: Provider
        public var baseURL: String
        public var model: String
        public var keyVariable: String?
        public var keyFile: String?

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
        /// Answers less sure than this are asked again of the language model.
        public var escalateBelow = 0.8

        public init() {}
    }

    public init() {}
}
