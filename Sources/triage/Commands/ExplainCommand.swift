import ArgumentParser
import TriageCore
import TriageFormats
import TriageRun

/// Explains the answers for a message: every reason, with its weight and its words.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows why messages got their answers: every reason, its weight and its words.",
        discussion: """
            EXAMPLES
              triage explain messages.jsonl --id m-01 --creator creator.yaml
              echo '{"text":"Paid collab, $500 for two reels?"}' | triage explain
              triage explain export.zip --json | jq '.triage.category.because'

            EXIT CODES
              as for `triage run`; also 1 if no record has the id
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "LLM") var asking: LLMOptions

    @Option(help: ArgumentHelp("Only the message with this id, original or generated.", valueName: "id"))
    var id: String?

    @Flag(help: "Print JSONL records, with every reason instead of the eight strongest.")
    var json = false

    func run() async throws {
        if input.paths.isEmpty, Terminal.isTerminal(0) { throw Self.helped() }
        let json = json
        var request = RunRequest(input: input, configuration: configuration) { loaded, sources in
            if json { return JSONLRecordEncoder(object: loaded.object, rejects: .pass, sources: sources) }
            return ExplainRecordEncoder(
                signals: loaded.signals, rules: loaded.rules, library: loaded.library, width: Terminal.width(1))
        }
        request.asking = asking
        request.onError = .pass
        request.isSummedUp = false
        request.wantsEveryReason = true
        request.writesForPeople = true
        request.jobs = 1
        request.id = id
        let status = try await RunSession(request: request).run()
        if status != .success { throw RunEnded(status: status) }
    }
}
