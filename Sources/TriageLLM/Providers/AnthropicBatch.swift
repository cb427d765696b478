/// Anthropic's batches: the questions are in the request, the results one file of lines.
package struct AnthropicBatch: BatchProvider {
    private let endpoint: Endpoint
    private let chat: AnthropicMessages

    package init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
        chat = AnthropicMessages(endpoint)
    }

    /// From Anthropic's reference of 2026: 100,000 requests or 256 MB, whichever is first.
    package var limits: BatchLimits { BatchLimits(entries: 100_000, bytes: 256_000_000) }

    package func entry(_ question: BatchQuestion, features: ServerFeatures) -> [UInt8] {
        let body = endpoint.withExtra(chat.body(question.query, features: features))
        return JSONValue.object([
            JSONMember("custom_id", .string(question.id)), JSONMember("params", .object(body)),
        ]).encoded
    }

    package func upload(_ entries: [[UInt8]]) -> HTTPRequest? { nil }

    package func uploaded(_ response: HTTPResponse) -> Result<String, CallFailure> {
        .failure(.configuration(status: response.status))
    }

    package func create(_ entries: [[UInt8]], upload: String?) -> HTTPRequest {
        var body = Array("{\"requests\":[".utf8)
        body.reserveCapacity(entries.reduce(16) { $0 + $1.count + 1 })
        for (i, entry) in entries.enumerated() {
            if i > 0 { body.append(UInt8(ascii: ",")) }
            body.append(contentsOf: entry)
        }
        body.append(contentsOf: "]}".utf8)
        var request = HTTPRequest(
            .post, endpoint.url("/messages/batches"),
            headers: [HTTPHeader("content-type", "application/json")] + endpoint.headers, body: body)
        request.limits.total = .seconds(600)
        return request
    }

    package func status(of id: String) -> HTTPRequest { endpoint.get("/messages/batches/" + BatchReading.name(id)) }

    package func cancel(_ id: String) -> HTTPRequest {
        HTTPRequest(
            .post, endpoint.url("/messages/batches/" + BatchReading.name(id) + "/cancel"), headers: endpoint.headers)
    }

    package func recent() -> HTTPRequest { endpoint.get("/messages/batches", query: "limit=100") }

    /// Batches of this size that were made since; whose they are shows by the ids in their results.
    package func find(_ lost: LostBatch, in response: HTTPResponse) -> Result<[String], CallFailure> {
        func created(_ row: JSONValue) -> Int? { row["created_at"]?.string.flatMap { WireTime.rfc3339($0) } }
        return BatchReading.recent(response, since: lost.since, created: created) { row in
            let names = ["processing", "succeeded", "errored", "canceled", "expired"]
            let counts = names.compactMap { UsageCount.count(row["request_counts"]?[$0]) }
            let isOfSize = counts.isEmpty || counts.reduce(0, +) == lost.entries
            return isOfSize && (created(row) ?? Int.max) >= lost.since - LostBatch.skew
        }
    }

    package func cleanUp(_ state: BatchState, upload: String?) -> [HTTPRequest] {
        [endpoint.delete("/messages/batches/" + BatchReading.name(state.id))]
    }

    package func state(_ response: HTTPResponse) -> Result<BatchState, CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let id = body["id"]?.string, BatchReading.isName(id) else { return .failure(.badOutput(.wrongIDs)) }
            let counts = body["request_counts"]
            let ended = ["succeeded", "errored", "canceled", "expired"].compactMap { UsageCount.count(counts?[$0]) }
            let done = counts == nil ? nil : ended.reduce(0, +)
            return .success(
                BatchState(
                    id: id, phase: body["processing_status"]?.string == "ended" ? .ended : .running, done: done,
                    total: UsageCount.count(counts?["processing"]).flatMap { left in done.map { $0 + left } }))
        }
    }

    /// The results at their documented place: `results_url` is not followed, for the key would go where it points.
    package func results(of state: BatchState) -> [HTTPRequest] {
        state.phase == .ended
            ? [BatchReading.fetch(endpoint.get("/messages/batches/" + BatchReading.name(state.id) + "/results"))] : []
    }

    package func read(
        _ results: [HTTPResponse], to questions: [BatchQuestion]
    ) -> Result<BatchResults, CallFailure> {
        BatchReading.join(results, to: questions) { row, query in
            let result = row["result"]
            switch result?["type"]?.string {
            case "succeeded":
                guard let message = result?["message"] else { return .unanswered }
                return .outcome(chat.read(HTTPResponse(status: 200, body: message.encoded), to: query))
            case "errored":
                let inner = result?["error"]
                let body = inner?["error"] == nil ? JSONValue.object([JSONMember("error", inner ?? .null)]) : inner
                guard let body, let error = ServerError(body) else { return .outcome(.failure(.transient(.inside))) }
                return .outcome(.failure(ErrorClassifier(HTTPResponse(status: 200)).failure(error)))
            default: return .unanswered
            }
        }
    }
}
