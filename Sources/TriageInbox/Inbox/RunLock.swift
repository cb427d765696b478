import Platform
import TriageCore
import TriageRun

/// An operating system lock on `STORE.lock` that lets only one run at a time write to a store.
///
/// The system releases the lock when the process ends in any way. A killed run therefore blocks nobody, and a new
/// process with the same process id is never mistaken for the holder. The file's content only tells people who holds
/// the lock.
package final class RunLock: Sendable {
    package let path: String
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - store: path of the store.
    ///   - command: the command that takes it, such as `triage sync`; shown to others who find the lock taken.
    ///   - patience: seconds to wait for another holder.
    /// - Throws: ``TriageError`` `store.locked` (exit 75) when another run still holds it, `store.cannot-lock` (exit
    ///   73) when the file cannot be created.
    package static func take(store: String, command: String, patience: Int = 0) async throws -> RunLock {
        let clock = ContinuousClock()
        // A process that only checks whether the lock is taken holds it for a moment, so wait at least 150 ms.
        let end = clock.now.advanced(by: .milliseconds(max(patience * 1000, 150)))
        while true {
            if let lock = try attempt(store: store, command: command) { return lock }
            guard clock.now < end else { throw taken(store + ".lock") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether the locked file is still the one at the lock's path.
    ///
    /// Somebody may have deleted it; then another run may hold a lock on a new file of the same name.
    package var isHeld: Bool {
        var (held, found) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &found) == 0 && held.st_ino == found.st_ino
            && held.st_dev == found.st_dev
    }

    /// Checks ``isHeld``; call it before every commit.
    ///
    /// - Throws: ``TriageError`` `store.lock-lost` (exit 75).
    package func confirm() throws {
        guard !isHeld else { return }
        throw TriageError(
            "store.lock-lost", "the lock file was removed while this run held it", at: path,
            remedy: "leave the file in place, and run again: committed records are intact", exit: .temporary)
    }

    /// Whether a run currently holds a store's lock.
    package static func isTaken(store: String) -> Bool {
        let descriptor = open(store + ".lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Take a shared lock, so that two checks do not disturb each other.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// The lock; nil while another process holds it.
    private static func attempt(store: String, command: String) throws -> RunLock? {
        let path = store + ".lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            if errno == EINTR { return try attempt(store: store, command: command) }
            let code = errno
            throw TriageError(
                "store.cannot-lock", "cannot open the store's lock: \(String(cString: strerror(code)))", at: path,
                remedy: SystemFault.remedy(
                    code, otherwise: "check that the store's folder exists and is writable"),
                exit: SystemFault.exit(code, otherwise: .cannotCreate))
        }
        let lock = RunLock(path: path, descriptor: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            if code == EWOULDBLOCK { return nil }
            if code == EINTR { return try attempt(store: store, command: command) }
            throw TriageError(
                "store.cannot-lock", "cannot lock the store: \(String(cString: strerror(code)))", at: path,
                remedy: "keep the store on a local disk", exit: .ioError)
        }
        // The file may have been deleted between opening and locking.
        guard lock.isHeld else { return nil }
        lock.sign(command)
        return lock
    }

    /// Writes the holder's description into the file, for people; nothing depends on it.
    private func sign(_ command: String) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        let words = "process \(getpid()), \(command), since \(UTCTime.text(UTCTime.now))\n"
        try? CheckedWriter(descriptor: descriptor, name: path).write(words)
    }

    private static func taken(_ path: String) -> TriageError {
        var bytes = [UInt8](repeating: 0, count: 256)
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        let count = descriptor >= 0 ? read(descriptor, &bytes, bytes.count) : 0
        if descriptor >= 0 { close(descriptor) }
        let line = bytes.prefix(max(0, count)).prefix { $0 != 0x0A }
        let holder = line.isEmpty ? "" : ": " + String(decoding: line, as: UTF8.self)
        return TriageError(
            "store.locked", "another run holds this store\(holder)", at: path,
            remedy: "run again when it is done, or wait for it with --wait", exit: .temporary)
    }
}
