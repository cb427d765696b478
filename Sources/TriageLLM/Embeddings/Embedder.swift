import Synchronization
package import TriageCore

/// Turns texts into vectors, each text once: vectors in the cache are not requested again.
package final class Embedder: VectorSource {
    private let caller: any ModelCaller
    private let cache: (any AnswerCache)?
    private let model: String
    private let identity: [[UInt8]]
    private let state = Mutex(Counts())

    /// What has been asked so far.
    package struct Counts: Sendable, Equatable {
        /// Distinct texts, summed over calls.
        package var texts = 0
        /// Texts whose vector was in the cache.
        package var fromCache = 0
        /// Texts without a vector, by ``CallFailure/code``.
        package var failures: [String: Int] = [:]
    }

    /// - Parameters:
    ///   - caller: sends the requests of an ``EmbeddingsChat``.
    ///   - cache: stores vectors under digests of model and text; nil: nothing is stored.
    package init(caller: any ModelCaller, cache: (any AnswerCache)?, endpoint: Endpoint) {
        self.caller = caller
        self.cache = cache
        model = endpoint.model
        identity = [Array("vector".utf8)] + endpoint.identity
    }

    package var counts: Counts { state.withLock { $0 } }

    package func vectors(
        of texts: [String], sendBefore deadline: ContinuousClock.Instant?
    ) async -> [Result<[Float], CallFailure>] {
        var places: [String: Int] = [:]
        var distinct: [String] = []
        for text in texts where places[text] == nil {
            places[text] = distinct.count
            distinct.append(text)
        }
        var found = [Result<[Float], CallFailure>?](repeating: nil, count: distinct.count)
        let key = AnswerKey(identity: identity)
        let digests = distinct.map { key.digest(of: [Array($0.utf8)]) }
        if let cache {
            for (place, digest) in digests.enumerated() where !Task.isCancelled {
                if let vector = await cache.answer(for: digest).flatMap(VectorBytes.vector) {
                    found[place] = .success(vector)
                }
            }
        }
        let missing = distinct.indices.filter { found[$0] == nil }
        let fromCache = distinct.count - missing.count
        for range in EmbeddingsProvider.batches(of: missing.map { distinct[$0] }) {
            let places = Array(missing[range])
            for (place, result) in zip(places, await ask(places.map { distinct[$0] }, deadline)) {
                found[place] = result
                if case .success(let vector) = result {
                    try? await cache?.keep(VectorBytes.bytes(of: vector), for: digests[place])
                }
            }
        }
        let results = distinct.indices.map { found[$0] ?? .failure(.cancelled) }
        state.withLock { counts in
            counts.texts += distinct.count
            counts.fromCache += fromCache
            for case .failure(let failure) in results { counts.failures[failure.code, default: 0] += 1 }
        }
        return texts.map { places[$0].map { results[$0] } ?? .failure(.cancelled) }
    }

    /// Asks for all texts at once; if one text spoils the request, asks for each half.
    private func ask(
        _ texts: [String], _ deadline: ContinuousClock.Instant?
    ) async -> [Result<[Float], CallFailure>] {
        if Task.isCancelled { return texts.map { _ in .failure(.cancelled) } }
        let query = EmbeddingsChat.query(texts, model: model)
        switch await caller.call(query, sendBefore: deadline, keeping: { $0 }) {
        case .success(let reply):
            if let vectors = EmbeddingsChat.vectors(in: reply, count: texts.count) {
                return vectors.map { .success($0) }
            }
            return texts.map { _ in .failure(.badOutput(.wrongSchema)) }
        case .failure(.tooLong) where texts.count > 1:
            let middle = texts.count / 2
            let first = await ask(Array(texts[..<middle]), deadline)
            return await first + ask(Array(texts[middle...]), deadline)
        case .failure(let failure):
            return texts.map { _ in .failure(failure) }
        }
    }
}

/// Sends texts to an embedding model in the form of a chat query, so that ``ReliableCaller`` retries, paces and counts
/// them.
///
/// The texts are a JSON array in the query's user turn; the reply's text is the bytes of the vectors, one after
/// another.
package struct EmbeddingsChat: ChatProvider {
    private let provider: EmbeddingsProvider

    /// - Returns: nil for kinds without embeddings.
    package init?(_ endpoint: Endpoint) {
        guard let provider = EmbeddingsProvider(endpoint) else { return nil }
        self.provider = provider
    }

    static func query(_ texts: [String], model: String) -> ChatQuery {
        let list = JSONValue.array(texts.map { .string($0) })
        return ChatQuery(
            model: model, system: "", user: String(decoding: list.encoded, as: UTF8.self), maxOutputTokens: 0)
    }

    /// The expected number of vectors, all of one length; nil when the bytes do not fit.
    static func vectors(in reply: ChatReply, count: Int) -> [[Float]]? {
        guard count > 0, reply.text.count % count == 0 else { return nil }
        let size = reply.text.count / count
        let vectors = (0..<count).compactMap { VectorBytes.vector(in: Array(reply.text[$0 * size..<($0 + 1) * size])) }
        return vectors.count == count ? vectors : nil
    }

    package func request(_ query: ChatQuery, features: ServerFeatures) -> HTTPRequest {
        provider.request(Self.texts(of: query))
    }

    package func read(_ response: HTTPResponse, to query: ChatQuery) -> Result<ChatReply, CallFailure> {
        provider.read(response, to: Self.texts(of: query)).map { reply in
            ChatReply(text: reply.vectors.flatMap(VectorBytes.bytes), usage: reply.usage, model: reply.model)
        }
    }

    package func usage(in response: HTTPResponse) -> TokenUsage? { nil }

    private static func texts(of query: ChatQuery) -> [String] {
        ((try? StrictJSON.parse(Array(query.user.utf8)))?.array ?? []).compactMap(\.string)
    }
}

/// A source of vectors for texts.
package protocol VectorSource: Sendable {
    /// One result per text, in order: vectors of length 1. Never throws; a cancelled task gets `.cancelled`.
    ///
    /// - Parameter deadline: nothing is sent from this moment on, and unsent texts get `.deadline`; requests in flight
    ///   are waited for. Nil: no limit.
    func vectors(of texts: [String], sendBefore deadline: ContinuousClock.Instant?) async -> [Result<
        [Float], CallFailure
    >]
}

extension VectorSource {
    /// Like ``vectors(of:sendBefore:)``, without a limit.
    package func vectors(of texts: [String]) async -> [Result<[Float], CallFailure>] {
        await vectors(of: texts, sendBefore: nil)
    }
}

/// The stored form of vectors: little-endian 32-bit floats, and nothing else.
enum VectorBytes {
    /// The most numbers in a vector; current models have at most 8,192.
    static let longest = 65_536

    static func bytes(of vector: [Float]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(vector.count * 4)
        for number in vector {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// A stored vector, whose length must be 1; nil for anything else.
    static func vector(in bytes: [UInt8]) -> [Float]? {
        let (count, rest) = bytes.count.quotientAndRemainder(dividingBy: 4)
        guard rest == 0, (1...longest).contains(count) else { return nil }
        var vector: [Float] = []
        vector.reserveCapacity(count)
        var square: Float = 0
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
            let number = Float(bitPattern: bits)
            square += number * number
            vector.append(number)
        }
        // Also false for values that are not finite.
        guard abs(square - 1) < 0.01 else { return nil }
        return vector
    }
}
