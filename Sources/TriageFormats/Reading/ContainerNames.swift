/// Names of files that are no part of any export.
enum ContainerNames {
    /// Files that systems leave behind, and what is not finished.
    static func isJunk(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return true }
        return parts.contains("__MACOSX") || last.hasPrefix(".") || last == "Thumbs.db" || last == "desktop.ini"
            || last.hasSuffix(".part")
    }

    /// Whether a name would leave the archive's own tree: absolute, with `..`, or with a drive letter.
    static func isUnsafe(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        if bytes.first == 0x2F || bytes.first == 0x5C || bytes.contains(0) { return true }
        if bytes.count >= 2, bytes[1] == 0x3A { return true }
        return path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
    }
}
