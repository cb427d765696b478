/// Ollama's native API: each request sets the context window, and thinking is off unless an effort is set.
package struct OllamaChat: ChatProvider {
    private let endpoint: Endpoint
    private let instructions = WrittenText()

    package init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    package func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest {
        var options = [
            JSONMember("num_ctx", .integer(endpoint.settings.contextTokens)),
            JSONMember("num_predict", .integer(query.maxOutputTokens)),
        ]
        if features.contains(.sampling) {
            options.append(JSONMember("temperature", .integer(0)))
            if !features.contains(.seedless) {
                options.append(JSONMember("seed", .integer(endpoint.settings.seed)))
            }
        }
        var body = [
            JSONMember("model", .string(query.model)), JSONMember("stream", .bool(false)),
        ]
        if let effort = endpoint.settings.reasoningEffort {
            if features.contains(.reasoning) { body.append(JSONMember("think", Self.think(effort))) }
        } else {
            body.append(JSONMember("think", .bool(false)))
        }
        body.append(JSONMember("options", .object(options)))
        if let schema = query.schema {
            if features.contains(.schema) {
                body.append(JSONMember("format", schema.written(for: .withRanges)))
            } else if features.contains(.jsonObject) {
                body.append(JSONMember("format", .string("json")))
            }
        }
        body.append(JSONMember("messages", instructions.turns(of: query, folded: features.contains(.foldedSystem))))
        return endpoint.post("/chat", body)
    }

    /// The effort in the levels that Ollama has.
    private static func think(_ effort: Endpoint.ReasoningEffort) -> JSONValue {
        switch effort {
        case .none: .bool(false)
        case .minimal, .low: .string("low")
        case .medium: .string("medium")
        case .high, .xhigh, .max: .string("high")
        }
    }

    package func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            guard let message = body["message"], message.members != nil else {
                return .failure(.transient(.inside))
            }
            let count = Self.count(body)
            if isCut(query, counted: count.input) { return .failure(.tooLong) }
            let found = ReplyReading.Found(
                content: message["content"]?.string ?? "", reasoning: message["thinking"]?.string ?? "",
                isTruncated: body["done_reason"]?.string == "length" || body["done"]?.bool == false, count: count,
                model: body["model"]?.string, requestID: response.header("x-request-id"))
            return ReplyReading.reply(found, to: query)
        }
    }

    package func usage(in response: HTTPResponse) -> TokenUsage? {
        (try? StrictJSON.parse(response.body, surrogates: .replace)).flatMap { Self.count($0).stated }
    }

    private static func count(_ body: JSONValue) -> UsageCount {
        UsageCount(
            input: UsageCount.count(body["prompt_eval_count"]), output: UsageCount.count(body["eval_count"]))
    }

    /// Whether the server silently cut the prompt: it read fewer than half of our estimated tokens.
    ///
    /// It cannot have cut below its own default of 4,096, because a token is at least one byte.
    private func isCut(_ query: ChatQuery, counted: Int?) -> Bool {
        guard let counted, counted > 0 else { return false }
        let bytes = query.system.utf8.count + query.user.utf8.count
        guard bytes >= min(4096, endpoint.settings.contextTokens) else { return false }
        return counted < TokenEstimate.tokens(bytes: bytes) / 2
    }
}
