internal import TriageCore

/// The hits of one message that the model weighs: what is said again says no more.
///
/// Ten laughing faces are ten hits of one signal; added up they would outweigh everything else.
///
/// One batch at a time may use it.
final class HitSelection {
    /// By signal: whether it was there in the message in hand.
    private let isThere: UnsafeMutablePointer<Bool>
    private var chosen: UnsafeMutablePointer<SignalHit>
    private var room = 256

    /// - Parameter signals: how many there are.
    init(signals: Int) {
        isThere = .allocate(capacity: max(1, signals))
        isThere.initialize(repeating: false, count: max(1, signals))
        chosen = .allocate(capacity: room)
    }

    deinit {
        isThere.deallocate()
        chosen.deallocate()
    }

    /// Those that count, in order; valid until the next call.
    @inline(__always)
    func select(from hits: UnsafeBufferPointer<SignalHit>) -> UnsafeBufferPointer<SignalHit> {
        if hits.count > room { grow(to: hits.count) }
        var found = 0
        for hit in hits {
            guard !hit.isCovered, !isThere[Int(hit.signal)] else { continue }
            isThere[Int(hit.signal)] = true
            chosen[found] = hit
            found &+= 1
        }
        for hit in hits { isThere[Int(hit.signal)] = false }
        return UnsafeBufferPointer(start: chosen, count: found)
    }

    @inline(never)
    private func grow(to count: Int) {
        chosen.deallocate()
        room = 2 * count
        chosen = .allocate(capacity: room)
    }
}
