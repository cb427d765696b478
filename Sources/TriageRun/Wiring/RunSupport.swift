import Platform
import Synchronization
import TriageConfig
import TriageCore
import TriageFormats

/// Prints notices for people on stderr during a run, each only once.
package final class Notices: Sendable {
    private let isQuiet: Bool
    private let said = Mutex<Set<String>>([])

    package init(isQuiet: Bool) { self.isQuiet = isQuiet }

    package func say(_ text: String) {
        guard !isQuiet else { return }
        // A stream prints notices for months, and its reader may be gone long before.
        let isNew = said.withLock { $0.count < 1000 && $0.insert(text).inserted }
        if isNew { Terminal.tell("triage: \(Terminal.harmless(text))\n") }
    }
}

/// Names of the inputs, in the order in which they were opened.
package final class SourceNames: Sendable {

    package init() {
    }
    private let names = Mutex<[String]>([])

    package func add(_ name: String) { names.withLock { $0.append(name) } }
    package var all: [String] { names.withLock { $0 } }
}

/// Checks the places where a run writes.
package enum OutputPlaces {
    /// Refuses two outputs that are the same file: the later one would replace the earlier one.
    ///
    /// - Parameter paths: nil, `-` and `fd:3` are not files.
    /// - Throws: ``TriageError`` `output.twice` or `output.no-name` (exit 64).
    package static func checkDistinct(_ paths: [String?]) throws {
        var places: Set<String> = []
        for path in paths { try checkName(path) }
        for path in paths.compactMap(\.self) where path != "-" && !path.hasPrefix("fd:") {
            // A missing folder is reported by whoever opens the file.
            guard let place = try? AppendingFile.place(of: path), !places.insert(place).inserted else { continue }
            throw TriageError(
                "output.twice", "two output files are the same file", at: path, remedy: "name different files",
                exit: .usage)
        }
    }
}

extension OutputPlaces {
    /// Refuses to overwrite any of the inputs with the output, by whatever name it is given.
    ///
    /// - Parameters:
    ///   - output: nil, `-` and `fd:3` are not files.
    ///   - inputs: files and folders; `-` is standard input. Evaluated only if the output would replace a file.
    /// - Throws: ``TriageError`` `output.is-input` or `output.no-name` (exit 64).
    package static func check(_ output: String?, isNoneOf inputs: @autoclosure () throws -> [String]) throws {
        try checkName(output)
        var (place, input) = (stat(), stat())
        guard let output, output != "-", !output.hasPrefix("fd:"), stat(output, &place) == 0 else { return }
        // Devices and pipes are not replaced: a run may write to /dev/null and read from it too.
        guard place.st_mode & S_IFMT == S_IFREG else { return }
        for path in try inputs() {
            guard path == "-" ? fstat(0, &input) == 0 : stat(path, &input) == 0 else { continue }
            guard input.st_dev == place.st_dev, input.st_ino == place.st_ino else { continue }
            throw TriageError(
                "output.is-input", "the output would overwrite an input file", at: output,
                remedy: "name another file", exit: .usage)
        }
    }

