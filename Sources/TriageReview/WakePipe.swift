import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wakes a thread that waits in `poll`, from any thread, as often as one likes.
final class WakePipe: Sendable {
    /// Readable once it was woken.
    let descriptor: Int32
    private let writing: Int32

    /// - Throws: ``TriageError`` `review.no-descriptors` (75) when the system has no pipe left.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw TriageError(
                "review.no-descriptors", "cannot create a pipe: \(String(cString: strerror(errno)))",
                remedy: "close other programs or raise `ulimit -n`", exit: .temporary)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    func wake() {
        var byte: UInt8 = 1
        // A pipe that is full is readable, and that is all that is wanted.
        _ = write(writing, &byte, 1)
    }

    /// Makes it wait for the next ``wake()``.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
