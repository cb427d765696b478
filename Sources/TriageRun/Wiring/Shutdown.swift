import Platform
import Synchronization
package import TriageCore
package import UnixSignals

/// Ends a run on request: after the first signal, messages in progress are finished; the second ends the process at
/// once.
package final class Shutdown: Sendable {
    private let first = Mutex<ExitStatus?>(nil)
    private let onFirst: @Sendable (ExitStatus) -> Void

    /// - Parameter onFirst: called once, with the exit status of the first signal or of a reader that went away.
    package init(onFirst: @escaping @Sendable (ExitStatus) -> Void) { self.onFirst = onFirst }

    /// The exit status that the request calls for; nil: nobody asked to end.
    package var status: ExitStatus? { first.withLock { $0 } }

    /// Takes over the signals; from now on, none of them ends the process by itself.
    ///
    /// A hang-up that is ignored, as under `nohup`, stays ignored.
    package static func trap() async -> UnixSignalsSequence {
        if ignoresHangup { return await UnixSignalsSequence(trapping: .sigint, .sigterm) }
        return await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    }

    private static var ignoresHangup: Bool {
        var action = sigaction()
        guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Listens for signals until cancelled.
    package func listen(to signals: UnixSignalsSequence) async {
        for await signal in signals {
            switch signal {
            case .sigint: request(.interrupted)
            case .sighup: request(.hangup)
            default: request(.terminated)
            }
        }
    }

    /// Requests the end; a second request ends the process immediately.
    package func request(_ status: ExitStatus) {
        let isSecond = first.withLock { first in
            defer { if first == nil { first = status } }
            return first != nil
        }
        if isSecond { _exit(status.rawValue) }
        onFirst(status)
    }
}
