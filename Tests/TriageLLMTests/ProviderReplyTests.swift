import Testing

@testable import TriageLLM

@Suite struct `Replies of providers` {
    private static let schema = AnswerSchema(name: "t", root: .object([]))

    private static func query(_ schema: AnswerSchema? = schema, user: String = "12345", cap: Int = 50) -> ChatQuery {
        ChatQuery(model: "m", system: "", user: user, schema: schema, maxOutputTokens: cap)
    }

    private static func read(
        _ kind: ProviderKind, _ body: String, _ query: ChatQuery = query(), _ fields: [HTTPHeader] = []
    ) -> Result<ChatReply, CallFailure> {
        ProviderKind.provider(Endpoint(kind: kind, baseURL: "http://h", model: "m"))
            .read(HTTPResponse(status: 200, headers: fields, body: Array(body.utf8)), to: query)
    }

    /// A chat completion around a message.
    private static func completion(_ message: String, _ reason: String = "\"stop\"", _ usage: String = "null") -> String
    {
        "{\"id\":\"c1\",\"model\":\"m-1\",\"error\":null,\"choices\":[{\"index\":0,\"message\":\(message),"
            + "\"finish_reason\":\(reason)}],\"usage\":\(usage)}"
    }

    private static func text(_ result: Result<ChatReply, CallFailure>) -> String? {
        (try? result.get()).map { String(decoding: $0.text, as: UTF8.self) }
    }

