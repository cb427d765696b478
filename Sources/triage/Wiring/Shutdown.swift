import Synchronization
import TriageCore
import UnixSignals

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How a run was asked to end: the first signal lets what is held finish, the second ends at once.
final class Shutdown: Sendable {
    private let first = Mutex<ExitStatus?>(nil)
    private let onFirst: @Sendable (ExitStatus) -> Void

    /// - Parameter onFirst: called once, with the exit status of the first signal or of a reader that went away.
    init(onFirst: @escaping @Sendable (ExitStatus) -> Void) { self.onFirst = onFirst }

    /// What the process should exit with because of it; nil while nobody asked.
    var status: ExitStatus? { first.withLock { $0 } }

    /// Takes the signals over; from here on none of them ends the process by itself.
    static func trap() async -> UnixSignalsSequence { await UnixSignalsSequence(trapping: .sigint, .sigterm) }

    /// Listens for signals until cancelled.
    func listen(to signals: UnixSignalsSequence) async {
        for await signal in signals {
            request(signal == .sigint ? .interrupted : .terminated)
        }
    }

    /// Asks for the end; a second time ends the process there and then.
    func request(_ status: ExitStatus) {
        let isSecond = first.withLock { first in
            defer { if first == nil { first = status } }
            return first != nil
        }
        if isSecond { _exit(status.rawValue) }
        onFirst(status)
    }
}
