import TriageCore

/// Collects the strongest reasons for one answer at a time, and the evidence of all answers until it is added to the
/// batch.
///
/// Most answers have a handful of reasons, and there are thousands of answers. Reasons are therefore sorted as they
/// arrive, in memory that is allocated once per batch.
struct EvidenceCollector: ~Copyable {
    private struct Reason {
        /// Magnitude of the weight, then closeness to the beginning of the text; the greater rank comes first.
        var rank: UInt64
        var weight: Float
        var end: UInt32
        var signal: UInt16

        init(_ hit: SignalHit, _ weight: Float) {
            // Non-negative floats are ordered like their bit patterns.
            rank = UInt64(weight.magnitude.bitPattern) << 32 | UInt64(~hit.start)
            self.weight = weight
            end = hit.end
            signal = hit.signal
        }

        var start: UInt32 { ~UInt32(truncatingIfNeeded: rank) }

        @inline(__always)
        func precedes(_ other: Reason) -> Bool {
            rank > other.rank || (rank == other.rank && signal < other.signal)
        }
    }

    private let limit: Int
    /// The strongest reasons so far for the current answer, in order.
    private let kept: UnsafeMutablePointer<Reason>
    private var count = 0
    /// Candidates that are strong enough to be considered, and their weights.
    private var offered: UnsafeMutablePointer<(index: UInt32, weight: Float)>
    private var room = 256
    private var written = BatchAdditions<Evidence>()

    /// Creates a collector.
    ///
    /// - Parameter limit: maximum number of reasons kept per answer.
    init(limit: Int) {
        self.limit = max(0, limit)
        kept = .allocate(capacity: max(1, limit))
        offered = .allocate(capacity: room)
    }

    deinit {
        kept.deallocate()
        offered.deallocate()
    }

    /// Sets the number of evidence elements that the batch already has; must be called before the first answer.
    mutating func begin(after first: Int) { written.restart(after: first) }

    /// Appends the evidence of all answers to the array.
    mutating func end(into evidence: inout [Evidence]) { written.finish(into: &evidence) }

    @inline(__always)
    mutating func removeAll() { count = 0 }

    /// Adds a reason, unless its weight is 0.
    @inline(__always)
    mutating func add(_ hit: SignalHit, weight: Float) {
        guard weight != 0 else { return }
        add(Reason(hit, weight))
    }

    /// Adds those of many candidates that weigh at least `least`.
    ///
    /// Which ones do is unpredictable, so the loop has no branch per candidate, which would be mispredicted half of the
    /// time. Most are weaker than the reasons already kept; only for the others is the place determined.
    ///
    /// - Parameters:
    ///   - many: number of candidates, below 2³².
    ///   - weight: returns the weight of a candidate.
    ///   - hit: returns the place of a candidate.
    @inline(__always)
    mutating func add(
        _ many: Int, atLeast least: Float, weight: (Int) -> Float, hit: (Int) -> SignalHit
    ) {
        if many > room { grow(to: many) }
        let offered = offered
        // Non-negative floats are ordered like their bit patterns. A comparison would be compiled to a branch; the sign
        // of a difference is not.
        let below = Int64(least.bitPattern) &- 1
        var found = 0
        for index in 0..<many {
            let weight = weight(index)
            (offered + found).initialize(to: (UInt32(truncatingIfNeeded: index), weight))
            found &+= Int(UInt64(bitPattern: below &- Int64(weight.magnitude.bitPattern)) &>> 63)
        }
        for place in 0..<found {
            let (index, weight) = offered[place]
            if count == limit, limit > 0, weight.magnitude < kept[limit &- 1].weight.magnitude { continue }
            add(Reason(hit(Int(index)), weight))
        }
    }

    @inline(never)
    private mutating func grow(to many: Int) {
        offered.deallocate()
        room = 2 * many
        offered = .allocate(capacity: room)
    }

    @inline(__always)
    private mutating func add(_ reason: Reason) {
        let kept = kept
        var place = count
        if count < limit {
            count &+= 1
        } else {
            place &-= 1
            guard limit > 0, reason.precedes(kept[place]) else { return }
        }
        while place > 0, reason.precedes(kept[place &- 1]) {
            kept[place] = kept[place &- 1]
            place &-= 1
        }
        kept[place] = reason
    }

    /// Writes the reasons, strongest first, ties by place and signal, and empties the collector.
    ///
    /// The first one supports the answer if any does: a reason against it is never listed first.
    ///
    /// - Parameter places: the offset mapping of the record.
    @inline(__always)
    mutating func finish(_ places: @autoclosure () -> MessagePlaces) -> EvidenceRange {
        guard count > 0 else { return 0..<0 }
        return write(places())
    }

    /// Moves the strongest reason for the answer before those against it.
    private func bringForward() {
        guard let supporting = (0..<count).first(where: { kept[$0].weight > 0 }) else { return }
        let reason = kept[supporting]
        for place in stride(from: supporting, to: 0, by: -1) { kept[place] = kept[place - 1] }
        kept[0] = reason
    }

    private mutating func write(_ places: MessagePlaces) -> EvidenceRange {
        let first = written.end
        if kept[0].weight < 0 { bringForward() }
        for k in 0..<count {
            let reason = kept[k]
            var evidence = Evidence(signal: reason.signal, weight: reason.weight)
            if reason.start <= reason.end {
                let range = places.decodedRange(Int(reason.start)..<Int(reason.end))
                evidence.start = Int32(truncatingIfNeeded: range.lowerBound)
                evidence.end = Int32(truncatingIfNeeded: range.upperBound)
            }
            written.append(evidence)
        }
        count = 0
        return first..<written.end
    }
}
