internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A file that appears whole or not at all: written aside, put in its place when the run has ended well.
///
/// Where the system can (Linux, most file systems) what is written aside has no name, so nothing of it stays when the
/// process is killed. Elsewhere it is `NAME.PID.part`, locked while it is written; the next run that writes the same file
/// removes what a killed one left, see ``LeftoverParts``. Readable by its owner alone unless said otherwise. A symlink at
/// the place is refused, so that nobody can make a run write elsewhere.
package final class OutputFile: Sendable {
    package let path: String
    package let writer: CheckedWriter
    /// The name of what is written aside; nil: it has none.
    private let part: Mutex<String?>
    /// Whether the descriptor is this file's still; closed twice, it might be another's.
    private let isOpen = Mutex(true)
    /// Names that are tried for what is written aside.
    private static let attempts = 100

    /// Creates the file that is written aside.
    ///
    /// - Parameters:
    ///   - mode: who may read it, as far as the user's mask lets them.
    ///   - isNamed: whether what is written aside has a name in any case.
    /// - Throws: ``TriageError`` `output.symlink`, `output.cannot-create` (exit 73; 74 when the disk is full, 75 when no
    ///   more files may be open) with the reason.
    package init(path: String, mode: UInt16 = 0o600, isNamed: Bool = false) throws {
        self.path = path
        var info = stat()
        if lstat(path, &info) == 0 {
            let kind = info.st_mode & S_IFMT
            if kind == S_IFLNK {
                throw TriageError(
                    "output.symlink", "the output is a symbolic link", at: path,
                    remedy: "name the file itself, or use - and redirect", exit: .cannotCreate)
            }
            if kind != S_IFREG {
                throw TriageError(
                    "output.cannot-create", "the output is not a regular file", at: path,
                    remedy: "write to - and redirect", exit: .cannotCreate)
            }
        } else if errno != ENOENT {
            throw Self.fault("cannot create the file", path, errno)
        }
        LeftoverParts.sweep(besides: path)
        let (descriptor, name) = try Self.create(asideOf: path, mode, isNamed: isNamed)
        // Holds off whoever sweeps; where there are no locks, nothing is swept either.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        part = Mutex(name)
        writer = CheckedWriter(descriptor: descriptor, name: path)
    }

    /// The name of what is written aside, for others that write it; nil: it has none.
    package var partName: String? { part.withLock { $0 } }

    /// Makes a file of these bytes, or leaves what is there.
    ///
    /// - Throws: as ``init(path:mode:)`` and ``commit()``, and what ``CheckedWriter`` throws.
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

    /// Makes sure that a file can be made, before the work for it is done; nothing of it stays.
    ///
    /// - Throws: as ``init(path:mode:)``.
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

    /// A file without a name in a folder; nil where the system or the file system makes none, or cannot name it later.
    private static func createUnnamed(in folder: String, _ mode: UInt16) -> Int32? {
        #if os(Linux)
            // O_TMPFILE of <fcntl.h>, which is no plain number there.
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

    /// Puts everything on disk and the file in its place.
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

    /// Gives the file its name; the lock is held until it has it.
    private func place() throws {
        try part.withLock { part in
            if part == nil {
                #if os(Linux)
                    // A link takes nobody's place, so where there is a file already it gets a name beside it first.
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

    /// Leaves no trace.
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

/// Puts names on disk: a file that was made or renamed survives a power cut only once its folder is there, too.
package enum FolderSynchronization {
    /// Has the kernel put the folder of a file on disk.
    ///
    /// - Returns: the system's code when the disk failed; nil when it is there, or cannot be put there by this user or on
    ///   this file system.
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

/// What killed runs left beside a file that is written aside and then put in its place.
///
/// Its name is `NAME.PID.part` or `NAME.PID.2.part`; it holds what the file would have held, so nobody wants it to stay.
package enum LeftoverParts {
    /// The name of a part.
    ///
    /// - Parameter attempt: from 1; numbers above ``firstAttempts`` are drawn, so that a folder full of parts is no fault.
    static func name(of path: String, attempt: Int) -> String {
        let number = attempt > firstAttempts ? Int.random(in: firstAttempts...Int(Int32.max)) : attempt
        return "\(path).\(getpid())\(attempt == 1 ? "" : ".\(number)").part"
    }

    private static let firstAttempts = 20

    /// Removes the parts beside `path` that no process writes.
    ///
    /// Whoever writes one holds a lock on it, which the system takes from a process that ends. A part without a lock may be
    /// that of an earlier version, which took none: as long as there is a process of its number, it stays.
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

    /// A path's folder and name.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// The number of the process in `PID.part` or `PID.N.part`; nil when it is neither.
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

    /// Seconds.
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
            // In a container every run has the same number; what nobody has touched for a while is nobody's.
            guard time(nil) - modified(held) > ownAge else { return }
        } else if process > 0, kill(process, 0) == 0 || errno == EPERM {
            return
        }
        // What was put in its place meanwhile is another's.
        guard lstat(path, &found) == 0, found.st_ino == held.st_ino, found.st_dev == held.st_dev else { return }
        unlink(path)
    }
}
