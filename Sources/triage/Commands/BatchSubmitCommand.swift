import ArgumentParser
import TriageCore
import TriageFormats
import TriageLLM

struct BatchSubmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Submits what a run would ask, packed as a run packs it.",
        discussion: """
            Run again with the same state, it submits only what is new: nothing that is on its way is paid for twice,
            also when the first submission was killed at any moment. Limits reserve the most that each request can
            take; `price: {input: …, output: …, batch: 0.5}` in triage.yaml says what batches cost
            of the price (without it limits reckon with all of it).

            EXIT CODES
              0 submitted, or nothing to submit · 69 the server refuses for good · 75 it does not now, or nobody knows
              whether it took a batch: run it again · 78 bad configuration
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "Language model") var asking: AskingOptions
    @OptionGroup(title: "Batch") var batch: BatchStateOptions

    @Flag(help: "Take a submission of which nobody knows whether it arrived for lost.")
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
            rows.append(("submitted", "nothing: no further message is without an answer"))
        }
        if outcome.underWay > 0 { rows.append(("on their way", "\(count(outcome.underWay)) from before")) }
        let kept = gathered.questions.kept.count
        if kept > 0 { rows.append(("in the cache", "\(count(kept)), which cost nothing")) }
        if gathered.questions.repeated > 0 {
            rows.append(("repeated", "\(count(gathered.questions.repeated)) say what another one says"))
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
