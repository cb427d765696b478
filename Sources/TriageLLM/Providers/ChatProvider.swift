internal import Synchronization

/// One question to a chat model, the same for every provider.
package struct ChatQuery: Sendable, Equatable {
    package var model: String
    /// Instructions; the same for many queries, so that servers can keep them.
    package var system: String
    /// Data: never instructions.
    package var user: String
    /// What the answer must look like; nil: free text.
    package var schema: AnswerSchema?
    /// Most tokens that the answer may take.
    package var maxOutputTokens: Int

    package init(model: String, system: String, user: String, schema: AnswerSchema? = nil, maxOutputTokens: Int) {
        self.model = model
        self.system = system
        self.user = user
        self.schema = schema
        self.maxOutputTokens = maxOutputTokens
    }
}

/// What a model said.
package struct ChatReply: Sendable, Equatable {
    /// The answer, without thinking and fences; UTF-8.
    package var text: [UInt8]
    package var usage: TokenUsage
    /// The model that answered, as the server names it.
    package var model: String?
    /// The server's name for the call, for people who ask their provider.
    package var requestID: String?
    /// Whether the server says, or its counts show, that the answer was cut.
    package var isTruncated: Bool
    /// Whether the model thought before it answered.
    package var isReasoned: Bool

    package init(
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
package protocol ChatProvider: Sendable {
    /// The request that asks `query`, with no more than `features` asked of the server.
    func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest

    /// What an answer says; any bytes are an answer.
    func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure>

    /// Tokens that a failed answer says it used; nil when it does not say.
    func usage(in response: HTTPResponse) -> TokenUsage?
}

/// The shape of an answer in the subset of JSON Schema that every provider takes.
package struct AnswerSchema: Sendable, Equatable {
    /// `[A-Za-z0-9_-]`, at most 64.
    package let name: String
    package let root: JSONValue
    /// Bytes of ``root`` as compact JSON; known, because it is asked for with every request.
    package let size: Int
    /// As it goes out, by what a server enforces; shared by all copies.
    private let forms = Forms()

    package init(name: String, root: JSONValue) {
        self.name = name
        self.root = root
        size = root.encodedCount
    }

    package static func == (a: AnswerSchema, b: AnswerSchema) -> Bool {
        a.forms === b.forms || a.name == b.name && a.root == b.root
    }

    /// The schema as a server of this kind takes it, written once and not with every request.
    func written(for subset: SchemaSubset) -> JSONValue {
        forms.written.withLock { written in
            if let known = written[subset] { return known }
            let form = JSONValue.written(subset.reduced(root).encoded)
            written[subset] = form
            return form
        }
    }

    private final class Forms: Sendable {
        let written = Mutex<[SchemaSubset: JSONValue]>([:])
    }
}

/// Tokens by our own guess, for what no server has counted: before sending, and where an answer does not say.
///
/// A token is taken for 3.5 bytes of UTF-8, rounded up: English comes to about 4 bytes a token with the vocabularies
/// in use, other languages and JSON to about 3, so the guess is high for the one and fair for the others. It is a guess
/// for packing, reserving and forecasts; what was spent is what the server counted, where it counts.
package enum TokenEstimate {
    /// Tokens that the marks around a turn take: role, start and end, in the chat templates of common models.
    package static let perTurn = 8

    /// - Parameter bytes: of UTF-8; below 0 counts as 0.
    /// - Returns: 0 or more; never traps, and stays below `Int.max / 2`.
    package static func tokens(bytes: Int) -> Int {
        guard bytes > 0 else { return 0 }
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: 7)
        return whole * 2 + (rest * 2 + 6) / 7
    }

    package static func tokens(of text: String) -> Int {
        tokens(bytes: text.utf8.count)
    }

    /// Input of a query: its two turns and the schema, which servers put before the model in some form.
    package static func input(of query: ChatQuery) -> Int {
        var bytes = query.system.utf8.count + query.user.utf8.count
        if let schema = query.schema { bytes += schema.name.utf8.count + schema.size }
        return tokens(bytes: bytes) + 2 * perTurn
    }

    /// The most that a query can take, and so what is reserved for it: its input and its whole allowance for output.
    package static func most(of query: ChatQuery) -> Int {
        let (sum, overflow) = input(of: query).addingReportingOverflow(max(0, query.maxOutputTokens))
        return overflow ? Int.max : sum
    }
}

/// Asks a server for the names of its models.
package struct ModelListProvider: Sendable {
    private let endpoint: Endpoint

    package init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    /// The request, which is free of charge everywhere.
    package func request() -> HTTPRequest {
        switch endpoint.kind {
        case .openai: endpoint.get("/models")
        // Pages hold 20 unless more is asked for.
        case .anthropic: endpoint.get(endpoint.baseURL.contains("?") ? "/models" : "/models?limit=1000")
        case .ollama: endpoint.get("/tags")
        }
    }

    /// Names in the server's order, without those that cannot be printed.
    package func read(_ response: HTTPResponse) -> Result<[String], CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let rows = (body["data"] ?? body["models"])?.array else { return .failure(.transient(.inside)) }
            return .success(
                rows.compactMap { ($0["id"] ?? $0["model"] ?? $0["name"])?.string.flatMap(ReplyReading.label) })
        }
    }
}
