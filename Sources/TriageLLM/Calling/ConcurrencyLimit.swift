/// How many requests may be in flight: additive increase, multiplicative decrease, with a slow start.
///
/// Nobody tells how many slots a server has, and a queue there is a queue of our own making. So the limit grows only
/// while it is used to the full and the median latency stays under twice the best median seen: twofold at first, so that
/// a server of 32 slots is filled within seconds, by one after the first sign of a queue.
public struct ConcurrencyLimit: Sendable, Equatable {
    /// Requests that may be in flight.
    public private(set) var limit: Int
    /// Changes with the limit: only what started under the present limit tells about it.
    public private(set) var epoch = 0

    private let highest: Int
    private var isSlowStart = true
    private var best: Duration?
    private var window: [Duration] = []
    private var wasUsed = false

    /// Windows are at least so long: the median of one or two latencies says little.
    private static let shortestWindow = 4

    /// - Parameters:
    ///   - start: 4 for servers elsewhere, 1 for one on this machine, which as a rule has one slot.
    ///   - highest: 1–1,024.
    public init(start: Int = 4, highest: Int = 8) {
        self.highest = min(max(highest, 1), 1024)
        limit = min(max(start, 1), self.highest)
    }

    /// Tells how many are in flight after one more has started.
    public mutating func started(inFlight: Int) { if inFlight >= limit { wasUsed = true } }

    /// Takes in the latency of an answer to a request that started in `epoch`.
    public mutating func succeeded(after latency: Duration, epoch: Int) {
        guard epoch == self.epoch else { return }
        window.append(latency)
        guard window.count >= max(limit, Self.shortestWindow) else { return }
        window.sort()
        let median = window[window.count / 2]
        window.removeAll(keepingCapacity: true)
        let least = min(best ?? median, median)
        best = least
        let isWaiting = median >= least * 2
        let isUsed = wasUsed
        wasUsed = false
        if isWaiting {
            // The last doubling went too far; what was before it is known to be good.
            if isSlowStart { change(to: limit / 2) }
            isSlowStart = false
        } else if isUsed {
            change(to: isSlowStart ? limit * 2 : limit + 1)
        }
    }

    /// Halves the limit, for the server refused or did not answer in time; once for all that started in `epoch`.
    public mutating func overloaded(epoch: Int) {
        guard epoch == self.epoch else { return }
        isSlowStart = false
        change(to: limit / 2)
        // Even at 1, one burst of refusals is one sign.
        self.epoch = epoch + 1
    }

    private mutating func change(to wanted: Int) {
        let next = min(max(wanted, 1), highest)
        guard next != limit else { return }
        limit = next
        epoch += 1
        window.removeAll(keepingCapacity: true)
        wasUsed = false
    }
}
