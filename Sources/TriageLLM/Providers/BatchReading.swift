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
