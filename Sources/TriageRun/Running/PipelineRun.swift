import Platform
import Synchronization
package import TriageCore
package import TriageFormats

/// What all runs over inputs share: reading, stages, signals, progress and counts.
///
/// The session that owns the run decides what happens with the results.
package final class PipelineRun: Sendable {
    /// Options that decide how a run proceeds, apart from what it computes.
    package struct Options {
        package var input: InputOptions
        package var onError = RejectPolicy.skip
        /// The number of workers; nil: one per processor.
        package var jobs: Int?
        /// Messages per batch; nil: few where each takes long, so that every processor gets some.
        package var batchSize: Int?
        package var isQuiet = false
        /// Whether records go to a terminal, where a progress line would disturb them.
        package var writesForPeople = false
        /// How a stream is read; nil: the inputs are read to their end.
        package var live: LiveRequest?
        /// Files that the run writes itself; they are not inputs.
        package var ownFiles: [String] = []
        /// Files that the run replaces at its end; inside an input folder, they are not inputs.
        package var replacedFiles: [String] = []
        /// Whether a signal drops the work in progress: nothing was promised, and the next run does it.
        package var dropsUnderWay = false
        /// Counts what is read, for a machine-readable summary; nil: no summary was requested.
        package var meter: RunMeter?

        package init(
            input: InputOptions, onError: RejectPolicy = RejectPolicy.skip, jobs: Int? = nil, batchSize: Int? = nil,
            isQuiet: Bool = false, writesForPeople: Bool = false, live: LiveRequest? = nil, ownFiles: [String] = [],
            replacedFiles: [String] = [], dropsUnderWay: Bool = false, meter: RunMeter? = nil
        ) {
            self.input = input
            self.onError = onError
            self.jobs = jobs
            self.batchSize = batchSize
            self.isQuiet = isQuiet
            self.writesForPeople = writesForPeople
            self.live = live
            self.ownFiles = ownFiles
            self.replacedFiles = replacedFiles
            self.dropsUnderWay = dropsUnderWay
            self.meter = meter
        }
    }

    /// Names of the inputs read so far.
    package let sources: SourceNames
    package let shutdown: Shutdown
    package let notices: Notices
    private let loaded: LoadedRun
    private let options: Options
    private let stop: InputStop
    private let live: LiveFeed?
    private let jobs: Int
    private let channel: BatchChannel
    private let progress: ProgressLine
    private let totals = Mutex(RunCounts())
    private let bytesDone = Mutex(0)
    private let left = Mutex(0)

    /// - Throws: ``TriageError`` when the system cannot create a pipe.
    package init(
        _ loaded: LoadedRun, _ options: Options, notices: Notices, sources: SourceNames = SourceNames()
    ) throws {
        self.sources = sources
        self.loaded = loaded
        self.options = options
        self.notices = notices
        // While one batch waits for a language model, another is processed. Batches of a stream are small, and those
        // behind a waiting batch should not have to wait as well.
        let asks = loaded.asking != nil || loaded.embedding != nil
        let usual = options.live != nil && asks ? LiveRequest.waitingBatches : Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        jobs = max(asks ? 2 : 1, options.jobs ?? usual)
        let stop = try InputStop()
        let live = try options.live.map { try LiveFeed($0, stop: stop, notices: notices) }
        self.live = live
        // When the run cannot take more of a stream, the writer of the stream waits.
        let channel = BatchChannel(capacity: live == nil ? jobs + 2 : min(jobs, 4))
        self.channel = channel
        let dropsUnderWay = options.dropsUnderWay
        let (asking, embedding) = (loaded.asking, loaded.embedding)
        self.stop = stop
        shutdown = Shutdown { _ in
            if let live { live.stop() } else { stop.stop() }
            if dropsUnderWay { channel.abandon() }
            asking?.stop()
            embedding?.stop()
        }
        progress = ProgressLine(
            isWanted: !options.isQuiet && !(options.writesForPeople && Terminal.isTerminal(1)),
            bytesTotal: options.input.sizeOfFiles())
    }

    /// The counts so far.
    package var counts: RunCounts { totals.withLock { $0 } }

    /// The number of inputs left out because they are not exports or cannot be read; each was named in a notice.
    package var leftOut: Int { left.withLock { $0 } }

    /// Reads the inputs, annotates every batch, and passes the results to `sink` in order.
    ///
    /// - Parameters:
    ///   - sifting: stages that remove records before they are counted for `--limit`.
    ///   - isFree: whether a message does not count for `--limit`.
    ///   - slots: the stages.
    ///   - watched: an output descriptor; the run ends when its reader goes away; nil: none.
    ///   - prepare: gets each batch once its records are read, on any worker.
    ///   - encode: turns an annotated batch into its result.
    ///   - preface: writes what comes before the results of the inputs.
    ///   - sink: runs on one thread.
    /// - Returns: where the workers' time went.
    /// - Throws: what reading, `preface` or `sink` throws.
    package func run<Tally: Sendable>(
        sifting: [StageSlot] = [],
        isFree: @escaping @Sendable (_ index: Int, _ sequence: Int) -> Bool = { _, _ in false },
        slots: [StageSlot], watching watched: Int32?, prepare: @escaping @Sendable (inout Batch) -> Void,
        encode: @escaping @Sendable (inout Batch) -> BatchResult<Tally>,
        preface: @escaping @Sendable (BatchAssembler) throws -> Void = { _ in },
        sink: @escaping @Sendable (BatchResult<Tally>) throws -> Void
    ) async throws -> StageTimings {
        let reader = RecordReader(
            ownIdentities: loaded.settings.ownIdentities, ownHandles: loaded.profile.handles)
        let since = try options.input.sinceSeconds()
        var sifting = sifting
        if let limit = options.input.limit {
            let stop = stop
            sifting.append(.ordered(LimitStage(limit: limit, isFree: isFree, onReached: { stop.stop() })))
        }
        let pipeline = Pipeline(
            plan: try StagePlan(sifting + slots), jobs: jobs,
            read: { batch in
                reader.read(&batch)
                if let since { Self.drop(olderThan: since, from: &batch) }
                prepare(&batch)
            }, encode: encode)
        // Before the first record is read: as soon as an answer is out, a signal may come back.
        let signals = await Shutdown.trap()
        let listening = Task { [shutdown] in await shutdown.listen(to: signals) }
        defer { listening.cancel() }
        if let watched { OutputWatch.start(descriptor: watched) { [shutdown] in shutdown.request(.readerGone) } }
        let drops = options.dropsUnderWay
        let inputReader = InputReader(
            options: try inputOptions(), stop: stop, notices: { [notices] in notices.say(Terminal.harmlessLine($0)) })
        // A model is asked about many messages at once.
        let isSlow = loaded.asking == nil && loaded.plan.readsSentences
        let (batchSize, batchBytes) = (options.batchSize ?? (isSlow ? 16 : 2048), live == nil ? 1 << 20 : 1 << 17)
        let (sources, live, meter, channel) = (sources, live, options.meter, channel)
        try await pipeline.run(
            channel: channel,
            source: {
                let assembler = BatchAssembler(
                    maximumLines: batchSize, maximumBytes: batchBytes, beginSource: { sources.add($0) },
                    deliver: { batch in
                        meter?.took(batch.lines.count)
                        try channel.send(live?.timed(batch) ?? batch)
                    })
                try preface(assembler)
                if let live {
                    try live.read(with: inputReader, into: assembler)
                } else {
                    let count = try inputReader.read(into: assembler)
                    self.left.withLock { $0 = count }
                }
                try assembler.flush()
            },
            sink: { [channel] result in
                // Once one result is dropped, all later ones are too: conversations continue from what is committed.
                if drops, channel.isAbandoned { return }
                try sink(result)
            })
        live?.end()
        progress.finish()
        return pipeline.timings
    }

    /// Counts a batch whose result has been delivered; batches come in order.
    package func count(_ counts: RunCounts, inputBytes: Int) {
        let done = bytesDone.withLock { done in
            done += inputBytes
            return done
        }
        totals.withLock { totals in
            totals.merge(counts)
            progress.update(totals, bytesDone: done)
        }
    }

    /// Prints the first rejected records of a run that has no rejects file.
    package func sayRejects(_ counts: RunCounts) {
        let shown = totals.withLock { $0.rejected }
        for line in counts.rejectLines(sources: sources.all, shownSoFar: shown) {
            notices.say(Terminal.harmlessLine(line))
        }
    }

    private func inputOptions() throws -> InputReader.Options {
        let input = options.input
        var options = InputReader.Options()
        options.paths = input.paths.isEmpty ? ["-"] : input.paths
        options.format = input.from
        options.columns = input.map
        options.maximumLine = try input.maximumLine()
        options.ownIdentities = loaded.settings.ownIdentities
        options.answersBlankLines = self.options.onError == .pass
        options.timeZone = input.timezone ?? loaded.profile.timezone
        options.dateOrder = input.dateOrder
        options.ownFiles = self.options.ownFiles
        options.replacedFiles = self.options.replacedFiles
        self.options.live?.apply(to: &options)
        self.options.meter?.observe(&options)
        return options
    }

    private static func drop(olderThan since: Int64, from batch: inout Batch) {
        for index in batch.records.indices where batch.records[index].status != .rejected {
            if let sentAt = batch.records[index].sentAt, sentAt < since { batch.records[index].status = .filtered }
        }
    }
}

extension InputOptions {
    /// The total size of the inputs in bytes, if all of them are regular files.
    func sizeOfFiles() -> Int? {
        var total = 0
        for path in paths {
            var info = stat()
            guard path != "-", stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
            let isPacked = [".zip", ".gz", ".zst", ".tgz", ".bz2", ".xz", ".7z", ".rar"].contains { path.hasSuffix($0) }
            if isPacked { return nil }
            total += Int(info.st_size)
        }
        return paths.isEmpty ? nil : total
    }
}

/// A progress line on standard error; shown only on a terminal, where it overwrites itself.
///
/// It uses only a carriage return and blanks, so it works on every terminal.
private final class ProgressLine: Sendable {
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
    ///   - bytesTotal: the size of the inputs, if known.
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
            // The last column stays empty: writing to it would wrap the line on some terminals.
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

    /// Clears the line, so the next output begins on a clean one.
    func finish() {
        guard isShown else { return }
        state.withLock { state in
            guard state.shownColumns > 0 else { return }
            try? CheckedWriter.standardError.write("\r" + String(repeating: " ", count: state.shownColumns) + "\r")
            state.shownColumns = 0
        }
    }
}
