import Platform
import TriageCore

/// The file to which deliveries are appended, one per line; appended lines are on disk.
///
/// It only ever grows. If it was moved away, and its path leads to another file or to none, a new one is begun. Used by
/// one thread.
final class DeliverySpool {
    private let path: String
    private var descriptor: Int32
    /// Whether the file ends in an incomplete line, which was never acknowledged.
    private var isTorn: Bool

    /// Opens the file, or creates it with access for its owner only.
    ///
    /// - Throws: ``TriageError`` `output.symlink`, `output.cannot-create` (73), `spool.taken` (75).
    init(path: String) throws {
        self.path = path
        (descriptor, isTorn) = try Self.open(path)
    }

    deinit { close(descriptor) }

    /// Appends whole lines and returns once a power cut can no longer lose them.
    ///
    /// - Throws: ``TriageError`` `output.io` (74). Then none of the lines count as stored, although some may have been.
    func append(_ lines: [UInt8]) throws {
        if isMoved {
            let (opened, torn) = try Self.open(path)
            close(descriptor)
            (descriptor, isTorn) = (opened, torn)
        }
        let writer = CheckedWriter(descriptor: descriptor, name: path)
        let wasTorn = isTorn
        isTorn = true
        try writer.write(wasTorn ? [0x0A] + lines : lines)
        isTorn = false
        guard Self.synchronize(descriptor) else {
            throw TriageError(
                "output.io", "cannot write deliveries to disk: \(String(cString: strerror(errno)))", at: path,
                exit: .ioError)
        }
    }

    /// The size in bytes.
    var size: Int {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? Int(info.st_size) : 0
    }

    private var isMoved: Bool {
        var (own, other) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return true }
        return own.st_ino != other.st_ino || own.st_dev != other.st_dev
    }

    private static func open(_ path: String) throws -> (descriptor: Int32, isTorn: Bool) {
        let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, flags, 0o600)
        #else
            let descriptor = Darwin.open(path, flags, 0o600)
        #endif
        guard descriptor >= 0 else {
            if errno == ELOOP {
                throw TriageError(
                    "output.symlink", "the spool is a symbolic link", at: path,
                    remedy: "give the path of the file that the link points to", exit: .cannotCreate)
            }
            let code = errno
            throw TriageError(
                "output.cannot-create", "cannot write the spool: \(String(cString: strerror(code)))", at: path,
                remedy: SystemFault.remedy(code, otherwise: "check that the folder exists and is writable"),
                exit: SystemFault.exit(code, otherwise: .cannotCreate))
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TriageError(
                "output.cannot-create", "the spool is not a regular file", at: path, exit: .cannotCreate)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw TriageError(
                "spool.taken", "another triage process writes to this spool", at: path,
                remedy: "stop it, or give each its own spool", exit: .temporary)
        }
        var last: UInt8 = 0x0A
        if info.st_size > 0 { _ = pread(descriptor, &last, 1, info.st_size - 1) }
        // The directory entry has to be on disk too.
        FolderSynchronization.synchronize(folderOf: path)
        return (descriptor, last != 0x0A)
    }

    private static func synchronize(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            // On this platform, fsync leaves the bytes in the drive's own cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        while fsync(descriptor) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}
