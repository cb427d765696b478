import Testing

@testable import TriageLLM

@Suite struct `Hostile bytes` {
    /// SplitMix64: the same bytes for the same seed on every machine.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    private static let models = [
        #"{"id":"c","model":"m","choices":[{"index":0,"message":{"content":"{\"a\":[1,2.5e3,\"\ud83d\"]}","#
            + #""reasoning":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":25,"completion_tokens":4}}"#,
        #"{"type":"error","error":{"type":"overloaded_error","message":"x","details":{"error_code":"y"}}}"#,
        #"{"error":{"code":429,"message":"temperature unsupported","metadata":{"raw":"{}"}},"choices":null}"#,
        #"{"type":"message","content":[{"type":"text","text":"<think>a</think>```{}```"}],"usage":{"input_tokens":1}}"#,
        #"{"message":{"content":"{\"k\":null}"},"done":true,"prompt_eval_count":9223372036854775807,"eval_count":-1}"#,
        #"{"data":[{"index":0,"embedding":[0.5,-1e3]},{"index":1,"embedding":[1e308,0]}]}"#,
        #"{"custom_id":"a","response":{"status_code":200,"body":{"choices":[]}},"error":null}"#,
    ]

    private static func mangled(_ bytes: [UInt8], _ random: inout Seeded) -> [UInt8] {
        var bytes = bytes
        let tokens = ["{", "}", "[", "]", "\"", "\\", "\\u", ":", ",", "-", "1e999", "null", "\u{0}", "<", "\n", "9"]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes = Array(bytes[..<at])
            case 1: bytes.insert(contentsOf: Array((tokens.randomElement(using: &random) ?? "").utf8), at: at)
            case 2: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
            case 3:
                let end = Int.random(in: at...bytes.count, using: &random)
                bytes.removeSubrange(at..<end)
            default:
                let end = Int.random(in: at...bytes.count, using: &random)
                bytes.insert(contentsOf: bytes[at..<end], at: end)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `any bytes are an answer, and a reply keeps its promises`(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let query = ChatQuery(
            model: "m", system: "s", user: "u", schema: AnswerSchema(name: "t", root: .object([])), maxOutputTokens: 9)
        let free = ChatQuery(model: "m", system: "s", user: "u", maxOutputTokens: 9)
        let endpoints = ProviderKind.allCases.map { Endpoint(kind: $0, baseURL: "http://h", model: "m") }
        let statuses = [200, 200, 200, 400, 429, 500, 503, Int.max, Int.min]
        for round in 0..<120 {
            var bytes = Self.mangled(Array((Self.models.randomElement(using: &random) ?? "").utf8), &random)
            if round % 10 == 0 {
                bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            }
            if let value = try? StrictJSON.parse(bytes) {
                #expect(try StrictJSON.parse(value.encoded) == value, "seed \(seed), round \(round)")
            }
            _ = try? StrictJSON.answer(in: bytes)
            let text = String(decoding: bytes.prefix(60), as: UTF8.self)
            let response = HTTPResponse(
                status: statuses.randomElement(using: &random) ?? 200,
                headers: [
                    HTTPHeader("date", text), HTTPHeader("retry-after", text),
                    HTTPHeader("x-ratelimit-reset-tokens", text),
                ], body: bytes)
            _ = RateHeaders(response)
            for endpoint in endpoints {
                let provider = ProviderKind.provider(endpoint)
                for query in [query, free] {
                    guard case .success(let reply) = provider.read(response, to: query) else { continue }
                    #expect(!reply.text.isEmpty && (200..<300).contains(response.status))
                    #expect(String(validating: reply.text, as: UTF8.self) != nil)
                    #expect(reply.usage.input > 0 && reply.usage.output >= 0)
                    #expect(reply.usage.cachedInput <= reply.usage.input)
                }
                _ = provider.usage(in: response)
                _ = ModelListProvider(endpoint).read(response)
                if let embeddings = EmbeddingsProvider(endpoint),
                    case .success(let reply) = embeddings.read(response, to: ["a", "b"])
                {
                    #expect(reply.vectors.count == 2 && reply.vectors.joined().allSatisfy(\.isFinite))
                }
                if let batches = ProviderKind.batches(endpoint) {
                    _ = batches.state(response)
                    _ = batches.uploaded(response)
                    let asked = [BatchQuestion(id: "a", query: query), BatchQuestion(id: "b", query: query)]
                    if case .success(let results) = batches.read([response], to: asked) {
                        #expect(results.outcomes.count + results.again.count == 2)
                    }
                }
            }
        }
    }
}
