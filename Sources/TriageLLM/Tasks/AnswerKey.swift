import TriageCore

/// Under what digests the answers of one script are kept.
///
/// SHA-256 over lengths and bytes, so that no two lists of parts encode alike: parts cannot flow into each other.
struct AnswerKey {
    /// Raised when the encoding changes, so that no old key can mean something new.
    private static let version = "triage answer 1"

    /// What all keys begin with, hashed once.
    private let common: SHA256

    /// - Parameter identity: what makes answers others apart from the question.
    init(identity: [[UInt8]]) {
        var hash = SHA256()
        Self.add([Array(Self.version.utf8)], to: &hash)
        Self.add(identity, to: &hash)
        common = hash
    }

    /// 64 hex digits, out of which no text can be read back.
    func digest(of parts: [[UInt8]]) -> String {
        var hash = common
        Self.add(parts, to: &hash)
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