    /// Refuses to overwrite an export in an input folder.
    ///
    /// Results of an earlier run in that folder are not inputs and may be replaced.
    ///
    /// - Throws: ``TriageError`` `output.is-input` (exit 64).
    package static func check(_ output: String?, isNoExportIn inputs: [String]) throws {
        var info = stat()
        guard let output, output != "-", !output.hasPrefix("fd:"), stat(output, &info) == 0,
            info.st_mode & S_IFMT == S_IFREG, info.st_size > 0, let place = try? AppendingFile.place(of: output)
        else { return }
        let isRead = inputs.contains { input in
            guard stat(input, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, let real = realpath(input, nil) else {
                return false
            }
            defer { free(real) }
            return place.hasPrefix(String(cString: real) + "/")
        }
        guard isRead, !isAnswered(place) else { return }
        var options = InputReader.Options()
        options.paths = [place]
        guard try InputReader(options: options).inspect().contains(where: { $0.detection != nil }) else { return }
        throw TriageError(
            "output.is-input", "the output would overwrite a file in an input folder", at: output,
            remedy: "name another file", exit: .usage)
    }

    /// Whether a run wrote the file: answers and rejects show it near their beginning, tables by their columns.
    private static func isAnswered(_ path: String) -> Bool {
        guard let bytes = try? ConfigurationFile.read(path, limit: 1 << 20) else { return false }
        return bytes.firstRange(of: Array(#""triage":{"schema":"#.utf8)) != nil
            || bytes.starts(with: Array(CSVRecordEncoder.columns.joined(separator: ",").utf8))
    }

    /// An empty name, as from an unset variable, would otherwise be noticed only after all the work.
    private static func checkName(_ path: String?) throws {
        guard path?.isEmpty == true else { return }
        throw TriageError(
            "output.no-name", "an output file has an empty name", at: "the command line",
            remedy: "name a file, or omit the flag", exit: .usage)
    }
}

/// Watches a pipe for its reader going away, even while nothing is written to it.
enum OutputWatch {
    static func start(descriptor: Int32, onGone: @escaping @Sendable () -> Void) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return }
        let kind = info.st_mode & S_IFMT
        guard kind == S_IFIFO || kind == S_IFSOCK else { return }
        startBlockingThread {
            var watched = pollfd(fd: descriptor, events: 0, revents: 0)
            while true {
                let count = poll(&watched, 1, -1)
                if count < 0, errno == EINTR { continue }
                if count > 0, watched.revents & Int16(POLLERR | POLLHUP) != 0 { onGone() }
                return
            }
        }
    }
}

/// Lets the first `limit` messages through, then stops the reading.
final class LimitStage: OrderedStage {
    let name = "run.limit"
    let reads: Set<Field> = [.status]
    let writes: Set<Field> = [.status]

    private let limit: Int
    private let seen = Mutex(0)
    private let isFree: @Sendable (_ index: Int, _ sequence: Int) -> Bool
    private let onReached: @Sendable () -> Void

    /// - Parameter isFree: whether a message passes without being counted.
    init(
        limit: Int, isFree: @escaping @Sendable (_ index: Int, _ sequence: Int) -> Bool,
        onReached: @escaping @Sendable () -> Void
    ) {
        self.limit = limit
        self.isFree = isFree
        self.onReached = onReached
    }

    func annotate(_ batch: inout Batch) {
        let isReached = seen.withLock { seen in
            for index in batch.records.indices where batch.records[index].status != .filtered {
                if isFree(index, batch.input.sequence) { continue }
                if seen >= limit {
                    batch.records[index].status = .filtered
                } else if batch.records[index].status == .message {
                    seen += 1
                }
            }
            return seen >= limit
        }
        batch.dropFilteredRejects()
        if isReached { onReached() }
    }
}

/// Prints the cost of each stage as a table.
enum StageTable {
    static func write(_ timings: StageTimings, messages: Int) {
        func nanoseconds(_ duration: Duration) -> Double {
            Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
        }
        let spent = timings.spent.map(nanoseconds)
        let total = spent.reduce(0, +)
        var out = "stage                      ns/message     share\n"
        for (name, time) in zip(timings.names, spent) {
            out += row(name, time / Double(max(1, messages)), total > 0 ? time / total : 0)
        }
        out += row("all", total / Double(max(1, messages)), 1)
        try? CheckedWriter.standardError.write(out)
    }

    private static func row(_ name: String, _ time: Double, _ share: Double) -> String {
        let number = String(Int(time.rounded()))
        let percent = "\(Int((share * 100).rounded())) %"
        return name + String(repeating: " ", count: max(1, 39 - name.count - number.count)) + number
            + String(repeating: " ", count: max(1, 8 - percent.count)) + percent + "\n"
    }
}
