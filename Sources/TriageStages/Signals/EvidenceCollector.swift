import TriageCore

/// Keeps the strongest reasons of one answer at a time, and those of a batch's answers until they are handed over.
///
/// Most answers have a handful of reasons, and there are thousands of answers: they are sorted when all are in, in
/// memory that is made once a batch.
struct EvidenceCollector: ~Copyable {
    private struct Reason {
        /// Size of the weight, then nearness to the beginning of the text: the greater comes first.
        var rank: UInt64
        var weight: Float
        var end: UInt32
        var signal: UInt16

        init(_ hit: SignalHit, _ weight: Float) {
            // Floats of one sign are ordered like their bits.
            rank = UInt64(weight.magnitude.bitPattern) << 32 | UInt64(~hit.start)
            self.weight = weight
            end = hit.end
            signal = hit.signal
        }

        var start: UInt32 { ~UInt32(truncatingIfNeeded: rank) }

        @inline(__always)
        func precedes(_ other: Reason) -> Bool {
            rank == other.rank ? signal < other.signal : rank > other.rank
        }
    }

    /// Reasons that are sorted by comparing each with each: that takes no branch that depends on them.
    private static let few = 8

    private let limit: Int
    /// The strongest reasons so far of the answer in hand; in order if there were more.
    private let kept: UnsafeMutablePointer<Reason>
    private var count = 0
    private var isSorted = false
    /// Of a few reasons: how many come before each, and which one comes at each place.
    private let places: UnsafeMutablePointer<Int>
    private let order: UnsafeMutablePointer<Int>
    private var written = BatchAdditions<Evidence>()

    /// - Parameter limit: reasons of one answer that are kept.
    init(limit: Int) {
        self.limit = max(0, limit)
        kept = .allocate(capacity: max(1, limit))
        places = .allocate(capacity: Self.few)
        order = .allocate(capacity: Self.few)
    }

    deinit {
        kept.deallocate()
        places.deallocate()
        order.deallocate()
    }

    /// Says after how much evidence of the batch the answers' own follows; to be called before the first answer.
    mutating func begin(after first: Int) { written.restart(after: first) }

    /// Hands the evidence of all answers over.
    mutating func end(into evidence: inout [Evidence]) { written.finish(into: &evidence) }

    @inline(__always)
    mutating func removeAll() {
        count = 0
        isSorted = false
    }

    /// Adds a reason; one of no weight is none.
    @inline(__always)
    mutating func add(_ hit: SignalHit, weight: Float) {
        guard weight != 0 else { return }
        let reason = Reason(hit, weight)
        if count < limit {
            (kept + count).initialize(to: reason)
            count &+= 1
        } else if limit > 0 {
            replaceWeakest(with: reason)
        }
    }

    @inline(never)
    private mutating func replaceWeakest(with reason: Reason) {
        if !isSorted { sort() }
        guard reason.precedes(kept[count &- 1]) else { return }
        insert(reason, at: count &- 1)
    }

    private mutating func sort() {
        for place in 1..<max(1, count) { insert(kept[place], at: place) }
        isSorted = true
    }

    /// Puts a reason where it belongs among those before a place, and moves the rest up to it.
    private func insert(_ reason: Reason, at last: Int) {
        var place = last
        while place > 0, reason.precedes(kept[place &- 1]) {
            kept[place] = kept[place &- 1]
            place &-= 1
        }
        kept[place] = reason
    }

    /// Writes the reasons, strongest first, ties by place and signal, and empties the collector.
    ///
    /// - Parameter places: of the record that they are about.
    @inline(__always)
    mutating func finish(_ places: @autoclosure () -> MessagePlaces) -> EvidenceRange {
        guard count > 0 else { return 0..<0 }
        return write(places())
    }

    private mutating func write(_ record: MessagePlaces) -> EvidenceRange {
        let first = written.end
        if isSorted || count > Self.few {
            if !isSorted { sort() }
            for k in 0..<count { write(kept[k], record) }
        } else {
            findOrder()
            for k in 0..<count { write(kept[order[k]], record) }
        }
        removeAll()
        return first..<written.end
    }

    /// Fills ``order`` for a few reasons.
    @inline(__always)
    private func findOrder() {
        for k in 0..<count {
            var before = 0
            for j in 0..<k {
                let isLater = kept[j].precedes(kept[k]) ? 1 : 0
                before &+= isLater
                places[j] &+= 1 &- isLater
            }
            places[k] = before
        }
        for k in 0..<count { order[places[k]] = k }
    }

    @inline(__always)
    private mutating func write(_ reason: Reason, _ places: MessagePlaces) {
        var evidence = Evidence(signal: reason.signal, weight: reason.weight)
        if reason.start <= reason.end {
            let range = places.decodedRange(Int(reason.start)..<Int(reason.end))
            evidence.start = Int32(truncatingIfNeeded: range.lowerBound)
            evidence.end = Int32(truncatingIfNeeded: range.upperBound)
        }
        written.append(evidence)
    }
}
