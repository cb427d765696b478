import TriageCore

/// 128 bits that stand for a message, where the platform gives no id.
struct MessageDigest: Hashable {
    let high: UInt64
    let low: UInt64

    /// The first half of the SHA-256 over the parts, each preceded by its length in eight bytes (little-endian), so
    /// that no two lists of parts run together.
    ///
    /// Platform, conversation, time as written, sender, text, and how many messages with the same five came before: these
    /// stay the same from export to export, which places in files do not.
    init(platform: String, conversation: String, time: String, sender: String, text: String, ordinal: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + text.utf8.count)
        for part in [platform, conversation, time, sender, text, String(ordinal)] {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part.utf8)
        }
        var hash = SHA256()
        hash.update(bytes)
        let digest = hash.digest()
        high = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = digest.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The digest of the same message when `count` equal ones came before it.
    func ordinal(_ count: Int) -> MessageDigest {
        var hash = SHA256()
        hash.update(Array("\(hex):\(count)".utf8))
        let digest = hash.digest()
        return MessageDigest(
            high: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
            low: digest.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// 32 hexadecimal digits.
    var hex: String {
        var out: [UInt8] = []
        appendHex(to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    func appendHex(to out: inout [UInt8]) {
        for half in [high, low] {
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(half >> UInt64(shift) & 15)
                out.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
        }
    }
}
