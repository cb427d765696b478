import TriageCore

/// Reads a file of weights: four letters that name its format, then little-endian 32-bit floats.
struct WeightFile {
    private let bytes: [UInt8]
    private var place = 4

    /// Opens a file; nil for another format or length.
    ///
    /// - Parameters:
    ///   - magic: the four letters.
    ///   - numbers: how many floats the file has.
    init?(_ bytes: [UInt8], magic: String, numbers: Int) {
        guard bytes.count == 4 + 4 * numbers, bytes.starts(with: magic.utf8) else { return nil }
        self.bytes = bytes
    }

    /// Returns the next numbers; the file has to have as many.
    mutating func next(_ count: Int) -> [Float] {
        defer { place += 4 * count }
        return (0..<count).map { number in
            let at = place + 4 * number
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
            return Float(bitPattern: bits)
        }
    }

    /// Returns the next linear model, stored as its bias, the weights of what was found, and those of the vector.
    mutating func nextRow(found: Int) -> WeightRow {
        WeightRow(bias: next(1)[0], found: next(found), vector: next(Batch.sentenceSize))
    }
}

/// A linear model of what the program found in a message without the encoder, and of the message's vector.
struct WeightRow: Sendable {
    let bias: Float
    let found: [Float]
    let vector: [Float]

    /// The number of floats in a file.
    static func size(found: Int) -> Int { 1 + found + Batch.sentenceSize }

    /// What the vector alone adds to the sum.
    func of(_ sentence: ArraySlice<Float>) -> Float { zip(vector, sentence).reduce(0) { $0 + $1.0 * $1.1 } }

    func sum(_ values: [Float], _ sentence: ArraySlice<Float>) -> Float {
        zip(found, values).reduce(bias) { $0 + $1.0 * $1.1 } + of(sentence)
    }
}
