import Synchronization
import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Wakes a reader that is waiting for input, from any thread, to stop a run.
package final class InputStop: Sendable {
    /// Readable once a stop was requested.
    let descriptor: Int32
    private let writing: Int32
    private let asked = Atomic(false)

    /// - Throws: ``TriageError`` `input.no-descriptors` when the system cannot create a pipe.
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

    /// A descriptor for other threads to wait on: readable once a stop was requested.
    package var waitDescriptor: Int32 { descriptor }

    /// Whether a stop was requested.
    package var isStopped: Bool { asked.load(ordering: .acquiring) }

    /// Requests the end of reading: complete records are still emitted, nothing more is read.
    ///
    /// May be called repeatedly.
    package func stop() {
        guard !asked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }
}
