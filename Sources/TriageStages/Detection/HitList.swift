internal import TriageCore

/// The hits of a batch as they grow, message by message.
struct HitList: ~Copyable {
    private var base: UnsafeMutablePointer<SignalHit>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// What is in it.
    var hits: UnsafeMutableBufferPointer<SignalHit> { UnsafeMutableBufferPointer(start: base, count: count) }

    /// Room for so many hits more, to be filled from its beginning; ``add(_:)`` takes them in.
    @inline(__always)
    mutating func room(for more: Int) -> UnsafeMutablePointer<SignalHit> {
        if capacity &- count < more { grow(by: more) }
        return base + count
    }

    /// Takes in hits that were put into ``room(for:)``.
    @inline(__always)
    mutating func add(_ more: Int) { count &+= more }

    @inline(never)
    private mutating func grow(by more: Int) {
        capacity = capacity * 2 + more
        let larger = UnsafeMutablePointer<SignalHit>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
    }
}
