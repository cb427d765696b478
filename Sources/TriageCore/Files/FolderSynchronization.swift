#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Puts names on disk: a file that was made or renamed survives a power cut only once its folder is there, too.
public enum FolderSynchronization {
    /// Has the kernel put the folder of a file on disk.
    ///
    /// - Returns: the system's code when the disk failed; nil when it is there, or cannot be put there by this user or on
    ///   this file system.
    @discardableResult
    public static func synchronize(folderOf path: String) -> Int32? {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        while fsync(folder) != 0 {
            let code = errno
            if code == EINTR { continue }
            return [EINVAL, ENOTSUP, EROFS, EACCES].contains(code) ? nil : code
        }
        return nil
    }
}
