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
    let hits: UnsafeBufferPointer<SignalHit>
    let sums: ModelSums
    let tables: ModelScorer.Tables
    let signals: (word: UInt16, context: UInt16)

    /// Words that say less than this are left out: nobody reads "the +0.04".
    private static let least: Float = 0.15

    /// Adds what speaks for one lane against another, or against its absence.
    @inline(__always)
    func add(
        for lane: Int, against other: Int?, _ extra: [SignalHit] = [], to collector: inout EvidenceCollector
    ) {
        let weights = tables.signals
        func difference(_ vector: SIMD8<Float>) -> Float { vector[lane] - (other.map { vector[$0] } ?? 0) }
        for hit in hits where !hit.isCovered { collector.add(hit, weight: difference(weights[Int(hit.signal)])) }
        for hit in extra { collector.add(hit, weight: difference(weights[Int(hit.signal)])) }
        let unit = sums.unit[lane]
        let otherUnit = other.map { sums.unit[$0] } ?? 0
        for reading in readings {
            let weight = Float(reading.row[lane]) * unit - Float(reading.row[other ?? lane]) * otherUnit
            guard weight.magnitude >= Self.least else { continue }
            collector.add(SignalHit(signal: signals.word, start: reading.start, end: reading.end), weight: weight)
        }
        let context = difference(sums.context)
        if context.magnitude >= Self.least { collector.add(SignalHit(signal: signals.context), weight: context) }
    }
}
