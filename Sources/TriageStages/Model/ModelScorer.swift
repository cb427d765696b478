internal import CPrefetch
internal import TriageCore

/// A model fitted to a rule set: adds up what the words, the signals and the facts of a message say.
struct ModelScorer: Sendable {
    let model: StatisticalModel
    /// What a hit adds, by signal.
    private let signals: [SIMD8<Float>]
    /// What the rules' sums of feeling add: positive and negative.
    private let feeling: (positive: SIMD8<Float>, negative: SIMD8<Float>)

    init(model: StatisticalModel, rules: RuleSet) {
        self.model = model
        signals = Self.signalWeights(of: model, rules: rules)
        feeling = (
            model.rules[ModelLane.positive.rawValue], model.rules[ModelLane.negative.rawValue]
        )
    }

    /// What a hit of each signal adds: its own weight, and the model's weight of what the rules make of it.
    static func signalWeights(of model: StatisticalModel, rules: RuleSet) -> [SIMD8<Float>] {
        zip(rules.signals, RuleLogits(rules: rules).weights).map { signal, logits in
            var sum = model.signals[signal.name] ?? SIMD8(repeating: 0)
            for lane in 0..<8 { sum += logits[lane] * model.rules[lane] }
            return sum
        }
    }

    /// What a hit of a signal adds.
    func weights(of signal: UInt16) -> SIMD8<Float> { signals[Int(signal)] }

    /// The model's tables without checks; valid inside ``withTables(_:)``.
    struct Tables {
        let rows: UnsafeBufferPointer<SIMD8<Int8>>
        let signals: UnsafeBufferPointer<SIMD8<Float>>
        let facts: UnsafeBufferPointer<SIMD8<Float>>
        let shift: UInt64
        let scale: SIMD8<Float>
        let bias: SIMD8<Float>
        let feeling: (positive: SIMD8<Float>, negative: SIMD8<Float>)
    }

    @inline(__always)
    func withTables(_ body: (Tables) -> Void) {
        model.rows.withUnsafeBufferPointer { rows in
            signals.withUnsafeBufferPointer { signals in
                model.facts.withUnsafeBufferPointer { facts in
                    body(
                        Tables(
                            rows: rows, signals: signals, facts: facts, shift: 64 - UInt64(model.bits),
                            scale: model.scale, bias: model.bias, feeling: feeling))
                }
            }
        }
    }
}

extension ModelScorer.Tables {
    /// Asks for what ``read(_:in:_:_:_:)`` will look a message's words up in: the places lie far apart in megabytes, and
    /// while another message is read the waits cost nothing.
    @inline(__always)
    func expect(_ record: UnsafePointer<Record>, in view: AnswerView, _ words: WordRows) {
        guard let first = rows.baseAddress else { return }
        let tokens = view.tokens[record.pointee.folded.tokens].prefix(Self.expected)
        var before: UInt64 = 0
        for token in tokens {
            prefetch_line(first + Int(TextFeature.pair(before, token.hash) &>> shift))
            words.expect(token)
            before = token.hash
        }
    }

    /// Words that are asked for ahead of time: more would push out what was asked for first.
    private static let expected = 128

    /// Adds up a message.
    ///
    /// - Parameters:
    ///   - hits: those that count.
    ///   - readings: filled with what each word and sign says.
    @inline(__always)
    func read(
        _ record: UnsafePointer<Record>, in view: AnswerView, _ words: WordRows,
        _ hits: UnsafeBufferPointer<SignalHit>, _ readings: inout BatchAdditions<ModelReading>
    ) -> ModelSums {
        readings.restart(after: 0)
        var sums = ModelSums(logits: bias, context: SIMD8(repeating: 0), unit: scale)
        let folded = record.pointee.folded
        guard let base = view.folded.baseAddress else { return sums }
        let start = base + Int(folded.span.start)
        let text = UnsafeBufferPointer(start: start, count: Int(folded.span.count))
        var walk = TextWalk(text: text, tokens: UnsafeBufferPointer(rebasing: view.tokens[folded.tokens]))
        var sum = SIMD8<Int32>(repeating: 0)
        walk.run(
            word: { token, before in
                let pair = rows[Int(TextFeature.pair(before, token.hash) &>> shift)]
                let row = words.row(of: token, in: start, rows) &+ SIMD8<Int32>(truncatingIfNeeded: pair)
                sum &+= row
                readings.append(ModelReading(row: row, start: token.start, end: token.start &+ UInt32(token.count)))
            },
            sign: { feature, range in
                let row = SIMD8<Int32>(truncatingIfNeeded: rows[Int(feature &>> shift)])
                sum &+= row
                readings.append(
                    ModelReading(row: row, start: UInt32(range.lowerBound), end: UInt32(range.upperBound)))
            })
        sums.unit = scale * TextWalk.share(mass: walk.mass)
        FactReader.forEach(record, length: walk.length, view.arena) { sums.context += facts[$0.rawValue] }
        let found = record.pointee.feelings
        sums.context += found.positive * feeling.positive + found.negative * feeling.negative
        sums.logits += SIMD8<Float>(sum) * sums.unit + sums.context
        for hit in hits { sums.logits += signals[Int(hit.signal)] }
        return sums
    }
}
