import Synchronization
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wakes a reader that waits for input, from any thread, so that a run can be stopped.
package final class InputStop: Sendable {
    /// Readable once the stop was asked for.
    let descriptor: Int32
    private let writing: Int32
    private let asked = Atomic(false)

    /// - Throws: ``TriageError`` `input.no-descriptors` when the system has no pipe left.
    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw TriageError(
                "input.no-descriptors", "cannot create a pipe: \(String(cString: strerror(errno)))",
                remedy: "close other programs or raise `ulimit -n`", exit: .temporary)
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        writing = ends[1]
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// What other threads may wait for: readable once the stop was asked for.
    package var waitDescriptor: Int32 { descriptor }

    /// Whether the stop was asked for.
    package var isStopped: Bool { asked.load(ordering: .acquiring) }

    /// Asks reading to end: what is complete still goes out, nothing more is read.
    ///
    /// May be called again.
    package func stop() {
        guard !asked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }
}
