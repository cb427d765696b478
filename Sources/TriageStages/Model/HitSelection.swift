internal import TriageCore

/// The hits of one message that the model weighs: what is said again and again says little more.
///
/// Ten laughing faces are ten hits of one signal. Added up they would outweigh everything else, and no message that the
/// model was made from has so many.
///
/// One batch at a time may use it.
final class HitSelection {
    /// Hits of one signal that count.
    static let limit: UInt8 = 1

    private let counts: UnsafeMutablePointer<UInt8>
    private var chosen: UnsafeMutablePointer<SignalHit>
    private var room = 256

    /// - Parameter signals: how many there are.
    init(signals: Int) {
        counts = .allocate(capacity: max(1, signals))
        counts.initialize(repeating: 0, count: max(1, signals))
        chosen = .allocate(capacity: room)
    }

    deinit {
        counts.deallocate()
        chosen.deallocate()
    }

    /// Those that count, in order; valid until the next call.
    @inline(__always)
    func select(from hits: UnsafeBufferPointer<SignalHit>) -> UnsafeBufferPointer<SignalHit> {
        if hits.count > room { grow(to: hits.count) }
        var found = 0
        for hit in hits {
            let count = counts[Int(hit.signal)]
            let weight: UInt8 = !hit.isCovered && count < Self.limit ? 1 : 0
            chosen[found] = hit
            found &+= Int(weight)
            counts[Int(hit.signal)] = count &+ weight
        }
        for hit in hits { counts[Int(hit.signal)] = 0 }
        return UnsafeBufferPointer(start: chosen, count: found)
    }

    @inline(never)
    private func grow(to count: Int) {
        chosen.deallocate()
        room = 2 * count
        chosen = .allocate(capacity: room)
    }
}
