import Platform
package import TriageCore

/// Says what feeling a sender expresses, and how strongly.
///
/// Reads the words and the hits. Writes the sentiment. Three-way softmax with neutral as the reference: each side is its
/// bias, the damped sum of its hits (``SentimentScope`` says what turns and scales a hit) and what the context adds.
/// The constants were chosen, and the weights in the rule files fitted, by cross-validation.
package struct SentimentStage: LocalStage {
    package let name = "sentiment.rules"
    package let reads: Set<Field> = [.folded, .hits]
    package let writes: Set<Field> = [.sentiment, .feelings]

    /// Hits of one message that are weighed; the damping leaves nothing of later ones.
    private static let chargeLimit = 48
    /// How often the same words count.
    private static let repeatLimit = 2

    private let scope: SentimentScope
    private let bias: SIMD2<Float>
    private let thresholds: Thresholds
    private let evidenceLimit: Int
    private let isExplained: Bool
    /// The answer of a message in which nothing carries feeling.
    private let silent: (share: Float, level: Level)

    /// - Parameter isExplained: whether the answer gets its reasons; a later stage that answers in its place only reads
    ///   the sums.
    package init(rules: RuleSet, settings: Settings, isExplained: Bool = true) {
        self.isExplained = isExplained
        scope = SentimentScope(rules: rules)
        bias = SIMD2(rules.biases.positive, rules.biases.negative)
        thresholds = settings.thresholds
        evidenceLimit = settings.evidenceLimit
        let (_, share) = Self.decide(SIMD2(rules.biases.positive, rules.biases.negative))
        silent = (share, settings.thresholds.sentimentLevel(share))
    }

    package func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        collector.begin(after: batch.evidence.count)
        batch.withAnswerView { view in
            scope.withTable { table in
                var charges = SentimentCharges(limit: Self.chargeLimit)
                var modifiers: [SignalHit] = []
                view.forEachAsked { record in
                    guard record.pointee.folded.span.count > 0 else { return }
                    record.pointee.sentiment = answer(record, view, table, &charges, &modifiers, &collector)
                }
            }
        }
        collector.end(into: &batch.evidence)
    }

    @inline(__always)
    private func answer(
        _ record: UnsafeMutablePointer<Record>, _ view: AnswerView, _ table: SentimentScope.Table,
        _ charges: inout SentimentCharges, _ modifiers: inout [SignalHit], _ collector: inout EvidenceCollector
    ) -> SentimentAnswer {
        let hits = view.hits(of: record)
        charges.removeAll()
        if !modifiers.isEmpty { modifiers.removeAll(keepingCapacity: true) }
        var context = SIMD2<Float>(0, 0)
        for hit in hits {
            let effect = table[hit.signal]
            context += effect.context
            // Most signals neither carry feeling nor change it.
            guard effect.role == .charge || effect.role == .modifier, !hit.isCovered else { continue }
            if effect.role == .charge { charges.add(hit, effect.sides) } else { modifiers.append(hit) }
        }
        if charges.isEmpty, context == SIMD2(0, 0) {
            return SentimentAnswer(
                label: .neutral, confidence: silent.share, level: silent.level, intensity: 0, by: .sentimentRules,
                because: 0..<0)
        }
        var sides = SIMD2<Float>(0, 0)
        if !charges.isEmpty {
            let text = UnsafeBufferPointer(rebasing: view.folded[record.pointee.folded.span.range])
            charges.drop(repeatsBeyond: Self.repeatLimit, of: text)
            let asks = record.pointee.folded.shape.questionMarks > 0
            if asks || !modifiers.isEmpty { table.apply(modifiers, to: charges, of: text, asks: asks) }
            sides = charges.damped()
        }
        record.pointee.feelings = Feelings(positive: sides[0] + context[0], negative: sides[1] + context[1])
        let (label, share) = Self.decide(bias + sides + context)
        if isExplained {
            for hit in hits where table[hit.signal].role == .context {
                collector.add(hit, weight: Self.weight(table[hit.signal].sides, for: label))
            }
            for k in 0..<charges.count {
                collector.add(charges[k].hit, weight: Self.weight(charges[k].weights, for: label))
            }
        }
        let because = collector.finish(view.places(of: record))
        let strength =
            switch label {
            case .positive: sides[0]
            case .negative: sides[1]
            case .neutral: max(sides[0], sides[1]) * 0.5
            }
        return SentimentAnswer(
            label: label, confidence: share, level: thresholds.sentimentLevel(share),
            intensity: strength > 0 ? 1 - expf(-strength / 3) : 0, by: .sentimentRules, because: because)
    }

    /// The label with the most, ties to neutral, and its probability.
    @inline(__always)
    private static func decide(_ logits: SIMD2<Float>) -> (Sentiment, Float) {
        let top = max(0, max(logits[0], logits[1]))
        let positive = power(logits[0] - top)
        let negative = power(logits[1] - top)
        let neutral = power(-top)
        let sum = positive + negative + neutral
        if neutral >= positive, neutral >= negative { return (.neutral, neutral / sum) }
        return positive >= negative ? (.positive, positive / sum) : (.negative, negative / sum)
    }

    /// What a hit speaks for a label, in log-odds against the other side or, for neutral, against both.
    @inline(__always)
    private static func weight(_ sides: SIMD2<Float>, for label: Sentiment) -> Float {
        switch label {
        case .positive: sides[0] - sides[1]
        case .negative: sides[1] - sides[0]
        case .neutral: -max(sides[0], sides[1])
        }
    }
}

