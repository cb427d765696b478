internal import CTextFold

/// SHA-256 (FIPS 180-4), for digests of configuration, records, files and cache keys, and for keyed digests.
///
/// Three secrets pass through it: Meta's app secret and verify token (`HMAC` in TriageFormats), and the secret of a run
/// (`PromptDelimiter.swift` in TriageLLM). The compression therefore has no branch and no table look-up that depends on
/// the data. Code that compares a digest of a secret must use `HMAC.isEqual`, whose running time does not reveal where
/// the two differ; `WebhookSignature` and `MetaDelivery` do. Copies of a secret in memory are not erased.
///
/// It is implemented here because swift-crypto adds over a minute to every clean build. Where x86-64 has instructions for it,
/// whole blocks go through them (`sha256_blocks.c`): the digest of the rules was a tenth of the time of a start.
package struct SHA256: Sendable {
    // Vectors instead of arrays: hashing allocates nothing, and copying a state only copies its bytes.
    private var state = SIMD8<UInt32>(
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)
    private var block = SIMD64<UInt8>()
    private var filled = 0
    private var length: UInt64 = 0

    package init() {}

    /// Returns the digest of the bytes, 32 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    /// Returns the digest of the bytes as 64 lower-case hex digits.
    package static func hex(_ bytes: some Sequence<UInt8>) -> String {
        var hash = SHA256()
        hash.update(Array(bytes))
        return hash.hex()
    }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { update($0) }
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        length &+= UInt64(bytes.count)
        var next = 0
        if filled > 0 {
            next = min(64 - filled, bytes.count)
            fill(UnsafeBufferPointer(rebasing: bytes[..<next]))
            guard filled == 64 else { return }
            compressBlock()
        }
        if let base = bytes.baseAddress {
            next +=
                64
                * withUnsafeMutableBytes(of: &state) {
                    tfold_sha256_blocks(
                        $0.assumingMemoryBound(to: UInt32.self).baseAddress, base + next, (bytes.count - next) / 64)
                }
        }
        while bytes.count - next >= 64 {
            Self.compress(UnsafeBufferPointer(rebasing: bytes[next..<next + 64]), &state)
            next += 64
        }
        fill(UnsafeBufferPointer(rebasing: bytes[next...]))
    }

    /// Returns the digest so far, 32 bytes; more bytes may be added afterwards.
    package func digest() -> [UInt8] {
        var copy = self
        copy.block[copy.filled] = 0x80
        copy.filled += 1
        if copy.filled > 56 {
            for place in copy.filled..<64 { copy.block[place] = 0 }
            copy.compressBlock()
        }
        for place in copy.filled..<56 { copy.block[place] = 0 }
        let bits = length &* 8
        for place in 0..<8 { copy.block[56 + place] = UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64(place))) }
        copy.compressBlock()
        return [UInt8](unsafeUninitializedCapacity: 32) { out, count in
            for place in 0..<32 {
                let word = copy.state[place / 4]
                out[place] = UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32(place % 4)))
            }
            count = 32
        }
    }

    /// ``digest()`` as 64 lower-case hex digits.
    package func hex() -> String {
        let bytes = digest()
        return String(unsafeUninitializedCapacity: 64) { out in
            for (place, byte) in bytes.enumerated() {
                out[2 * place] = Self.digit(byte >> 4)
                out[2 * place + 1] = Self.digit(byte & 15)
            }
            return 64
        }
    }

    /// Everything needed to continue later: the state, the length, and the bytes of an incomplete block; 40 to 103
    /// bytes.
    package var snapshot: [UInt8] {
        var bytes: [UInt8] = []
        for index in state.indices { withUnsafeBytes(of: state[index].bigEndian) { bytes.append(contentsOf: $0) } }
        withUnsafeBytes(of: length.bigEndian) { bytes.append(contentsOf: $0) }
        return bytes + (0..<filled).map { block[$0] }
    }

    /// Continues from a ``snapshot``; nil when the bytes are not one.
    package init?(snapshot: [UInt8]) {
        guard (40..<104).contains(snapshot.count) else { return nil }
        for index in state.indices {
            state[index] = snapshot[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        length = snapshot[32..<40].reduce(0) { $0 << 8 | UInt64($1) }
        filled = snapshot.count - 40
        guard length % 64 == UInt64(filled) else { return nil }
        for index in 0..<filled { block[index] = snapshot[40 + index] }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// Appends bytes to the block, which must have room for them.
    private mutating func fill(_ bytes: UnsafeBufferPointer<UInt8>) {
        let from = filled
        withUnsafeMutableBytes(of: &block) { block in
            for (place, byte) in bytes.enumerated() { block[from + place] = byte }
        }
        filled += bytes.count
    }

    private mutating func compressBlock() {
        withUnsafeBytes(of: block) { block in
            block.withMemoryRebound(to: UInt8.self) { Self.compress($0, &state) }
        }
        filled = 0
    }

    private static func compress(_ block: UnsafeBufferPointer<UInt8>, _ state: inout SIMD8<UInt32>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
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
                state &+= SIMD8(a, b, c, d, e, f, g, h)
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

extension UInt64 {
    /// 16 lower-case hex digits.
    package var hex: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
