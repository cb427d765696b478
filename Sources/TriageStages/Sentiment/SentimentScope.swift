import TriageCore

/// What stands around a word of feeling and turns or scales it: negation, intensifiers, contrast, questions.
struct SentimentScope: Sendable {
    /// A hit that carries feeling: how much of it is positive and how much negative.
    struct Charge {
        var hit: SignalHit
        var weights: SIMD2<Float>
    }

    /// What a signal is to the sentiment.
    enum Role: UInt8 { case none, charge, context, modifier }

    // A negated praise is most of a blame; a negated blame is little of a praise.
    private static let negatedPositive: Float = 0.7
    private static let negatedNegative: Float = 0.35
    private static let afterContrast: Float = 1.3
    private static let beforeContrast: Float = 0.8
    private static let inQuestion: Float = 0.6
    /// Words that may stand between a negation and what it negates, exclusive; before and behind it.
    private static let negationWindow = 3
    private static let negationBehindWindow = 2

    private let roles: [Role]
    private let sides: [SIMD2<Float>]
    private let modifiers: [Feeds.Modifier]
    private let scales: [Float]

    init(rules: RuleSet) {
        roles = rules.signals.map { signal in
            if signal.feeds.modifier != .none { return .modifier }
            guard signal.feeds.positive != 0 || signal.feeds.negative != 0 else { return .none }
            // What takes feeling away says what kind of message it is, not how its sender feels.
            if case .patterns = signal.trigger, signal.feeds.positive >= 0, signal.feeds.negative >= 0 {
                return .charge
            }
            return .context
        }
        sides = rules.signals.map { SIMD2($0.feeds.positive, $0.feeds.negative) }
        modifiers = rules.signals.map(\.feeds.modifier)
        scales = rules.signals.map(\.feeds.scale)
    }

    @inline(__always)
    func role(of signal: UInt16) -> Role { roles[Int(signal)] }

    /// Positive and negative weight of a signal.
    @inline(__always)
    func weights(of signal: UInt16) -> SIMD2<Float> { sides[Int(signal)] }

    /// Scales and turns the charges of one message.
    func apply(_ hits: [SignalHit], to charges: inout [Charge], in batch: borrowing Batch, of text: FoldedText) {
        let bytes = batch.folded
        let base = Int(text.span.start)
        let end = Int(text.span.count)
        let asks = text.shape.questionMarks > 0
        var firstContrast: UInt32?
        for hit in hits where modifiers[Int(hit.signal)] == .contrast {
            firstContrast = min(firstContrast ?? hit.start, hit.start)
        }
        for c in charges.indices where charges[c].hit.hasPlace {
            let hit = charges[c].hit
            var isNegated = false
            for modifier in hits {
                switch modifiers[Int(modifier.signal)] {
                case .negation where scales[Int(modifier.signal)] < 0:
                    isNegated =
                        isNegated
                        || (modifier.start >= hit.end
                            && standsNear(hit.end, modifier.start, Self.negationBehindWindow, bytes, base))
                case .negation:
                    isNegated =
                        isNegated
                        || (modifier.end <= hit.start
                            && standsNear(modifier.end, hit.start, Self.negationWindow, bytes, base))
                case .intensifier, .diminisher:
                    if modifier.end == hit.start
                        || (modifier.end + 1 == hit.start && bytes[base + Int(modifier.end)] == 0x20)
                    {
                        charges[c].weights *= scales[Int(modifier.signal)]
                    }
                case .contrast, .none: break
                }
            }
            if let firstContrast {
                charges[c].weights *= firstContrast < hit.start ? Self.afterContrast : Self.beforeContrast
            }
            if asks, endsInQuestion(from: Int(hit.end), end, bytes, base) { charges[c].weights *= Self.inQuestion }
            if isNegated {
                charges[c].weights = SIMD2(
                    charges[c].weights[1] * Self.negatedNegative, charges[c].weights[0] * Self.negatedPositive)
            }
        }
    }

    /// Whether fewer than `limit` words and no clause mark stand between two folded offsets.
    private func standsNear(_ from: UInt32, _ to: UInt32, _ limit: Int, _ bytes: [UInt8], _ base: Int) -> Bool {
        guard to >= from, to - from < 80 else { return false }
        var words = 0
        var inWord = false
        for i in Int(from)..<Int(to) {
            let byte = bytes[base + i]
            switch byte {
            // . ! ? ; , : ( ) "
            case 0x2E, 0x21, 0x3F, 0x3B, 0x2C, 0x3A, 0x28, 0x29, 0x22: return false
            case 0x2D:
                if i > Int(from), bytes[base + i - 1] == 0x20, i + 1 < Int(to), bytes[base + i + 1] == 0x20 {
                    return false
                }
                inWord = false
            // The first byte of kana and Han, where each character is a word, and of their full stops.
            case 0xE3...0xE9:
                if byte == 0xE3, i + 2 < Int(to), bytes[base + i + 1] == 0x80, bytes[base + i + 2] <= 0x82 {
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
    private func endsInQuestion(from: Int, _ end: Int, _ bytes: [UInt8], _ base: Int) -> Bool {
        var i = from
        while i < end {
            let byte = bytes[base + i]
            if byte == 0x2E || byte == 0x21 || byte == 0x3F || byte == 0xE3 || byte == 0xD8 {
                var found = false
                var isEnd = false
                while i < end {
                    let b = bytes[base + i]
                    if b == 0x3F {
                        found = true
                        isEnd = true
                        i += 1
                    } else if b == 0x2E || b == 0x21 {
                        isEnd = true
                        i += 1
                    } else if b == 0xD8, i + 1 < end, bytes[base + i + 1] == 0x9F {
                        return true
                    } else if b == 0xE3, i + 2 < end, bytes[base + i + 1] == 0x80, bytes[base + i + 2] == 0x82 {
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