/// What stands around a word of feeling and turns or scales it: negation, intensifiers, contrast, questions.
struct SentimentScope: Sendable {
    /// What a signal is to the sentiment.
    enum Role: UInt8 { case none, context, charge, modifier }

    // A negated praise is most of a blame; a negated blame is little of a praise.
    private static let negatedPositive: Float = 0.7
    private static let negatedNegative: Float = 0.35
    private static let afterContrast: Float = 1.3
    private static let beforeContrast: Float = 0.8
    private static let inQuestion: Float = 0.6
    /// Words that may stand between a negation and what it negates, exclusive; before and behind it.
    private static let negationWindow = 3
    private static let negationBehindWindow = 2

    /// What one signal does to feeling.
    struct Effect: Sendable {
        var role: Role
        var modifier: Feeds.Modifier
        /// Scale of an intensifier or diminisher; below 0 for a negation that stands behind.
        var scale: Float
        /// Positive and negative weight.
        var sides: SIMD2<Float>
        /// The weights if the role is `context`; else 0, so that they can be added without a look at the role.
        var context: SIMD2<Float>
    }

    private let effects: [Effect]

    init(rules: RuleSet) {
        effects = rules.signals.map { signal in
            let role = Self.role(of: signal)
            let sides = SIMD2(signal.feeds.positive, signal.feeds.negative)
            return Effect(
                role: role, modifier: signal.feeds.modifier, scale: signal.feeds.scale, sides: sides,
                context: role == .context ? sides : SIMD2(0, 0))
        }
    }

    private static func role(of signal: Signal) -> Role {
        if signal.feeds.modifier != .none { return .modifier }
        guard signal.feeds.positive != 0 || signal.feeds.negative != 0 else { return .none }
        // What takes feeling away says what kind of message it is, not how its sender feels.
        if case .patterns = signal.trigger, signal.feeds.positive >= 0, signal.feeds.negative >= 0 { return .charge }
        return .context
    }

    /// Gives `body` the effects of all signals; they must not outlive the call.
    func withTable(_ body: (Table) -> Void) {
        effects.withUnsafeBufferPointer { body(Table(effects: $0)) }
    }

    /// The effects of all signals, behind a bare pointer.
    struct Table {
        fileprivate let effects: UnsafeBufferPointer<Effect>

        @inline(__always)
        subscript(signal: UInt16) -> Effect { effects[Int(signal)] }

