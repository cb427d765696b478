internal import CPrefetch
internal import TriageCore

/// A model fitted to a rule set: adds up the weights of the words, signals and facts of a message.
struct ModelScorer: Sendable {
    let model: StatisticalModel
    /// For each signal, the weights that a hit adds.
    private let signals: [SIMD8<Float>]
    /// The weights of the rules' sums of positive and negative feeling.
    private let feeling: (positive: SIMD8<Float>, negative: SIMD8<Float>)

    init(model: StatisticalModel, rules: RuleSet) {
        self.model = model
        signals = Self.signalWeights(of: model, rules: rules)
        feeling = (
            model.rules[ModelLane.positive.rawValue], model.rules[ModelLane.negative.rawValue]
        )
    }

    /// Returns what a hit of each signal adds: its own weight, plus the model's weight for the rules' log-odds that it
    /// moves.
    static func signalWeights(of model: StatisticalModel, rules: RuleSet) -> [SIMD8<Float>] {
        zip(rules.signals, RuleLogits(rules: rules).weights).map { signal, logits in
            var sum = model.signals[signal.name] ?? SIMD8(repeating: 0)
            for lane in 0..<8 { sum += logits[lane] * model.rules[lane] }
            return sum
        }
    }

    /// Returns what a hit of a signal adds.
    func weights(of signal: UInt16) -> SIMD8<Float> { signals[Int(signal)] }

    /// Unchecked pointers to the model's tables; valid inside ``withTables(_:)``.
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
    /// Prefetches the data with which ``read(_:in:_:_:_:)`` will look up a message's words.
    ///
    /// The entries are spread over megabytes; while another message is read, waiting for them costs nothing.
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

    /// Number of words that are prefetched; more would evict the first ones from the cache.
    private static let expected = 128

    /// Adds up a message.
    ///
    /// - Parameters:
    ///   - hits: the hits that count.
    ///   - readings: filled with the weights of each word and sign.
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

/// A cache of the sums of a model's weights over a word and its pieces, for words that recur.
///
/// A cached word costs one look-up instead of two dozen. A cached value equals what would be computed, so answers do
/// not depend on which messages came before.
///
/// Only one batch at a time may use it.
final class WordRows {
    private struct Entry {
        var word = ShortWord.none
        var row = SIMD8<Int16>(repeating: 0)
    }

    private static let bits: UInt64 = 15
    private let entries: UnsafeMutablePointer<Entry>
    private let shift: UInt64

    /// Creates an empty cache.
    ///
    /// - Parameter model: the model whose sums are cached; ``row(of:in:_:)`` must always get the rows of the same one.
    init(_ model: borrowing StatisticalModel) {
        let count = 1 << Int(Self.bits)
        entries = .allocate(capacity: count)
        entries.initialize(repeating: Entry(), count: count)
        shift = 64 - UInt64(model.bits)
    }

    deinit { entries.deallocate() }

    /// Returns the place of a word in the cache.
    @inline(__always)
    private func entry(of hash: UInt64) -> UnsafeMutablePointer<Entry> {
        entries + Int((hash &* 0x9E37_79B9_7F4A_7C15) &>> (64 - Self.bits))
    }

    /// Prefetches the entry that ``row(of:in:_:)`` will read for a word.
    @inline(__always)
    func expect(_ token: Token) { prefetch_line(entry(of: token.hash)) }

    /// Returns the summed weights of a word.
    ///
    /// - Parameters:
    ///   - text: the folded text; sixteen bytes after the word must be readable.
    ///   - rows: the rows of the model.
    @inline(__always)
    func row(
        of token: Token, in text: UnsafePointer<UInt8>, _ rows: UnsafeBufferPointer<SIMD8<Int8>>
    ) -> SIMD8<Int32> {
        guard let word = ShortWord(token, in: text) else { return sum(token, text, rows) }
        let entry = entry(of: token.hash)
        if entry.pointee.word == word { return SIMD8(truncatingIfNeeded: entry.pointee.row) }
        let row = sum(token, text, rows)
        // Sixteen bytes have fewer than ninety pieces with weights of at most 127, so the sums fit.
        entry.pointee = Entry(word: word, row: SIMD8(truncatingIfNeeded: row))
        return row
    }

    @inline(never)
    private func sum(
        _ token: Token, _ text: UnsafePointer<UInt8>, _ rows: UnsafeBufferPointer<SIMD8<Int8>>
    ) -> SIMD8<Int32> {
        var sum = SIMD8<Int32>(truncatingIfNeeded: rows[Int(TextFeature.word(token.hash) &>> shift)])
        guard token.flags.contains(.letters) else { return sum }
        let word = UnsafeBufferPointer(start: text + Int(token.start), count: Int(token.count))
        guard let first = rows.baseAddress else { return sum }
        // The rows are spread over megabytes. All are prefetched before the first is read, so that the waits overlap.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: TextFeature.pieceLimit) { places in
            var count = 0
            TextFeature.forEachPiece(of: word) { piece in
                let place = piece &>> shift
                prefetch_line(first + Int(place))
                places[count] = UInt32(truncatingIfNeeded: place)
                count &+= 1
            }
            for index in 0..<count { sum &+= SIMD8<Int32>(truncatingIfNeeded: rows[Int(places[index])]) }
        }
        return sum
    }
}
