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

/// One `triage run`, from flags to exit code.
struct RunSession {
    let command: RunCommand

    /// - Returns: the exit status of a run that came to its end, be it asked to.
    /// - Throws: ``TriageError`` when it could not start or not go on.
    func run() async throws -> ExitStatus {
        let loaded = try LoadedRun(
            configuration: command.configuration, me: command.input.me, questions: command.questions())
        let notices = Notices(isQuiet: command.quiet)
        for notice in loaded.notices { notices.say(notice) }

        let output = try command.output.flatMap { $0 == "-" ? nil : $0 }.map { try OutputFile(path: $0) }
        let rejects: OutputFile?
        do {
            rejects = try command.rejects.map { try OutputFile(path: $0) }
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
        let jobs = command.jobs ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let stop = try InputStop()
        let shutdown = Shutdown { _ in stop.stop() }
        let sources = SourceNames()
        let reader = RecordReader(ownIdentities: loaded.settings.ownIdentities + loaded.profile.handles)
        let encoder = loaded.encoder(
            command.to, rejects: command.onError, sources: { sources.all }, color: command.color,
            toTerminal: command.output == nil)
        let since = try command.input.sinceSeconds()
        let object = loaded.object
        let keepsRejects = rejects != nil
        let policy = command.onError
        var slots = loaded.plan.slots
        if let limit = command.input.limit {
            slots.insert(.ordered(LimitStage(limit: limit, onReached: { stop.stop() })), at: 0)
        }
        let pipeline = Pipeline(
            plan: try StagePlan(slots), jobs: jobs,
            read: { batch in
                reader.read(&batch)
                if let since { Self.drop(olderThan: since, from: &batch) }
            },
            encode: { batch in
                var out: [UInt8] = []
                encoder.encode(&batch, into: &out)
                var rejected: [UInt8] = []
                if keepsRejects {
                    for reject in batch.rejects {
                        object.encodeReject(reject, of: batch, sources: sources.all, into: &rejected)
                        rejected.append(0x0A)
                    }
                }
                return BatchResult(
                    sequence: batch.input.sequence, output: out, rejects: rejected,
                    tally: RunCounts(batch, rejectsKept: keepsRejects ? 0 : 20))
            })

        let totals = Mutex(RunCounts())
        let isFirst = Mutex(true)
        let listening = Task { await shutdown.listen() }
        defer { listening.cancel() }
        if command.output == nil { OutputWatch.start(descriptor: writer.descriptor) { shutdown.request(.readerGone) } }

        let channel = BatchChannel(capacity: jobs + 2)
        let inputReader = InputReader(
            options: try inputOptions(loaded), stop: stop, notices: { notices.say($0) })
        let batchSize = command.batchSize
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
                    let start = skipsComma && encoder.separatorLength > 0 ? min(encoder.separatorLength, bytes.count) : 0
                    try writer.write(UnsafeRawBufferPointer(rebasing: bytes[start...]))
                }
                if !result.rejects.isEmpty { try rejects?.write(result.rejects) }
                guard let counts = result.tally as? RunCounts else { return }
                if rejects == nil, policy == .skip {
                    for line in counts.rejectLines(sources: sources.all, shownSoFar: totals.withLock { $0.rejected }) {
                        notices.say(line)
                    }
                }
                totals.withLock { $0.merge(counts) }
                if policy == .fail, let first = counts.firstReject {
                    throw TriageError(
                        first.reason.code, first.reason.reason, at: first.place(in: sources.all),
                        remedy: "mend the record, or use --on-error skip", exit: .badData)
                }
            })
        let counts = totals.withLock { $0 }
        try writer.write(encoder.finalBytes())
        if command.timings { StageTable.write(pipeline.timings, messages: counts.read) }
        if !command.quiet { counts.writeSummary(encoder: encoder) }
        if let status = shutdown.status { return status }
        return counts.rejected > 0 && policy != .pass ? .finding : .success
    }

    private func inputOptions(_ loaded: LoadedRun) throws -> InputReader.Options {
        var options = InputReader.Options()
        options.paths = command.input.paths.isEmpty ? ["-"] : command.input.paths
        options.format = command.input.from
        options.columns = command.input.map
        options.maximumLine = try command.input.maximumLine()
        options.ownIdentities = loaded.settings.ownIdentities
        options.answersBlankLines = command.onError == .pass
        options.timeZone = loaded.profile.timezone
        return options
    }

    private static func drop(olderThan since: Int64, from batch: inout Batch) {
        for index in batch.records.indices where batch.records[index].status != .rejected {
            if let sentAt = batch.records[index].sentAt, sentAt < since { batch.records[index].status = .filtered }
        }
    }
}
