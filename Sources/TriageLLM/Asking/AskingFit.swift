import Synchronization

/// What the answers of a run have shown of how much fits into a request: learnt once, and not by every pack anew.
final class AskingFit: Sendable {
    private struct State {
        /// Most tokens of messages in a pack.
        var packTokens = Int.max
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
    private static let sample = 4
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
        state.withLock { $0.packTokens = min($0.packTokens, max(1, tokens / 8 * 5)) }
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
    /// Where more than a quarter of the packs are refused, smaller ones are cheaper than finding out in each who was meant.
    func noted(isRefused: Bool, packOf count: Int) {
        state.withLock { state in
            state.seen += 1
            guard count > 1, count <= state.packSize else { return }
            state.packs += 1
            if isRefused { state.refused += 1 }
            guard state.packs >= Self.sample else { return }
            if state.refused * 4 > state.packs {
                state.packSize = state.refused * 4 > state.packs * 3 ? 1 : max(1, count / 2)
                (state.packs, state.refused) = (0, 0)
            }
        }
    }
}
