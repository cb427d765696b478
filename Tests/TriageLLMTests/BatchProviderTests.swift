import Testing

@testable import TriageLLM

@Suite struct `Batches of providers` {
    private static func question(_ id: String) -> BatchQuestion {
        BatchQuestion(id: id, query: ChatQuery(model: "m", system: "", user: "u-" + id, maxOutputTokens: 9))
    }

    private static func batches(_ kind: ProviderKind) throws -> any BatchProvider {
        try #require(
            ProviderKind.batches(
                Endpoint(kind: kind, baseURL: "https://h/v1", model: "m", key: SecretKey("k"))))
    }

    private static func response(_ body: String, _ status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(body.utf8))
    }

    @Test
    func `lines go up to OpenAI as a form with a boundary that is the same each time`() throws {
        let batches = try Self.batches(.openai)
        let entries = ["a", "b"].map { batches.entry(Self.question($0), features: []) }
        let line =
            #"{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m","#
            + #""stream":false,"max_tokens":9,"messages":[{"role":"user","content":"u-a"}]}}"# + "\n"
        #expect(String(decoding: entries[0], as: UTF8.self) == line)
        let upload = try #require(batches.upload(entries))
        #expect(upload == batches.upload(entries))
        #expect(upload.url == "https://h/v1/files")
        let type = try #require(upload.headers.first { $0.name == "content-type" }?.value)
        let boundary = try #require(type.split(separator: "=").last)
        #expect(type == "multipart/form-data; boundary=\(boundary)" && boundary.utf8.count <= 70)
        let lines = entries.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(
            String(decoding: upload.body, as: UTF8.self)
                == "--\(boundary)\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--\(boundary)\r\n"
                + "Content-Disposition: form-data; name=\"file\"; filename=\"batch.jsonl\"\r\n"
                + "Content-Type: application/jsonl\r\n\r\n\(lines)\r\n--\(boundary)--\r\n")
        #expect(batches.uploaded(Self.response(#"{"id":"file-1","object":"file"}"#)) == .success("file-1"))
        #expect(batches.uploaded(Self.response(#"{"id":"../x"}"#)) == .failure(.badOutput(.wrongIDs)))
        let create = batches.create(entries, upload: "file-1")
        #expect(create.url == "https://h/v1/batches")
        #expect(
            String(decoding: create.body, as: UTF8.self)
                == #"{"input_file_id":"file-1","endpoint":"/v1/chat/completions","completion_window":"24h"}"#)
    }

    @Test
    func `Anthropic gets its questions in the request itself`() throws {
        let batches = try Self.batches(.anthropic)
        let entries = ["a", "b"].map { batches.entry(Self.question($0), features: []) }
        #expect(batches.upload(entries) == nil)
        let create = batches.create(entries, upload: nil)
        #expect(create.url == "https://h/v1/messages/batches")
        func entry(_ id: String) -> String {
            #"{"custom_id":"\#(id)","params":{"model":"m","max_tokens":9,"#
                + #""messages":[{"role":"user","content":"u-\#(id)"}]}}"#
        }
        #expect(
            String(decoding: create.body, as: UTF8.self) == #"{"requests":["# + entry("a") + "," + entry("b") + "]}")
        #expect(create.headers.contains(HTTPHeader("anthropic-version", "2026-10-21")))
        #expect(create.headers.contains(HTTPHeader("content-type", "application/json")))
    }

    @Test(arguments: [
        ("validating", BatchState.Phase.running), ("in_progress", .running), ("finalizing", .running),
        ("cancelling", .running), ("something new", .running), ("completed", .ended), ("expired", .ended),
        ("cancelled", .ended), ("failed", .failed),
    ])
    func `the state of OpenAI's batch is read`(status: String, phase: BatchState.Phase) throws {
        let body = #"""
            {"id":"batch_1","object":"batch","status":"\#(status)","output_file_id":"file-o","error_file_id":null,
            "errors":{"data":[{"code":"x","line":3},{"line":null}]},"request_counts":{"total":9,"completed":4,"failed":1}}
            """#
        let batches = try Self.batches(.openai)
        let state = try batches.state(Self.response(body)).get()
        #expect(
            state == BatchState(id: "batch_1", phase: phase, files: ["file-o"], done: 5, total: 9, badLines: [3]))
        #expect(batches.results(of: state).map(\.url) == ["https://h/v1/files/file-o/content"])
        #expect(batches.status(of: "batch_1").url == "https://h/v1/batches/batch_1")
        #expect(batches.cancel("batch_1").url == "https://h/v1/batches/batch_1/cancel")
        #expect(batches.status(of: "../files?x").url == "https://h/v1/batches/_")
    }

    @Test
    func `the state of Anthropic's batch is read, and results come from its own server alone`() throws {
        let batches = try Self.batches(.anthropic)
        func state(_ status: String) throws -> BatchState {
            let body = #"""
                {"id":"msgbatch_1","type":"message_batch","processing_status":"\#(status)","results_url":"https://evil/x",
                "request_counts":{"processing":1,"succeeded":2,"errored":3,"canceled":4,"expired":5}}
                """#
            return try batches.state(Self.response(body)).get()
        }
        let ended = try state("ended")
        #expect(ended == BatchState(id: "msgbatch_1", phase: .ended, done: 14, total: 15))
        let results = batches.results(of: ended)
        #expect(results.map(\.url) == ["https://h/v1/messages/batches/msgbatch_1/results"])
        #expect(results[0].headers.contains(HTTPHeader("x-api-key", "k")))
        #expect(batches.results(of: try state("canceling")).isEmpty)
    }

    @Test
    func `results of OpenAI are joined by id, out of order, partial and across both files`() throws {
        func line(_ id: String, _ status: Int, _ body: String) -> String {
            #"{"id":"r","custom_id":"\#(id)","response":{"status_code":\#(status),"request_id":"q","body":\#(body)},"error":null}"#
        }
        let good = #"{"choices":[{"message":{"content":"yes"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}"#
        let output = [
            line("c", 200, good), line("a", 200, good), line("a", 200, "{}"), line("stranger", 200, good), "{\"cut",
            line("g", 200, #"{"choices":[{"message":{"refusal":"no"}}]}"#), "",
        ].joined(separator: "\n")
        let errors = [
            line("d", 400, #"{"error":{"message":"x","code":"context_length_exceeded"}}"#),
            line("e", 500, #"{"error":{"message":"x","type":"server_error"}}"#),
            #"{"custom_id":"f","response":null,"error":{"code":"batch_expired","message":"x"}}"#,
            #"{"custom_id":"h","response":null,"error":{"code":"invalid_api_key","message":"x"}}"#,
        ].joined(separator: "\r\n")
        let asked = ["a", "b", "c", "d", "e", "f", "g", "h"].map(Self.question)
        let results = try Self.batches(.openai).read([Self.response(output), Self.response(errors)], to: asked).get()
        let reply = ChatReply(text: Array("yes".utf8), usage: TokenUsage(input: 3, output: 1), requestID: "q")
        #expect(
            results.outcomes == [
                "a": .success(reply), "c": .success(reply), "d": .failure(.tooLong), "g": .failure(.refused),
                "h": .failure(.authentication),
            ])
        #expect(results.again == ["b", "e", "f"])
        #expect(results.strayLines == 2)
        #expect(results.unreadableLines == 1)
    }

    @Test
    func `results of Anthropic are joined by id, expired and cancelled ones go out again`() throws {
        let output = #"""
            {"custom_id":"b","result":{"type":"expired"}}
            {"custom_id":"a","result":{"type":"succeeded","message":{"type":"message","content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":3,"output_tokens":1}}}}
            {"custom_id":"c","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long"}}}}
            {"custom_id":"d","result":{"type":"errored","error":{"type":"overloaded_error","message":"x"}}}
            {"custom_id":"e","result":{"type":"canceled"}}
            {"custom_id":"f","result":{"type":"errored"}}
            """#
        let asked = ["a", "b", "c", "d", "e", "f", "g"].map(Self.question)
        let results = try Self.batches(.anthropic).read([Self.response(output)], to: asked).get()
        let reply = ChatReply(text: Array("yes".utf8), usage: TokenUsage(input: 3, output: 1))
        #expect(results.outcomes == ["a": .success(reply), "c": .failure(.tooLong)])
        #expect(results.again == ["b", "d", "e", "f", "g"])
        #expect(results.strayLines == 0 && results.unreadableLines == 0)
    }

    @Test(arguments: [ProviderKind.openai, .anthropic])
    func `a failed download of results is a failure and loses no question`(kind: ProviderKind) throws {
        let result = try Self.batches(kind).read([Self.response("", 503)], to: [Self.question("a")])
        #expect(result == .failure(.overloaded(after: nil)))
    }

    @Test
    func `Ollama takes no batches`() {
        #expect(ProviderKind.batches(Endpoint(kind: .ollama, baseURL: "http://h", model: "m")) == nil)
    }
}
