public import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads files that a user writes, whole and bounded.
public enum ConfigurationFile {
    /// The bytes of a file, pipe or device, at most about as many as the limit.
    ///
    /// - Throws: ``TriageError`` `config.not-readable` (exit 78).
    public static func read(
        _ path: String, limit: Int = ConfigDocument.byteLimit
    ) throws(TriageError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        let fault = DescriptorChunks.forEach(of: descriptor) { chunk throws(Never) in
            bytes.append(contentsOf: chunk)
            return bytes.count <= limit
        }
        guard fault == 0 else { throw unreadable(path, fault) }
        return bytes
    }

    /// Whether something is there under this name.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// `path` as seen from `folder`, unless it is absolute.
    public static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : folder == "/" ? "/\(path)" : "\(folder)/\(path)"
    }

    /// The folder part of a path; empty for a plain name.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func unreadable(_ path: String, _ code: Int32) -> TriageError {
        let remedy =
            switch code {
            case ENOENT: "check the name, or create one with `triage init`"
            case EISDIR: "name a file in this folder"
            case EACCES: "check its permissions"
            default: "check the file"
            }
        return TriageError(
            "config.not-readable", "cannot read the file: \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: remedy),
            exit: SystemFault.exit(code, otherwise: .badConfiguration))
    }
}
