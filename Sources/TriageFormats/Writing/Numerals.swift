/// Digits of small numbers, written down once: most numbers of a record are offsets below 1,000 and weights below 10.
///
/// All of them stand in one block, so that a writer carries one pointer.
struct Numerals: @unchecked Sendable {
    // Proof: the block is written in `init` and only read afterwards.
    private let base: UnsafeRawPointer

    /// Never freed: every buffer points to it.
    static let shared = Numerals()

    // Bytes from the beginning of the block.
    private static let wholes = 2000 * MemoryLayout<UInt64>.stride
    private static let pairs = wholes + 1000 * MemoryLayout<UInt32>.stride
    private static let size = pairs + 100 * MemoryLayout<UInt32>.stride

    private init() {
        let block = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 16)
        func pack(_ text: String) -> UInt64 {
            var value: UInt64 = 0
            for (place, byte) in text.utf8.enumerated() { value |= UInt64(byte) << UInt64(8 * place) }
            return value
        }
        for n in 0..<1000 {
            let digits = String(n)
            block.storeBytes(
                of: UInt32(pack(digits)) | UInt32(digits.utf8.count) << 24, toByteOffset: Self.wholes + 4 * n,
                as: UInt32.self)
            let fraction = n % 100 == 0 ? "" : n % 10 == 0 ? ".\(n / 10 % 10)" : ".\(n / 10 % 10)\(n % 10)"
            let text = "\(n / 100)\(fraction)"
            for (sign, text) in [text, n == 0 ? text : "-" + text].enumerated() {
                block.storeBytes(
                    of: pack(text) | UInt64(text.utf8.count) << 56, toByteOffset: 16 * n + 8 * sign, as: UInt64.self)
            }
        }
        for n in 0..<100 {
            let significant: UInt32 = n == 0 ? 0 : n % 10 == 0 ? 1 : 2
            block.storeBytes(
                of: UInt32(pack("\(n / 10)\(n % 10)")) | significant << 16, toByteOffset: Self.pairs + 4 * n,
                as: UInt32.self)
        }
        base = UnsafeRawPointer(block)
    }

    /// 10 to the power of 0–4.
    @inline(__always)
    static func power(_ places: Int) -> Int {
        switch places {
        case 4: 10_000
        case 3: 1000
        case 2: 100
        case 1: 10
        default: 1
        }
    }

    /// For 0–999: its digits, the first in the lowest byte, and their count in the highest.
    @inline(__always)
    func whole(_ value: Int) -> UInt32 { base.load(fromByteOffset: Self.wholes &+ 4 &* value, as: UInt32.self) }

    /// For 0–999 hundredths: as many bytes as `-9.99` has, without trailing zeros, and their count in the highest byte.
    ///
    /// - Parameter sign: 1: with a minus, unless they are zero.
    @inline(__always)
    func hundredths(_ value: Int, sign: Int) -> UInt64 {
        base.load(fromByteOffset: 16 &* value &+ 8 &* sign, as: UInt64.self)
    }

    /// For 0–99: two digits, and how many are left when trailing zeros go.
    @inline(__always)
    func pair(_ value: Int) -> (digits: UInt16, significant: UInt16) {
        let pair = base.load(fromByteOffset: Self.pairs &+ 4 &* value, as: UInt32.self)
        return (UInt16(truncatingIfNeeded: pair), UInt16(truncatingIfNeeded: pair >> 16))
    }
}
