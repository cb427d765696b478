import ArgumentParser
import TriageCore
import TriageFormats
import TriageLLM
import TriageRun
import TriageStore

/// Asks a language model in batches, at half the price, if you can wait a day.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Sends LLM requests in batches: half the price at most providers, answers within a day.",
        discussion: """
            EXAMPLES
              triage batch submit export.zip --config my-inbox/triage.yaml \\
                --state batch.json
              triage batch status --config my-inbox/triage.yaml --state batch.json
              triage batch collect export.zip --config my-inbox/triage.yaml \\
                --state batch.json --wait
              triage run export.zip --config my-inbox/triage.yaml

            submit sends what `triage run` would ask and has no answer yet, packed the
            same way; collect checks the answers and caches them, so that `triage run`
            pays for none of them. collect needs the same messages and configuration
            again, because the state file holds no text. Drafts are left to `triage run`.
            """,
        subcommands: [BatchSubmitCommand.self, BatchStatusCommand.self, BatchCollectCommand.self])
}

/// Where submitted batches are recorded.
struct BatchStateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("State file that records what was submitted.", valueName: "file"))
    var state: String
}

struct BatchStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the status of the batches; changes nothing.",
        discussion: """
            EXIT CODES
              0 all are done · 69 the server does not know one of them · 75 not ready yet
              78 bad configuration
            """)

    @OptionGroup(title: "Configuration") var options: ModelOptions
    @OptionGroup(title: "Batch") var batch: BatchStateOptions

    func run() async throws {
        let llm = try options.llm()
        let book = try BatchBookFile.read(batch.state)
        let transport = ModelAddress.transport(llm)
        defer { transport.close() }
        let session = try BatchSession(endpoint: try ModelAddress.endpoint(llm), transport: transport)
        var isDone = true
        var rows: [(String, String)] = []
        for batch in book?.batches ?? [] {
            let count = batch.count.of("message")
            guard batch.phase == .submitted, let id = batch.id else {
                if batch.phase == .submitting { isDone = false }
                rows.append((batch.id ?? "(no id yet)", Self.words(batch.phase, count)))
                continue
            }
            let state = try await session.state(of: id)
            switch state.phase {
            case .running:
                isDone = false
                let done = state.done.map { "\(MoneyText.count($0)) of " } ?? ""
                rows.append((id, "running, \(done)\(batch.requests.of("request")) answered, \(count)"))
            case .ended: rows.append((id, "ended, \(count): ready to collect"))
            case .failed: rows.append((id, "the server refused the whole batch, \(count)"))
            }
        }
        if rows.isEmpty { rows.append(("batches", "none")) }
        let width = rows.reduce(0) { max($0, $1.0.count) } + 2
        try CheckedWriter.standardOutput.write(
            rows.map { "\(Terminal.harmless($0.0).padded(to: width))\(Terminal.harmless($0.1))\n" }.joined())
        if !isDone { throw RunEnded(status: .temporary) }
    }

    private static func words(_ phase: BatchBook.Phase, _ count: String) -> String {
        switch phase {
        case .submitting: "interrupted during submission, \(count): run `triage batch submit` again"
        case .submitted: "submitted, \(count)"
        case .collected: "collected, \(count)"
        case .failed: "the server refused the whole batch, \(count)"
        }
    }
}

