import Platform
import Synchronization
import TriageConfig
package import TriageCore
package import TriageFormats
import TriageMatching
import TriageStages

/// What a run is asked to do, independent of the command line that asked for it.
package struct RunRequest {
    package var input: InputOptions
    package var configuration: ConfigurationOptions
    /// How a language model is asked; nil: none is asked.
    package var asking: LLMOptions?
    /// Collects what would be asked in a run that sends nothing; nil: requests are sent.
    package var forecast: RunForecast?
    package var output: String?
    package var rejects: String?
    package var onError = RejectPolicy.skip
    package var questions: Set<Question> = []
    package var jobs: Int?
    package var batchSize: Int?
    package var isQuiet = false
    package var showsTimings = false
    /// Whether a summary is printed on standard error at the end.
    package var isSummedUp = true
    /// Whether a person at a terminal is told which files would improve the answers.
    package var hintsAtFiles = false
    /// Whether full reasons are wanted, with their words, which the rule cache does not keep.
    package var wantsEveryReason = false
    /// Only the message with this id; nil: all messages.
    package var id: String?
    /// Whether records go to a terminal, where a progress line would disturb them.
    package var writesForPeople = false
    /// Where the machine-readable summary goes: a file, or `fd:3`; nil: none is written.
    package var summary: String?
    /// How a stream is read; nil: the inputs are read to their end.
    package var live: LiveRequest?
    /// Creates the encoder of the records.
    package var encoder: @Sendable (LoadedRun, @escaping @Sendable () -> [String]) -> any RecordEncoder

    package init(
        input: InputOptions, configuration: ConfigurationOptions, asking: LLMOptions? = nil,
        forecast: RunForecast? = nil, output: String? = nil, rejects: String? = nil,
        onError: RejectPolicy = RejectPolicy.skip, questions: Set<Question> = [], jobs: Int? = nil,
        batchSize: Int? = nil, isQuiet: Bool = false, showsTimings: Bool = false, isSummedUp: Bool = true,
        hintsAtFiles: Bool = false, wantsEveryReason: Bool = false, id: String? = nil, writesForPeople: Bool = false,
        summary: String? = nil, live: LiveRequest? = nil,
        encoder: @escaping @Sendable (LoadedRun, @escaping @Sendable () -> [String]) -> any RecordEncoder
    ) {
        self.input = input
        self.configuration = configuration
        self.asking = asking
        self.forecast = forecast
        self.output = output
        self.rejects = rejects
        self.onError = onError
        self.questions = questions
        self.jobs = jobs
        self.batchSize = batchSize
        self.isQuiet = isQuiet
        self.showsTimings = showsTimings
        self.isSummedUp = isSummedUp
        self.hintsAtFiles = hintsAtFiles
        self.wantsEveryReason = wantsEveryReason
        self.id = id
        self.writesForPeople = writesForPeople
        self.summary = summary
        self.live = live
        self.encoder = encoder
    }
}

extension RunRequest {
    /// Refuses to overwrite anything that is read: messages, and the files that the answers depend on.
    ///
    /// This includes the output. It would hold everything of an input only if no record were rejected, left out or
    /// written in other words than its own, and nobody knows that beforehand.
    ///
    /// - Throws: ``TriageError`` `output.is-input`, `output.twice` or `output.no-name` (exit 64).
    package func checkPlaces() throws {
        try OutputPlaces.checkDistinct([output, rejects, summary, live?.spool])
        let messages = live.map { [$0.file] } ?? (input.paths.isEmpty ? ["-"] : input.paths)
        for path in [output, rejects, summary] {
            try OutputPlaces.check(path, isNoneOf: messages + configuration.files)
            try OutputPlaces.check(path, isNoExportIn: messages)
        }
        try OutputPlaces.check(live?.spool, isNoneOf: configuration.files)
    }
}

