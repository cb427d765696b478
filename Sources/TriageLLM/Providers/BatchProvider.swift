/// How a server takes many queries at once, to answer within a day for about half the price: a pure description.
///
/// The course: ``entry(_:features:)`` for each question, ``upload(_:)`` if there is one, ``create(_:upload:)``, then
/// ``status(of:)`` until ``BatchState/phase`` is no longer `running`, ``results(of:)`` and ``read(_:to:)``. Keep the id of
/// ``BatchState`` before waiting: a batch that is lost is paid for twice.
public protocol BatchProvider: Sendable {
    var limits: BatchLimits { get }

    /// The bytes of one question; their sum is what ``limits`` is about.
    func entry(_ question: BatchQuestion, features: ServerFeatures) -> [UInt8]

    /// The request that hands over the entries; nil where ``create(_:upload:)`` holds them.
    func upload(_ entries: [[UInt8]]) -> HTTPRequest?

    /// The name of what was uploaded.
    func uploaded(_ response: HTTPResponse) -> Result<String, CallFailure>

    /// The request that starts the batch.
    func create(_ entries: [[UInt8]], upload: String?) -> HTTPRequest

    func status(of id: String) -> HTTPRequest

    /// Stops a batch; what was answered by then stays and is paid.
    func cancel(_ id: String) -> HTTPRequest

    /// The state in an answer to the requests of create, status and cancel.
    func state(_ response: HTTPResponse) -> Result<BatchState, CallFailure>

    /// The requests for all results of a batch that ended; none when it has none.
    func results(of state: BatchState) -> [HTTPRequest]

    /// Joins results with questions by id; answers come in any order and may be missing.
    func read(_ results: [HTTPResponse], to questions: [BatchQuestion]) -> Result<BatchResults, CallFailure>
}

extension ProviderKind {
    /// How an endpoint takes batches; nil where it does not.
    public static func batches(_ endpoint: Endpoint) -> (any BatchProvider)? {
        switch endpoint.kind {
        case .openai: OpenAIBatch(endpoint)
        case .anthropic: AnthropicBatch(endpoint)
        case .ollama: nil
        }
    }
}

/// What one batch may hold.
public struct BatchLimits: Sendable, Equatable {
    public var entries: Int
    public var bytes: Int

    public init(entries: Int, bytes: Int) {
        self.entries = entries
        self.bytes = bytes
    }
}

/// A query in a batch.
public struct BatchQuestion: Sendable, Equatable {
    /// `[A-Za-z0-9_-]`, 1 to 64, unique in its batch: Anthropic takes no other.
    public var id: String
    public var query: ChatQuery

    public init(id: String, query: ChatQuery) {
        self.id = id
        self.query = query
    }
}

/// How far a batch is.
public struct BatchState: Sendable, Equatable {
    public enum Phase: String, Sendable {
        case running
        /// Done, expired or cancelled: there may be results, not always for all.
        case ended
        /// Refused as a whole: there are none.
        case failed
    }

    /// To ask again by: `[A-Za-z0-9_-]`.
    public var id: String
    public var phase: Phase
    /// Names of files with answers and with failures, where results are files.
    public var files: [String]
    /// Questions with an answer so far and in all, if the server tells; Anthropic tells at the end.
    public var done: Int?
    public var total: Int?
    /// Numbers of the lines that a server refused, from 1.
    public var badLines: [Int]

    public init(
        id: String, phase: Phase, files: [String] = [], done: Int? = nil, total: Int? = nil, badLines: [Int] = []
    ) {
        self.id = id
        self.phase = phase
        self.files = files
        self.done = done
        self.total = total
        self.badLines = badLines
    }
}

/// What a batch brought.
public struct BatchResults: Sendable, Equatable {
    /// By id: answers, and failures that sending again does not heal.
    public var outcomes: [String: Result<ChatReply, CallFailure>] = [:]
    /// Ids to send again, in the order of the questions: expired, cancelled, missing, or failed in a way that may heal.
    public var again: [String] = []
    /// Lines with an id that was not asked, or that came before.
    public var strayLines = 0
    /// Lines that are not JSON, such as one that is cut.
    public var unreadableLines = 0

    public init() {}
}
