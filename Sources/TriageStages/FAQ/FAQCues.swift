internal import TriageCore

/// How much words say that a question is of the kind that a library answers, rather than about the sender's own case.
///
/// "which", "where can I" and "do you use" ask what many ask; "my", "already", "if" and "when I" most often do not. Kept
/// for words by hash; what the thesaurus knows is weighed by concept, in all its languages alike.
struct FAQCues: Sendable {
    /// Weights by name of concept.
    private(set) var concepts: [String: Float] = [:]
    /// Weight of any concept that is a topic.
    private(set) var topic: Float = 0
    private(set) var question: Float = 0
    private(set) var statement: Float = 0
    /// High half of the hash, and below it the bits of the weight; 0 is free.
    private var slots = [UInt64](repeating: 0, count: 4096)

    /// Reads the weights; costs about 0.1 ms, once a run.
    ///
    /// - Parameter text: `word weight` pairs, weights in hundredths; `#name` for a concept, `#TOPIC` for all topics,
    ///   `#?` and `#.` for whether the clause ends with a question mark.
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

    /// Bare pointer for looking up.
    struct View {
        fileprivate let slots: UnsafeBufferPointer<UInt64>
        let question: Float
        let statement: Float

        /// Weight of a word, 0 when nothing is known of it.
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
