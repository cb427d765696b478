import Platform
import TriageCore

/// Digests of whole files.
package enum FileDigest {
    /// SHA-256 in hex; nil for standard input, pipes and folders, which cannot be read again.
    ///
    /// - Throws: ``TriageError`` `input.unreadable` (exit 66) when the file cannot be read.
    package static func sha256(_ path: String) throws -> String? {
        if path == "-" { return nil }
        // Opening a pipe would wait for another writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        var hash = SHA256()
        let fault = DescriptorChunks.forEach(of: descriptor) {
            hash.update($0)
            return true
        }
        guard fault == 0 else { throw unreadable(path, fault) }
        return hash.hex()
    }

    private static func unreadable(_ path: String, _ code: Int32) -> TriageError {
        TriageError(
            "input.unreadable", "cannot read the file: \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: nil), exit: SystemFault.exit(code, otherwise: .noInput))
    }
}
