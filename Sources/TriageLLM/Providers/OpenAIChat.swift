import TriageCore

/// Chat completions: OpenAI, llama.cpp, vLLM, LM Studio, OpenRouter, LiteLLM and other compatible servers.
package struct OpenAIChat: ChatProvider {
    private let endpoint: Endpoint
    private let address: String
    private let subset: SchemaSubset
    private let instructions = WrittenText()

    package init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
        address = endpoint.url("/chat/completions")
        subset = endpoint.keepsRanges ? .withRanges : .withoutRanges
    }

    package func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest {
        endpoint.post(to: address, body(query, features: features))
    }

    /// Members in a fixed order, so that equal queries have equal bytes and servers can cache them.
    func body(_ query: ChatQuery, features: ServerFeatures) -> [JSONMember] {
        var body = [
            JSONMember("model", .string(query.model)), JSONMember("stream", .bool(false)),
            JSONMember(
                features.contains(.completionTokens) ? "max_completion_tokens" : "max_tokens",
                .integer(query.maxOutputTokens)),
        ]
        if features.contains(.sampling) {
            body.append(JSONMember("temperature", .integer(0)))
            if !features.contains(.seedless) {
                body.append(JSONMember("seed", .integer(endpoint.settings.seed)))
            }
        }
        if let effort = endpoint.settings.reasoningEffort, features.contains(.reasoning) {
            body.append(JSONMember("reasoning_effort", .string(effort.rawValue)))
        }
        if let schema = query.schema {
            if features.contains(.schema) {
                let inner: [JSONMember] = [
                    JSONMember("name", .string(schema.name)), JSONMember("strict", .bool(true)),
                    JSONMember("schema", schema.written(for: subset)),
                ]
                body.append(
                    JSONMember(
                        "response_format",
                        .object([
                            JSONMember("type", .string("json_schema")), JSONMember("json_schema", .object(inner)),
                        ])))
            } else if features.contains(.jsonObject) {
                body.append(
                    JSONMember("response_format", .object([JSONMember("type", .string("json_object"))])))
            }
        }
        body.append(JSONMember("messages", instructions.turns(of: query, folded: features.contains(.foldedSystem))))
        return body
    }

    package func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let choices = body["choices"]?.array else { return .failure(.transient(.inside)) }
            guard let choice = choices.first, let message = choice["message"] else {
                return .failure(.badOutput(.empty))
            }
            if choice["error"] != nil, let error = ServerError(choice) {
                return .failure(ErrorClassifier(response).failure(error))
            }
            let reason = choice["finish_reason"]?.string
            if reason == "error" { return .failure(.transient(.inside)) }
            let content = Self.content(message)
            let isRefusal = content == nil || !(message["refusal"]?.string ?? "").isEmpty
            guard let content, !isRefusal, !Self.isFiltered(reason) else { return .failure(.refused) }
            let found = ReplyReading.Found(
                content: content,
                reasoning: message["reasoning_content"]?.string ?? message["reasoning"]?.string ?? "",
                isTruncated: ["length", "max_tokens", "model_length", "MAX_TOKENS"].contains(reason),
                count: Self.count(body),
                model: body["model"]?.string, requestID: response.header("x-request-id") ?? body["id"]?.string)
            return ReplyReading.reply(found, to: query)
        }
    }

    /// Whether a content filter ended the answer, by the names that OpenAI and servers behind gateways use.
    private static func isFiltered(_ reason: String?) -> Bool {
        guard let reason = reason?.lowercased() else { return false }
        return [
            "content_filter", "refusal", "safety", "prohibited_content", "blocklist", "recitation", "spii",
            "moderation",
        ].contains(reason)
    }

    package func usage(in response: HTTPResponse) -> TokenUsage? {
        (try? StrictJSON.parse(response.body, surrogates: .replace)).flatMap { Self.count($0).stated }
    }

    /// The text of a message, in whatever form; nil if one of its parts is a refusal.
    private static func content(_ message: JSONValue) -> String? {
        switch message["content"] {
        case .string(let text) where !text.isEmpty: return text
        case .array(let parts):
            var text = ""
            for part in parts {
                if part["type"]?.string == "refusal" { return nil }
                text += part["text"]?.string ?? part.string ?? ""
            }
            return text
        default:
            // Some gateways turn a schema into a tool and answer with its arguments.
            let calls = message["tool_calls"]?.array ?? []
            return calls.count == 1 ? calls[0]["function"]?["arguments"]?.string ?? "" : ""
        }
    }

    private static func count(_ body: JSONValue) -> UsageCount {
        let usage = body["usage"]
        return UsageCount(
            input: UsageCount.count(usage?["prompt_tokens"] ?? usage?["input_tokens"]),
            cached: UsageCount.count(usage?["prompt_tokens_details"]?["cached_tokens"]),
            output: UsageCount.count(usage?["completion_tokens"] ?? usage?["output_tokens"]),
            reasoning: UsageCount.count(
                usage?["completion_tokens_details"]?["reasoning_tokens"] ?? usage?["reasoning_tokens"]))
    }
}

/// OpenAI's batches: one file of lines is uploaded; files of answers and of failures are downloaded.
package struct OpenAIBatch: BatchProvider {
    private let endpoint: Endpoint
    private let chat: OpenAIChat

    package init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
        chat = OpenAIChat(endpoint)
    }

    /// According to OpenAI's reference of 2026: 50,000 lines and 200 MB.
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
        // A digest of the content cannot occur in it, and a repeated upload has the same one; RFC 2046 allows 70 bytes.
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
            // Only we know the upload.
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
