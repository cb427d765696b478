import Synchronization
import TriageConfig
import TriageCore
import TriageFormats
import TriageMatching
import TriageStages

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a run was asked for, apart from the command line that asked it.
struct RunRequest {
    var input: InputOptions
    var configuration: ConfigurationOptions
    /// How a language model is asked; nil: none is.
    var asking: AskingOptions?
    /// Where goes what would be asked, of a run that sends nothing; nil: a run that asks.
    var forecast: RunForecast?
    var output: String?
    var rejects: String?
    var onError = RejectPolicy.skip
    var questions: Set<Question> = []
    var jobs: Int?
    var batchSize = 2048
    var isQuiet = false
    var showsTimings = false
    /// Whether the end of the run is summed up on standard error.
    var isSummedUp = true
    /// Whether reasons are wanted in full, with their words, which the cache of rules does not keep.
    var wantsEveryReason = false
    /// Only the message with this id, if any.
    var id: String?
    /// Whether records go to a terminal that a progress line would disturb.
    var writesForPeople = false
    /// What writes the records.
    var encoder: @Sendable (LoadedRun, @escaping @Sendable () -> [String]) -> any RecordEncoder
}

/// One `triage run` or its kin, from flags to exit code.
struct RunSession {
    let request: RunRequest

    /// - Returns: the exit status of a run that came to its end, be it asked to.
    /// - Throws: ``TriageError`` when it could not start or not go on.
    func run() async throws -> ExitStatus {
        let notices = Notices(isQuiet: request.isQuiet)
        let loaded = try LoadedRun(
            configuration: request.configuration, me: request.input.me, questions: request.questions,
            everyReason: request.wantsEveryReason, asking: request.asking, forecast: request.forecast,
            notice: { notices.say($0) })

        let output = try request.output.flatMap { $0 == "-" ? nil : $0 }.map { try OutputFile(path: $0) }
        let rejects: OutputFile?
        do {
            rejects = try request.rejects.map { try OutputFile(path: $0) }
        } catch {
            output?.discard()
            throw error
        }
        do {
            let status = try await stream(loaded, notices, to: output?.writer ?? .standardOutput, rejects?.writer)
            try rejects?.commit()
            try output?.commit()
            return status
        } catch {
            output?.discard()
            rejects?.discard()
            throw error
        }
    }

