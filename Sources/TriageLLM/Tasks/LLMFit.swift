import Synchronization

/// What answers have shown about how much fits into a request: learnt once per run, instead of by every pack.
final class LLMFit: Sendable {
    private struct State {
        /// The maximum number of message tokens in a pack.
        var packTokens = Int.max
        /// The number of tokens in the largest pack that was answered.
        var fits = 0
        /// The maximum number of messages in a pack.
        var packSize = Int.max
        /// The token counts of the shortest messages that were too long by themselves, in order.
        var tooLong: [Int] = []
        var seen = 0
        var packs = 0
        var refused = 0
    }

    /// A message that takes a model at most some 350 tokens: if that is too long, nothing ever fits.
    private static let shortest = 100
    /// The number of packs from which the share of refused ones is meaningful.
    private static let sample = 6
    private static let sampleOfSingles = 3

    private let state = Mutex(State())

    /// How to ask about a message alone.
    enum Single { case whole, clipped, never }

    /// - Parameter isAnswered: whether any question has been answered.
    func single(tokens: Int, isAnswered: Bool) -> Single {
        state.withLock { state in
            // One message may have unusually many tokens for its length; three are no accident.
            guard state.tooLong.count == Self.sampleOfSingles, let least = state.tooLong.last else { return .whole }
            if least <= Self.shortest, !isAnswered { return .never }
            return tokens >= least ? .clipped : .whole
        }
    }

    /// Whether a pack fits, as far as is known.
    func takes(count: Int, tokens: Int) -> Bool {
        state.withLock { count <= 1 || count <= $0.packSize && tokens <= $0.packTokens }
    }

    /// Records that a pack was too long: 5/8 of it, enough for uneven halves, becomes the maximum.
    func tooLong(packOf tokens: Int) {
        state.withLock { state in
            // Sizes up to that of the largest answered pack stay allowed, but only below the size of this one.
            let most = max(tokens / 8 * 5, min(state.fits, tokens - 1))
            state.packTokens = min(state.packTokens, max(1, most))
        }
    }

    func tooLong(single tokens: Int) {
        state.withLock { state in
            state.tooLong.append(max(1, tokens))
            state.tooLong.sort()
            if state.tooLong.count > Self.sampleOfSingles { state.tooLong.removeLast() }
        }
    }

    /// Whether there have been enough answers to send as many requests as allowed.
    var isSampled: Bool { state.withLock { $0.seen >= Self.sample } }

    /// Records the result of messages that were asked about for the first time.
    ///
    /// If more than three quarters of the packs are refused, asking about each message alone is cheaper than finding
    /// out which message of each pack caused the refusal.
    func noted(isRefused: Bool, packOf count: Int, tokens: Int) {
        state.withLock { state in
            state.seen += 1
            if !isRefused { state.fits = max(state.fits, tokens) }
            guard count > 1, count <= state.packSize else { return }
            state.packs += 1
            if isRefused { state.refused += 1 }
            guard state.packs >= Self.sample else { return }
            if state.refused * 4 > state.packs * 3 { state.packSize = 1 }
        }
    }
}
