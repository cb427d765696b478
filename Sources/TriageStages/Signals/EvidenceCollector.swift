import TriageCore

/// Keeps the strongest reasons of one answer and adds them to the batch.
struct EvidenceCollector {
    private var kept: [(hit: SignalHit, weight: Float)] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
        kept.reserveCapacity(32)
    }

    mutating func removeAll() { kept.removeAll(keepingCapacity: true) }

    /// Adds a reason; one of no weight is none.
    mutating func add(_ hit: SignalHit, weight: Float) {
        if weight != 0 { kept.append((hit, weight)) }
    }

    /// Writes the reasons, strongest first, ties by place and signal, and empties the collector.
    mutating func finish(in batch: inout Batch, record: Int) -> EvidenceRange {
        guard !kept.isEmpty else { return 0..<0 }
        let first = batch.evidence.count
        // Insertion sort: there are seldom more than ten.
        kept.withUnsafeMutableBufferPointer { kept in
            for i in 1..<kept.count {
                let reason = kept[i]
                var j = i
                while j > 0, Self.precedes(reason, kept[j - 1]) {
                    kept[j] = kept[j - 1]
                    j -= 1
                }
                kept[j] = reason
            }
        }
        for (hit, weight) in kept.prefix(limit) {
            var evidence = Evidence(signal: hit.signal, weight: weight)
            if hit.hasPlace {
                let range = batch.decodedRange(hit.start, hit.end, ofRecord: record)
                evidence.start = Int32(truncatingIfNeeded: range.lowerBound)
                evidence.end = Int32(truncatingIfNeeded: range.upperBound)
            }
            batch.evidence.append(evidence)
        }
        kept.removeAll(keepingCapacity: true)
        return first..<batch.evidence.count
    }

    @inline(__always)
    private static func precedes(_ a: (hit: SignalHit, weight: Float), _ b: (hit: SignalHit, weight: Float)) -> Bool {
        if abs(a.weight) != abs(b.weight) { return abs(a.weight) > abs(b.weight) }
        if a.hit.start != b.hit.start { return a.hit.start < b.hit.start }
        return a.hit.signal < b.hit.signal
    }
}
