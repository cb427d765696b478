internal import CEncoder
internal import ShippedEncoder

/// What a sentence means, as numbers: sentences that mean the same have vectors that point the same way, in whatever words and,
/// in most cases, in whatever language.
///
/// The model is multilingual-e5-small (MIT licence; 12 layers, four bits a weight) with the pieces of words that the languages
/// of this program need: 35 MB, in the program. `Tests/Benchmarks/encoder.py` makes the file. A text takes about 0.3 ms for each
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

    private init?() {
        let file = shipped_encoder
        guard let model = senc_open(file.bytes, file.count, false) else { return nil }
        self.model = model
    }

    /// The vector of UTF-8 text, of length 1; zeros if memory is short.
    ///
    /// What is behind the first 128 pieces is not read.
    func vector(of text: some Collection<UInt8>) -> [Float] {
        var vector = [Float](repeating: 0, count: Self.size)
        let text = Array(text)
        scratches.withItem { scratch in
            guard let memory = scratch.memory else { return }
            _ = senc_encode(model, memory, text, text.count, &vector)
        }
        return vector
    }
}
