import ArgumentParser
import TriageConfig

/// How a language model is asked, where one is configured.
struct AskingOptions: ParsableArguments {
    @Flag(help: "Ask no language model, whatever is configured.")
    var offline = false

    @Option(help: ArgumentHelp("Spend at most so many US dollars; needs prices in triage.yaml.", valueName: "dollars"))
    var maxCost: Double?

    @Option(help: ArgumentHelp("Send at most so many requests.", valueName: "n"))
    var maxRequests: Int?

    @Option(help: ArgumentHelp("Use at most so many tokens, input and output together.", valueName: "n"))
    var maxTokens: Int?

    @Option(help: ArgumentHelp("Where answers are kept, or off.", valueName: "file"))
    var cache: String?

    @Flag(help: "Take addresses, numbers and handles out before anything leaves the machine.")
    var redact = false

    @Flag(help: "Fail when the language model did not answer all it was asked.")
    var requireLLM = false

    mutating func validate() throws {
        if let maxCost, !(maxCost >= 0 && maxCost <= 1_000_000) {
            throw ValidationError("--max-cost wants an amount of dollars, such as 0.50.")
        }
        if let maxRequests, maxRequests < 0 { throw ValidationError("--max-requests wants a number of 0 or more.") }
        if let maxTokens, maxTokens < 0 { throw ValidationError("--max-tokens wants a number of 0 or more.") }
        if offline, requireLLM { throw ValidationError("--offline and --require-llm contradict each other.") }
    }

    /// The limits of the run: flags before the file.
    func limits(_ file: ModelSettings.Limits) -> ModelSettings.Limits {
        var limits = file
        if let maxCost { limits.maxCost = maxCost }
        if let maxRequests { limits.maxRequests = maxRequests }
        if let maxTokens { limits.maxTokens = maxTokens }
        return limits
    }
}
