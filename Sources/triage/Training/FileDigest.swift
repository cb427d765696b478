import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Digests of whole files.
enum FileDigest {
    /// SHA-256 in hex; nil for standard input, pipes and folders, which cannot be read again.
    ///
    /// - Throws: ``TriageError`` `input.unreadable` (exit 66) when the file cannot be read.
    static func sha256(_ path: String) throws -> String? {
        if path == "-" { return nil }
        // Of a pipe, opening would wait for another writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        var hash = SHA256()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { break }
            chunk.withUnsafeBufferPointer { hash.update(UnsafeBufferPointer(rebasing: $0[..<count])) }
        }
        return hash.hex()
    }

    private static func unreadable(_ path: String) -> TriageError {
        TriageError(
            "input.unreadable", "cannot read the file: \(String(cString: strerror(errno)))", at: path, exit: .noInput)
    }
}
