import TriageCore
import TriageRun

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lets one run at a time write a store: a lock of the system on `STORE.lock`.
///
/// The system takes the lock from a process that ends, however it ends, so a run that was killed holds nobody up, and a
/// process that happens to get its number means nothing. What stands in the file are words for people: who holds it.
package final class RunLock: Sendable {
    package let path: String
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - store: path of the store.
    ///   - command: what holds it, such as `triage sync`; shown to whoever finds it taken.
    ///   - patience: seconds to wait for another holder.
    /// - Throws: ``TriageError`` `store.locked` (exit 75) when another run holds it still, `store.cannot-lock`
    ///   (exit 73) when the file cannot be made.
    package static func take(store: String, command: String, patience: Int = 0) async throws -> RunLock {
        let clock = ContinuousClock()
        // Whoever only looks whether it is taken holds it for a moment.
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

    /// Whether the file that is locked is still the one that others would find.
    ///
    /// Somebody may have removed it; then another run may hold another lock of the same name.
    package var isHeld: Bool {
        var (held, found) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &found) == 0 && held.st_ino == found.st_ino
            && held.st_dev == found.st_dev
    }

    /// Makes sure of ``isHeld``, before anything is committed.
    ///
    /// - Throws: ``TriageError`` `store.lock-lost` (exit 75).
    package func confirm() throws {
        guard !isHeld else { return }
        throw TriageError(
            "store.lock-lost", "the lock file was removed while this run held it", at: path,
            remedy: "leave the file in place, and run again: committed records are intact", exit: .temporary)
    }

    /// Whether a run holds the lock of a store right now.
    package static func isTaken(store: String) -> Bool {
        let descriptor = open(store + ".lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Shared, so that two that only look do not see each other.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// The lock, or nil while another process has it.
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
        // It may have been removed between the opening and the locking.
        guard lock.isHeld else { return nil }
        lock.sign(command)
        return lock
    }

    /// Puts words for people into the file; nothing depends on them.
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
