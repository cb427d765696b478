internal import CEncoder
internal import ShippedEncoder
internal import Synchronization

/// What a sentence means, as numbers: sentences that mean the same have vectors that point the same way, in whatever words and,
/// in most cases, in whatever language.
///
/// The model is multilingual-e5-small (MIT licence; 12 layers, four bits a weight) with the pieces of words that the languages
/// of this program need: 35 MB, in the program. `Tests/Benchmarks/encoder.py` makes the file. A text takes 0.1 to 0.4 ms for each
/// of its pieces, and comes out the same on every machine with the same C library.
final class SentenceEncoder: Sendable {
    /// Numbers of a vector.
    static let size = Int(SENC_SIZE)

    /// The model that travels with the program, opened when it is first asked for, in 50 ms; nil if memory is short.
    static let shipped = SentenceEncoder()

    /// Memory of one thread at a time; nil if it is short.
    private final class Scratch {
        let memory = senc_scratch_new()

        deinit { senc_scratch_free(memory) }
    }

    // Proof: the model is only read once it is open, and it is never closed.
    private nonisolated(unsafe) let model: OpaquePointer
    private let scratches = ObjectPool { Scratch() }
    /// Several stages read the same sentences, and many people write the same ones.
    private let recent = Mutex(RecentVectors())

    private init?() {
        let file = shipped_encoder
        guard let model = senc_open(file.bytes, file.count, false) else { return nil }
        self.model = model
    }

    /// The vector of UTF-8 text, of length 1; zeros if memory is short.
    ///
    /// What is behind the first 128 pieces is not read.
    func vector(of text: some Collection<UInt8>) -> [Float] { vectors(of: [Array(text)])[0] }

    /// The vectors of texts, as ``vector(of:)`` gives them; many at once take less time than one by one.
    func vectors(of texts: [[UInt8]]) -> [[Float]] {
        let known = recent.withLock { recent in texts.map { recent[$0] } }
        var unknown: [[UInt8]] = []
        var places: [[UInt8]: Int] = [:]
        for (text, vector) in zip(texts, known) where vector == nil && places[text] == nil {
            places[text] = unknown.count
            unknown.append(text)
        }
        let encoded = encode(unknown)
        recent.withLock { recent in
            for (text, vector) in zip(unknown, encoded) { recent.insert(vector, of: text) }
        }
        return zip(texts, known).map { text, vector in vector ?? encoded[places[text] ?? 0] }
    }

    private func encode(_ texts: [[UInt8]]) -> [[Float]] {
        guard !texts.isEmpty else { return [] }
        var vectors = [Float](repeating: 0, count: texts.count * Self.size)
        // One buffer, so that all texts have an address at the same time.
        let bytes = texts.flatMap { $0 }
        scratches.withItem { scratch in
            guard let memory = scratch.memory else { return }
            bytes.withUnsafeBufferPointer { bytes in
                var start = 0
                let places = texts.map { text in
                    defer { start += text.count }
                    return senc_text(bytes: bytes.baseAddress.map { $0 + start }, count: text.count)
                }
                senc_encode(model, memory, places, places.count, &vectors)
            }
        }
        return texts.indices.map { Array(vectors[$0 * Self.size..<($0 + 1) * Self.size]) }
    }
}

/// The vectors of the texts that were encoded last, at least ``size`` of them and at most twice as many.
struct RecentVectors {
    /// 512 vectors take 800 kB.
    static let size = 512

    private var newer: [[UInt8]: [Float]] = [:]
    private var older: [[UInt8]: [Float]] = [:]

    subscript(_ text: [UInt8]) -> [Float]? { newer[text] ?? older[text] }

    mutating func insert(_ vector: [Float], of text: [UInt8]) {
        if newer.count == Self.size { (older, newer) = (newer, [:]) }
        newer[text] = vector
    }
}
