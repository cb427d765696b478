package import ArgumentParser
package import TriageConfig

/// Options for asking a language model, if one is configured.
package struct LLMOptions: ParsableArguments {
    @Flag(help: "Do not use an LLM, even if one is configured.")
    package var offline = false

    @Option(help: ArgumentHelp("Maximum cost in US dollars; needs prices in triage.yaml.", valueName: "dollars"))
    package var maxCost: Double?

    @Option(help: ArgumentHelp("Maximum number of LLM requests.", valueName: "n"))
    package var maxRequests: Int?

    @Option(help: ArgumentHelp("Maximum number of tokens, input and output combined.", valueName: "n"))
    package var maxTokens: Int?

    @Option(help: ArgumentHelp("Cache file for LLM answers, or off.", valueName: "file"))
    package var cache: String?

    @Flag(help: "Remove addresses, numbers and handles before sending anything.")
    package var redact = false

    @Flag(help: "Fail if the LLM did not answer every request.")
    package var requireLLM = false

    package mutating func validate() throws {
        if let maxCost, !(maxCost >= 0 && maxCost <= 1_000_000) {
            throw ValidationError("--max-cost must be an amount in dollars, such as 0.50.")
        }
        if let maxRequests, maxRequests < 0 { throw ValidationError("--max-requests must be 0 or more.") }
        if let maxTokens, maxTokens < 0 { throw ValidationError("--max-tokens must be 0 or more.") }
        if offline, requireLLM { throw ValidationError("--offline and --require-llm cannot be combined.") }
    }

    /// The limits of the run: flags take precedence over the file.
    package func limits(_ file: ModelSettings.Limits) -> ModelSettings.Limits {
        var limits = file
        if let maxCost { limits.maxCost = maxCost }
        if let maxRequests { limits.maxRequests = maxRequests }
        if let maxTokens { limits.maxTokens = maxTokens }
        return limits
    }

    package init() {}
}
