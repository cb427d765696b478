import TriageCore
import TriageLLM

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The state file of batches, locked for one process at a time: two that submit would pay for the same answers.
///
/// The lock is on the file itself and passes on to each new one that takes its place, so nothing else lies about, and a
/// process that is killed leaves no lock behind.
final class BatchBookFile {
    let path: String
    private var lock: Int32

    /// Opens and locks it.
    ///
    /// - Parameter creates: whether it is made, empty, where there is none.
    /// - Throws: ``TriageError``: exit 66 when there is none, 73 when it cannot be used, 75 while another process has it.
    init(path: String, creates: Bool = false) throws {
        self.path = path
        let descriptor = try Self.open(path, creates: creates)
        lock = descriptor
        var (mine, current) = (stat(), stat())
        // A file that was replaced in between belongs to the process that replaced it.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &mine) == 0, lstat(path, &current) == 0,
            current.st_ino == mine.st_ino, current.st_dev == mine.st_dev
        else {
            close(descriptor)
            throw TriageError(
                "batch.busy", "another process is using this state file", at: path,
                remedy: "wait until it has ended, and try again", exit: .temporary)
        }
    }

    deinit { close(lock) }

    /// What it says; nil for a new one.
    func read() throws -> BatchBook? {
        try Self.read(path)
    }

    /// What a state says, without its lock: for those who only look.
    ///
    /// - Throws: as ``init(path:creates:)``, and ``TriageError`` (exit 65) for what is no state.
    static func read(_ path: String) throws -> BatchBook? {
        let descriptor = try open(path, creates: false)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        let fault = DescriptorChunks.forEach(of: descriptor) {
            bytes.append(contentsOf: $0)
            return bytes.count <= BatchBook.limits.bytes
        }
        guard fault == 0 else {
            throw TriageError(
                "batch.no-state", "cannot read the state file: \(String(cString: strerror(fault)))", at: path,
                remedy: SystemFault.remedy(fault, otherwise: nil), exit: SystemFault.exit(fault, otherwise: .ioError))
        }
        return bytes.isEmpty ? nil : try BatchBook(bytes, at: path)
    }

    /// Opens what may be a state: a plain file, and no link to one.
    private static func open(_ path: String, creates: Bool) throws -> Int32 {
        // Of a pipe, opening would wait for the other end.
        var flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
        if creates { flags |= O_CREAT }
        let descriptor = systemOpen(path, flags, 0o600)
        guard descriptor >= 0 else {
            let reason = errno
            if reason == ENOENT, !creates {
                throw TriageError(
                    "batch.no-state", "no such file", at: path,
                    remedy: "run `triage batch submit --state \(path)` first", exit: .noInput)
            }
            throw TriageError(
                "batch.no-state", "cannot open the state file: \(String(cString: strerror(reason)))", at: path,
                remedy: SystemFault.remedy(reason, otherwise: "name a regular file in a writable folder"),
                exit: SystemFault.exit(reason, otherwise: .cannotCreate))
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw TriageError(
                "batch.no-state", "this is not a regular file", at: path, remedy: "name a file", exit: .cannotCreate)
        }
        return descriptor
    }

    /// Removes a new one into which nothing was written.
    func discardIfEmpty() {
        var info = stat()
        if fstat(lock, &info) == 0, info.st_size == 0 { unlink(path) }
    }

    /// Puts a new state in its place; when this returns, no crash loses it.
    func save(_ book: BatchBook) throws {
        let file = try OutputFile(path: path)
        do {
            try file.writer.write(book.bytes)
        } catch {
            file.discard()
            throw error
        }
        // Locked before it can be found.
        let next = dup(file.writer.descriptor)
        _ = fcntl(next, F_SETFD, FD_CLOEXEC)
        guard next >= 0, flock(next, LOCK_EX | LOCK_NB) == 0 else {
            if next >= 0 { close(next) }
            file.discard()
            throw TriageError("batch.no-lock", "cannot lock the state file", at: path, exit: .ioError)
        }
        do {
            try file.commit()
        } catch {
            close(next)
            throw error
        }
        close(lock)
        lock = next
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