/// One `triage run`, or a command like it, from flags to exit code.
package struct RunSession {
    package let request: RunRequest

    package init(request: RunRequest) {
        self.request = request
    }

    /// - Returns: the exit status of a run that ended normally, even if it was asked to end early.
    /// - Throws: ``TriageError`` when it could not start or not continue.
    package func run() async throws -> ExitStatus {
        let notices = Notices(isQuiet: request.isQuiet)
        try request.checkPlaces()
        let loaded = try LoadedRun(
            configuration: request.configuration, me: request.input.me, questions: request.questions,
            everyReason: request.wantsEveryReason, asking: request.asking, forecast: request.forecast,
            notice: { notices.say($0) })

        let meter = try request.summary.map { try RunMeter(place: $0) }
        var output: OutputFile?
        var rejects: OutputFile?
        do {
            output = try request.output.flatMap { $0 == "-" ? nil : $0 }.map { try OutputFile(path: $0) }
            rejects = try request.rejects.map { try OutputFile(path: $0) }
            let status = try await stream(
                loaded, notices, to: output?.writer ?? .standardOutput, rejects?.writer, meter)
            try rejects?.commit()
            try output?.commit()
            try meter?.write(status)
            return status
        } catch {
            output?.discard()
            rejects?.discard()
            meter?.discard()
            throw error
        }
    }

    private func stream(
        _ loaded: LoadedRun, _ notices: Notices, to writer: CheckedWriter, _ rejects: CheckedWriter?,
        _ meter: RunMeter?
    ) async throws -> ExitStatus {
        let (asking, embedding) = (loaded.asking, loaded.embedding)
        let run = try PipelineRun(
            loaded,
            PipelineRun.Options(
                input: request.input, onError: request.onError, jobs: request.jobs, batchSize: request.batchSize,
                isQuiet: request.isQuiet, writesForPeople: request.writesForPeople, live: request.live,
                replacedFiles: [request.output, request.rejects, request.summary, request.asking?.cache]
                    .compactMap(\.self) + request.configuration.files, meter: meter),
            notices: notices)
        let sources = run.sources
        let encoder = request.encoder(loaded, { sources.all })
        let object = loaded.object
        let keepsRejects = rejects != nil
        let policy = request.onError
        let id = request.id
        let isFirst = Mutex(true)
        let write: @Sendable (UnsafeRawBufferPointer) throws -> Void = { bytes in
            try writer.write(bytes)
            meter?.wrote(bytes)
        }
        try encoder.header.withUnsafeBytes(write)
        let timings = try await run.run(
            slots: loaded.plan.slots, watching: request.output == nil ? writer.descriptor : nil,
            prepare: { batch in
                if let id { Self.keep(id, in: &batch) }
            },
            encode: { batch in
                // Measured: output is five times the input on average. This is a little more, so the buffer never
                // grows.
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
            },
            sink: { result in
                let skipsComma = isFirst.withLock { first in
                    defer { if !result.output.isEmpty { first = false } }
                    return first
                }
                try result.output.withUnsafeBytes { bytes in
                    let start =
                        skipsComma && encoder.separatorLength > 0 ? min(encoder.separatorLength, bytes.count) : 0
                    try write(UnsafeRawBufferPointer(rebasing: bytes[start...]))
                }
                if !result.rejects.isEmpty { try rejects?.write(result.rejects) }
                let counts = result.tally
                if rejects == nil, policy == .skip { run.sayRejects(counts) }
                run.count(counts, inputBytes: result.inputBytes)
                if policy == .fail, let first = counts.firstReject {
                    throw TriageError(
                        first.reason.code, first.reason.reason, at: first.place(in: sources.all),
                        remedy: "fix the record, or use --on-error skip", exit: .badData)
                }
            })
        if let deadline = request.live?.deadline, run.shutdown.status == nil {
            await asking?.finishLate(within: deadline)
        }
        asking?.estimate(in: request.forecast)
        await asking?.finish()
        await embedding?.finish()
        let counts = run.counts
        meter?.end(counts, asking: asking)
        try encoder.footer.withUnsafeBytes(write)
        if id != nil, counts.read == 0, run.shutdown.status == nil {
            notices.say("no record has this id; records without an id use \"triage\".\"id\" in the output")
            return .finding
        }
        if request.showsTimings { StageTable.write(timings, messages: counts.read) }
        if request.isSummedUp, !request.isQuiet {
            counts.writeSummary(
                encoder: encoder, isOwnerNamed: loaded.isOwnerNamed,
                further: (asking?.summary() ?? []) + (embedding?.summary() ?? []))
            if request.hintsAtFiles, Terminal.isTerminal(2), counts.read > 0, let hint = FirstSteps.hint(loaded) {
                notices.say(hint)
            }
        }
        if let status = run.shutdown.status { return status }
        if request.asking?.requireLLM == true, let shortfall = asking?.shortfall ?? embedding?.shortfall {
            return shortfall
        }
        if run.leftOut > 0 { return policy == .fail ? .badData : .finding }
        return counts.rejected > 0 && policy != .pass ? .finding : .success
    }

    private static func keep(_ id: String, in batch: inout Batch) {
        for index in batch.records.indices {
            let record = batch.records[index]
            guard (batch.string(record.fields.id) ?? MadeID.text(for: record, in: batch)) != id else { continue }
            batch.records[index].status = .filtered
        }
    }
}

/// A hint for people who are new to the program.
private enum FirstSteps {
    /// Names the files that would improve the answers; nil if they exist.
    static func hint(_ loaded: LoadedRun) -> String? {
        let profile = loaded.profile
        let hasCreator = !(profile.handles.isEmpty && profile.niches.isEmpty && profile.name.isEmpty)
        switch (hasCreator, loaded.library.entries.isEmpty) {
        case (true, false): return nil
        case (false, true):
            return
                "a creator profile (--creator) improves offer scores, and an FAQ library (--faq) answers questions:"
                + " `triage init my-inbox` creates both for you to fill in"
        case (false, false):
            return "a creator profile (--creator) improves offer scores: `triage init my-inbox` creates one"
        case (true, true):
            return
                "an FAQ library (--faq) answers questions: `triage faq add` and `triage faq suggest` help you"
                + " write one"
        }
    }
}

extension RunCounts {
    /// Prints on standard error what the run did.
    ///
    /// - Parameters:
    ///   - encoder: wrote the output; a table has already shown the offers.
    ///   - isOwnerNamed: whether the creator's handle or name is known.
    ///   - further: lines about what a language model was asked.
    func writeSummary(encoder: any RecordEncoder, isOwnerNamed: Bool, further: [String] = []) {
        let columns = Terminal.width(2)
        var lines = summary(columns: columns, isOwnerNamed: isOwnerNamed)
        if encoder is TableRecordEncoder, let offers = lines.firstIndex(of: "best offers:") {
            lines.removeSubrange(offers...)
        }
        lines.insert(contentsOf: further, at: lines.firstIndex(of: "best offers:") ?? lines.count)
        var text = ""
        for (number, line) in lines.enumerated() { text += (number == 0 ? "triage: " : "        ") + line + "\n" }
        Terminal.tell(text)
    }
}
