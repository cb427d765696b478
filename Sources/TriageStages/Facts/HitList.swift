internal import TriageCore

/// The hits of a batch as they grow: an append is a check of the room and a store.
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

    @inline(__always)
    mutating func append(_ hit: SignalHit) {
        if count == capacity { grow() }
        (base + count).initialize(to: hit)
        count &+= 1
    }

    mutating func remove(at index: Int) {
        precondition(index >= 0 && index < count)
        for i in index..<(count - 1) { base[i] = base[i + 1] }
        count -= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<SignalHit>.allocate(capacity: capacity * 2)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
