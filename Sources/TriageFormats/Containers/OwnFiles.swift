#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that the run itself writes, and so never reads as input; told by what they are, not by their names.
///
/// More than politeness: where a program closes a file that SQLite has open in the same process, the system drops all of
/// SQLite's locks on it (https://sqlite.org/howtocorrupt.html, 2.2).
struct OwnFiles {
    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ info: stat) {
            device = UInt64(truncatingIfNeeded: info.st_dev)
            inode = UInt64(truncatingIfNeeded: info.st_ino)
        }
    }

    private var identities: Set<Identity> = []

    /// - Parameter paths: those that are not there now are left out.
    init(_ paths: [String]) {
        for path in paths {
            var info = stat()
            if stat(path, &info) == 0 { identities.insert(Identity(info)) }
        }
    }

    func contains(_ info: stat) -> Bool { !identities.isEmpty && identities.contains(Identity(info)) }
}
