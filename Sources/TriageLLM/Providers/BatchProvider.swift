/// How a server takes many queries at once, to answer within a day for about half the price: a pure description.
///
/// The course: ``entry(_:features:)`` for each question, ``upload(_:)`` if there is one, ``create(_:upload:)``, then
/// ``status(of:)`` until ``BatchState/phase`` is no longer `running`, ``results(of:)`` and ``read(_:to:)``. Keep the id of
/// ``BatchState`` before waiting: a batch that is lost is paid for twice.
package protocol BatchProvider: Sendable {
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

    /// The request for the batches of late, of which ``find(_:in:)`` makes sense.
    func recent() -> HTTPRequest

    /// The ids of batches that may be one that was lost; none where the server surely never took it.
    ///
    /// - Returns: a failure too when the answer does not go back far enough to say.
    func find(_ lost: LostBatch, in response: HTTPResponse) -> Result<[String], CallFailure>

    /// The requests that delete a batch's texts from the server; best sent when its results are safe.
    func cleanUp(_ state: BatchState, upload: String?) -> [HTTPRequest]

    /// The state in an answer to the requests of create, status and cancel.
    func state(_ response: HTTPResponse) -> Result<BatchState, CallFailure>

    /// The requests for all results of a batch that ended; none when it has none.
    func results(of state: BatchState) -> [HTTPRequest]

    /// Joins results with questions by id; answers come in any order and may be missing.
    func read(_ results: [HTTPResponse], to questions: [BatchQuestion]) -> Result<BatchResults, CallFailure>
}

extension ProviderKind {
    /// How an endpoint takes batches; nil where it does not.
    package static func batches(_ endpoint: Endpoint) -> (any BatchProvider)? {
        switch endpoint.kind {
        case .openai: OpenAIBatch(endpoint)
        case .anthropic: AnthropicBatch(endpoint)
        case .ollama: nil
        }
    }
}

/// What one batch may hold.
package struct BatchLimits: Sendable, Equatable {
    package var entries: Int
    package var bytes: Int

    package init(entries: Int, bytes: Int) {
        self.entries = entries
        self.bytes = bytes
    }
}

/// Fills batches one entry after the other and says when one is full.
package struct BatchFill: Sendable {
    /// Entries and bytes that a batch may hold.
    package let limits: BatchLimits
    package private(set) var entries: [[UInt8]] = []
    private var bytes = 0

    /// Bytes of the largest batch that is made, below what servers take: a batch is held in memory twice.
    package static let mostBytes = 64_000_000

    /// - Parameter limits: of the server.
    package init(_ limits: BatchLimits) {
        self.limits = BatchLimits(entries: max(1, limits.entries), bytes: min(limits.bytes, Self.mostBytes))
    }

    /// Whether there is room for an entry; always in an empty batch, for an entry cannot be divided.
    package func takes(_ entry: [UInt8]) -> Bool {
        // One byte more for what stands between entries.
        entries.isEmpty || entries.count < limits.entries && bytes + entry.count + 1 <= limits.bytes
    }

    package mutating func add(_ entry: [UInt8]) {
        entries.append(entry)
        bytes += entry.count + 1
    }
}

/// A query in a batch.
package struct BatchQuestion: Sendable, Equatable {
    /// `[A-Za-z0-9_-]`, 1 to 64, unique in its batch: Anthropic takes no other.
    package var id: String
    package var query: ChatQuery

    package init(id: String, query: ChatQuery) {
        self.id = id
        self.query = query
    }
}

/// What a batch brought.
package struct BatchResults: Sendable, Equatable {
    /// By id: answers, and failures that sending again does not heal.
    package var outcomes: [String: Result<ChatReply, CallFailure>] = [:]
    /// Ids to send again, in the order of the questions: expired, cancelled, missing, or failed in a way that may heal.
    package var again: [String] = []
    /// Lines with an id that was not asked, or that came before.
    package var strayLines = 0
    /// Lines that are not JSON, such as one that is cut.
    package var unreadableLines = 0

    package init() {}
}

