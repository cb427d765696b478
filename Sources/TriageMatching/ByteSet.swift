/// A set of bytes, stored as one bit per byte value.
struct ByteSet: Hashable, Sendable {
    private(set) var bits: SIMD4<UInt64> = .zero

    init() {}

    init(_ byte: UInt8) { insert(byte) }

    init(bits: SIMD4<UInt64>) { self.bits = bits }

    static let all = ByteSet().inverted

    /// Creates the set for `\d`, `\w`, `\s` or one of their complements; nil for any other letter.
    init?(class name: UInt8) {
        switch name | 0x20 {
        case UInt8(ascii: "d"): for byte in UInt8(0x30)...0x39 { insert(byte) }
        case UInt8(ascii: "w"):
            for byte in UInt8(0)...0x7F where byte == 0x5F || Self.isLetterOrDigit(byte) { insert(byte) }
        case UInt8(ascii: "s"):
            for byte in UInt8(0x09)...0x0D { insert(byte) }
            insert(0x20)
        default: return nil
        }
        if name & 0x20 == 0 { self = inverted }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { bits[Int(byte >> 6)] >> UInt64(byte & 63) & 1 != 0 }

    mutating func insert(_ byte: UInt8) { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    mutating func formUnion(_ other: ByteSet) { bits |= other.bits }

    var inverted: ByteSet {
        var set = self
        set.bits = ~set.bits
        return set
    }

    /// Its members in ascending order.
    var members: [UInt8] { (0...UInt8.max).filter(contains) }

    /// Whether a byte is a "sign": printable ASCII, but neither a letter nor a digit.
    static func isSign(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && !isLetterOrDigit(byte) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
