/// Keeps model answers so that no run pays for them twice; holds digests and answers, but no message text.
///
/// A kept answer survives a kill of the process; a power cut may lose the most recent ones.
package protocol AnswerCache: Sendable {
    /// Returns the answer for a digest (64 hex digits); nil when there is none or the store cannot be used.
    func answer(for digest: String) async -> [UInt8]?

    /// Returns the answers for those of the given digests that have one.
    ///
    /// The default implementation looks them up one by one.
    func answers(for digests: [String]) async -> [String: [UInt8]]

    /// Keeps an answer; once this returns, a `kill -9` no longer loses it.
    func keep(_ answer: [UInt8], for digest: String) async throws

    /// Keeps answers by their digests; once this returns, a `kill -9` no longer loses them.
    ///
    /// The default implementation keeps them one by one.
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
