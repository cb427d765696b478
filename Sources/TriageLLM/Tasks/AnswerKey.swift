import TriageCore

/// Computes the digests under which the answers of one script are stored.
///
/// SHA-256 over lengths and bytes, so that different lists of parts never have the same encoding.
struct AnswerKey {
    /// Changed when the encoding changes, so that no old key gets a new meaning.
    private static let version = "triage answer 1"

    /// The common prefix of all keys, hashed once.
    private let common: SHA256

    /// - Parameter identity: what affects answers apart from the question.
    init(identity: [[UInt8]]) {
        var hash = SHA256()
        Self.add([Array(Self.version.utf8)], to: &hash)
        Self.add(identity, to: &hash)
        common = hash
    }

    /// 64 hex digits, from which no text can be recovered.
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
