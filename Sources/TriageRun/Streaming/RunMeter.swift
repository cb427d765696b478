import Platform
import Synchronization
package import TriageCore
package import TriageFormats
import TriageLLM

/// Counts what goes into a run and what comes out, for a machine-readable summary.
///
/// The caller of `triage` compares the summary with its own counts, so bytes and lines are counted where they pass
/// through, not as the stages report them.
package final class RunMeter: Sendable {
    private struct State {
        var taken = 0
        var written = 0
        var input = SHA256()
        var output = SHA256()
        var hasInputDigest = false
        var counts = RunCounts()
        var calls = 0
        var cached = 0
        var cost: Double?
        var isPriced = true
    }

    private let state = Mutex(State())
    private let file: OutputFile?
    private let descriptor: Int32

    /// - Parameter place: a path, or `fd:` and the number of an open descriptor.
    /// - Throws: ``TriageError`` when nothing can be written there.
    package init(place: String) throws {
        guard place.hasPrefix("fd:") else {
            file = try OutputFile(path: place)
            descriptor = -1
            return
        }
        guard let number = Int32(place.dropFirst(3)), number >= 3, fcntl(number, F_GETFL) >= 0,
            fcntl(number, F_GETFL) & O_ACCMODE != O_RDONLY
        else {
            throw TriageError(
                "summary.no-descriptor", "no such file descriptor", at: "--summary",
                remedy: "name a file, or open the descriptor, as in 3>summary.json", exit: .usage)
        }
        file = nil
        descriptor = number
    }

    /// Observes the input bytes if the input is one plain stream.
    package func observe(_ options: inout InputReader.Options) {
        guard options.paths == ["-"] else { return }
        state.withLock { $0.hasInputDigest = true }
        options.observer = { bytes in
            let copy = Array(bytes)
            self.state.withLock { $0.input.update(copy) }
        }
    }

    /// Adds lines that were read, of any kind.
    package func took(_ lines: Int) { state.withLock { $0.taken += lines } }

    /// Adds bytes that were written.
    package func wrote(_ bytes: UnsafeRawBufferPointer) {
        let copy = Array(bytes)
        state.withLock { state in
            state.output.update(copy)
            var lines = 0
            for byte in copy where byte == 0x0A { lines += 1 }
            state.written += lines
        }
    }

    /// Records the final counts of the run.
    package func end(_ counts: RunCounts, asking: LLMSession?) {
        state.withLock { state in
            state.counts = counts
            guard let asking else { return }
            let spending = asking.spending
            state.calls = spending.requests
            state.cached = asking.fromCache
            state.cost = spending.cost
            state.isPriced = spending.cost != nil
        }
    }

    /// Writes the summary, after everything else; a file appears complete.
    package func write(_ status: ExitStatus) throws {
        let line = state.withLock { Self.line($0, status) }
        if let file {
            try file.writer.write(line)
            try file.commit()
        } else {
            try CheckedWriter(descriptor: descriptor, name: "the summary").write(line)
        }
    }

    /// Removes the unfinished summary file.
    package func discard() { file?.discard() }

    private static func line(_ state: State, _ status: ExitStatus) -> [UInt8] {
        var out: [UInt8] = []
        var object = JSONObjectWriter(&out)
        object.member("version", Version.current)
        object.member("exit", Int(status.rawValue))
        object.member("in", state.taken)
        object.member("out", state.written)
        object.member("errors", state.counts.rejected)
        object.member("problems", state.counts.withProblems)
        object.member("calls", state.calls)
        object.member("cached", state.cached)
        object.key("cost")
        // An unknown cost is null, not 0.
        object.raw(state.isPriced ? String(state.cost ?? 0) : "null")
        object.member("sha256_in", state.hasInputDigest ? state.input.hex() : nil)
        object.member("sha256_out", state.output.hex())
        out = object.finish()
        out.append(0x0A)
        return out
    }
}