    private func stream(
        _ loaded: LoadedRun, _ notices: Notices, to writer: CheckedWriter, _ rejects: CheckedWriter?
    ) async throws -> ExitStatus {
        // While one batch waits for a language model another one is worked on.
        let least = loaded.asking == nil && loaded.embedding == nil ? 1 : 2
        let jobs = max(least, request.jobs ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let stop = try InputStop()
        let (asking, embedding) = (loaded.asking, loaded.embedding)
        let shutdown = Shutdown { _ in
            stop.stop()
            asking?.stop()
            embedding?.stop()
        }
        let sources = SourceNames()
        let reader = RecordReader(
            ownIdentities: loaded.settings.ownIdentities, ownHandles: loaded.profile.handles)
        let encoder = request.encoder(loaded, { sources.all })
        let since = try request.input.sinceSeconds()
        let object = loaded.object
        let keepsRejects = rejects != nil
        let policy = request.onError
        let id = request.id
        var slots = loaded.plan.slots
        if let limit = request.input.limit {
            slots.insert(.ordered(LimitStage(limit: limit, onReached: { stop.stop() })), at: 0)
        }
        let pipeline = Pipeline(
            plan: try StagePlan(slots), jobs: jobs,
            read: { batch in
                reader.read(&batch)
                if let since { Self.drop(olderThan: since, from: &batch) }
                if let id { Self.keep(id, in: &batch) }
            },
            encode: { batch in
                // Measured: five times the input on average; a little more, and it never grows.
                var out = OutputBuffer(capacity: batch.input.bytes.count + batch.records.count * 2048)
                encoder.encode(&batch, into: &out)
                var rejected: [UInt8] = []
                if keepsRejects {
                    for reject in batch.rejects {
                        object.encodeReject(reject, of: batch, sources: sources.all, into: &rejected)
                        rejected.append(0x0A)
                    }
                }
                return BatchResult(
                    sequence: batch.input.sequence, output: out.finish(), rejects: rejected,
                    tally: RunCounts(batch, rejectsKept: keepsRejects && policy != .fail ? 0 : 20),
                    inputBytes: batch.input.bytes.count)
            })

        let totals = Mutex(RunCounts())
        let progress = ProgressLine(
            isWanted: !request.isQuiet && !(request.writesForPeople && Terminal.isTerminal(1)), bytesTotal: inputSize())
        let isFirst = Mutex(true)
        let bytesDone = Mutex(0)
        // Before the first record is read: one that is out may be answered by a signal.
        let signals = await Shutdown.trap()
        let listening = Task { await shutdown.listen(to: signals) }
        defer { listening.cancel() }
        if request.output == nil { OutputWatch.start(descriptor: writer.descriptor) { shutdown.request(.readerGone) } }

        let channel = BatchChannel(capacity: jobs + 2)
        let inputReader = InputReader(
            options: try inputOptions(loaded), stop: stop, notices: { notices.say($0) })
        let batchSize = request.batchSize
        try writer.write(encoder.header)
        try await pipeline.run(
            channel: channel,
            source: {
                let assembler = BatchAssembler(
                    maximumLines: batchSize, beginSource: { sources.add($0) }, deliver: { try channel.send($0) })
                try inputReader.read(into: assembler)
                try assembler.flush()
            },
            sink: { result in
                let skipsComma = isFirst.withLock { first in
                    defer { if !result.output.isEmpty { first = false } }
                    return first
                }
                try result.output.withUnsafeBytes { bytes in
                    let start =
                        skipsComma && encoder.separatorLength > 0 ? min(encoder.separatorLength, bytes.count) : 0
                    try writer.write(UnsafeRawBufferPointer(rebasing: bytes[start...]))
                }
                if !result.rejects.isEmpty { try rejects?.write(result.rejects) }
                guard let counts = result.tally as? RunCounts else { return }
                if rejects == nil, policy == .skip {
                    for line in counts.rejectLines(sources: sources.all, shownSoFar: totals.withLock { $0.rejected }) {
                        notices.say(line)
                    }
                }
                bytesDone.withLock { $0 += result.inputBytes }
                totals.withLock { totals in
                    totals.merge(counts)
                    progress.update(totals, bytesDone: bytesDone.withLock { $0 })
                }
                if policy == .fail, let first = counts.firstReject {
                    throw TriageError(
                        first.reason.code, first.reason.reason, at: first.place(in: sources.all),
                        remedy: "mend the record, or use --on-error skip", exit: .badData)
                }
            })
        progress.finish()
        asking?.foresee(in: request.forecast)
        await asking?.finish()
        await embedding?.finish()
        let counts = totals.withLock { $0 }
        try writer.write(encoder.footer)
        if request.showsTimings { StageTable.write(pipeline.timings, messages: counts.read) }
        if request.isSummedUp, !request.isQuiet {
            counts.writeSummary(encoder: encoder, further: (asking?.summary() ?? []) + (embedding?.summary() ?? []))
        }
        if let status = shutdown.status { return status }
        if request.asking?.requireLLM == true, let shortfall = asking?.shortfall ?? embedding?.shortfall {
            return shortfall
        }
        return counts.rejected > 0 && policy != .pass ? .finding : .success
    }

    private func inputOptions(_ loaded: LoadedRun) throws -> InputReader.Options {
        var options = InputReader.Options()
        options.paths = request.input.paths.isEmpty ? ["-"] : request.input.paths
        options.format = request.input.from
        options.columns = request.input.map
        options.maximumLine = try request.input.maximumLine()
        options.ownIdentities = loaded.settings.ownIdentities
        options.answersBlankLines = request.onError == .pass
        options.timeZone = request.input.timezone ?? loaded.profile.timezone
        options.dateOrder = request.input.dateOrder
        return options
    }

    /// Bytes of the inputs, where all of them are plain files.
    private func inputSize() -> Int? {
        var total = 0
        for path in request.input.paths {
            var info = stat()
            guard path != "-", stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
            let isPacked = [".zip", ".gz", ".zst"].contains { path.hasSuffix($0) }
            if isPacked { return nil }
            total += Int(info.st_size)
        }
        return request.input.paths.isEmpty ? nil : total
    }

    private static func keep(_ id: String, in batch: inout Batch) {
        for index in batch.records.indices where batch.string(batch.records[index].fields.id) != id {
            batch.records[index].status = .filtered
        }
    }

    private static func drop(olderThan since: Int64, from batch: inout Batch) {
        for index in batch.records.indices where batch.records[index].status != .rejected {
            if let sentAt = batch.records[index].sentAt, sentAt < since { batch.records[index].status = .filtered }
        }
    }
}