/// How far a batch is.
package struct BatchState: Sendable, Equatable {
    package enum Phase: String, Sendable {
        case running
        /// Done, expired or cancelled: there may be results, not always for all.
        case ended
        /// Refused as a whole: there are none.
        case failed
    }

    /// To ask again by: `[A-Za-z0-9_-]`.
    package var id: String
    package var phase: Phase
    /// Names of files with answers and with failures, where results are files.
    package var files: [String]
    /// Questions with an answer so far and in all, if the server tells; Anthropic tells at the end.
    package var done: Int?
    package var total: Int?
    /// Numbers of the lines that a server refused, from 1.
    package var badLines: [Int]

    package init(
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

/// A batch of which nobody knows whether the server took it: the program ended before it read the answer.
package struct LostBatch: Sendable, Equatable {
    /// Name of what was uploaded for it, where that is how batches are made.
    package var upload: String?
    /// Questions in it.
    package var entries: Int
    /// Seconds since 1970 of just before it was sent.
    package var since: Int

    package init(upload: String? = nil, entries: Int, since: Int) {
        self.upload = upload
        self.entries = entries
        self.since = since
    }

    /// By how much a server's clock may be behind ours, in seconds.
    static let skew = 600
}

/// The parts of batches that both kinds share.
enum BatchReading {
    /// What results may take: batches are files, not answers.
    static let resultBytes = 512 << 20

    /// Whether a name can stand in an address as it is.
    static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
                    || $0 == 0x2D
            }
    }

    /// A name for an address: one that is none becomes `_`, so that no server and no file leads elsewhere.
    static func name(_ text: String) -> String { isName(text) ? text : "_" }

    static func fetch(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.limits.bodyBytes = resultBytes
        request.limits.total = .seconds(600)
        return request
    }

    /// The ids in a list of batches, newest first, that are wanted.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970; a list that has more and does not go back so far says nothing.
    ///   - created: seconds since 1970 of a batch.
    static func recent(
        _ response: HTTPResponse, since: Int, created: (JSONValue) -> Int?, isWanted: (JSONValue) -> Bool
    ) -> Result<[String], CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let rows = body["data"]?.array else { return .failure(.badOutput(.wrongSchema)) }
            let found = rows.filter(isWanted).compactMap { $0["id"]?.string }.filter(isName)
            if found.isEmpty, body["has_more"]?.bool == true {
                guard let last = rows.last.flatMap(created), last < since - LostBatch.skew else {
                    return .failure(.badOutput(.wrongIDs))
                }
            }
            return .success(found)
        }
    }

    /// One line of results, understood.
    enum Line {
        case outcome(Result<ChatReply, CallFailure>)
        /// Expired or cancelled: nothing is wrong with the question.
        case unanswered
    }

    /// Joins lines with questions.
    static func join(
        _ responses: [HTTPResponse], to questions: [BatchQuestion],
        line: (JSONValue, ChatQuery) -> Line
    ) -> Result<BatchResults, CallFailure> {
        var queries: [String: ChatQuery] = [:]
        for question in questions { queries[question.id] = question.query }
        var results = BatchResults()
        var seen: Set<String> = []
        for response in responses {
            guard (200..<300).contains(response.status) else { return .failure(ErrorClassifier.failure(response)) }
            for bytes in response.body.split(separator: 0x0A) where !bytes.allSatisfy(StrictJSON.isSpace) {
                guard let row = try? StrictJSON.parse(Array(bytes), surrogates: .replace) else {
                    results.unreadableLines += 1
                    continue
                }
                guard let id = row["custom_id"]?.string, let query = queries[id], seen.insert(id).inserted else {
                    results.strayLines += 1
                    continue
                }
                if case .outcome(let outcome) = line(row, query), !mayHeal(outcome) {
                    results.outcomes[id] = outcome
                }
            }
        }
        results.again = questions.map(\.id).filter { results.outcomes[$0] == nil }
        return .success(results)
    }

    private static func mayHeal(_ outcome: Result<ChatReply, CallFailure>) -> Bool {
        switch outcome {
        case .failure(.rateLimited), .failure(.overloaded), .failure(.transient): true
        default: false
        }
    }
}