        /// Scales and turns the charges of one message.
        func apply(
            _ hits: [SignalHit], to charges: borrowing SentimentCharges, of text: UnsafeBufferPointer<UInt8>, asks: Bool
        ) {
            var firstContrast = UInt32.max
            for hit in hits where self[hit.signal].modifier == .contrast {
                firstContrast = min(firstContrast, hit.start)
            }
            for c in 0..<charges.count where charges[c].hit.hasPlace {
                let hit = charges[c].hit
                var weights = charges[c].weights
                var isNegated = false
                for modifier in hits {
                    let effect = self[modifier.signal]
                    switch effect.modifier {
                    case .negation where effect.scale < 0:
                        isNegated =
                            isNegated
                            || (modifier.start >= hit.end
                                && SentimentScope.standsNear(
                                    hit.end, modifier.start, SentimentScope.negationBehindWindow, text))
                    case .negation:
                        isNegated =
                            isNegated
                            || (modifier.end <= hit.start
                                && SentimentScope.standsNear(
                                    modifier.end, hit.start, SentimentScope.negationWindow, text))
                    case .intensifier, .diminisher:
                        if modifier.end == hit.start
                            || (modifier.end + 1 == hit.start && text[Int(modifier.end)] == 0x20)
                        {
                            weights *= effect.scale
                        }
                    case .contrast, .none: break
                    }
                }
                if firstContrast != .max {
                    weights *= firstContrast < hit.start ? SentimentScope.afterContrast : SentimentScope.beforeContrast
                }
                if asks, SentimentScope.endsInQuestion(from: Int(hit.end), text) {
                    weights *= SentimentScope.inQuestion
                }
                if isNegated {
                    weights = SIMD2(
                        weights[1] * SentimentScope.negatedNegative, weights[0] * SentimentScope.negatedPositive)
                }
                charges[c].weights = weights
            }
        }
    }

    /// Whether fewer than `limit` words and no clause mark stand between two folded offsets.
    private static func standsNear(
        _ from: UInt32, _ to: UInt32, _ limit: Int, _ text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard to >= from, to - from < 80 else { return false }
        var words = 0
        var inWord = false
        for i in Int(from)..<Int(to) {
            let byte = text[i]
            switch byte {
            // . ! ? ; , : ( ) "
            case 0x2E, 0x21, 0x3F, 0x3B, 0x2C, 0x3A, 0x28, 0x29, 0x22: return false
            case 0x2D:
                if i > Int(from), text[i - 1] == 0x20, i + 1 < Int(to), text[i + 1] == 0x20 {
                    return false
                }
                inWord = false
            // The first byte of kana and Han, where each character is a word, and of their full stops.
            case 0xE3...0xE9:
                if byte == 0xE3, i + 2 < Int(to), text[i + 1] == 0x80, text[i + 2] <= 0x82 {
                    return false
                }
                words += 1
                inWord = true
            default:
                let isWord = byte >= 0x80 || (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
                if isWord, !inWord { words += 1 }
                inWord = isWord
            }
            if words >= limit { return false }
        }
        return true
    }

    /// Whether the next sentence end behind an offset has a question mark.
    private static func endsInQuestion(from: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = text.count
        var i = from
        while i < end {
            let byte = text[i]
            if byte == 0x2E || byte == 0x21 || byte == 0x3F || byte == 0xE3 || byte == 0xD8 {
                var found = false
                var isEnd = false
                while i < end {
                    let b = text[i]
                    if b == 0x3F {
                        found = true
                        isEnd = true
                        i += 1
                    } else if b == 0x2E || b == 0x21 {
                        isEnd = true
                        i += 1
                    } else if b == 0xD8, i + 1 < end, text[i + 1] == 0x9F {
                        return true
                    } else if b == 0xE3, i + 2 < end, text[i + 1] == 0x80, text[i + 2] == 0x82 {
                        return found
                    } else {
                        break
                    }
                }
                if isEnd { return found }
            }
            i += 1
        }
        return false
    }
}

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

extension Thresholds {
    /// How sure a sentiment of such a probability is.
    func sentimentLevel(_ share: Float) -> Level {
        share >= sentimentHigh ? .high : share >= sentimentMedium ? .medium : .low
    }
}
