import ArgumentParser
import TriageCore
import TriageFormats
import TriageLLM
import TriageStore

struct BatchCollectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collect",
        abstract: "Takes the answers of batches that ended, checks them and keeps them for `triage run`.",
        discussion: """
            Needs the messages and the configuration of the submission: answers are checked against them. May be run as
            often as you like. What expired is submitted again by `triage batch submit`; what was answered uselessly is
            asked live by `triage run`. When all of a batch is collected, its texts are deleted from the server.

            EXIT CODES
              0 all is collected · 1 the server refused a batch as a whole, or answers are to messages that are not in
              this input · 69 it refuses for good · 75 not yet · 78 bad configuration · 130 interrupted
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "Language model") var asking: AskingOptions
    @OptionGroup(title: "Batch") var batch: BatchStateOptions

    @Flag(help: "Wait until all batches are done, asking every five seconds at first and every five minutes later.")
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
                // What was kept by then is told.
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
        var rows = [("kept", "\(tally.kept.of("answer")); the next run pays nothing for them")]
        if tally.already > 0 { rows.append(("already kept", count(tally.already))) }
        if tally.refused > 0 { rows.append(("refused", "\(count(tally.refused)) that the model would not answer")) }
        if !tally.failed.isEmpty {
            let kinds = tally.failed.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            rows.append(
                (
                    "of no use",
                    kinds.map { "\(count($0.value)) \($0.key)" }.joined(separator: ", ")
                        + "; a run asks about them live"
                ))
        }
        if tally.expired > 0 {
            rows.append(("expired", "\(count(tally.expired)); `triage batch submit` submits them again"))
        }
        if tally.foreign > 0 {
            rows.append(("not yours", "\(count(tally.foreign)) answers to messages that are not in this input"))
        }
        for id in tally.refusedBatches { rows.append(("refused", "\(id) as a whole; see your provider's page")) }
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
