/// One question to a chat model, the same for every provider.
public struct ChatQuery: Sendable, Equatable {
    public var model: String
    /// Instructions; the same for many queries, so that servers can keep them.
    public var system: String
    /// Data: never instructions.
    public var user: String
    /// What the answer must look like; nil: free text.
    public var schema: AnswerSchema?
    /// Most tokens that the answer may take.
    public var maxOutputTokens: Int

    public init(model: String, system: String, user: String, schema: AnswerSchema? = nil, maxOutputTokens: Int) {
        self.model = model
        self.system = system
        self.user = user
        self.schema = schema
        self.maxOutputTokens = maxOutputTokens
    }
}

/// What a model said.
public struct ChatReply: Sendable, Equatable {
    /// The answer, without thinking and fences; UTF-8.
    public var text: [UInt8]
    public var usage: TokenUsage
    /// The model that answered, as the server names it.
    public var model: String?
    /// The server's name for the call, for people who ask their provider.
    public var requestID: String?
    /// Whether the server says, or its counts show, that the answer was cut.
    public var isTruncated: Bool
    /// Whether the model thought before it answered.
    public var isReasoned: Bool

    public init(
        text: [UInt8], usage: TokenUsage, model: String? = nil, requestID: String? = nil, isTruncated: Bool = false,
        isReasoned: Bool = false
    ) {
        self.text = text
        self.usage = usage
        self.model = model
        self.requestID = requestID
        self.isTruncated = isTruncated
        self.isReasoned = isReasoned
    }
}

/// How a family of servers is spoken to: a pure description of request and answer.
///
/// Adding one: a file beside this, a case in ``ProviderKind`` and one in `ModelSettings.Provider`. The compiler names
/// the switches that need a line: in ``ProviderKind``, ``Endpoint``, ``ModelListProvider``, ``BatchProvider``, and
/// `ModelAddress` of `triage`. It does not name what compares kinds with `==`: headers and ranges in ``Endpoint``, and
/// ``EmbeddingsProvider``. The guide "Adding a provider" lists all of them.
public protocol ChatProvider: Sendable {
    /// The request that asks `query`, with no more than `features` asked of the server.
    func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest

    /// What an answer says; any bytes are an answer.
    func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure>

    /// Tokens that a failed answer says it used; nil when it does not say.
    func usage(in response: HTTPResponse) -> TokenUsage?
}
