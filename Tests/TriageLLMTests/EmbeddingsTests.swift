import Testing

@testable import TriageLLM

@Suite struct `Embeddings` {
    private static func provider(_ kind: ProviderKind = .openai) throws -> EmbeddingsProvider {
        try #require(EmbeddingsProvider(Endpoint(kind: kind, baseURL: "http://h:1/v1", model: "minilm")))
    }

    private static func response(_ body: String, _ status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(body.utf8))
    }

    @Test
    func `texts are asked for in one request, in plain numbers`() throws {
        let openai = try Self.provider().request(["a \"q\"", "", "日本"])
        #expect(openai.url == "http://h:1/v1/embeddings")
        #expect(
            String(decoding: openai.body, as: UTF8.self)
                == #"{"model":"minilm","input":["a \"q\""," ","日本"],"encoding_format":"float"}"#)
        let ollama = try Self.provider(.ollama).request(["a"])
        #expect(ollama.url == "http://h:1/api/embed")
        #expect(String(decoding: ollama.body, as: UTF8.self) == #"{"model":"minilm","input":["a"]}"#)
        #expect(EmbeddingsProvider(Endpoint(kind: .anthropic, baseURL: "http://h", model: "m")) == nil)
    }

    @Test
    func `vectors come in the order of the texts and have length 1`() throws {
        let body = #"""
            {"object":"list","model":"minilm","data":[{"index":1,"embedding":[0,-2]},{"index":0,"embedding":[3,4.0]}],
            "usage":{"prompt_tokens":7,"total_tokens":7}}
            """#
        let reply = try Self.provider().read(Self.response(body), to: ["a", "b"]).get()
        #expect(
            reply == EmbeddingsReply(vectors: [[0.6, 0.8], [0, -1]], usage: TokenUsage(input: 7), model: "minilm"))
        let ollama = try Self.provider(.ollama).read(
            Self.response(#"{"model":"m","embeddings":[[1e200,0],[1e-300,1e-300]]}"#), to: ["abcdefgh", "b"]
        ).get()
        #expect(ollama.vectors == [[1, 0], [0.70710677, 0.70710677]])
        #expect(ollama.usage == TokenUsage(input: 4, isEstimated: true))
    }

    @Test(arguments: [
        (#"{"data":[{"index":0,"embedding":[1]}]}"#, CallFailure.badOutput(.wrongIDs)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#, .badOutput(.wrongIDs)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}"#, .badOutput(.wrongIDs)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":-1,"embedding":[1]}]}"#, .badOutput(.wrongIDs)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":"1","embedding":[1]}]}"#, .badOutput(.wrongIDs)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}"#, .badOutput(.wrongSchema)),
        (#"{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}"#, .badOutput(.wrongSchema)),
        (#"{"data":[{"index":0},{"index":1,"embedding":"AAAA"}]}"#, .badOutput(.wrongSchema)),
        (#"{"data":[{"embedding":[0,0]},{"embedding":[1,2]}]}"#, .badOutput(.outOfRange)),
        (#"{"data":[{"embedding":[1e999,0]},{"embedding":[1,2]}]}"#, .badOutput(.outOfRange)),
        (#"{"data":[{"embedding":[null,0]},{"embedding":[1,2]}]}"#, .badOutput(.outOfRange)),
        (#"{"embeddings":[[1,2]]}"#, .badOutput(.wrongIDs)), (#"{"data":[[NaN]]}"#, .transient(.inside)),
        (#"{"embeddings":[[1,2,3],[1,2,3]]}"#, .badOutput(.wrongSchema)), ("{}", .transient(.inside)),
        (#"{"error":"model not found"}"#, .configuration(status: 404)), ("<html>", .configuration(status: 200)),
    ])
    func `vectors that are missing, doubled, uneven, zero or not finite are refused`(
        body: String, failure: CallFailure
    ) throws {
        let dimension = body.contains("3]") ? 2 : nil
        let result = try Self.provider().read(Self.response(body), to: ["a", "b"], dimension: dimension)
        #expect(result == .failure(failure))
    }

    @Test
    func `a text above the batch of llama cpp is too long, though the status says 500`() throws {
        let body =
            #"{"error":{"code":500,"message":"input is too large to process. increase the physical batch size"}}"#
        #expect(try Self.provider().read(Self.response(body, 500), to: ["a"]) == .failure(.tooLong))
    }

    @Test(
        arguments: [
            ([], []), ([5], [0..<1]), ([300_000, 1], [0..<1, 1..<2]), ([400_000, 1, 1], [0..<1, 1..<3]),
            ([200_000, 100_000, 1], [0..<2, 2..<3]),
            (Array(repeating: 1, count: 300), [0..<128, 128..<256, 256..<300]),
        ] as [([Int], [Range<Int>])])
    func `texts are cut into requests that servers take`(sizes: [Int], batches: [Range<Int>]) {
        let texts = sizes.map { String(repeating: "a", count: $0) }
        #expect(EmbeddingsProvider.batches(of: texts) == batches)
    }
}
