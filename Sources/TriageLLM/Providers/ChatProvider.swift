internal import Synchronization

/// One question to a chat model, the same for every provider.
package struct ChatQuery: Sendable, Equatable {
    package var model: String
    /// Instructions; the same for many queries, so that servers can cache them.
    package var system: String
    /// Data, never instructions.
    package var user: String
    /// The required format of the answer; nil: free text.
    package var schema: AnswerSchema?
    /// The maximum number of output tokens.
    package var maxOutputTokens: Int

    package init(model: String, system: String, user: String, schema: AnswerSchema? = nil, maxOutputTokens: Int) {
        self.model = model
        self.system = system
        self.user = user
        self.schema = schema
        self.maxOutputTokens = maxOutputTokens
    }
}

/// A model's reply.
package struct ChatReply: Sendable, Equatable {
    /// The answer as UTF-8, without thinking and fences.
    package var text: [UInt8]
    package var usage: TokenUsage
    /// The model that answered, as the server names it.
    package var model: String?
    /// The server's id for the call, for people who ask their provider about it.
    package var requestID: String?
    /// Whether the answer was cut off, as the server says or its counts show.
    package var isTruncated = false
    /// Whether the model thought before it answered.
    package var isReasoned = false
}

/// Describes the requests and responses of a family of servers, without sending anything.
///
/// To add one: a file beside this one, a case in ``ProviderKind`` and one in `ModelSettings.Provider`. The compiler
/// names the switches that need a line: in ``ProviderKind``, ``Endpoint``, ``ModelListProvider``, ``BatchProvider``,
/// and `ModelAddress` of TriageRun. It does not name code that compares kinds with `==`, such as headers and ranges in
/// ``Endpoint``, and ``EmbeddingsProvider``. The guide "Adding a provider" lists all of them.
package protocol ChatProvider: Sendable {
    /// The request for `query`, which asks the server for `features` at most.
    func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest

    /// Reads a response; any bytes are accepted.
    func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure>

    /// The tokens that a failed response reports; nil when it reports none.
    func usage(in response: HTTPResponse) -> TokenUsage?
}

/// The format of an answer, in the subset of JSON Schema that every provider accepts.
package struct AnswerSchema: Sendable, Equatable {
    /// `[A-Za-z0-9_-]`, at most 64 characters.
    package let name: String
    package let root: JSONValue
    /// The number of bytes of ``root`` as compact JSON; stored, because every request needs it.
    package let size: Int
    /// The encoded forms, by what servers enforce; shared by all copies.
    private let forms = Forms()

    package init(name: String, root: JSONValue) {
        self.name = name
        self.root = root
        size = root.encodedCount
    }

    package static func == (a: AnswerSchema, b: AnswerSchema) -> Bool {
        a.forms === b.forms || a.name == b.name && a.root == b.root
    }

    /// The schema in the form for this kind of server, encoded once and not for every request.
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

/// Our own token estimates, used before sending and when a response reports no counts.
///
/// A token is taken to be 3.5 bytes of UTF-8, rounded up. With current vocabularies, English has about 4 bytes a token,
/// other languages and JSON about 3, so the estimate is high for the former and fair for the latter. It is used for
/// packing, reserving and forecasts; actual spending is what the server counted, if it counts.
package enum TokenEstimate {
    /// The tokens that mark a turn (role, start and end) in the chat templates of common models.
    package static let perTurn = 8

    /// - Parameter bytes: bytes of UTF-8; a negative number counts as 0.
    /// - Returns: 0 or more; never traps, and stays below `Int.max / 2`.
    package static func tokens(bytes: Int) -> Int {
        guard bytes > 0 else { return 0 }
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: 7)
        return whole * 2 + (rest * 2 + 6) / 7
    }

    package static func tokens(of text: String) -> Int {
        tokens(bytes: text.utf8.count)
    }

    /// The input of a query: its two turns and the schema, which servers present to the model in some form.
    package static func input(of query: ChatQuery) -> Int {
        var bytes = query.system.utf8.count + query.user.utf8.count
        if let schema = query.schema { bytes += schema.name.utf8.count + schema.size }
        return tokens(bytes: bytes) + 2 * perTurn
    }

    /// The most that a query can use, which is what is reserved for it: its input and its whole output allowance.
    package static func most(of query: ChatQuery) -> Int {
        let (sum, overflow) = input(of: query).addingReportingOverflow(max(0, query.maxOutputTokens))
        return overflow ? Int.max : sum
    }
}

/// Asks a server for the names of its models.
package struct ModelListProvider: Sendable {
    private let endpoint: Endpoint

    package init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    /// The request, which is free everywhere.
    package func request() -> HTTPRequest {
        switch endpoint.kind {
        case .openai: endpoint.get("/models")
        // A page has 20 names unless more are requested.
        case .anthropic: endpoint.get(endpoint.baseURL.contains("?") ? "/models" : "/models?limit=1000")
        case .ollama: endpoint.get("/tags")
        }
    }

    /// The names in the server's order, without those that cannot be printed.
    package func read(_ response: HTTPResponse) -> Result<[String], CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let rows = (body["data"] ?? body["models"])?.array else { return .failure(.transient(.inside)) }
            return .success(
                rows.compactMap { ($0["id"] ?? $0["model"] ?? $0["name"])?.string.flatMap(ReplyReading.label) })
        }
    }
}
