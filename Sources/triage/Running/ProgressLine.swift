import Synchronization
import TriageCore
import TriageFormats

/// A line on standard error that says how far the run is; only on a terminal, where it overwrites itself.
///
/// It uses a carriage return and blanks and nothing else, so that it works on every terminal.
final class ProgressLine: Sendable {
    private struct State {
        var shownAt: ContinuousClock.Instant
        var shownColumns = 0
    }

    private let isShown: Bool
    private let bytesTotal: Int?
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isWanted: false for `--quiet`, and when the records themselves go to the terminal.
    ///   - bytesTotal: size of the inputs where it is known.
    init(isWanted: Bool, bytesTotal: Int?) {
        isShown = isWanted && Terminal.isTerminal(2) && Terminal.environment("TERM") != "dumb"
        self.bytesTotal = bytesTotal
        start = ContinuousClock.now
        state = Mutex(State(shownAt: start))
    }

    /// Shows the counts, at most five times a second and not in the first half second.
    func update(_ counts: RunCounts, bytesDone: Int) {
        guard isShown else { return }
        let now = ContinuousClock.now
        guard now - start > .milliseconds(500) else { return }
        state.withLock { state in
            guard now - state.shownAt > .milliseconds(200) else { return }
            state.shownAt = now
            // The last column stays free: writing it would break the line on some terminals.
            let columns = Terminal.width(2) - 1
            let text = ProgressText.line(
                counts, seconds: (now - start) / .seconds(1), bytesDone: bytesDone, bytesTotal: bytesTotal,
                columns: columns)
            let width = TerminalText.width(text)
            let blanks = String(repeating: " ", count: max(0, min(state.shownColumns, columns) - width))
            state.shownColumns = width
            try? CheckedWriter.standardError.write("\r" + text + blanks)
        }
    }

    /// Takes the line away, so that what is said next begins on a clean one.
    func finish() {
        guard isShown else { return }
        state.withLock { state in
            guard state.shownColumns > 0 else { return }
            try? CheckedWriter.standardError.write("\r" + String(repeating: " ", count: state.shownColumns) + "\r")
            state.shownColumns = 0
        }
    }
}
