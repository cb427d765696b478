import TriageCore

/// The hits of a batch as they are found, text by text: an append is a check of the room and a store.
struct HitBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<SignalHit>
    private var capacity: Int
    private var total = 0
    /// Where the text in hand starts.
    private var first = 0
    /// Hits that the batch had already.
    private let earlier: Int

    /// - Parameters:
    ///   - earlier: hits that the batch has already.
    ///   - texts: how many are going to be looked at; room that is not used costs nothing.
    init(after earlier: Int, texts: Int) {
        self.earlier = earlier
        capacity = max(1024, 32 * texts)
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// Hits of the text in hand.
    var count: Int {
        @inline(__always) get { total &- first }
    }

    /// They themselves; valid until the next append.
    var text: UnsafeMutableBufferPointer<SignalHit> {
        @inline(__always) get { UnsafeMutableBufferPointer(start: base + first, count: total &- first) }
    }

    /// Where they will be in the batch.
    var range: Range<Int> { (earlier + first)..<(earlier + total) }

    mutating func beginText() { first = total }

    @inline(__always)
    mutating func append(_ hit: SignalHit) {
        if total == capacity { grow() }
        (base + total).initialize(to: hit)
        total &+= 1
    }

    /// Hands all hits over.
    func finish(into hits: inout [SignalHit]) {
        hits.append(contentsOf: UnsafeBufferPointer(start: base, count: total))
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<SignalHit>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: total)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