struct BatchSubmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Submits the requests `triage run` would send, as batches.",
        discussion: """
            With the same state file, only new requests are submitted: nothing in progress
            is paid for twice, even if the first submission was killed. Limits reserve the
            maximum each request can cost; `price: {input: …, output: …, batch: 0.5}` in
            triage.yaml sets the batch price as a share of the full price (without it,
            limits count the full price).

            EXIT CODES
              0 submitted, or nothing to submit · 69 the server refuses permanently
              75 temporary, or unknown whether the server accepted a batch: run it again
              78 bad configuration
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "LLM") var asking: LLMOptions
    @OptionGroup(title: "Batch") var batch: BatchStateOptions

    @Flag(help: "Treat a submission with unknown outcome as lost.")
    var resubmit = false

    func run() async throws {
        let (input, configuration, asking, path, resubmit) = (input, configuration, asking, batch.state, resubmit)
        try await Interruption.ends {
            let file = try BatchBookFile(path: path, creates: true)
            defer { file.discardIfEmpty() }
            let gathered = try await BatchRun.questions(input: input, configuration: configuration, asking: asking)
            let material = gathered.material
            let transport = ModelAddress.transport(material.llm)
            defer { transport.close() }
            let session = try BatchSession(endpoint: material.endpoint, transport: transport)
            var (book, batches) = try BatchRun.book(of: file, material)
            try await session.reconcile(&book, in: file, resubmits: resubmit)
            let submission = BatchSubmission(session: session, material: material, file: file)
            let outcome = try await submission.run(gathered.questions.items, book: &book, asking: batches)
            try CheckedWriter.standardOutput.write(Self.text(outcome, gathered, path))
        }
    }

    private static func text(
        _ outcome: BatchSubmission.Outcome, _ gathered: RunForecast.Batchable, _ path: String
    ) -> String {
        let count = MoneyText.count
        var rows: [(String, String)] = []
        if outcome.messages > 0 {
            rows.append(
                (
                    "submitted",
                    "\(outcome.messages.of("message")) in \(outcome.ids.count.of("batch", "batches")),"
                        + " \(outcome.requests.of("request"))"
                ))
            for id in outcome.ids { rows.append(("", id)) }
            let cost = outcome.most.cost.map { ", \(SpendText.money($0))" } ?? ", " + SpendText.money(nil)
            rows.append(("at most", "\(count(outcome.most.tokens)) tokens\(cost)"))
        } else {
            rows.append(("submitted", "nothing: every message already has an answer"))
        }
        if outcome.underWay > 0 { rows.append(("in progress", "\(count(outcome.underWay)) from earlier")) }
        let kept = gathered.questions.kept.count
        if kept > 0 { rows.append(("in the cache", "\(count(kept)), at no cost")) }
        if gathered.questions.repeated > 0 {
            rows.append(("repeated", "\(count(gathered.questions.repeated)) have the same text as another"))
        }
        if outcome.leftOut > 0 {
            rows.append(("left out", "\(count(outcome.leftOut)) beyond the limits; `triage run` would ask about them"))
        }
        if gathered.material.drafts { rows.append(("drafts", "none: `triage run` asks for them")) }
        if outcome.messages + outcome.underWay > 0 {
            rows.append(("next", "triage batch collect … --state \(path)"))
        }
        return rows.map { "\($0.0.padded(to: 14))\(Terminal.harmless($0.1))\n" }.joined()
    }
}

struct BatchCollectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collect",
        abstract: "Collects the answers of finished batches, checks them and caches them for `triage run`.",
        discussion: """
            Needs the same messages and configuration as the submission: answers are
            checked against them. You can run it as often as you like. `triage batch
            submit` resubmits expired requests; `triage run` asks live for unusable
            answers. Once a whole batch is collected, its texts are deleted from the
            server.

            EXIT CODES
              0 everything is collected
              1 the server refused a whole batch, or answers belong to messages not in
                  this input · 69 the server refuses permanently · 75 not ready yet
              78 bad configuration · 130 interrupted
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "LLM") var asking: LLMOptions
    @OptionGroup(title: "Batch") var batch: BatchStateOptions

    @Flag(help: "Wait until all batches are done, polling every five seconds at first, later every five minutes.")
    var wait = false

    func run() async throws {
        let (input, configuration, asking, path, wait) = (input, configuration, asking, batch.state, wait)
        try await Interruption.ends {
            let file = try BatchBookFile(path: path)
            let gathered = try await BatchRun.questions(input: input, configuration: configuration, asking: asking)
            let material = gathered.material
            let cache = try BatchRun.cache(asking)
            let transport = ModelAddress.transport(material.llm)
            defer { transport.close() }
            let session = try BatchSession(endpoint: material.endpoint, transport: transport)
            var (book, batches) = try BatchRun.book(of: file, material)
            try await session.reconcile(&book, in: file)
            let collection = BatchCollection(
                session: session, asking: batches, cache: cache, file: file,
                questions: Dictionary(
                    gathered.questions.items.map { ($0.digest, $0.question) }, uniquingKeysWith: { first, _ in first }),
                kept: gathered.questions.kept)
            var tally = BatchCollection.Tally()
            do {
                try await collection.rounds(&book, into: &tally, waits: wait) { pending in
                    try? CheckedWriter.standardError.write("triage: \(pending)\n")
                }
            } catch {
                await cache.close()
                // Reports what was kept up to the error.
                if tally.kept > 0 { try? CheckedWriter.standardOutput.write(Self.text(tally, material)) }
                throw error
            }
            await cache.close()
            try CheckedWriter.standardOutput.write(Self.text(tally, material))
            if !tally.pending.isEmpty { throw RunEnded(status: .temporary) }
            if !tally.refusedBatches.isEmpty || tally.foreign > 0 { throw RunEnded(status: .finding) }
        }
    }

    private static func text(_ tally: BatchCollection.Tally, _ material: BatchMaterial) -> String {
        let count = MoneyText.count
        var rows = [("kept", "\(tally.kept.of("answer")); the next run uses them for free")]
        if tally.already > 0 { rows.append(("already kept", count(tally.already))) }
        if tally.refused > 0 { rows.append(("refused", "\(count(tally.refused)) that the model declined to answer")) }
        if !tally.failed.isEmpty {
            let kinds = tally.failed.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            rows.append(
                (
                    "unusable",
                    kinds.map { "\(count($0.value)) \($0.key)" }.joined(separator: ", ")
                        + "; `triage run` asks about them live"
                ))
        }
        if tally.expired > 0 {
            rows.append(("expired", "\(count(tally.expired)); `triage batch submit` resubmits them"))
        }
        if tally.foreign > 0 {
            rows.append(("not yours", "\(count(tally.foreign)) answers to messages not in this input"))
        }
        for id in tally.refusedBatches { rows.append(("refused", "all of \(id); see your provider's dashboard")) }
        for batch in tally.pending {
            rows.append(("pending", "\(batch.id), \(count(batch.done ?? 0)) of \(batch.total.of("request")) answered"))
        }
        let usage = tally.usage
        if usage.input + usage.output > 0 {
            var spend = Spend(price: material.price)
            if let reservation = spend.reserve(Spend.Need(input: 0, output: 0)) {
                spend.settle(reservation, as: .answered(usage))
            }
            rows.append(
                (
                    "used",
                    "\(usage.isEstimated ? "about " : "")\(count(usage.input)) + \(count(usage.output)) tokens, "
                        + SpendText.money(spend.cost)
                ))
        }
        return rows.map { "\($0.0.padded(to: 14))\(Terminal.harmless($0.1))\n" }.joined()
    }
}
