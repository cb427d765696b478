internal import TriageCore

/// Weights of words that tell whether a question is one that a library answers, rather than about the sender's own
/// case.
///
/// "which", "where can I" and "do you use" introduce questions that many people ask; "my", "already", "if" and "when I"
/// usually do not. Words are stored by hash. Words in the thesaurus are weighed by concept instead, equally in all
/// languages.
struct FAQCues: Sendable {
    /// Weights by concept name.
    private(set) var concepts: [String: Float] = [:]
    /// Weight of any concept that is a topic.
    private(set) var topic: Float = 0
    private(set) var question: Float = 0
    private(set) var statement: Float = 0
    /// The upper half of the hash, then the bits of the weight; 0 is free.
    private var slots = [UInt64](repeating: 0, count: 4096)

    /// Parses the weights; takes about 0.1 ms, once per run.
    ///
    /// - Parameter text: `word weight` pairs, weights in hundredths; `#name` for a concept, `#TOPIC` for all topics,
    ///   `#?` and `#.` for clauses that do or do not end with a question mark.
    init(_ text: String = FAQWeights.shipped.cues) {
        var name: Substring?
        for item in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            guard let word = name else {
                name = item
                continue
            }
            name = nil
            let weight = Float(Int(item) ?? 0) / 100
            switch word {
            case "#TOPIC": topic = weight
            case "#?": question = weight
            case "#.": statement = weight
            default:
                if word.hasPrefix("#") {
                    concepts[String(word.dropFirst())] = weight
                } else {
                    insert(TextFolder.hash(Array(word.utf8)), weight)
                }
            }
        }
    }

    private mutating func insert(_ hash: UInt64, _ weight: Float) {
        var slot = Int(truncatingIfNeeded: hash >> 12) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(weight.bitPattern)
    }

    func withView<R>(_ body: (View) -> R) -> R {
        slots.withUnsafeBufferPointer { body(View(slots: $0, question: question, statement: statement)) }
    }

    /// A bare pointer for look-ups.
    struct View {
        fileprivate let slots: UnsafeBufferPointer<UInt64>
        let question: Float
        let statement: Float

        /// Returns the weight of a word; 0 when it is unknown.
        @inline(__always)
        func weight(_ hash: UInt64) -> Float {
            var slot = Int(truncatingIfNeeded: hash >> 12) & 4095
            while slots[slot] != 0 {
                if (slots[slot] ^ hash) >> 32 == 0 { return Float(bitPattern: UInt32(truncatingIfNeeded: slots[slot])) }
                slot = (slot &+ 1) & 4095
            }
            return 0
        }
    }
}
