/// Describes how a server takes many queries at once, to answer within a day for about half the price.
///
/// The sequence: ``entry(_:features:)`` for each question, ``upload(_:)`` if there is one, ``create(_:upload:)``, then
/// ``status(of:)`` until ``BatchState/phase`` is no longer `running`, ``results(of:)`` and ``read(_:to:)``. Save the id
/// in ``BatchState`` before waiting: a lost batch is paid for twice.
package protocol BatchProvider: Sendable {
    var limits: BatchLimits { get }

    /// The bytes of one question; ``limits`` applies to their sum.
    func entry(_ question: BatchQuestion, features: ServerFeatures) -> [UInt8]

    /// The request that uploads the entries; nil if ``create(_:upload:)`` contains them.
    func upload(_ entries: [[UInt8]]) -> HTTPRequest?

    /// The server's name for the upload.
    func uploaded(_ response: HTTPResponse) -> Result<String, CallFailure>

    /// The request that starts the batch.
    func create(_ entries: [[UInt8]], upload: String?) -> HTTPRequest

    func status(of id: String) -> HTTPRequest

    /// The request that cancels a batch; answers made by then remain and are billed.
    func cancel(_ id: String) -> HTTPRequest

    /// The request for recent batches, which ``find(_:in:)`` reads.
    func recent() -> HTTPRequest

    /// The ids of batches that may be the lost one; none if the server certainly did not accept it.
    ///
    /// - Returns: also a failure when the answer does not go back far enough to tell.
    func find(_ lost: LostBatch, in response: HTTPResponse) -> Result<[String], CallFailure>

    /// The requests that delete a batch's texts from the server; send them once the results are safe.
    func cleanUp(_ state: BatchState, upload: String?) -> [HTTPRequest]

    /// The state in the response to a create, status or cancel request.
    func state(_ response: HTTPResponse) -> Result<BatchState, CallFailure>

    /// The requests for all results of a batch that ended; none if it has no results.
    func results(of state: BatchState) -> [HTTPRequest]

    /// Matches results to questions by id; answers come in any order and may be missing.
    func read(_ results: [HTTPResponse], to questions: [BatchQuestion]) -> Result<BatchResults, CallFailure>
}

extension ProviderKind {
    /// The batch provider of an endpoint; nil if it takes no batches.
    package static func batches(_ endpoint: Endpoint) -> (any BatchProvider)? {
        switch endpoint.kind {
        case .openai: OpenAIBatch(endpoint)
        case .anthropic: AnthropicBatch(endpoint)
        case .ollama: nil
        }
    }
}

/// Limits for one batch.
package struct BatchLimits: Sendable, Equatable {
    package var entries: Int
    package var bytes: Int
}

/// Fills batches entry by entry, and says when one is full.
package struct BatchFill: Sendable {
    /// The limits on entries and bytes of a batch.
    package let limits: BatchLimits
    package private(set) var entries: [[UInt8]] = []
    private var bytes = 0

    /// The size limit of a batch, in bytes; lower than the servers' limits, because a batch is held in memory twice.
    package static let mostBytes = 64_000_000

    /// - Parameter limits: the server's limits.
    package init(_ limits: BatchLimits) {
        self.limits = BatchLimits(entries: max(1, limits.entries), bytes: min(limits.bytes, Self.mostBytes))
    }

    /// Whether there is room for an entry; an empty batch always has room, because an entry cannot be divided.
    package func takes(_ entry: [UInt8]) -> Bool {
        // One more byte for the separator between entries.
        entries.isEmpty || entries.count < limits.entries && bytes + entry.count + 1 <= limits.bytes
    }

    package mutating func add(_ entry: [UInt8]) {
        entries.append(entry)
        bytes += entry.count + 1
    }
}

/// A query in a batch.
package struct BatchQuestion: Sendable, Equatable {
    /// `[A-Za-z0-9_-]`, 1 to 64 characters, unique in its batch: Anthropic accepts nothing else.
    package var id: String
    package var query: ChatQuery
}

/// The results of a batch.
package struct BatchResults: Sendable, Equatable {
    /// By id: answers, and failures that sending again would not fix.
    package var outcomes: [String: Result<ChatReply, CallFailure>] = [:]
    /// Ids to send again, in the order of the questions: expired, cancelled, missing, or failed temporarily.
    package var again: [String] = []
    /// Lines with an id that was not sent, or that occurred before.
    package var strayLines = 0
    /// Lines that are not JSON, such as a line that was cut off.
    package var unreadableLines = 0

    package init() {}
}

/// The progress of a batch.
package struct BatchState: Sendable, Equatable {
    package enum Phase: String, Sendable {
        case running
        /// Done, expired or cancelled: there may be results, but not always for all questions.
        case ended
        /// Refused as a whole: there are no results.
        case failed
    }

    /// The id for further requests: `[A-Za-z0-9_-]`.
    package var id: String
    package var phase: Phase
    /// The names of the files with answers and with failures, if results are files.
    package var files: [String] = []
    /// The number of questions answered so far and in all, if the server reports it; Anthropic reports it at the end.
    package var done: Int?
    package var total: Int?
    /// The numbers of the lines that a server refused, from 1.
    package var badLines: [Int] = []
}

/// A batch that the server may or may not have accepted, because the program ended before it read the response.
package struct LostBatch: Sendable, Equatable {
    /// The name of its upload, for providers whose batches are made from one.
    package var upload: String?
    /// The number of questions in it.
    package var entries: Int
    /// When the batch was about to be sent, in seconds since 1970.
    package var since: Int

    package init(upload: String? = nil, entries: Int, since: Int) {
        self.upload = upload
        self.entries = entries
        self.since = since
    }

    /// By how many seconds a server's clock may be behind ours.
    static let skew = 600
}

/// Code that both kinds of batches share.
enum BatchReading {
    /// The size limit of results: batch results are files, much larger than answers.
    static let resultBytes = 512 << 20

    /// Whether a name can be used in an address unchanged.
    static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
                    || $0 == 0x2D
            }
    }

    /// A name for use in an address; an invalid one becomes `_`, so that neither a server nor a file can redirect a
    /// request.
    static func name(_ text: String) -> String { isName(text) ? text : "_" }

    static func fetch(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.limits.bodyBytes = resultBytes
        request.limits.total = .seconds(600)
        return request
    }

    /// The wanted ids in a list of batches, newest first.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970; an incomplete list that does not go back that far proves nothing.
    ///   - created: when a batch was created, in seconds since 1970.
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

    /// A parsed line of results.
    enum Line {
        case outcome(Result<ChatReply, CallFailure>)
        /// Expired or cancelled: nothing is wrong with the question.
        case unanswered
    }

    /// Matches lines with questions.
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
