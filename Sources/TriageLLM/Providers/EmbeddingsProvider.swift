/// Embeddings through OpenAI's `/embeddings` or Ollama's `/api/embed`.
package struct EmbeddingsProvider: Sendable {
    private let endpoint: Endpoint

    /// - Returns: nil for kinds without embeddings.
    package init?(_ endpoint: Endpoint) {
        if endpoint.kind == .anthropic { return nil }
        self.endpoint = endpoint
    }

    /// The most texts in a request: vectors of 4,096 dimensions then fit into ``HTTPLimits/bodyBytes``; OpenAI takes
    /// 2,048.
    package static let batchTexts = 128
    /// The most bytes of text in a request: OpenAI takes 300,000 tokens, and a token is at least one byte.
    package static let batchBytes = 300_000

    /// Ranges of texts that fit into one request, in order; a text above the limit gets a request of its own.
    package static func batches(of texts: [String]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        var bytes = 0
        for (i, text) in texts.enumerated() {
            let size = text.utf8.count
            if i > start, i - start == batchTexts || bytes + size > batchBytes {
                batches.append(start..<i)
                start = i
                bytes = 0
            }
            bytes += size
        }
        if start < texts.count { batches.append(start..<texts.count) }
        return batches
    }

    /// The request for the vectors of `texts`; an empty text is sent as a space, because OpenAI refuses it.
    package func request(_ texts: [String]) -> HTTPRequest {
        let input = JSONValue.array(texts.map { .string($0.isEmpty ? " " : $0) })
        let body = [JSONMember("model", .string(endpoint.model)), JSONMember("input", input)]
        if endpoint.kind == .ollama { return endpoint.post("/embed", body) }
        return endpoint.post("/embeddings", body + [JSONMember("encoding_format", .string("float"))])
    }

    /// The vectors in a response.
    ///
    /// - Parameters:
    ///   - response: any bytes.
    ///   - texts: the texts that were sent; there must be one vector for each.
    ///   - dimension: the dimension of vectors stored earlier; nil: any from 1 to 65,536, the same for all.
    /// - Returns: vectors of length 1 in the order of the texts, or why there are none: `.badOutput` of `.wrongIDs` for
    ///   a wrong count or index, `.wrongSchema` for a wrong shape or dimension, `.outOfRange` for a vector that is zero
    ///   or not finite.
    package func read(
        _ response: HTTPResponse, to texts: [String], dimension: Int? = nil
    ) -> Result<EmbeddingsReply, CallFailure> {
        ReplyReading.envelope(response).flatMap { body in
            let rows: [JSONValue]
            switch Self.rows(of: body, count: texts.count) {
            case .success(let found): rows = found
            case .failure(let failure): return .failure(failure)
            }
            var wanted = dimension
            var vectors: [[Float]] = []
            vectors.reserveCapacity(rows.count)
            for row in rows {
                guard let numbers = row.array, (1...65_536).contains(numbers.count),
                    wanted ?? numbers.count == numbers.count
                else { return .failure(.badOutput(.wrongSchema)) }
                wanted = numbers.count
                guard let vector = Self.normalized(numbers) else { return .failure(.badOutput(.outOfRange)) }
                vectors.append(vector)
            }
            let usage = body["usage"]
            let count = UsageCount(
                input: UsageCount.count(usage?["prompt_tokens"] ?? body["prompt_eval_count"]), output: 0)
            let input = count.input.flatMap { $0 > 0 ? $0 : nil }
            let estimate = texts.reduce(0) { $0 + TokenEstimate.tokens(bytes: $1.utf8.count) }
            return .success(
                EmbeddingsReply(
                    vectors: vectors, usage: TokenUsage(input: input ?? estimate, isEstimated: input == nil),
                    model: body["model"]?.string.flatMap(ReplyReading.label)))
        }
    }

    /// One row for each text, in order.
    private static func rows(of body: JSONValue, count: Int) -> Result<[JSONValue], CallFailure> {
        if let rows = body["embeddings"]?.array {
            return rows.count == count ? .success(rows) : .failure(.badOutput(.wrongIDs))
        }
        guard let data = body["data"]?.array else { return .failure(.transient(.inside)) }
        guard data.count == count else { return .failure(.badOutput(.wrongIDs)) }
        var rows = [JSONValue?](repeating: nil, count: count)
        for (place, item) in data.enumerated() {
            // Without indices, only the order identifies the rows.
            guard let index = item["index"] == nil ? place : item["index"]?.integer, rows.indices.contains(index),
                rows[index] == nil
            else { return .failure(.badOutput(.wrongIDs)) }
            rows[index] = item["embedding"] ?? .null
        }
        return .success(rows.compactMap { $0 })
    }

    /// A vector of length 1; nil for one that is zero or not finite.
    private static func normalized(_ numbers: [JSONValue]) -> [Float]? {
        var values: [Double] = []
        values.reserveCapacity(numbers.count)
        var largest = 0.0
        for number in numbers {
            guard let value = number.double else { return nil }
            values.append(value)
            largest = max(largest, abs(value))
        }
        // Scaled first, so that squares neither overflow nor underflow.
        guard largest > 0 else { return nil }
        var sum = 0.0
        for i in values.indices {
            values[i] /= largest
            sum += values[i] * values[i]
        }
        let length = sum.squareRoot()
        return values.map { Float($0 / length) }
    }
}

/// The vectors of texts.
package struct EmbeddingsReply: Sendable, Equatable {
    /// One vector per text, in order; of length 1, so that the dot product is the cosine.
    package var vectors: [[Float]]
    package var usage: TokenUsage
    /// The model that answered, as the server names it; stored with vectors, because those of two models are not
    /// comparable.
    package var model: String?

    /// The number of dimensions; nil when there is no vector.
    package var dimension: Int? { vectors.first?.count }
}
