import ArgumentParser
import TriageCore
import TriageFormats

/// What a run would ask of the language model and what that would cost, before a cent is spent.
struct EstimateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "estimate",
        abstract: "Says what a run would ask of the language model and what that would cost; sends nothing.",
        discussion: """
            EXAMPLES
              triage estimate export.zip --config my-inbox/triage.yaml
              triage estimate messages.jsonl --json | jq .cost

            Everything is read and answered offline as `triage run` would. Tokens are guessed (3.5 bytes each), answers
            that are kept from earlier runs cost nothing, and the time is a guess of one second a request and fifty
            tokens a second.
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "Language model") var asking: AskingOptions

    @Flag(help: "One JSON object.")
    var json = false

    func run() async throws {
        guard !asking.offline else {
            throw ValidationError("--offline asks nothing, so there is nothing to estimate.")
        }
        let forecast = RunForecast()
        var request = RunRequest(input: input, configuration: configuration) { _, _ in NoRecords() }
        request.asking = asking
        request.forecast = forecast
        request.isSummedUp = false
        request.isQuiet = true
        let status = try await RunSession(request: request).run()
        guard let result = forecast.result else {
            throw TriageError(
                "llm.none", "no language model is configured, so nothing would be asked or spent",
                at: configuration.config ?? "triage.yaml",
                remedy: "add llm: {provider: openai, base_url: …, model: …}", exit: .badConfiguration)
        }
        try CheckedWriter.standardOutput.write(json ? result.json : result.text)
        if status != .success { throw RunEnded(status: status) }
    }
}
