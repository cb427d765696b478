/// Anthropic's Messages API, and compatible servers.
package struct AnthropicMessages: ChatProvider {
    private typealias ReasoningEffort = Endpoint.ReasoningEffort

    private let endpoint: Endpoint
    private let instructions = WrittenText()

    package init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    package func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest {
        endpoint.post("/messages", body(query, features: features))
    }

    /// Members in a fixed order; the instructions are marked for the server's cache.
    func body(_ query: ChatQuery, features: ServerFeatures) -> [JSONMember] {
        var body = [
            JSONMember("model", .string(query.model)), JSONMember("max_tokens", .integer(query.maxOutputTokens)),
        ]
        let effort = features.contains(.reasoning) ? endpoint.settings.reasoningEffort : nil
        // Thinking and sampling exclude each other.
        if features.contains(.sampling), endpoint.takesSampling, effort == nil || effort == ReasoningEffort.none {
            body.append(JSONMember("temperature", .integer(0)))
        }
        var output: [JSONMember] = []
        if let effort {
            let mode = effort == .none ? "disabled" : "adaptive"
            body.append(JSONMember("thinking", .object([JSONMember("type", .string(mode))])))
            if effort != .none {
                output.append(JSONMember("effort", .string(effort == .minimal ? "low" : effort.rawValue)))
            }
        }
        if let schema = query.schema, features.contains(.schema) {
            let format: [JSONMember] = [
                JSONMember("type", .string("json_schema")),
                JSONMember("schema", schema.written(for: .withoutRanges)),
            ]
            output.append(JSONMember("format", .object(format)))
        }
        if !output.isEmpty { body.append(JSONMember("output_config", .object(output))) }
        let isFolded = features.contains(.foldedSystem)
        if !query.system.isEmpty, !isFolded {
            let block: [JSONMember] = [
                JSONMember("type", .string("text")), JSONMember("text", instructions.form(of: query.system)),
                JSONMember("cache_control", .object([JSONMember("type", .string("ephemeral"))])),
            ]
            body.append(JSONMember("system", .array([.object(block)])))
        }
        let turn: [JSONMember] = [
            JSONMember("role", .string("user")),
            JSONMember(
                "content", .string(isFolded && !query.system.isEmpty ? query.system + "\n\n" + query.user : query.user)),
        ]
        body.append(JSONMember("messages", .array([.object(turn)])))
        return body
    }

    package func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            let reason = body["stop_reason"]?.string
            if reason == "refusal" { return .failure(.refused) }
            if reason == "model_context_window_exceeded" { return .failure(.tooLong) }
            guard let blocks = body["content"]?.array else { return .failure(.transient(.inside)) }
            var found = ReplyReading.Found(
                isTruncated: reason == "max_tokens" || reason == "pause_turn", count: Self.count(body),
                model: body["model"]?.string, requestID: response.header("request-id") ?? body["id"]?.string)
            var tools: [JSONValue] = []
            for block in blocks {
                switch block["type"]?.string {
                case "text": found.content += block["text"]?.string ?? ""
                case "thinking": found.reasoning += block["thinking"]?.string ?? ""
                case "tool_use": tools.append(block["input"] ?? .null)
                default: break
                }
            }
            // Gateways may answer a schema with a tool call.
            if found.content.isEmpty, tools.count == 1, tools[0].members?.isEmpty == false {
                found.content = String(decoding: tools[0].encoded, as: UTF8.self)
            }
            return ReplyReading.reply(found, to: query)
        }
    }

    package func usage(in response: HTTPResponse) -> TokenUsage? {
        (try? StrictJSON.parse(response.body, surrogates: .replace)).flatMap { Self.count($0).stated }
    }

    /// Input is the sum of three fields: read, written to the cache, and read from the cache.
    private static func count(_ body: JSONValue) -> UsageCount {
        let usage = body["usage"]
        let cached = UsageCount.count(usage?["cache_read_input_tokens"])
        let written = UsageCount.count(usage?["cache_creation_input_tokens"])
        return UsageCount(
            input: UsageCount.count(usage?["input_tokens"]).map { $0 + (cached ?? 0) + (written ?? 0) },
            cached: cached, output: UsageCount.count(usage?["output_tokens"]),
            reasoning: UsageCount.count(usage?["output_tokens_details"]?["thinking_tokens"]))
    }
}

/// Anthropic's batches: the request contains the questions, and the results are one file of lines.
package struct AnthropicBatch: BatchProvider {
    private let endpoint: Endpoint
    private let chat: AnthropicMessages

    package init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
        chat = AnthropicMessages(endpoint)
    }

    /// According to Anthropic's reference of 2026: 100,000 requests or 256 MB, whichever comes first.
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

    /// Batches of this size created since then; the ids in their results show whose they are.
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

    /// The results at their documented address: `results_url` is not followed, because the key would go where it
    /// points.
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
