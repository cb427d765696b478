import Synchronization
public import TriageCore

/// Makes vectors of texts, each text once: what is kept is not asked for.
public final class Embedder: VectorSource {
    private let caller: any ModelCaller
    private let cache: (any AnswerCache)?
    private let model: String
    private let identity: [[UInt8]]
    private let state = Mutex(Counts())

    /// What was asked up to now.
    public struct Counts: Sendable, Equatable {
        /// Distinct texts of each call.
        public var texts = 0
        /// Texts whose vector was kept from before.
        public var fromCache = 0
        /// Texts without a vector, by ``CallFailure/code``.
        public var failures: [String: Int] = [:]
    }

    /// - Parameters:
    ///   - caller: of an ``EmbeddingsChat``.
    ///   - cache: keeps vectors under digests of model and text; nil: nothing is kept.
    public init(caller: any ModelCaller, cache: (any AnswerCache)?, endpoint: Endpoint) {
        self.caller = caller
        self.cache = cache
        model = endpoint.model
        identity = [Array("vector".utf8)] + endpoint.identity
    }

    public var counts: Counts { state.withLock { $0 } }

    public func vectors(
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

    /// Asks for all at once; where one text spoils the request, for each half.
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
