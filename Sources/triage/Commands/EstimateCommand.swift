import ArgumentParser
import TriageCore
import TriageFormats
import TriageRun

/// Estimates what a run would ask the language model and what that would cost, without spending anything.
struct EstimateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "estimate",
        abstract: "Shows how many LLM requests a run would send and what they would cost; sends nothing.",
        discussion: """
            EXAMPLES
              triage estimate export.zip --config my-inbox/triage.yaml
              triage estimate messages.jsonl --json | jq .cost

            Reads everything and answers it offline as `triage run` would. Tokens are
            estimated (3.5 bytes each), cached answers cost nothing, and the time is a
            guess of one second per request plus fifty tokens per second.
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "LLM") var asking: LLMOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        guard !asking.offline else {
            throw ValidationError("--offline sends no requests, so there is nothing to estimate.")
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
                "llm.none", "no LLM is configured, so nothing would be sent or spent",
                at: configuration.config ?? "triage.yaml",
                remedy: "add llm: {provider: openai, base_url: …, model: …}", exit: .badConfiguration)
        }
        try CheckedWriter.standardOutput.write(json ? result.json : result.text)
        if status != .success { throw RunEnded(status: status) }
    }
}
