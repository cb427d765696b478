import Testing

@testable import TriageLLM

@Suite struct `Requests of providers` {
    private static let schema = AnswerSchema(
        name: "triage",
        root: .object([
            JSONMember("type", .string("object")),
            JSONMember(
                "properties",
                .object([
                    JSONMember(
                        "category",
                        .object([
                            JSONMember("type", .string("string")),
                            JSONMember("enum", .array([.string("fan"), .string("spam")])),
                        ])),
                    JSONMember(
                        "score",
                        .object([
                            JSONMember("type", .string("integer")), JSONMember("minimum", .number("0")),
                            JSONMember("maximum", .number("100")), JSONMember("description", .string("how good")),
                        ])),
                    JSONMember(
                        "note",
                        .object([
                            JSONMember(
                                "oneOf",
                                .array([
                                    .object([
                                        JSONMember("type", .string("string")), JSONMember("maxLength", .number("20")),
                                    ]), .object([JSONMember("type", .string("null"))]),
                                ]))
                        ])),
                ])),
            JSONMember("required", .array([.string("category"), .string("score"), .string("note")])),
        ]))

    private static let query = ChatQuery(
        model: "m", system: "Sort it.", user: "naïve \"日本\" 😀\n", schema: schema, maxOutputTokens: 50)

    private static func endpoint(
        _ kind: ProviderKind, _ url: String = "http://127.0.0.1:8080/v1", key: String? = nil,
        _ change: (inout Endpoint.Settings) -> Void = { _ in }
    ) -> Endpoint {
        var settings = Endpoint.Settings()
        change(&settings)
        return Endpoint(kind: kind, baseURL: url, model: "m", key: key.flatMap { SecretKey($0) }, settings: settings)
    }

    private static func request(
        _ endpoint: Endpoint, _ query: ChatQuery = query, _ features: ServerFeatures? = nil
    ) -> HTTPRequest {
        ProviderKind.provider(endpoint).request(query, features: features ?? endpoint.features)
    }

    private static func body(_ request: HTTPRequest) -> String { String(decoding: request.body, as: UTF8.self) }

    // The three schemas: with ranges, with ranges in words, and its parts that are the same.
    private static let head =
        #"{"type":"object","properties":{"category":{"type":"string","enum":["fan","spam"]},"#
    private static let tail = #"},"required":["category","score","note"],"additionalProperties":false}"#
    private static let ranged =
        head + #""score":{"type":"integer","minimum":0,"maximum":100,"description":"how good"},"#
        + #""note":{"anyOf":[{"type":"string","maxLength":20},{"type":"null"}]}"# + tail
    private static let worded =
        head + #""score":{"type":"integer","description":"how good (minimum: 0, maximum: 100)"},"#
        + #""note":{"anyOf":[{"type":"string","description":"maxLength: 20"},{"type":"null"}]}"# + tail
    private static let turns =
        #""messages":[{"role":"system","content":"Sort it."},{"role":"user","content":"naïve \"日本\" 😀\n"}]}"#

