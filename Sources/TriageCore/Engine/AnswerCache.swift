/// Where answers are kept so that none is paid for twice; holds digests and answers, no message text.
public protocol AnswerCache: Sendable {
    /// The answer under a digest (64 hex digits); nil when there is none or the store is of no use.
    func answer(for digest: String) async -> [UInt8]?

    /// Keeps an answer; when this returns, a `kill -9` no longer loses it.
    func keep(_ answer: [UInt8], for digest: String) async throws
}
