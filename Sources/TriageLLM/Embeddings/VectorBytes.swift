/// Vectors as they are kept: little-endian 32-bit floats, and nothing else.
enum VectorBytes {
    /// Most numbers of a vector; models in use have at most 8,192.
    static let longest = 65_536

    static func bytes(of vector: [Float]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(vector.count * 4)
        for number in vector {
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// A vector of length 1, as all are that were kept; nil for whatever is none.
    static func vector(in bytes: [UInt8]) -> [Float]? {
        let (count, rest) = bytes.count.quotientAndRemainder(dividingBy: 4)
        guard rest == 0, (1...longest).contains(count) else { return nil }
        var vector: [Float] = []
        vector.reserveCapacity(count)
        var square: Float = 0
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
            let number = Float(bitPattern: bits)
            square += number * number
            vector.append(number)
        }
        // Also false for what is not finite.
        guard abs(square - 1) < 0.01 else { return nil }
        return vector
    }
}
