package import TriageConfig
package import TriageCore
package import TriageLLM

/// How a configuration asks about messages; used for requests that other processes make or read.
package struct BatchMaterial: Sendable {
    package var llm: ModelSettings.LLM
    package var endpoint: Endpoint
    /// Limits of the command.
    package var limits: ModelSettings.Limits
    package var prompts: PromptLibrary
    package var profile: CreatorProfile
    package var library: FAQLibrary
    package var redacts: Bool
    /// Whether runs ask for drafts too.
    package var drafts: Bool

    /// - Throws: ``TriageError`` when the prompts cannot be used.
    package func script(secret: RunSecret) throws -> MessageTask {
        let prompt = try prompts.newest(.triage)
        let session = PromptSession(
            prompt, repair: try prompts.newest(.repair), profile: profile, library: library, secret: secret,
            bounded: endpoint.enforcesRanges, redacts: redacts)
        guard let script = MessageTask(session: session, endpoint: endpoint) else {
            throw TriageError("prompt.no-format", "the prompt does not ask about messages", at: prompt.source)
        }
        return script
    }

    /// The packing limits that a run uses too.
    package var askingLimits: LLMLimits {
        var limits = LLMLimits()
        limits.packSize = llm.pack
        LLMSession.applyOutput(llm, to: &limits)
        return limits
    }

    /// The price of tokens in a batch; nil if unknown.
    package var price: ModelPrice? {
        llm.price.map { price in
            let share = price.batch ?? 1
            return ModelPrice(
                input: price.input * share, cachedInput: price.cachedInput.map { $0 * share },
                output: price.output * share)
        }
    }
}
