import Platform
internal import Synchronization

/// A file that appears completely or not at all: it is written to a temporary file, which takes its place at the end.
///
/// Where the system supports it (Linux, most file systems) the temporary file has no name, so nothing is left when the
/// process is killed. Elsewhere it is `NAME.PID.part`, locked while it is written; the next run that writes the same
/// file removes what a killed run left, see ``LeftoverParts``. By default only its owner can read the file. A symlink
/// at the path is refused, so nobody can make a run write elsewhere.
package final class OutputFile: Sendable {
    package let path: String
    package let writer: CheckedWriter
    /// The name of the temporary file; nil: it has none.
    private let part: Mutex<String?>
    /// Whether the descriptor is still this file's; closing it twice might close another file.
    private let isOpen = Mutex(true)
    /// How many names are tried for the temporary file.
    private static let attempts = 100

    /// Creates the temporary file.
    ///
    /// - Parameters:
    ///   - mode: the permissions, reduced by the user's umask.
    ///   - isNamed: whether the temporary file must have a name.
    /// - Throws: ``TriageError`` `output.symlink`, `output.cannot-create` (exit 73; 74 when the disk is full, 75 when
    ///   no more files may be open) with the reason.
    package init(path: String, mode: UInt16 = 0o600, isNamed: Bool = false) throws {
        self.path = path
        var info = stat()
        if lstat(path, &info) == 0 {
            let kind = info.st_mode & S_IFMT
            if kind == S_IFLNK {
                throw TriageError(
                    "output.symlink", "the output is a symbolic link", at: path,
                    remedy: "give the path of the file itself, or use - (stdout) and redirect the output",
                    exit: .cannotCreate)
            }
            if kind != S_IFREG {
                throw TriageError(
                    "output.cannot-create", "the output is not a regular file", at: path,
                    remedy: "use - (stdout) and redirect the output", exit: .cannotCreate)
            }
        } else if errno != ENOENT {
            throw Self.fault("cannot create the file", path, errno)
        }
        LeftoverParts.sweep(besides: path)
        let (descriptor, name) = try Self.create(asideOf: path, mode, isNamed: isNamed)
        // Keeps ``LeftoverParts/sweep(besides:)`` from removing it; where locks do not exist, nothing is swept either.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        part = Mutex(name)
        writer = CheckedWriter(descriptor: descriptor, name: path)
    }

    /// The name of the temporary file, for other code that writes it; nil: it has none.
    package var partName: String? { part.withLock { $0 } }

    /// Writes a file with these bytes, or leaves the existing one alone on failure.
    ///
    /// - Throws: as ``init(path:mode:isNamed:)`` and ``commit()``, and what ``CheckedWriter`` throws.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt16 = 0o600) throws {
        let file = try OutputFile(path: path, mode: mode)
        do {
            try file.writer.write(bytes)
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Checks that the file can be created, before the work for it is done; leaves nothing behind.
    ///
    /// - Throws: as ``init(path:mode:isNamed:)``.
    package static func check(_ path: String) throws { try OutputFile(path: path).discard() }

    private static func create(
        asideOf path: String, _ mode: UInt16, isNamed: Bool
    ) throws -> (descriptor: Int32, name: String?) {
        if !isNamed, let descriptor = createUnnamed(in: LeftoverParts.split(path).folder, mode) {
            return (descriptor, nil)
        }
        var attempt = 1
        while true {
            let name = LeftoverParts.name(of: path, attempt: attempt)
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(mode))
            if descriptor >= 0 { return (descriptor, name) }
            attempt += 1
            guard errno == EEXIST, attempt <= attempts else { throw fault("cannot create the file", path, errno) }
        }
    }

    /// Creates a file without a name; nil where the system or file system does not support that, or cannot name it
    /// later.
    private static func createUnnamed(in folder: String, _ mode: UInt16) -> Int32? {
        #if os(Linux)
            // `O_TMPFILE` of <fcntl.h>, which is not imported because it is not a plain number there.
            let unnamed = 0o20000000 | O_DIRECTORY
            let descriptor = open(folder, O_WRONLY | O_CLOEXEC | unnamed, mode_t(mode))
            guard descriptor >= 0 else { return nil }
            if access(Self.link(to: descriptor), F_OK) == 0 { return descriptor }
            close(descriptor)
        #endif
        return nil
    }

    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private static func fault(_ what: String, _ path: String, _ code: Int32) -> TriageError {
        TriageError(
            "output.cannot-create", "\(what): \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: "check that the folder exists and is writable"),
            exit: SystemFault.exit(code, otherwise: .cannotCreate))
    }

    /// Flushes everything to disk and moves the file to its place.
    package func commit() throws {
        do {
            try writer.synchronize()
            try place()
        } catch {
            discard()
            throw error
        }
        finish()
        FolderSynchronization.synchronize(folderOf: path)
    }

    /// Gives the file its name; the lock is held until that is done.
    private func place() throws {
        try part.withLock { part in
            if part == nil {
                #if os(Linux)
                    // A link cannot replace a file. If one exists already, this file first gets a name beside it.
                    var (name, attempt) = (path, 0)
                    while linkat(AT_FDCWD, Self.link(to: writer.descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 {
                        attempt += 1
                        guard errno == EEXIST, attempt <= Self.attempts else { throw placing(errno) }
                        name = LeftoverParts.name(of: path, attempt: attempt)
                    }
                    if name == path { return }
                    part = name
                #endif
            }
            guard let name = part else { return }
            guard rename(name, path) == 0 else { throw placing(errno) }
            part = nil
        }
    }

    private func placing(_ code: Int32) -> TriageError {
        TriageError(
            "output.cannot-create", "cannot move the file into place: \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: nil), exit: SystemFault.exit(code, otherwise: .ioError))
    }

    /// Removes the temporary file.
    package func discard() {
        part.withLock { part in
            if let name = part { unlink(name) }
            part = nil
        }
        finish()
    }

    private func finish() {
        isOpen.withLock { isOpen in
            if isOpen { close(writer.descriptor) }
            isOpen = false
        }
    }
}

/// Flushes folders to disk: a new or renamed file survives a power cut only once its folder is on disk, too.
package enum FolderSynchronization {
    /// Makes the kernel put the folder of a file on disk.
    ///
    /// - Returns: the `errno` when the disk failed; nil when the folder is on disk, or when this user or file system
    ///   cannot put it there.
    @discardableResult
    package static func synchronize(folderOf path: String) -> Int32? {
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

/// Temporary files (parts) that killed runs left beside an output file.
///
/// They are named `NAME.PID.part` or `NAME.PID.2.part`, hold what the file would have held, and are of no use to
/// anybody.
package enum LeftoverParts {
    /// Returns the name of a part.
    ///
    /// - Parameter attempt: from 1; above ``firstAttempts`` the number is random, so that a folder full of parts is no
    ///   problem.
    static func name(of path: String, attempt: Int) -> String {
        let number = attempt > firstAttempts ? Int.random(in: firstAttempts...Int(Int32.max)) : attempt
        return "\(path).\(getpid())\(attempt == 1 ? "" : ".\(number)").part"
    }

    private static let firstAttempts = 20

    /// Removes the parts beside `path` that no process is writing.
    ///
    /// A process that writes a part holds a lock on it, which the system releases when the process ends. A part without
    /// a lock may come from an earlier version, which took none; it stays as long as a process with its number exists.
    package static func sweep(besides path: String) {
        let (folder, name) = split(path)
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        let head = Array((name + ".").utf8)
        while let entry = readdir(listing) {
            let found = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard found.starts(with: head), let process = process(found.dropFirst(head.count)) else { continue }
            remove("\(folder)/\(String(decoding: found, as: UTF8.self))", of: process)
        }
    }

    /// Splits a path into folder and name.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// Returns the process number in `PID.part` or `PID.N.part`; nil when the name is neither.
    private static func process(_ rest: ArraySlice<UInt8>) -> pid_t? {
        let fields = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard fields.count == 2 || fields.count == 3, fields.last?.elementsEqual("part".utf8) == true else {
            return nil
        }
        let numbers = fields.dropLast().map { field -> Int32? in
            guard field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int32(String(decoding: field, as: UTF8.self))
        }
        return numbers.contains(nil) ? nil : numbers[0]
    }

    /// Age in seconds from which a part that carries this process's own number may be removed.
    private static let ownAge = 60

    private static func modified(_ info: stat) -> Int {
        #if canImport(Darwin)
            Int(info.st_mtimespec.tv_sec)
        #else
            Int(info.st_mtim.tv_sec)
        #endif
    }

    private static func remove(_ path: String, of process: pid_t) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var (held, found) = (stat(), stat())
        guard fstat(descriptor, &held) == 0, held.st_mode & S_IFMT == S_IFREG, held.st_uid == geteuid(),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        if process == getpid() {
            // In a container every run has the same number; a part that has not been touched for a while belongs to no
            // running process.
            guard time(nil) - modified(held) > ownAge else { return }
        } else if process > 0, kill(process, 0) == 0 || errno == EPERM {
            return
        }
        // Do not remove a file that replaced it meanwhile.
        guard lstat(path, &found) == 0, found.st_ino == held.st_ino, found.st_dev == held.st_dev else { return }
        unlink(path)
    }
}
