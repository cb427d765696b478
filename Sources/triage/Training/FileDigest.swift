import TriageConfig
import TriageCore

/// Digests of whole files.
enum FileDigest {
    /// SHA-256 in hex.
    ///
    /// - Throws: ``TriageError`` when the file cannot be read.
    static func sha256(_ path: String) throws -> String {
        SHA256.hex(try ConfigurationFile.read(path, limit: 1 << 30))
    }
}
