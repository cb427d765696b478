import Testing
import TriageLLM

@Suite struct `Errors of servers` {
    private static let query = ChatQuery(
        model: "m", system: "s", user: "u", schema: AnswerSchema(name: "t", root: .object([])), maxOutputTokens: 50)

    private static func read(_ kind: ProviderKind, _ response: HTTPResponse) -> CallFailure? {
        let endpoint = Endpoint(kind: kind, baseURL: "http://h/v1", model: "m")
        guard case .failure(let failure) = ProviderKind.provider(endpoint).read(response, to: query) else { return nil }
        return failure
    }

    private static func response(_ status: Int, _ body: String, _ fields: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: fields.map { HTTPHeader($0.0, $0.1) }, body: Array(body.utf8))
    }

    private static let page = "<html><head><title>502 Bad Gateway</title></head></html>"

    struct Case: Sendable {
        var status: Int
        var body: String
        var failure: CallFailure

        init(_ status: Int, _ body: String, _ failure: CallFailure) {
            self.status = status
            self.body = body
            self.failure = failure
        }
    }

    /// An error is judged alike whichever provider meets it: gateways answer in each other's shapes.
    @Test(
        arguments: ProviderKind.allCases,
        [
            // Shapes.
            Case(
                401,
                #"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
                .authentication),
            Case(
                401,
                #"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"r"}"#,
                .authentication),
            Case(404, #"{"error":"model 'x' not found"}"#, .configuration(status: 404)),
            Case(
                400, #"{"object":"error","message":"bad","type":"BadRequestError","param":null,"code":400}"#,
                .configuration(status: 400)),
            Case(
                429,
                #"{"error":{"message":"litellm.RateLimitError","type":"internal_server_error","param":null,"code":"429"}}"#,
                .rateLimited(after: nil)),
            Case(500, #"{"error":{"message":"upstream","type":"None","code":429}}"#, .rateLimited(after: nil)),
            Case(
                422, #"{"detail":[{"loc":["body","messages"],"msg":"field required","type":"missing"}]}"#,
                .configuration(status: 422)),
            Case(401, #"{"detail":"Unauthorized"}"#, .authentication),
            Case(403, #"{"message":"Forbidden"}"#, .authentication),
            Case(
                400, #"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]"#,
                .authentication),
            Case(500, "", .transient(.status(500))), Case(502, page, .transient(.status(502))),
            Case(503, page, .overloaded(after: nil)), Case(504, page, .transient(.status(504))),
            Case(500, "Internal Server Error", .transient(.status(500))), Case(413, page, .tooLong),
            Case(520, page, .transient(.status(520))), Case(599, "{}", .transient(.status(599))),
            Case(500, "{\"error\":", .transient(.status(500))), Case(500, #"{"error":null}"#, .transient(.status(500))),
            Case(500, #"{"error":{"message":null,"code":null,"type":null}}"#, .transient(.status(500))),
            Case(
                529, #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                .overloaded(after: nil)),
            Case(
                503, #"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
                .overloaded(after: nil)),
            Case(503, #"{"error":{"code":"server_is_overloaded","message":"busy"}}"#, .overloaded(after: nil)),
            Case(
                503, #"{"error":"server busy, please try again.  maximum pending requests exceeded"}"#,
                .overloaded(after: nil)),
            // Statuses alone.
            Case(301, "", .configuration(status: 301)), Case(400, "", .configuration(status: 400)),
            Case(401, page, .authentication), Case(402, "", .quota), Case(403, page, .authentication),
            Case(404, page, .configuration(status: 404)), Case(405, "", .configuration(status: 405)),
            Case(407, "", .configuration(status: 407)), Case(408, "", .transient(.status(408))),
            Case(409, "", .transient(.status(409))), Case(418, "", .configuration(status: 418)),
            Case(422, "", .configuration(status: 422)), Case(429, "", .rateLimited(after: nil)),
            Case(501, "", .configuration(status: 501)), Case(529, "", .overloaded(after: nil)),
            Case(0, "", .configuration(status: 0)), Case(-7, "{}", .configuration(status: -7)),
            // An empty wallet never heals, whatever the status and the type say.
            Case(
                429,
                #"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
                .quota),
            Case(
                429, #"{"error":{"message":"x","type":"insufficient_quota","code":"credit_balance_exhausted"}}"#, .quota
            ),
            Case(
                429,
                #"{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}"#,
                .quota),
            Case(
                429,
                #"{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"contract_spend_limit_reached"}}}"#,
                .quota),
            Case(402, #"{"type":"error","error":{"type":"billing_error","message":"x"}}"#, .quota),
            Case(
                400,
                #"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#,
                .quota),
            Case(
                402, #"{"error":{"code":402,"message":"Insufficient credits","metadata":{"limit_source":"account"}}}"#,
                .quota),
            Case(
                402, #"{"error":{"code":402,"message":"x","metadata":{"limit_source":"openrouter_in_flight_budget"}}}"#,
                .rateLimited(after: nil)),
            // Limits that heal.
            Case(
                429,
                #"{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"ramp_limit_exceeded"}}}"#,
                .rateLimited(after: nil)),
            Case(
                429, #"{"error":{"type":"rate_limit_error","code":"slow_down","message":"x"}}"#,
                .rateLimited(after: nil)),
            Case(
                429,
                #"{"error":{"type":"tokens","code":"rate_limit_exceeded","message":"Request too large for m on tokens per min (TPM): Limit 10, Requested 20"}}"#,
                .tooLong),
            // Too long.
            Case(
                400,
                #"{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
                .tooLong),
            Case(
                400,
                #"{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens)","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#,
                .tooLong),
            Case(413, #"{"type":"error","error":{"type":"request_too_large","message":"x"}}"#, .tooLong),
            Case(
                400,
                #"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                .tooLong),
            Case(
                500,
                #"{"error":{"code":500,"message":"input (900 tokens) is too large to process. increase the physical batch size","type":"server_error"}}"#,
                .tooLong),
            Case(400, #"{"error":"the input length exceeds the context length"}"#, .tooLong),
            // Features that the server does not have.
            Case(
                400,
                #"{"error":{"code":400,"message":"response_format type must be one of \"text\" and \"json_object\", but got: json_schema","type":"invalid_request_error"}}"#,
                .unsupported(.schema)),
            Case(
                500, #"{"error":{"code":500,"message":"json_schema is not supported here","type":"server_error"}}"#,
                .unsupported(.schema)),
            Case(
                400,
                #"{"error":{"message":"Invalid parameter","type":"invalid_request_error","param":"response_format","code":null}}"#,
                .unsupported(.schema)),
            Case(
                400, #"{"error":"'response_format.type' must be 'json_schema' or 'text'"}"#, .unsupported(.jsonObject)),
            Case(400, #"{"error":"invalid JSON schema in format"}"#, .unsupported(.schema)),
            Case(
                400, #"{"error":{"code":400,"message":"Failed to parse grammar","type":"invalid_request_error"}}"#,
                .unsupported(.schema)),
            Case(
                400,
                #"{"type":"error","error":{"type":"invalid_request_error","message":"output_config: Extra inputs are not permitted"}}"#,
                .unsupported(.schema)),
            Case(
                404,
                #"{"error":{"code":404,"message":"No endpoints found that can handle the requested parameters."}}"#,
                .unsupported(.schema)),
            Case(
                400,
                #"{"type":"error","error":{"type":"invalid_request_error","message":"temperature: Extra inputs are not permitted"}}"#,
                .unsupported(.sampling)),
            Case(
                400,
                #"{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","param":"temperature","code":"unsupported_value"}}"#,
                .unsupported(.sampling)),
            Case(
                400,
                #"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}"#,
                .unsupported(.completionTokens)),
            Case(
                400,
                #"{"error":{"message":"max_completion_tokens: extra fields not permitted","type":"invalid_request_error"}}"#,
                .unsupported(.completionTokens)),
            Case(
                400,
                #"{"error":{"message":"max_tokens is too large: 90000.","type":"invalid_request_error","param":"max_tokens","code":"invalid_value"}}"#,
                .configuration(status: 400)),
            Case(
                422,
                #"{"detail":[{"type":"extra_forbidden","loc":["body","max_tokens"],"msg":"Extra inputs are not permitted","input":9}]}"#,
                .unsupported(.completionTokens)),
            Case(
                400,
                #"{"error":{"message":"Unsupported parameter: 'seed' is not supported with this model.","param":"seed","code":"unsupported_parameter"}}"#,
                .unsupported(.seedless)),
            Case(400, #"{"error":"unknown field: seed"}"#, .unsupported(.seedless)),
            Case(
                400,
                #"{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model.","param":"messages[0].role","code":"unsupported_value"}}"#,
                .unsupported(.foldedSystem)),
            Case(
                500, #"{"error":{"code":500,"message":"System role not supported","type":"server_error"}}"#,
                .unsupported(.foldedSystem)),
            Case(
                400, #"{"error":{"message":"Developer instruction is not enabled for this model"}}"#,
                .unsupported(.foldedSystem)),
            Case(
                400,
                #"{"error":{"message":"Unrecognized request argument supplied: reasoning_effort","type":"invalid_request_error"}}"#,
                .unsupported(.reasoning)),
            Case(
                400,
                #"{"type":"error","error":{"type":"invalid_request_error","message":"thinking.type: adaptive is not supported on this model"}}"#,
                .unsupported(.reasoning)),
            Case(400, #"{"error":"\"m\" does not support thinking"}"#, .unsupported(.reasoning)),
            Case(
                400, #"{"error":{"message":"Your request was rejected as a result of our safety system."}}"#, .refused),
            Case(400, #"{"error":{"message":"Input blocked: content policy violation"}}"#, .refused),
            Case(
                400,
                #"{"error":{"message":"The input token count (9000) exceeds the maximum number of tokens allowed (8192)."}}"#,
                .tooLong),
            // Faults of the request that come as 500.
            Case(
                500,
                #"{"error":{"code":500,"message":"The model produced output that does not match the expected peg-native format: temperature unsupported","type":"server_error"}}"#,
                .badOutput(.notJSON)),
            Case(
                500, #"{"error":{"code":500,"message":"'messages' is required","type":"server_error"}}"#,
                .configuration(status: 500)),
            Case(
                500, #"{"error":{"code":500,"message":"[json.exception.parse_error.101] x","type":"server_error"}}"#,
                .configuration(status: 500)),
            Case(
                501,
                #"{"error":{"code":501,"message":"This server does not support embeddings.","type":"not_supported_error"}}"#,
                .configuration(status: 501)),
            // Models and keys.
            Case(
                404,
                #"{"error":{"message":"The model 'x' does not exist","type":"invalid_request_error","code":"model_not_found"}}"#,
                .configuration(status: 404)),
            Case(
                400,
                #"{"error":{"message":"Invalid model name passed in model=x","type":"None","param":"None","code":"400"}}"#,
                .configuration(status: 400)),
            Case(
                400, #"{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}"#,
                .authentication),
            Case(403, #"{"type":"error","error":{"type":"permission_error","message":"x"}}"#, .authentication),
            // Texts that nobody will answer.
            Case(
                403,
                #"{"error":{"code":403,"message":"Input flagged","metadata":{"reasons":["violence"],"flagged_input":"…"}}}"#,
                .refused),
            Case(
                400,
                #"{"error":{"message":"triggered Azure OpenAI's content management policy","type":null,"param":"prompt","code":"content_filter","status":400}}"#,
                .refused),
            Case(
                400, #"{"error":{"message":"x","type":"invalid_request_error","code":"content_policy_violation"}}"#,
                .refused),
            // 200 with an error inside: by its code as if it were the status.
            Case(200, #"{"error":{"code":429,"message":"slow"}}"#, .rateLimited(after: nil)),
            Case(200, #"{"error":{"code":502,"message":"Provider returned error"}}"#, .transient(.status(502))),
            Case(200, #"{"error":{"code":401,"message":"x"}}"#, .authentication),
            Case(200, #"{"error":{"message":"Provider returned error","code":503}}"#, .overloaded(after: nil)),
            Case(
                200, #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                .overloaded(after: nil)),
            Case(200, #"{"type":"error","error":{"type":"api_error","message":"x"}}"#, .transient(.status(500))),
            Case(200, #"{"error":"something broke"}"#, .transient(.inside)),
            Case(200, #"{"error":"model 'x' not found"}"#, .configuration(status: 404)),
            Case(
                200, #"{"object":"error","message":"boom","type":"InternalServerError","code":500}"#,
                .transient(.status(500))),
            Case(
                200,
                #"{"error":{"code":400,"message":"Provider returned error","metadata":{"raw":"{\"error\":\"context length exceeded\"}"}}}"#,
                .tooLong),
            // 200 that is no answer at all.
            Case(200, page, .configuration(status: 200)), Case(200, "  <!doctype html>", .configuration(status: 200)),
            Case(200, "data: {\"choices\":[]}\n\n", .configuration(status: 200)), Case(200, "", .transient(.inside)),
            Case(200, "{}", .transient(.inside)), Case(200, "null", .transient(.inside)),
            Case(200, "[]", .transient(.inside)),
            Case(200, "OK", .transient(.inside)), Case(204, "", .transient(.inside)),
            Case(200, #"{"choices":[{"message":{"content":"{\"a\""#, .transient(.inside)),
            Case(200, #"{"status":"ok"}"#, .transient(.inside)),
        ])
    func `every error is classified by its code, then its words, then its status`(kind: ProviderKind, row: Case) {
        #expect(Self.read(kind, Self.response(row.status, row.body)) == row.failure)
    }

    @Test(arguments: [
        (429, "", CallFailure.rateLimited(after: .seconds(7))), (503, "", .overloaded(after: .seconds(7))),
        (
            402, #"{"error":{"metadata":{"limit_source":"openrouter_in_flight_budget"}}}"#,
            .rateLimited(after: .seconds(7))
        ),
        (200, #"{"error":{"code":429}}"#, .rateLimited(after: .seconds(7))),
        (529, #"{"error":{"type":"overloaded_error"}}"#, .overloaded(after: .seconds(7))),
    ])
    func `the wait that the server asks for is handed on`(status: Int, body: String, failure: CallFailure) {
        #expect(Self.read(.openai, Self.response(status, body, [("retry-after", "7")])) == failure)
    }

    @Test
    func `the server's own word on trying again decides where a status does not`() {
        #expect(Self.read(.openai, Self.response(424, "", [("x-should-retry", "true")])) == .transient(.status(424)))
        #expect(
            Self.read(.openai, Self.response(424, "", [("x-should-retry", "false")])) == .configuration(status: 424))
        #expect(Self.read(.openai, Self.response(429, "", [("x-should-retry", "false")])) == .quota)
    }

    @Test
    func `HTML is known by its type too, and invalid UTF-8 is the model's`() {
        #expect(
            Self.read(.openai, Self.response(200, "Please log in", [("Content-Type", "text/html; charset=utf-8")]))
                == .configuration(status: 200))
        let body = Array(#"{"choices":[{"message":{"content":""#.utf8) + [0xFF] + Array(#""}}]}"#.utf8)
        #expect(Self.read(.openai, HTTPResponse(status: 200, body: body)) == .badOutput(.notJSON))
    }
}
