import Platform

/// Wakes a thread that waits in `poll`; may be called from any thread, as often as needed.
package final class WakePipe: Sendable {
    /// Becomes readable when the pipe is woken.
    package let descriptor: Int32
    private let writing: Int32

    /// - Parameter code: of the error.
    /// - Throws: ``TriageError`` (75) when the system has no descriptor left for a pipe.
    package init(_ code: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw TriageError(
                code, "cannot create a pipe: \(String(cString: strerror(errno)))",
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

    package func wake() {
        var byte: UInt8 = 1
        // If the pipe is full, it is readable already, which is all that matters.
        _ = write(writing, &byte, 1)
    }

    /// Empties the pipe, to wait for the next ``wake()``.
    package func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
