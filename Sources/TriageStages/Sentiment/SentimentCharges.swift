internal import TriageCore

/// The hits of one message that carry feeling; the memory is made once a batch.
struct SentimentCharges: ~Copyable {
    /// A hit that carries feeling: how much of it is positive and how much negative.
    struct Charge {
        var hit: SignalHit
        var weights: SIMD2<Float>
    }

    private let limit: Int
    private let charges: UnsafeMutablePointer<Charge>
    private let sorted: UnsafeMutablePointer<Float>
    /// Roots of 1, 2, 3 and so on.
    private let roots: UnsafeMutablePointer<Float>
    private(set) var count = 0

    /// - Parameter limit: charges of one message that are kept, the first ones.
    init(limit: Int) {
        self.limit = limit
        charges = .allocate(capacity: limit)
        sorted = .allocate(capacity: limit)
        roots = .allocate(capacity: limit)
        for k in 0..<limit { (roots + k).initialize(to: Float(k + 1).squareRoot()) }
    }

    deinit {
        charges.deallocate()
        sorted.deallocate()
        roots.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    /// - Parameter k: below ``count``.
    subscript(k: Int) -> Charge {
        @inline(__always) get { charges[k] }
        @inline(__always) nonmutating _modify { yield &charges[k] }
    }

    @inline(__always)
    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func add(_ hit: SignalHit, _ weights: SIMD2<Float>) {
        guard count < limit else { return }
        (charges + count).initialize(to: Charge(hit: hit, weights: weights))
        count &+= 1
    }

    /// The same signal by the same words counts so often at most.
    mutating func drop(repeatsBeyond repeatLimit: Int, of text: UnsafeBufferPointer<UInt8>) {
        guard count > repeatLimit else { return }
        var kept = 0
        for i in 0..<count {
            var same = 0
            for j in 0..<kept where Self.isSame(charges[i].hit, charges[j].hit, text) { same += 1 }
            if same < repeatLimit {
                charges[kept] = charges[i]
                kept += 1
            }
        }
        count = kept
    }

    @inline(__always)
    private static func isSame(_ a: SignalHit, _ b: SignalHit, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard a.signal == b.signal, a.end &- a.start == b.end &- b.start else { return false }
        guard a.hasPlace else { return true }
        for i in 0..<Int(a.end &- a.start) where text[Int(a.start) + i] != text[Int(b.start) + i] { return false }
        return true
    }

    /// Σ of each side with the k-th largest divided by √k.
    func damped() -> SIMD2<Float> {
        var sums = SIMD2<Float>(0, 0)
        for side in 0..<2 {
            var taken = 0
            for k in 0..<count {
                let weight = charges[k].weights[side]
                guard weight > 0 else { continue }
                var place = taken
                while place > 0, sorted[place &- 1] < weight {
                    sorted[place] = sorted[place &- 1]
                    place &-= 1
                }
                sorted[place] = weight
                taken &+= 1
            }
            var sum: Float = 0
            for k in 0..<taken { sum += sorted[k] / roots[k] }
            sums[side] = sum
        }
        return sums
    }
}
