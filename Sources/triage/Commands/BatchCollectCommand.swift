import ArgumentParser
import TriageCore
import TriageFormats
import TriageLLM
import TriageRun
import TriageStore

struct BatchCollectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collect",
        abstract: "Collects the answers of finished batches, checks them and caches them for `triage run`.",
        discussion: """
            Needs the same messages and configuration as the submission: answers are checked against them. You can run
            it as often as you like. `triage batch submit` resubmits expired requests; `triage run` asks live for
            unusable answers. Once a whole batch is collected, its texts are deleted from the server.

            EXIT CODES
              0 everything is collected · 1 the server refused a whole batch, or answers belong to messages not in this
              input · 69 the server refuses permanently · 75 not ready yet · 78 bad configuration · 130 interrupted
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
