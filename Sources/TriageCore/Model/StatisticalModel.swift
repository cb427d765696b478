/// A linear model over hashed words, word pairs and word pieces, the signals of the rules, and a few facts.
///
/// `triage train` makes it and the stages read it. All heads share the features; the weights of a feature for all
/// classes form one vector of ``ModelLane``s. Text weights are integers with one scale per lane, so sums are exact in
/// any order. Temperatures (see ``TrainingNote``) are already multiplied in, so the logits are calibrated.
package struct StatisticalModel: Sendable {
    /// Text weights by hash bucket; their number is a power of two.
    package var rows: [SIMD8<Int8>]
    /// The value of one unit of ``rows``, by lane.
    package var scale: SIMD8<Float>
    package var bias: SIMD8<Float>
    /// Weights of the signals, by name; names that no longer exist in the rule set are ignored.
    package var signals: [String: SIMD8<Float>]
    /// Weights of the ``ModelFact``s, indexed by raw value.
    package var facts: [SIMD8<Float>]
    /// Weights of the rules' own log-odds: for each lane of the rules, what it adds to each lane of the model.
    package var rules: [SIMD8<Float>]
    /// The score from which a message is urgent, chosen for the best F1 under cross-validation.
    package var urgentThreshold: Float
    package var injectionThreshold: Float
    /// First 12 hex digits of the file's SHA-256, for `provenance`; empty for a model that was not read from a file.
    package private(set) var digest = ""
    /// How the model was made and how well it did, for people: `key: value` lines.
    package var notes: [TrainingNote]

    /// One fact about how a model was made.
    package struct TrainingNote: Sendable, Equatable {
        package var key: String
        package var value: String

        package init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The allowed values of ``bits``.
    package static let bucketBits = 12...22

    /// Creates a model with all weights zero.
    ///
    /// - Parameter bits: binary logarithm of the number of buckets, in ``bucketBits``.
    package init(bits: Int) {
        rows = Array(repeating: SIMD8(repeating: 0), count: 1 << bits)
        scale = SIMD8(repeating: 0)
        bias = SIMD8(repeating: 0)
        signals = [:]
        facts = Array(repeating: SIMD8(repeating: 0), count: ModelFact.allCases.count)
        rules = Array(repeating: SIMD8(repeating: 0), count: ModelLane.allCases.count)
        urgentThreshold = 0.5
        injectionThreshold = 0.5
        notes = []
    }

    mutating func name(after checksum: some Sequence<UInt8>) {
        digest = checksum.prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Binary logarithm of the number of buckets.
    package var bits: Int { rows.count.trailingZeroBitCount }
}

/// The lanes of the model's sums: one number per class, side by side in a vector.
package enum ModelLane: Int, Sendable, CaseIterable {
    case fan, business, spam
    case positive, negative, neutral
    case urgent, injection

    /// The name in model files and reports, such as `category.fan` or `urgent`.
    package var name: String {
        switch self {
        case .fan, .business, .spam: "category.\(self)"
        case .positive, .negative, .neutral: "sentiment.\(self)"
        case .urgent, .injection: "\(self)"
        }
    }
}

/// The questions that the model answers, each with one or more lanes of its own.
package enum ModelHead: Int, Sendable, CaseIterable {
    case category, sentiment, urgent, injection

    /// The range of its lanes in ``ModelLane``.
    ///
    /// A head with several lanes picks the greatest (softmax); a head with one lane compares it with a threshold
    /// (logistic).
    package var lanes: Range<Int> {
        switch self {
        case .category: 0..<3
        case .sentiment: 3..<6
        case .urgent: 6..<7
        case .injection: 7..<8
        }
    }

    package var name: String { "\(self)" }
}

/// What the model knows about a message besides its words and the signals that fired.
package enum ModelFact: Int, Sendable, CaseIterable {
    // Length of the folded text in bytes; each class is twice as long as the one before.
    case length8, length16, length32, length64, length128, length256, length512, lengthMore
    // Who writes. "Unknown" is a value of its own, because exports often do not say.
    case followersUnknown, followers100, followers1k, followers10k, followers100k, followersMore
    case verified, mailHandle, question, isReply

    package var name: String { "\(self)" }

    /// Whether it describes reach: the follower count, a missing follower count, or that the account is verified.
    package var isOfReach: Bool {
        switch self {
        case .followersUnknown, .followers100, .followers1k, .followers10k, .followers100k, .followersMore, .verified:
            true
        default: false
        }
    }
}

/// The features that the model reads from one message, before weighting; used for training.
package struct TextFeatures: Sendable {
    /// One hash for each occurrence of a word, pair, piece or sign; the top bits are the bucket.
    package var hashes: [UInt64] = []
    /// The factor by which sums over ``hashes`` are multiplied.
    package var share: Float = 1
    /// Signals that fired and count, repeated as often as they count: indices into the rule set.
    package var signals: [UInt16] = []
    package var facts: [ModelFact] = []
    /// The rules' own log-odds by lane, without their biases.
    package var rules = SIMD8<Float>(repeating: 0)

    package init() {}
}

/// The model file, little-endian: `TRIAGEM1`, a version, counts, notes, the vectors, and a SHA-256 of all that.
extension StatisticalModel {
    private static let magic = Array("TRIAGEM1".utf8)
    /// Raise it whenever the meaning of a feature or vector changes.
    static let version: UInt32 = 2

    /// Encodes the model as a file; the same model always gives the same bytes.
    package func encoded() -> [UInt8] {
        var out = ByteSink()
        out.bytes = Self.magic
        out.add(Self.version)
        out.add(UInt32(bits))
        out.add(UInt32(notes.count))
        for note in notes {
            out.add(note.key)
            out.add(note.value)
        }
        out.add(scale)
        out.add(bias)
        out.add(urgentThreshold)
        out.add(injectionThreshold)
        out.add(UInt32(signals.count))
        for (name, weights) in signals.sorted(by: { $0.key < $1.key }) {
            out.add(name)
            out.add(weights)
        }
        out.add(UInt32(facts.count))
        for (fact, weights) in zip(ModelFact.allCases, facts) {
            out.add(fact.name)
            out.add(weights)
        }
        out.add(UInt32(rules.count))
        for weights in rules { out.add(weights) }
        for row in rows { for lane in 0..<8 { out.bytes.append(UInt8(bitPattern: row[lane])) } }
        out.bytes += SHA256.digest(of: out.bytes)
        return out.bytes
    }

    /// Reads a model file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - place: its name, for errors.
    ///   - isTrusted: whether it is embedded in the binary, in which case the checksum is not verified at every start.
    /// - Throws: ``TriageError`` `model.not-a-model`, `model.other-version` or `model.damaged`.
    package init(decoding bytes: UnsafeRawBufferPointer, at place: String, isTrusted: Bool = false) throws(TriageError)
    {
        guard bytes.count >= Self.magic.count, bytes.prefix(Self.magic.count).elementsEqual(Self.magic) else {
            throw TriageError(
                "model.not-a-model", "this is not a triage model", at: place,
                remedy: "use a file written by `triage train`", exit: .badConfiguration)
        }
        var from = ByteSource(bytes: bytes, at: Self.magic.count, end: bytes.count - 32)
        do {
            let version = try from.count()
            guard version == Int(Self.version) else {
                throw TriageError(
                    "model.other-version",
                    "the model has format version \(version); this program needs version \(Self.version)",
                    at: place, remedy: "run `triage train` again with this version", exit: .badConfiguration)
            }
            if !isTrusted {
                var hash = SHA256()
                hash.update(UnsafeRawBufferPointer(rebasing: bytes.dropLast(32)).bindMemory(to: UInt8.self))
                guard hash.digest().elementsEqual(bytes.suffix(32)) else { throw Damage() }
            }
            let bits = try from.count()
            guard Self.bucketBits.contains(bits) else { throw Damage() }
            self.init(bits: bits)
            for _ in 0..<(try from.count()) {
                notes.append(TrainingNote(try from.text(), try from.text()))
            }
            scale = try from.vector()
            bias = try from.vector()
            urgentThreshold = try from.float()
            injectionThreshold = try from.float()
            let count = try from.count()
            signals.reserveCapacity(min(count, 1 << 16))
            for _ in 0..<count {
                let name = try from.text()
                signals[name] = try from.vector()
            }
            let names = Dictionary(uniqueKeysWithValues: ModelFact.allCases.map { ($0.name, $0.rawValue) })
            for _ in 0..<(try from.count()) {
                let name = try from.text()
                let weights = try from.vector()
                if let fact = names[name] { facts[fact] = weights }
            }
            guard try from.count() == rules.count else { throw Damage() }
            for lane in rules.indices { rules[lane] = try from.vector() }
            try from.rows(into: &rows)
            name(after: bytes.suffix(32))
            guard from.isAtEnd else { throw Damage() }
        } catch let error as TriageError {
            throw error
        } catch {
            throw TriageError(
                "model.damaged", "the model file is truncated or damaged", at: place,
                remedy: "copy it again, or train it again", exit: .badConfiguration)
        }
    }
}

/// The file's content is invalid.
private struct Damage: Error {}

private struct ByteSink {
    var bytes: [UInt8] = []

    mutating func add(_ number: UInt32) {
        for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(shift)))) }
    }

    mutating func add(_ number: Float) { add(number.bitPattern) }

    mutating func add(_ vector: SIMD8<Float>) { for lane in 0..<8 { add(vector[lane]) } }

    mutating func add(_ text: String) {
        let utf8 = Array(text.utf8)
        add(UInt32(utf8.count))
        bytes += utf8
    }
}

private struct ByteSource {
    let bytes: UnsafeRawBufferPointer
    var at: Int
    let end: Int

    var isAtEnd: Bool { at == end }

    mutating func word() throws -> UInt32 {
        guard end - at >= 4 else { throw Damage() }
        defer { at += 4 }
        return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
    }

    /// Reads the number of the items that follow; each takes at least one byte.
    mutating func count() throws -> Int {
        let number = Int(try word())
        guard number <= end - at else { throw Damage() }
        return number
    }

    mutating func float() throws -> Float {
        let number = Float(bitPattern: try word())
        guard number.isFinite else { throw Damage() }
        return number
    }

    mutating func vector() throws -> SIMD8<Float> {
        var vector = SIMD8<Float>(repeating: 0)
        for lane in 0..<8 { vector[lane] = try float() }
        return vector
    }

    mutating func text() throws -> String {
        let count = try count()
        defer { at += count }
        return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[at..<at + count]), as: UTF8.self)
    }

    mutating func rows(into rows: inout [SIMD8<Int8>]) throws {
        let size = rows.count * MemoryLayout<SIMD8<Int8>>.stride
        guard end - at >= size else { throw Damage() }
        rows.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[at..<at + size])) }
        at += size
    }
}