    @Test
    func `a chat completion is read with its counts and names`() {
        let body = Self.completion(
            #"{"role":"assistant","content":"{\"a\":1}","refusal":null,"tool_calls":null}"#, "\"stop\"",
            #"{"prompt_tokens":25,"completion_tokens":4,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":24}}"#
        )
        let usage = TokenUsage(input: 25, cachedInput: 24, output: 4)
        #expect(
            Self.read(.openai, body, Self.query(), [HTTPHeader("X-Request-ID", "req-1")])
                == .success(ChatReply(text: Array(#"{"a":1}"#.utf8), usage: usage, model: "m-1", requestID: "req-1")))
    }

    @Test
    func `a message of Anthropic's is read with all its input counted`() {
        let body = #"""
            {"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[{"type":"thinking",
            "thinking":"{\"b\":2}"},{"type":"text","text":"{\"a\":"},{"type":"text","text":"1}"},{"type":"new"}],
            "stop_reason":"end_turn","usage":{"input_tokens":10,"cache_creation_input_tokens":200,
            "cache_read_input_tokens":3000,"output_tokens":7}}
            """#
        let usage = TokenUsage(input: 3210, cachedInput: 3000, output: 7)
        #expect(
            Self.read(.anthropic, body, Self.query(), [HTTPHeader("request-id", "req_9")])
                == .success(
                    ChatReply(
                        text: Array(#"{"a":1}"#.utf8), usage: usage, model: "claude", requestID: "req_9",
                        isReasoned: true))
        )
    }

    @Test
    func `an answer of Ollama's is read with its counts`() {
        let body = #"""
            {"model":"q","message":{"role":"assistant","content":"{\"a\":1}","thinking":""},"done":true,
            "done_reason":"stop","prompt_eval_count":11,"eval_count":6,"total_duration":1}
            """#
        #expect(
            Self.read(.ollama, body)
                == .success(
                    ChatReply(text: Array(#"{"a":1}"#.utf8), usage: TokenUsage(input: 11, output: 6), model: "q")))
    }

    @Test(arguments: [
        (#"{"content":"```json\n{\"a\":1}\n```"}"#, #"{"a":1}"#),
        (#"{"content":"<think>{x}</think>\n\n{\"a\":1} done"}"#, #"{"a":1}"#),
        (#"{"content":[{"type":"text","text":"{\"a\""},{"type":"output_text","text":":1}"}]}"#, #"{"a":1}"#),
        (#"{"content":["{}"]}"#, "{}"), (#"{"content":null,"reasoning_content":"hm {\"a\":1}"}"#, #"{"a":1}"#),
        (#"{"content":"","reasoning":"{\"a\":1}"}"#, #"{"a":1}"#),
        (#"{"content":null,"tool_calls":[{"function":{"name":"t","arguments":"{\"a\":1}"}}]}"#, #"{"a":1}"#),
        (#"{"content":"I think it is spam."}"#, "I think it is spam."),
        (#"{"content":" {\"a\":1}{\"a\":2} "}"#, #"{"a":1}{"a":2}"#),
        (#"{"content":"{\"a\":\"\ud83d\"}"}"#, "{\"a\":\"\u{FFFD}\"}"),
        (#"{"content":"{}","refusal":""}"#, "{}"),
    ])
    func `the object is found wherever a server puts it`(message: String, answer: String) {
        #expect(Self.text(Self.read(.openai, Self.completion(message))) == answer)
    }

    @Test(arguments: [
        (#"{"content":" Hi there! \n"}"#, "Hi there!"), (#"{"content":"<think>x</think>Hi {you}"}"#, "Hi {you}"),
        (#"{"content":"```text\nHi\n```\n"}"#, "Hi"), (#"{"content":"```"}"#, "```"),
        (#"{"content":"``````"}"#, "``````"), (#"{"content":"Use ```x``` now"}"#, "Use ```x``` now"),
    ])
    func `free text loses its thought, its fence and its margins`(message: String, answer: String) {
        #expect(Self.text(Self.read(.openai, Self.completion(message), Self.query(nil))) == answer)
    }

    @Test(arguments: [
        (completion(#"{"content":""}"#), CallFailure.badOutput(.empty)),
        (completion(#"{"content":null}"#), .badOutput(.empty)), (completion("{}"), .badOutput(.empty)),
        (completion(#"{"content":" \n\t "}"#), .badOutput(.empty)),
        (completion(#"{"content":{"a":1}}"#), .badOutput(.empty)), (completion("null"), .badOutput(.empty)),
        (completion(#"{"content":"","reasoning_content":"no object"}"#), .badOutput(.empty)),
        (completion(#"{"content":"<think>thinking"}"#, "\"length\""), .badOutput(.thoughtOnly)),
        (
            completion(
                #"{"content":"","reasoning_content":"hm"}"#, "\"length\"",
                #"{"completion_tokens":50,"completion_tokens_details":{"reasoning_tokens":50}}"#),
            .badOutput(.thoughtOnly)
        ),
        (completion(#"{"content":""}"#, "\"length\"", #"{"completion_tokens":50}"#), .badOutput(.thoughtOnly)),
        (completion(#"{"content":"par"}"#, "\"SAFETY\""), .refused),
        (completion(#"{"content":""}"#, "\"length\""), .badOutput(.truncated)),
        (completion(#"{"content":"{\n                                   "}"#, "\"length\""), .badOutput(.whitespace)),
        (completion(#"{"content":null,"refusal":"I cannot."}"#), .refused),
        (completion(#"{"content":[{"type":"refusal","refusal":"no"}]}"#), .refused),
        (completion(#"{"content":"{\"a\""}"#, "\"content_filter\""), .refused),
        (completion(#"{"content":"{}"}"#, "\"error\""), .transient(.inside)),
        (#"{"choices":[]}"#, .badOutput(.empty)), (#"{"choices":[{}]}"#, .badOutput(.empty)),
        (#"{"choices":[7]}"#, .badOutput(.empty)), (#"{"choices":null}"#, .transient(.inside)),
        (
            #"{"choices":[{"message":{"content":""},"finish_reason":"error","error":{"code":429,"message":"x"}}]}"#,
            .rateLimited(after: nil)
        ),
        (#"{"error":{"code":402,"message":"x"},"choices":[{"message":{"content":"{}"}}]}"#, .quota),
    ])
    func `an empty, refused or failed completion is no reply`(body: String, failure: CallFailure) {
        #expect(Self.read(.openai, body) == .failure(failure))
    }

    @Test(arguments: [
        (
            #"{"type":"message","content":[],"stop_reason":"refusal","stop_details":{"type":"refusal"}}"#,
            CallFailure.refused
        ),
        (
            #"{"type":"message","content":[{"type":"text","text":"{"}],"stop_reason":"model_context_window_exceeded"}"#,
            .tooLong
        ),
        (#"{"type":"message","content":[],"stop_reason":"max_tokens"}"#, .badOutput(.truncated)),
        (#"{"type":"message","content":[],"stop_reason":"end_turn"}"#, .badOutput(.empty)),
        (#"{"type":"message","content":"text"}"#, .transient(.inside)),
        (#"{"content":[{"type":"tool_use","input":{}}]}"#, .badOutput(.empty)),
    ])
    func `a message of Anthropic's that is no reply says why`(body: String, failure: CallFailure) {
        #expect(Self.read(.anthropic, body) == .failure(failure))
    }

    @Test(arguments: [
        (ProviderKind.openai, completion(#"{"content":"{\"a"}"#, "\"length\""), true),
        (.openai, completion(#"{"content":"{\"a"}"#, "\"stop\"", #"{"prompt_tokens":5,"completion_tokens":50}"#), true),
        (.openai, completion(#"{"content":"{}"}"#, "\"stop\"", #"{"prompt_tokens":5,"completion_tokens":49}"#), false),
        (.openai, completion(#"{"content":"{}"}"#, "null"), false),
        (.anthropic, #"{"content":[{"type":"text","text":"{"}],"stop_reason":"max_tokens"}"#, true),
        (
            .anthropic,
            #"{"content":[{"type":"text","text":"{"}],"stop_reason":"end_turn","usage":{"output_tokens":50}}"#, true
        ),
        (.anthropic, #"{"content":[{"type":"tool_use","input":{"a":1}}],"stop_reason":"tool_use"}"#, false),
        (.ollama, #"{"message":{"content":"{"},"done":true,"done_reason":"length"}"#, true),
        (.ollama, #"{"message":{"content":"{"},"done":false}"#, true),
        (.ollama, #"{"message":{"content":"{}"},"done":true,"done_reason":"stop"}"#, false),
    ])
    func `a cut answer is known by its reason or by its count`(kind: ProviderKind, body: String, isCut: Bool) throws {
        #expect(try Self.read(kind, body).get().isTruncated == isCut)
    }

    @Test(arguments: [
        // The question has 5 bytes and its schema with its name 3: 3 tokens and 16 for two turns. The answer has 7: two.
        ("null", TokenUsage(input: 19, output: 2, isEstimated: true)),
        ("{}", TokenUsage(input: 19, output: 2, isEstimated: true)),
        ("7", TokenUsage(input: 19, output: 2, isEstimated: true)),
        (#"{"prompt_tokens":0,"completion_tokens":9}"#, TokenUsage(input: 19, output: 9, isEstimated: true)),
        (#"{"prompt_tokens":9,"completion_tokens":0}"#, TokenUsage(input: 9, output: 2, isEstimated: true)),
        (#"{"prompt_tokens":-9,"completion_tokens":1e30}"#, TokenUsage(input: 19, output: 2, isEstimated: true)),
        (
            #"{"prompt_tokens":9223372036854775807,"completion_tokens":3}"#,
            TokenUsage(input: 19, output: 3, isEstimated: true)
        ),
        (#"{"prompt_tokens":9.5,"completion_tokens":"3"}"#, TokenUsage(input: 19, output: 2, isEstimated: true)),
        (
            #"{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":99}}"#,
            TokenUsage(input: 9, cachedInput: 9, output: 3)
        ),
        (#"{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":null}"#, TokenUsage(input: 9, output: 3)),
    ])
    func `what the server does not count, or counts as nonsense, is estimated`(usage: String, expected: TokenUsage)
        throws
    {
        let body = Self.completion(#"{"content":"{\"a\":1}"}"#, "\"stop\"", usage)
        #expect(try Self.read(.openai, body).get().usage == expected)
    }

    @Test
    func `a failed answer tells what it used, or nothing`() {
        func usage(_ kind: ProviderKind, _ body: String) -> TokenUsage? {
            ProviderKind.provider(Endpoint(kind: kind, baseURL: "http://h", model: "m"))
                .usage(in: HTTPResponse(status: 200, body: Array(body.utf8)))
        }
        let refusal = Self.completion(#"{"refusal":"no"}"#, "\"stop\"", #"{"prompt_tokens":9,"completion_tokens":3}"#)
        #expect(usage(.openai, refusal) == TokenUsage(input: 9, output: 3))
        #expect(usage(.openai, "<html>") == nil)
        #expect(usage(.openai, #"{"usage":{"prompt_tokens":0,"completion_tokens":0}}"#) == nil)
        #expect(
            usage(.anthropic, #"{"usage":{"input_tokens":4,"output_tokens":1}}"#) == TokenUsage(input: 4, output: 1))
        #expect(usage(.ollama, #"{"prompt_eval_count":4}"#) == TokenUsage(input: 4, output: 0, isEstimated: true))
    }

    @Test(arguments: [
        (20_000, 2048, true), (20_000, 4096, false), (20_000, 0, false), (4000, 100, false), (4100, 500, true),
    ])
    func `a prompt that Ollama cut in silence is too long`(bytes: Int, counted: Int, isCut: Bool) {
        let query = Self.query(user: String(repeating: "w ", count: bytes / 2))
        let body = #"{"message":{"content":"{}"},"done":true,"prompt_eval_count":\#(counted),"eval_count":2}"#
        #expect((Self.read(.ollama, body, query) == .failure(.tooLong)) == isCut)
    }

    @Test(arguments: [("m\u{1B}[31m", nil), ("", nil), ("gpt-5", "gpt-5"), ("a\u{202E}b", nil)])
    func `a server's names are kept only if they can be printed`(name: String, kept: String?) throws {
        let model = String(decoding: JSONValue.string(name).encoded, as: UTF8.self)
        let body = #"{"model":\#(model),"choices":[{"message":{"content":"{}"}}]}"#
        #expect(try Self.read(.openai, body).get().model == kept)
    }
}
