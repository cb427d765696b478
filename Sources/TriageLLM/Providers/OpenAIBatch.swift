import TriageCore

/// OpenAI's batches: a file of lines goes up, files of answers and of failures come down.
package struct OpenAIBatch: BatchProvider {
    private let endpoint: Endpoint
    private let chat: OpenAIChat

    package init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
        chat = OpenAIChat(endpoint)
    }

    /// From OpenAI's reference of 2026: 50,000 lines and 200 MB.
    package var limits: BatchLimits { BatchLimits(entries: 50_000, bytes: 200_000_000) }

    package func entry(_ question: BatchQuestion, features: ServerFeatures) -> [UInt8] {
        let body = endpoint.withExtra(chat.body(question.query, features: features))
        return JSONValue.object([
            JSONMember("custom_id", .string(question.id)), JSONMember("method", .string("POST")),
            JSONMember("url", .string("/v1/chat/completions")), JSONMember("body", .object(body)),
        ]).encoded + [0x0A]
    }

    package func upload(_ entries: [[UInt8]]) -> HTTPRequest? {
        var digest = SHA256()
        for entry in entries { digest.update(entry) }
        // A digest of the content cannot be in it, and is the same when the upload is tried again; RFC 2046 allows 70 bytes.
        let boundary = "triage-" + digest.hex().prefix(48)
        var body: [UInt8] = []
        body.reserveCapacity(entries.reduce(1024) { $0 + $1.count })
        func line(_ text: String) { body.append(contentsOf: (text + "\r\n").utf8) }
        line("--" + boundary)
        line("Content-Disposition: form-data; name=\"purpose\"")
        line("")
        line("batch")
        line("--" + boundary)
        line("Content-Disposition: form-data; name=\"file\"; filename=\"batch.jsonl\"")
        line("Content-Type: application/jsonl")
        line("")
        for entry in entries { body.append(contentsOf: entry) }
        line("")
        line("--" + boundary + "--")
        let type = HTTPHeader("content-type", "multipart/form-data; boundary=" + boundary)
        var request = HTTPRequest(.post, endpoint.url("/files"), headers: [type] + endpoint.headers, body: body)
        request.limits.total = .seconds(600)
        return request
    }

    package func uploaded(_ response: HTTPResponse) -> Result<String, CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let id = body["id"]?.string, BatchReading.isName(id) else { return .failure(.badOutput(.wrongIDs)) }
            return .success(id)
        }
    }

    package func create(_ entries: [[UInt8]], upload: String?) -> HTTPRequest {
        let body = JSONValue.object([
            JSONMember("input_file_id", .string(upload ?? "")),
            JSONMember("endpoint", .string("/v1/chat/completions")), JSONMember("completion_window", .string("24h")),
        ])
        return HTTPRequest(
            .post, endpoint.url("/batches"),
            headers: [HTTPHeader("content-type", "application/json")] + endpoint.headers, body: body.encoded)
    }

    package func status(of id: String) -> HTTPRequest { endpoint.get("/batches/" + BatchReading.name(id)) }

    package func cancel(_ id: String) -> HTTPRequest {
        HTTPRequest(
            .post, endpoint.url("/batches/" + BatchReading.name(id) + "/cancel"), headers: endpoint.headers)
    }

    package func recent() -> HTTPRequest { endpoint.get("/batches", query: "limit=100") }

    package func find(_ lost: LostBatch, in response: HTTPResponse) -> Result<[String], CallFailure> {
        BatchReading.recent(response, since: lost.since, created: { $0["created_at"]?.integer }) { row in
            // The upload was ours alone.
            lost.upload != nil && row["input_file_id"]?.string == lost.upload
        }
    }

    package func cleanUp(_ state: BatchState, upload: String?) -> [HTTPRequest] {
        ((upload.map { [$0] } ?? []) + state.files).map { endpoint.delete("/files/" + BatchReading.name($0)) }
    }

    package func state(_ response: HTTPResponse) -> Result<BatchState, CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let id = body["id"]?.string, BatchReading.isName(id) else { return .failure(.badOutput(.wrongIDs)) }
            let files = ["output_file_id", "error_file_id"].compactMap { body[$0]?.string }
            let counts = body["request_counts"]
            let phase: BatchState.Phase =
                switch body["status"]?.string {
                case "completed", "expired", "cancelled": .ended
                case "failed": .failed
                default: .running
                }
            let done = UsageCount.count(counts?["completed"])
            let failed = UsageCount.count(counts?["failed"])
            return .success(
                BatchState(
                    id: id, phase: phase, files: files.filter(BatchReading.isName),
                    done: done.map { $0 + (failed ?? 0) }, total: UsageCount.count(counts?["total"]),
                    badLines: (body["errors"]?["data"]?.array ?? []).compactMap { UsageCount.count($0["line"]) }))
        }
    }

    package func results(of state: BatchState) -> [HTTPRequest] {
        state.files.map { BatchReading.fetch(endpoint.get("/files/" + BatchReading.name($0) + "/content")) }
    }

    package func read(
        _ results: [HTTPResponse], to questions: [BatchQuestion]
    ) -> Result<BatchResults, CallFailure> {
        BatchReading.join(results, to: questions) { row, query in
            if let response = row["response"], !response.isNull, let body = response["body"] {
                let id = response["request_id"]?.string
                return .outcome(
                    chat.read(
                        HTTPResponse(
                            status: response["status_code"]?.integer ?? 200,
                            headers: id.map { [HTTPHeader("x-request-id", $0)] } ?? [], body: body.encoded),
                        to: query))
            }
            guard let error = ServerError(row), !error.labels.contains("batch_expired"),
                !error.labels.contains("batch_cancelled")
            else { return .unanswered }
            return .outcome(.failure(ErrorClassifier(HTTPResponse(status: 200)).failure(error)))
        }
    }
}
