internal import TriageCore

/// A word or sign of a text and its weights, in the model's units.
struct ModelReading {
    var row: SIMD8<Int32>
    /// Offsets in the message's folded text.
    var start: UInt32
    var end: UInt32
}

/// The model's sums for one message.
struct ModelSums {
    var logits: SIMD8<Float>
    /// The part of ``logits`` that comes from facts and from the rules' sums of feeling, and so has no place in the
    /// text.
    var context: SIMD8<Float>
    /// The value of one unit of a reading for this message, by lane.
    var unit: SIMD8<Float>
}

/// The reasons behind the model's answers for one message: words, signs and signals, each with its share of the
/// log-odds.
struct ModelReasons {
    let readings: UnsafeBufferPointer<ModelReading>
    /// The hits that count.
    let hits: UnsafeBufferPointer<SignalHit>
    let sums: ModelSums
    let tables: ModelScorer.Tables
    let signals: (word: UInt16, context: UInt16)

    /// Reasons with less weight than this are left out: nobody reads "the +0.04".
    private static let least: Float = 0.15

    /// Minimum length in bytes of a word or sign to be shown as a reason; "the", "!" and "in" are added to the context.
    private static let shortest: UInt32 = 4

    /// Adds the reasons for one lane as opposed to another, or as opposed to its absence.
    @inline(__always)
    func add(
        for lane: Int, against other: Int?, _ extra: [SignalHit] = [], to collector: inout EvidenceCollector
    ) {
        // Lane by lane, because only two of the eight are needed. Without an opposing lane, the same lane is used with
        // factor 0.
        let against = other ?? lane
        let share: Float = other == nil ? 0 : 1
        tables.signals.withMemoryRebound(to: Float.self) { weights in
            func weight(_ hit: SignalHit) -> Float {
                let first = 8 &* Int(hit.signal)
                return weights[first &+ lane] - weights[first &+ against] * share
            }
            collector.add(hits.count, atLeast: Self.least, weight: { weight(hits[$0]) }, hit: { hits[$0] })
            for hit in extra { add(hit, weight(hit), to: &collector) }
        }
        var context = sums.context[lane] - sums.context[against] * share
        let (unit, otherUnit) = (sums.unit[lane], sums.unit[against] * share)
        if let first = readings.baseAddress {
            // The row is the first member of a reading.
            let rows = UnsafeRawPointer(first)
            collector.add(
                readings.count, atLeast: Self.least,
                weight: { index in
                    let row = rows + index &* MemoryLayout<ModelReading>.stride
                    let mine = Float(row.load(fromByteOffset: 4 &* lane, as: Int32.self))
                    let theirs = Float(row.load(fromByteOffset: 4 &* against, as: Int32.self))
                    let weight = mine * unit - theirs * otherUnit
                    let isShown: Float = first[index].end &- first[index].start < Self.shortest ? 0 : 1
                    context += weight * (1 - isShown)
                    return weight * isShown
                },
                hit: { index in
                    SignalHit(signal: signals.word, start: first[index].start, end: first[index].end)
                })
        }
        add(SignalHit(signal: signals.context), context, to: &collector)
    }

    /// Adds only the words that are evidence for a lane and can be quoted.
    func addWords(for lane: Int, to collector: inout EvidenceCollector) {
        for reading in readings where reading.end &- reading.start >= Self.shortest {
            let weight = Float(reading.row[lane]) * sums.unit[lane]
            guard weight >= Self.least else { continue }
            collector.add(SignalHit(signal: signals.word, start: reading.start, end: reading.end), weight: weight)
        }
    }

    @inline(__always)
    private func add(_ hit: SignalHit, _ weight: Float, to collector: inout EvidenceCollector) {
        if weight.magnitude >= Self.least { collector.add(hit, weight: weight) }
    }
}
