/// Anthropic's Messages interface, and what speaks like it.
package struct AnthropicMessages: ChatProvider {
    private typealias ReasoningEffort = Endpoint.ReasoningEffort

    private let endpoint: Endpoint
    private let instructions = WrittenText()

    package init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    package func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest {
        endpoint.post("/messages", body(query, features: features))
    }

    /// Members in an order that never changes; the instructions are marked for the server's cache.
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
            // Gateways may answer a schema with the call of a tool.
            if found.content.isEmpty, tools.count == 1, tools[0].members?.isEmpty == false {
                found.content = String(decoding: tools[0].encoded, as: UTF8.self)
            }
            return ReplyReading.reply(found, to: query)
        }
    }

    package func usage(in response: HTTPResponse) -> TokenUsage? {
        (try? StrictJSON.parse(response.body, surrogates: .replace)).flatMap { Self.count($0).stated }
    }

    /// All input is three fields added: read, written to the cache, and found there.
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