    @Test
    func `chat completions are asked with a strict schema, ranges kept for local servers`() {
        let request = Self.request(Self.endpoint(.openai, key: "sk-1"))
        #expect(
            Self.body(request)
                == #"{"model":"m","stream":false,"max_tokens":50,"temperature":0,"seed":1,"response_format":"#
                + #"{"type":"json_schema","json_schema":{"name":"triage","strict":true,"schema":"# + Self.ranged
                + "}}," + Self.turns)
        #expect(request.url == "http://127.0.0.1:8080/v1/chat/completions")
        #expect(request.method == .post)
        #expect(
            request.headers == [
                HTTPHeader("content-type", "application/json"), HTTPHeader("accept", "application/json"),
                HTTPHeader("user-agent", "triage"), HTTPHeader("authorization", "Bearer sk-1"),
            ])
    }

    @Test
    func `OpenAI's own server gets ranges in words and the new name of the cap`() {
        let request = Self.request(Self.endpoint(.openai, "https://api.openai.com/v1/"))
        #expect(
            Self.body(request)
                == #"{"model":"m","stream":false,"max_completion_tokens":50,"temperature":0,"seed":1,"response_format":"#
                + #"{"type":"json_schema","json_schema":{"name":"triage","strict":true,"schema":"# + Self.worded
                + "}}," + Self.turns)
    }

    @Test(
        arguments: [
            ([.jsonObject], #"{"model":"m","stream":false,"max_tokens":50,"response_format":{"type":"json_object"},"#),
            ([], #"{"model":"m","stream":false,"max_tokens":50,"#),
            (
                [.sampling, .completionTokens],
                #"{"model":"m","stream":false,"max_completion_tokens":50,"temperature":0,"seed":1,"#
            ),
        ] as [(ServerFeatures, String)])
    func `no more is asked of a server than it is said to have`(features: ServerFeatures, head: String) {
        #expect(Self.body(Self.request(Self.endpoint(.openai), Self.query, features)) == head + Self.turns)
    }

    @Test
    func `Anthropic is asked without sampling, with ranges in words and the instructions to be cached`() {
        let endpoint = Self.endpoint(.anthropic, "https://api.anthropic.com", key: "sk-ant")
        let request = Self.request(endpoint, Self.query, [.schema, .sampling])
        let rest =
            #""output_config":{"format":{"type":"json_schema","schema":"# + Self.worded
            + #"}},"system":[{"type":"text","text":"Sort it.","cache_control":{"type":"ephemeral"}}],"#
            + #""messages":[{"role":"user","content":"naïve \"日本\" 😀\n"}]}"#
        #expect(Self.body(request) == #"{"model":"m","max_tokens":50,"# + rest)
        #expect(request.url == "https://api.anthropic.com/v1/messages")
        #expect(
            request.headers == [
                HTTPHeader("content-type", "application/json"), HTTPHeader("accept", "application/json"),
                HTTPHeader("user-agent", "triage"), HTTPHeader("anthropic-version", "2026-10-21"),
                HTTPHeader("x-api-key", "sk-ant"),
            ])
        let old = Self.endpoint(.anthropic, key: "sk-ant") {
            $0.apiVersion = "2023-06-01"
            $0.usesBearer = true
        }
        let second = Self.request(old)
        #expect(Self.body(second) == #"{"model":"m","max_tokens":50,"temperature":0,"# + rest)
        #expect(
            second.headers.suffix(2) == [
                HTTPHeader("anthropic-version", "2023-06-01"), HTTPHeader("authorization", "Bearer sk-ant"),
            ])
    }

    @Test
    func `Ollama is asked with its window, without a stream and without thinking`() {
        let endpoint = Self.endpoint(.ollama, "http://localhost:11434") { $0.contextTokens = 4096 }
        let head =
            #"{"model":"m","stream":false,"think":false,"options":{"num_ctx":4096,"num_predict":50,"#
            + #""temperature":0,"seed":1},"#
        let request = Self.request(endpoint)
        #expect(Self.body(request) == head + #""format":"# + Self.ranged + "," + Self.turns)
        #expect(request.url == "http://localhost:11434/api/chat")
        let less = Self.request(endpoint, Self.query, [.jsonObject, .sampling])
        #expect(Self.body(less) == head + #""format":"json","# + Self.turns)
    }

    @Test(arguments: ProviderKind.allCases)
    func `equal queries are equal bytes`(kind: ProviderKind) {
        #expect(Self.request(Self.endpoint(kind)) == Self.request(Self.endpoint(kind)))
    }

    @Test(arguments: [
        (ProviderKind.openai, "http://h:1/v1", "http://h:1/v1/chat/completions"),
        (.openai, "http://h:1/v1//", "http://h:1/v1/chat/completions"),
        (.openai, "http://h:1", "http://h:1/v1/chat/completions"),
        (.openai, "http://h:1/", "http://h:1/v1/chat/completions"),
        (.openai, "https://h/api/v3", "https://h/api/v3/chat/completions"),
        (.openai, "https://h/d?api-version=7#x", "https://h/d/chat/completions?api-version=7"),
        (.anthropic, "https://h", "https://h/v1/messages"), (.anthropic, "https://h/v1/", "https://h/v1/messages"),
        (.anthropic, "https://h/proxy", "https://h/proxy/v1/messages"),
        (.ollama, "http://h:1/", "http://h:1/api/chat"), (.ollama, "http://h:1/v1", "http://h:1/api/chat"),
        (.ollama, "http://h:1/api", "http://h:1/api/chat"), (.ollama, "", "/api/chat"),
        (.openai, "", "/chat/completions"),
    ])
    func `an address is completed however it ends`(kind: ProviderKind, base: String, url: String) {
        #expect(Self.request(Self.endpoint(kind, base)).url == url)
    }

    @Test
    func `extra members are added or replace ours, except what makes the request`() {
        let endpoint = Self.endpoint(.openai) {
            $0.extra = [
                JSONMember("provider", .object([JSONMember("require_parameters", .bool(true))])),
                JSONMember("seed", .number("7")), JSONMember("model", .string("other")),
                JSONMember("stream", .bool(true)),
            ]
        }
        let query = ChatQuery(model: "m", system: "", user: "u", maxOutputTokens: 5)
        #expect(
            Self.body(Self.request(endpoint, query, .sampling))
                == #"{"model":"m","stream":false,"max_tokens":5,"temperature":0,"seed":7,"#
                + #""messages":[{"role":"user","content":"u"}],"provider":{"require_parameters":true}}"#)
        let ollama = Self.endpoint(.ollama) {
            $0.extra = [
                JSONMember(
                    "options", .object([JSONMember("num_ctx", .number("9")), JSONMember("top_k", .number("1"))]))
            ]
        }
        #expect(
            Self.body(Self.request(ollama, query, []))
                == #"{"model":"m","stream":false,"think":false,"options":{"num_ctx":9,"num_predict":5,"top_k":1},"#
                + #""messages":[{"role":"user","content":"u"}]}"#)
    }

    @Test(
        arguments: [
            (.openai, nil, [:]), (.openai, .low, ["reasoning_effort": #""low""#]),
            (.openai, Endpoint.ReasoningEffort.none, ["reasoning_effort": #""none""#]),
            (.anthropic, nil, [:]), (.anthropic, Endpoint.ReasoningEffort.none, ["thinking": #"{"type":"disabled"}"#]),
            (.anthropic, .minimal, ["thinking": #"{"type":"adaptive"}"#, "output_config": #"{"effort":"low"}"#]),
            (.anthropic, .high, ["thinking": #"{"type":"adaptive"}"#, "output_config": #"{"effort":"high"}"#]),
            (.ollama, nil, ["think": "false"]), (.ollama, Endpoint.ReasoningEffort.none, ["think": "false"]),
            (.ollama, .low, ["think": #""low""#]), (.ollama, .xhigh, ["think": #""high""#]),
        ] as [(ProviderKind, Endpoint.ReasoningEffort?, [String: String])])
    func `effort is said in the words of each kind, and left out once it is refused`(
        kind: ProviderKind, effort: Endpoint.ReasoningEffort?, members: [String: String]
    ) throws {
        var endpoint = Self.endpoint(kind)
        endpoint.settings.reasoningEffort = effort
        let query = ChatQuery(model: "m", system: "s", user: "u", maxOutputTokens: 5)
        let body = try StrictJSON.parse(Array(Self.body(Self.request(endpoint, query)).utf8))
        for name in ["reasoning_effort", "thinking", "output_config", "think"] {
            #expect(body[name].map { String(decoding: $0.encoded, as: UTF8.self) } == members[name], "\(name)")
        }
        let less = try StrictJSON.parse(
            Array(Self.body(Self.request(endpoint, query, endpoint.features.subtracting(.reasoning))).utf8))
        #expect(less["reasoning_effort"] == nil && less["thinking"] == nil && less["output_config"] == nil)
        #expect(less["think"] == (effort == nil && kind == .ollama ? .bool(false) : nil))
        // An answer to another effort is another answer.
        #expect((endpoint.identity == Self.endpoint(kind).identity) == (effort == nil))
    }

    @Test(arguments: ProviderKind.allCases)
    func `a server that knows no turn for instructions gets them at the head of the message`(kind: ProviderKind) throws
    {
        let query = ChatQuery(model: "m", system: "rules", user: "data", maxOutputTokens: 5)
        let body = Self.body(Self.request(Self.endpoint(kind), query, [.foldedSystem, .sampling, .seedless]))
        #expect(body.contains(#""messages":[{"role":"user","content":"rules\n\ndata"}]"#), "\(body)")
        #expect(!body.contains("system") && !body.contains("seed"))
    }

    @Test
    func `fields of one's own replace ours and show their values nowhere`() throws {
        var endpoint = Self.endpoint(.openai, key: "sk-ours")
        let fields = ["X-Title: my inbox", "authorization: Basic geheim"].map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return ExtraHeader(String(parts[0]), String(parts[1].dropFirst()))
        }
        endpoint.settings.extraHeaders = fields.compactMap { $0 }
        #expect(endpoint.settings.extraHeaders.count == 2)
        let headers = Self.request(endpoint).headers
        #expect(headers.filter { $0.name.lowercased() == "authorization" }.map(\.value) == ["Basic geheim"])
        #expect(headers.contains(HTTPHeader("X-Title", "my inbox")))
        var printed = "\(endpoint.settings.extraHeaders)" + String(reflecting: endpoint.settings.extraHeaders)
        dump(endpoint, to: &printed)
        #expect(!printed.contains("geheim"))
        for (name, value) in [("a b", "x"), ("x", "a\r\nb: c"), ("", "x"), ("x", ""), ("x", "é"), ("x", " y")] {
            #expect(ExtraHeader(name, value) == nil)
        }
    }

    @Test
    func `a key shows itself nowhere but in its header`() throws {
        let key = try #require(SecretKey(" sk-geheim\n"))
        var printed = "\(key) " + String(describing: key) + String(reflecting: key)
        dump(key, to: &printed)
        dump(Endpoint(kind: .openai, baseURL: "http://h", model: "m", key: key), to: &printed)
        printed += "\(Endpoint(kind: .openai, baseURL: "http://h", model: "m", key: key))"
        #expect(!printed.contains("geheim"))
        #expect(Self.request(Self.endpoint(.openai, key: " sk-geheim\n")).headers.last?.value == "Bearer sk-geheim")
    }

    @Test(arguments: ["", " \n", "a\r\nx-evil: 1", "a b", "schlüssel", "a\0"])
    func `what cannot be a header is no key`(text: String) {
        #expect(SecretKey(text) == nil)
    }

    @Test(
        arguments: [
            ([.schema, .jsonObject, .sampling], .schema, [.jsonObject, .sampling]),
            ([.jsonObject, .sampling], .schema, [.sampling]), ([.sampling], .schema, nil),
            ([.schema, .jsonObject], .jsonObject, [.schema]), ([.schema], .jsonObject, []),
            ([.schema, .sampling], .sampling, [.schema]), ([.schema], .sampling, nil),
            ([.schema], .completionTokens, [.schema, .completionTokens]), ([.completionTokens], .completionTokens, []),
            ([.schema], .foldedSystem, [.schema, .foldedSystem]), ([.foldedSystem], .foldedSystem, nil),
            ([.sampling], .seedless, [.sampling, .seedless]), ([.sampling, .seedless], .seedless, nil),
            ([.reasoning, .schema], .reasoning, [.schema]), ([.schema], .reasoning, nil),
        ] as [(ServerFeatures, ServerFeatures, ServerFeatures?)])
    func `a refusal leads to less, or to nothing that could loop`(
        asked: ServerFeatures, refused: ServerFeatures, next: ServerFeatures?
    ) {
        #expect(asked.after(refusal: refused) == next)
    }

    @Test
    func `lists of models are asked for and read on every kind`() throws {
        #expect(ModelListProvider(Self.endpoint(.openai)).request().url == "http://127.0.0.1:8080/v1/models")
        #expect(ModelListProvider(Self.endpoint(.anthropic)).request().url.hasSuffix("/v1/models?limit=1000"))
        #expect(ModelListProvider(Self.endpoint(.ollama)).request().url == "http://127.0.0.1:8080/api/tags")
        func names(_ kind: ProviderKind, _ body: String, _ status: Int = 200) -> Result<[String], CallFailure> {
            ModelListProvider(Self.endpoint(kind)).read(HTTPResponse(status: status, body: Array(body.utf8)))
        }
        #expect(
            names(.openai, #"{"object":"list","data":[{"id":"a"},{"id":"b\u001b[0m"},{"x":1}]}"#) == .success(["a"]))
        #expect(
            names(.anthropic, #"{"data":[{"type":"model","id":"claude"}],"has_more":false}"#) == .success(["claude"]))
        #expect(names(.ollama, #"{"models":[{"name":"qwen:4b","model":"qwen:4b"}]}"#) == .success(["qwen:4b"]))
        #expect(
            names(.openai, #"{"error":{"message":"no","code":"invalid_api_key"}}"#, 401) == .failure(.authentication))
        #expect(names(.openai, "{}") == .failure(.transient(.inside)))
    }
}
