import TriageCore

/// Under what digest an answer is kept.
enum AnswerKey {
    /// Raised when the encoding below changes, so that no old key can mean something new.
    private static let version = "triage answer 1"

    /// SHA-256 over lengths and bytes, so that no two lists of parts encode alike: parts cannot flow into each other.
    ///
    /// - Returns: 64 hex digits; the text cannot be read back out of them.
    static func digest(of parts: [[UInt8]], under identity: [[UInt8]]) -> String {
        var hash = SHA256()
        add([Array(version.utf8)], to: &hash)
        add(identity, to: &hash)
        add(parts, to: &hash)
        return hash.hex()
    }

    private static func add(_ parts: [[UInt8]], to hash: inout SHA256) {
        hash.update(bytes(of: parts.count))
        for part in parts {
            hash.update(bytes(of: part.count))
            hash.update(part)
        }
    }

    private static func bytes(of count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(count).bigEndian) { Array($0) }
    }
}
