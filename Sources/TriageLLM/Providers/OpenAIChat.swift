/// Chat completions: OpenAI, llama.cpp, vLLM, LM Studio, OpenRouter, LiteLLM and whatever speaks like them.
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

    /// Members in an order that never changes, so that equal queries are equal bytes and servers can cache.
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

    /// The names of a filter that ended an answer, of OpenAI and of what stands behind gateways.
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

    /// The text of a message, whatever holds it; nil for a refusal among its parts.
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
