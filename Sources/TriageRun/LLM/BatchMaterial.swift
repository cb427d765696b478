package import TriageConfig
package import TriageCore
package import TriageLLM

/// How messages are asked about by a configuration, for requests that other processes make or read.
package struct BatchMaterial: Sendable {
    package var llm: ModelSettings.LLM
    package var endpoint: Endpoint
    /// Of the command.
    package var limits: ModelSettings.Limits
    package var prompts: PromptLibrary
    package var profile: CreatorProfile
    package var library: FAQLibrary
    package var redacts: Bool
    /// Whether drafts are asked for too, in runs.
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

    /// How messages are packed, as a run packs them.
    package var askingLimits: LLMLimits {
        var limits = LLMLimits()
        limits.packSize = llm.pack
        LLMSession.applyOutput(llm, to: &limits)
        return limits
    }

    /// What tokens cost in a batch; nil: not known.
    package var price: ModelPrice? {
        llm.price.map { price in
            let share = price.batch ?? 1
            return ModelPrice(
                input: price.input * share, cachedInput: price.cachedInput.map { $0 * share },
                output: price.output * share)
        }
    }
}
