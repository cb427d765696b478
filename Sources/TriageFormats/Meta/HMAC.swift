import TriageCore

/// A keyed hash (RFC 2104) with SHA-256: proof that a text comes from somebody who has the key.
enum HMAC {
    /// 32 bytes.
    static func sha256(_ text: some Collection<UInt8>, key: some Collection<UInt8>) -> [UInt8] {
        var block = Array(key)
        if block.count > 64 { block = hash(block) }
        block += [UInt8](repeating: 0, count: 64 - block.count)
        return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + Array(text)))
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    /// Whether both are the same, in a time that does not tell where they differ.
    static func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for i in a.indices { difference |= a[i] ^ b[i] }
        return difference == 0
    }
}
