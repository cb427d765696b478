internal import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that appears whole or not at all: written aside, renamed when the run has ended well.
///
/// Readable by its owner alone unless said otherwise. A symlink at the place is refused, so that nobody can make a run write elsewhere.
public final class OutputFile: Sendable {
    public let path: String
    public let writer: CheckedWriter
    private let temporary: String
    /// Whether the descriptor is this file's still; closed twice, it might be another's.
    private let isOpen = Mutex(true)
    /// Names that are tried for what is written aside.
    private static let attempts = 100

    /// Creates the file that is written aside.
    ///
    /// - Parameter mode: who may read it, as far as the user's mask lets them.
    /// - Throws: ``TriageError`` `output.cannot-create` (exit 73) with the reason.
    public init(path: String, mode: UInt16 = 0o600) throws {
        self.path = path
        var info = stat()
        if lstat(path, &info) == 0 {
            let kind = info.st_mode & S_IFMT
            if kind == S_IFLNK {
                throw TriageError(
                    "output.symlink", "the output is a symbolic link, which is not followed", at: path,
                    remedy: "name the file itself, or use - and redirect", exit: .cannotCreate)
            }
            if kind != S_IFREG {
                throw TriageError(
                    "output.cannot-create", "the output is not a regular file", at: path,
                    remedy: "write to - and redirect", exit: .cannotCreate)
            }
        }
        let (descriptor, name) = try Self.create(asideOf: path, mode)
        temporary = name
        writer = CheckedWriter(descriptor: descriptor, name: path)
    }

    /// Makes a file of these bytes, or leaves what is there.
    ///
    /// - Throws: as ``init(path:mode:)`` and ``commit()``, and what ``CheckedWriter`` throws.
    public static func write(_ bytes: [UInt8], to path: String, mode: UInt16 = 0o600) throws {
        let file = try OutputFile(path: path, mode: mode)
        do {
            try file.writer.write(bytes)
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Makes sure that a file can be made, before the work for it is done; nothing of it stays.
    ///
    /// - Throws: as ``init(path:mode:)``.
    public static func check(_ path: String) throws { try OutputFile(path: path).discard() }

    /// In a container every run has the same number: what a killed one left behind is passed over.
    private static func create(asideOf path: String, _ mode: UInt16) throws -> (descriptor: Int32, name: String) {
        var attempt = 1
        while true {
            let name = "\(path).\(getpid())\(attempt == 1 ? "" : ".\(attempt)").part"
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(mode))
            if descriptor >= 0 { return (descriptor, name) }
            attempt += 1
            guard errno == EEXIST, attempt <= attempts else {
                throw TriageError(
                    "output.cannot-create", "cannot create the file: \(String(cString: strerror(errno)))", at: path,
                    remedy: "check that the folder exists and may be written", exit: .cannotCreate)
            }
        }
    }

    /// Puts everything on disk and the file in its place.
    public func commit() throws {
        do {
            try writer.synchronize()
        } catch {
            discard()
            throw error
        }
        finish()
        guard rename(temporary, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            throw TriageError(
                "output.cannot-create", "cannot put the file in place: \(reason)", at: path, exit: .ioError)
        }
        FolderSynchronization.synchronize(folderOf: path)
    }

    /// Leaves no trace.
    public func discard() {
        finish()
        unlink(temporary)
    }

    private func finish() {
        isOpen.withLock { isOpen in
            if isOpen { close(writer.descriptor) }
            isOpen = false
        }
    }
}
