/// SHA-256 (FIPS 180-4), for digests of configuration; nothing secret is hashed.
///
/// Written out here because swift-crypto adds over a minute to every fresh build.
public struct SHA256 {
    private var state: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    private var block = [UInt8](repeating: 0, count: 64)
    private var filled = 0
    private var length: UInt64 = 0
    private var schedule = [UInt32](repeating: 0, count: 64)

    public init() {}

    /// Lower-case hex digest of the bytes, 64 digits.
    public static func hex(_ bytes: some Sequence<UInt8>) -> String {
        var hash = SHA256()
        hash.update(Array(bytes))
        return hash.hex()
    }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { update($0) }
    }

    /// Adds bytes.
    public mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        length &+= UInt64(bytes.count)
        var next = 0
        if filled > 0 {
            while filled < 64, next < bytes.count {
                block[filled] = bytes[next]
                filled += 1
                next += 1
            }
            guard filled == 64 else { return }
            block.withUnsafeBufferPointer { Self.compress($0, &state, &schedule) }
            filled = 0
        }
        while bytes.count - next >= 64 {
            Self.compress(UnsafeBufferPointer(rebasing: bytes[next..<next + 64]), &state, &schedule)
            next += 64
        }
        while next < bytes.count {
            block[filled] = bytes[next]
            filled += 1
            next += 1
        }
    }

    /// The digest so far, 32 bytes; more may be added afterwards.
    public func digest() -> [UInt8] {
        var copy = self
        let bits = length &* 8
        copy.update([0x80])
        while copy.filled != 56 { copy.update([0]) }
        copy.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
        return copy.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// ``digest()`` as 64 lower-case hex digits.
    public func hex() -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func compress(
        _ block: UnsafeBufferPointer<UInt8>, _ state: inout [UInt32], _ schedule: inout [UInt32]
    ) {
        state.withUnsafeMutableBufferPointer { state in
            schedule.withUnsafeMutableBufferPointer { w in
                constants.withUnsafeBufferPointer { k in
                    for i in 0..<16 {
                        w[i] =
                            UInt32(block[4 * i]) << 24 | UInt32(block[4 * i + 1]) << 16
                            | UInt32(block[4 * i + 2]) << 8 | UInt32(block[4 * i + 3])
                    }
                    for i in 16..<64 {
                        let s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ (w[i - 15] >> 3)
                        let s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ (w[i - 2] >> 10)
                        w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
                    }
                    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
                    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
                    for i in 0..<64 {
                        let s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
                        let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[i] &+ w[i]
                        let s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
                        let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
                        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
                    }
                    // One by one: an array of the eight would be an allocation for each block.
                    state[0] = state[0] &+ a
                    state[1] = state[1] &+ b
                    state[2] = state[2] &+ c
                    state[3] = state[3] &+ d
                    state[4] = state[4] &+ e
                    state[5] = state[5] &+ f
                    state[6] = state[6] &+ g
                    state[7] = state[7] &+ h
                }
            }
        }
    }

    @inline(__always)
    private static func rotated(_ x: UInt32, _ n: UInt32) -> UInt32 { x >> n | x << (32 - n) }

    /// Fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
