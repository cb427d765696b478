import Platform
package import TriageCore

/// Reads files written by users, completely but up to a size limit.
package enum ConfigurationFile {
    /// The bytes of a file, pipe or device; reading stops soon after the limit.
    ///
    /// - Throws: ``TriageError`` `config.not-readable` (exit 78).
    package static func read(
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

    /// Whether anything exists at the path.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// `path` as seen from `folder`, unless it is absolute.
    package static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : folder == "/" ? "/\(path)" : "\(folder)/\(path)"
    }

    /// The folder part of a path; empty for a plain name.
    package static func folder(of path: String) -> String {
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

/// Resolves the real location of files.
enum FilePlace {
    /// The bytes of the absolute path without links; nil when it does not exist.
    static func real(_ path: String) -> [UInt8]? {
        guard !path.utf8.contains(0), let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(resolved) }
        return Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved))).map { UInt8(bitPattern: $0) }
    }

    /// Whether a path, after following links, stays inside a folder and is a regular file or does not exist yet.
    ///
    /// A pipe or a device in somebody else's folder could make its reader wait for ever.
    static func isPlainFile(_ path: String, inside folder: String) -> Bool {
        guard var root = real(folder) else { return false }
        if root.last != UInt8(ascii: "/") { root.append(UInt8(ascii: "/")) }
        if let place = real(path) {
            var info = stat()
            return place.starts(with: root) && stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
        }
        var info = stat()
        // A dangling link may lead anywhere once something is written through it.
        guard lstat(path, &info) != 0, errno == ENOENT else { return false }
        guard var parent = real(ConfigurationFile.folder(of: path)) else { return false }
        parent.append(UInt8(ascii: "/"))
        return parent.starts(with: root) && !path.hasSuffix("/..") && !path.hasSuffix("/.")
    }

    /// Whether the path leads to a regular file; links are followed.
    static func isPlainFile(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a file or folder belongs to this user or to root, and is not writable by everybody.
    static func isOwn(_ path: String) -> Bool {
        var info = stat()
        guard stat(path.isEmpty ? "." : path, &info) == 0 else { return false }
        return (info.st_uid == geteuid() || info.st_uid == 0) && info.st_mode & 0o002 == 0
    }

    /// The names in a folder, sorted, without those that begin with a dot; nil when it cannot be listed.
    static func names(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
