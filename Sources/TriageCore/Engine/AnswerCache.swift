/// Where answers are kept so that no run pays for them again; holds digests and answers, no message text.
///
/// A kill loses no answer that is kept; a power cut may lose the last ones.
package protocol AnswerCache: Sendable {
    /// The answer under a digest (64 hex digits); nil when there is none or the store is of no use.
    func answer(for digest: String) async -> [UInt8]?

    /// The answers under those of many digests that have one.
    ///
    /// By default they are looked up one by one.
    func answers(for digests: [String]) async -> [String: [UInt8]]

    /// Keeps an answer; when this returns, a `kill -9` no longer loses it.
    func keep(_ answer: [UInt8], for digest: String) async throws

    /// Keeps answers by their digests; when this returns, a `kill -9` no longer loses them.
    ///
    /// By default they are kept one by one.
    ///
    /// - Returns: how many could not be kept.
    func keep(_ answers: [String: [UInt8]]) async -> Int
}

extension AnswerCache {
    package func answers(for digests: [String]) async -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for digest in digests {
            if Task.isCancelled { break }
            found[digest] = await answer(for: digest)
        }
        return found
    }

    package func keep(_ answers: [String: [UInt8]]) async -> Int {
        var refused = 0
        for (digest, answer) in answers {
            do { try await keep(answer, for: digest) } catch { refused += 1 }
        }
        return refused
    }
}
