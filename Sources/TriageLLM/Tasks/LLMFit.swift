import Synchronization

/// What the answers of a run have shown of how much fits into a request: learnt once, and not by every pack anew.
final class LLMFit: Sendable {
    private struct State {
        /// Most tokens of messages in a pack.
        var packTokens = Int.max
        /// Tokens of the largest pack that was answered.
        var fits = 0
        /// Most messages in a pack.
        var packSize = Int.max
        /// Tokens of the shortest messages that alone were too long, in order.
        var tooLong: [Int] = []
        var seen = 0
        var packs = 0
        var refused = 0
    }

    /// A message of which a model takes at most some 350 tokens: where that is too long, nothing ever fits.
    private static let shortest = 100
    /// Packs after which the share of refused ones says something.
    private static let sample = 6
    private static let sampleOfSingles = 3

    private let state = Mutex(State())

    /// What a message alone is to be asked as.
    enum Single { case whole, clipped, never }

    /// - Parameter isAnswered: whether anything was ever answered.
    func single(tokens: Int, isAnswered: Bool) -> Single {
        state.withLock { state in
            // One message may be odd in how many tokens it takes for its length; three are not.
            guard state.tooLong.count == Self.sampleOfSingles, let least = state.tooLong.last else { return .whole }
            if least <= Self.shortest, !isAnswered { return .never }
            return tokens >= least ? .clipped : .whole
        }
    }

    /// Whether a pack fits as far as is known.
    func takes(count: Int, tokens: Int) -> Bool {
        state.withLock { count <= 1 || count <= $0.packSize && tokens <= $0.packTokens }
    }

    /// A pack was too long: halves of it, which are never quite even, are the most from now on.
    func tooLong(packOf tokens: Int) {
        state.withLock { state in
            // One that is a little too long says nothing against those that a little less has room for.
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

    /// Whether enough came back to ask with all that is allowed.
    var isSampled: Bool { state.withLock { $0.seen >= Self.sample } }

    /// Takes in what became of messages that were asked about for the first time.
    ///
    /// Where more than three quarters of the packs are refused, asking each message alone is cheaper than finding out in each
    /// pack who was meant.
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
