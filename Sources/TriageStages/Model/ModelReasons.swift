internal import TriageCore

/// One word or sign of a text and what it says, in the model's units.
struct ModelReading {
    var row: SIMD8<Int32>
    /// Offsets in the message's folded text.
    var start: UInt32
    var end: UInt32
}

/// What the model adds up for one message.
struct ModelSums {
    var logits: SIMD8<Float>
    /// The part of ``logits`` that is of facts and of the rules' sums of feeling: it has no place in the text.
    var context: SIMD8<Float>
    /// What a unit of a reading is worth here, by lane.
    var unit: SIMD8<Float>
}

/// Why the model says what it says of one message: words, signs and signals, each with its share of the log-odds.
struct ModelReasons {
    let readings: UnsafeBufferPointer<ModelReading>
    /// Those that count.
    let hits: UnsafeBufferPointer<SignalHit>
    let sums: ModelSums
    let tables: ModelScorer.Tables
    let signals: (word: UInt16, context: UInt16)

    /// What says less than this is left out: nobody reads "the +0.04".
    private static let least: Float = 0.15

    /// Drops the readings that can be no reason for any lane against any other: most.
    @inline(__always)
    static func drop(weakOf readings: inout BatchAdditions<ModelReading>, unit: SIMD8<Float>) {
        // A difference of two is at most twice the larger. Whole numbers up to the limit say less than `least`.
        let half = SIMD8<Float>(repeating: 0.49 * least) / unit
        let limit = SIMD8<Int32>(
            half.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 1e6)), rounding: .towardZero)
        readings.keep { reading in
            // The sign is set where a number is beyond the limit.
            let signs = (limit &- reading.row) | (limit &+ reading.row)
            let four = signs.lowHalf | signs.highHalf
            let two = four.lowHalf | four.highHalf
            return two[0] | two[1]
        }
    }

    /// Adds what speaks for one lane against another, or against its absence.
    @inline(__always)
    func add(
        for lane: Int, against other: Int?, _ extra: [SignalHit] = [], to collector: inout EvidenceCollector
    ) {
        // Lane by lane: only two of the eight are wanted. Where nothing stands against it, twice the same times nothing.
        let against = other ?? lane
        let share: Float = other == nil ? 0 : 1
        tables.signals.withMemoryRebound(to: Float.self) { weights in
            func weight(_ hit: SignalHit) -> Float {
                let first = 8 &* Int(hit.signal)
                return weights[first &+ lane] - weights[first &+ against] * share
            }
            collector.add(hits.count, atLeast: Self.least) { index in
                (hits[index], weight(hits[index]))
            }
            for hit in extra { add(hit, weight(hit), to: &collector) }
        }
        let (unit, otherUnit) = (sums.unit[lane], sums.unit[against] * share)
        if let first = readings.baseAddress {
            // The row comes first in a reading.
            let rows = UnsafeRawPointer(first)
            collector.add(readings.count, atLeast: Self.least) { index in
                let row = rows + index &* MemoryLayout<ModelReading>.stride
                let mine = Float(row.load(fromByteOffset: 4 &* lane, as: Int32.self))
                let theirs = Float(row.load(fromByteOffset: 4 &* against, as: Int32.self))
                let reading = first[index]
                let hit = SignalHit(signal: signals.word, start: reading.start, end: reading.end)
                return (hit, mine * unit - theirs * otherUnit)
            }
        }
        let context = sums.context[lane] - sums.context[against] * share
        add(SignalHit(signal: signals.context), context, to: &collector)
    }

    @inline(__always)
    private func add(_ hit: SignalHit, _ weight: Float, to collector: inout EvidenceCollector) {
        if weight.magnitude >= Self.least { collector.add(hit, weight: weight) }
    }
}
