import ArgumentParser
import TriageCore
import TriageFormats
import TriageLLM
import TriageRun

struct BatchSubmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Submits the requests `triage run` would send, as batches.",
        discussion: """
            With the same state file, only new requests are submitted: nothing in progress is paid for twice, even if
            the first submission was killed. Limits reserve the maximum each request can cost;
            `price: {input: …, output: …, batch: 0.5}` in triage.yaml sets the batch price as a share of the full
            price (without it, limits count the full price).

            EXIT CODES
              0 submitted, or nothing to submit · 69 the server refuses permanently · 75 temporary, or unknown whether
              the server accepted a batch: run it again · 78 bad configuration
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
