import Synchronization
import TriageCore

/// Wakes a reader that is waiting for input, from any thread, to stop a run.
package final class InputStop: Sendable {
    private let pipe: WakePipe
    private let asked = Atomic(false)

    /// - Throws: ``TriageError`` `input.no-descriptors` when the system cannot create a pipe.
    package init() throws { pipe = try WakePipe("input.no-descriptors") }

    /// A descriptor to wait on: readable once a stop was requested.
    package var descriptor: Int32 { pipe.descriptor }

    /// Whether a stop was requested.
    package var isStopped: Bool { asked.load(ordering: .acquiring) }

    /// Requests the end of reading: complete records are still emitted, nothing more is read.
    ///
    /// May be called repeatedly.
    package func stop() {
        guard !asked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        pipe.wake()
    }
}
