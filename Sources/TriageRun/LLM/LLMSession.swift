package import TriageConfig
package import TriageCore
package import TriageFormats
package import TriageLLM
import TriageStages
package import TriageStore

/// The parts of a run that ask a language model; created only if one is configured and wanted.
package final class LLMSession: Sendable {
    /// The name of the model and its prompts, as written into answers.
    package let name: LLMName
    package let counts = CascadeCounts()
    private let cancellation = LLMCancellation()
    private let transport: NamedTransport
    private let caller: ReliableCaller
    private let asker: MessageAsker
    private let drafter: DraftAsker
    private let cache: AnswerDatabase?
    private let settings: Settings
    private let profile: CreatorProfile
    private let library: FAQLibrary
    private let source: any AnswerSource<MessageQuestion, MessageVerdict>
    private let draftSource: any AnswerSource<DraftQuestion, Draft>
    private let instructionTokens: (text: Int, draft: Int)
    private let limits: (run: ModelSettings.Limits, text: LLMLimits)
    private let llm: ModelSettings.LLM
    private let material: BatchMaterial
    private let end: LLMStop
    private let manner: DraftManner

    /// - Parameters:
    ///   - configuration: what to ask, and how.
    ///   - options: those of the command line.
    ///   - forecast: collects what would be asked, and nothing is sent; nil: requests are sent.
    ///   - notice: shows a line to people.
    /// - Throws: ``TriageError`` or ``TriageErrors`` when the key or the prompts cannot be read.
    package init(
        llm: ModelSettings.LLM, configuration: LoadedConfiguration, options: LLMOptions,
        forecast: RunForecast? = nil, notice: @escaping @Sendable (String) -> Void
    ) throws {
        let runLimits = options.limits(configuration.models.limits)
        if runLimits.maxCost != nil, llm.price == nil {
            throw TriageError(
                "llm.no-price", "a cost limit is set, but the LLM's price is unknown", at: "llm",
                remedy: "add price: {input: …, output: …} in dollars per million tokens; 0 for your own model",
                exit: .badConfiguration)
        }
        let endpoint = try ModelAddress.endpoint(llm)
        let prompts = try PromptFiles.library(folder: llm.prompts)
        settings = configuration.settings
        var profile = configuration.creator
        if let voice = configuration.voice {
            // The creator's writing habits as counts only; the text of their replies to others is not sent.
            let texts = [profile.voice, voice.habits.prompt]
            profile.voice = texts.filter { !$0.isEmpty }.joined(separator: " ")
        }
        self.profile = profile
        manner = DraftManner(configuration, sharesVoice: llm.sharesVoice)
        library = configuration.faq
        transport = ModelAddress.transport(llm)
        caller = ReliableCaller(
            transport: transport, provider: ProviderKind.provider(endpoint),
            settings: ModelAddress.callerSettings(llm, limits: runLimits),
            features: endpoint.features)
        cache = try Self.cache(options, notice: notice)
        let secret = RunSecret()
        let redacts = options.redact || llm.redacts
        let textPrompt = try prompts.newest(.triage)
        let draftPrompt = try prompts.newest(.draft)
        material = BatchMaterial(
            llm: llm, endpoint: endpoint, limits: runLimits, prompts: prompts,
            profile: profile, library: library, redacts: redacts,
            drafts: configuration.settings.escalation.draft != .never)
        let script = try material.script(secret: secret)
        let draftSession = PromptSession(
            draftPrompt, repair: try prompts.newest(.repair), profile: profile, library: library, secret: secret,
            bounded: endpoint.enforcesRanges, redacts: redacts)
        let drafts = DraftTask(
            session: draftSession,
            check: DraftGuard(
                canary: draftSession.canary, privateTexts: Self.privateTexts(profile, library),
                promises: try ShippedFiles.draftPromises(), judge: ShippedFiles.draftJudge,
                contact: profile.offerAddress, library: library.entries.map(\.answer),
                voice: configuration.creator.voice),
            model: llm.draftModel ?? llm.model, endpoint: endpoint)
        var limits = LLMLimits()
        limits.packSize = llm.pack
        // Few may wait, because a waiting request was built before the answers ahead of it arrived.
        limits.inFlight = max(8, 2 * llm.maxConcurrency)
        var draftLimits = LLMLimits.drafts
        Self.applyOutput(llm, to: &limits)
        Self.applyOutput(llm, to: &draftLimits)
        let stop = LLMStop()
        end = stop
        asker = MessageAsker(caller: caller, cache: cache, script: script, limits: limits, stop: stop)
        drafter = DraftAsker(caller: caller, cache: cache, script: drafts, limits: draftLimits, stop: stop)
        if let forecast {
            source = VerdictForecast(asker: asker, forecast: forecast)
            draftSource = DraftForecast(drafter: drafter, forecast: forecast)
        } else {
            (source, draftSource) = (asker, drafter)
        }
        instructionTokens = (script.instructionTokens, TokenEstimate.tokens(of: draftSession.system))
        self.limits = (runLimits, limits)
        self.llm = llm
        name = LLMName(
            model: llm.model, textPrompt: textPrompt.id.description, draftPrompt: draftPrompt.id.description,
            draftModel: llm.draftModel)
    }

    /// The creator's own texts that no draft may contain.
    package static func privateTexts(_ profile: CreatorProfile, _ library: FAQLibrary) -> [String] {
        [profile.rates].filter { !$0.isEmpty } + library.entries.map(\.answer)
    }

    /// The answer cache; nil if answers are not kept.
    package static func cache(
        _ options: LLMOptions, notice: @escaping @Sendable (String) -> Void
    ) throws -> AnswerDatabase? {
        if options.cache == "off" { return nil }
        guard let path = options.cache ?? standardCache else {
            notice("LLM answers are not cached: neither XDG_CACHE_HOME nor HOME is set")
            return nil
        }
        return AnswerDatabase(path: path, notice: { notice($0.harmless) })
    }

    /// Path of the answer cache unless `--cache` names another; nil: answers are not kept.
    package static var standardCache: String? {
        var environment: [String: String] = [:]
        for name in ["XDG_CACHE_HOME", "HOME"] { environment[name] = Terminal.environment(name) }
        return AnswerDatabase.standardPath(environment: environment)
    }

    /// The stages that ask.
    ///
    /// - Parameter model: gives the offline answers that the settings assign to a model; nil: the rules give them.
    /// - Throws: ``TriageErrors`` when a shipped file is broken.
    package func stages(rules: RuleSet, settings: Settings, model: StatisticalModel?) throws -> LLMStages {
        try LLMStages(
            text: source, drafts: draftSource, rules: rules, settings: settings, library: library, model: model,
            manner: manner, counts: counts, cancellation: cancellation)
    }

    /// Passes what would have been asked to the forecast.
    package func estimate(in forecast: RunForecast?) {
        guard let forecast else { return }
        if let gathering = forecast.gathering {
            forecast.hand(over: material, gathering.totals)
            return
        }
        let (texts, drafts) = (forecast.texts.totals, forecast.drafts.totals)
        let text = LLMEstimate(
            texts.items, instructions: instructionTokens.text, answer: RunForecast.answerTokens.text,
            limits: limits.text)
        let draft = LLMEstimate(
            drafts.items, instructions: instructionTokens.draft, answer: RunForecast.answerTokens.draft,
            limits: .drafts)
        forecast.set(
            RunForecast.Result(
                model: llm.model, cascade: counts.totals, fromCache: texts.kept.count + drafts.kept.count,
                repeated: texts.repeated + drafts.repeated, drafts: drafts.items.count, estimate: text + draft,
                limits: limits.run, price: llm.price, concurrency: llm.maxConcurrency))
    }

    /// Applies the configured output limit and queue timeout.
    package static func applyOutput(_ llm: ModelSettings.LLM, to limits: inout LLMLimits) {
        limits.fixedOutput = llm.maxOutputTokens
        limits.queueTimeout = llm.queueTimeout.map { .milliseconds(Int($0 * 1000)) }
        limits.thinks = llm.reasoningEffort.map { $0 != .none } ?? false
    }

    /// Stops asking; held messages get their offline answers.
    package func stop() {
        cancellation.cancelAll()
        asker.late.cancel()
        drafter.late.cancel()
    }

    /// Waits for answers that arrive too late for their messages: they are paid for, so they go to the cache.
    package func finishLate(within grace: Duration) async {
        await asker.late.finish(within: grace)
        await drafter.late.finish(within: grace)
    }

    /// The number of answers that came from the cache.
    package var fromCache: Int { asker.counts.fromCache + drafter.counts.fromCache }

    /// Closes the connections and the cache.
    package func finish() async {
        transport.close()
        await cache?.close()
    }

    package var spending: SpendReport { caller.report }

    /// A summary of what was spent, for people.
    package func summary() -> [String] {
        SpendText.lines(
            model: name.model, cascade: counts.totals, asking: asker.counts, drafting: drafter.counts,
            spend: caller.report)
    }

    /// The exit status of a shortfall with `--require-llm`; nil when every question was answered.
    package var shortfall: ExitStatus? {
        let failed = asker.counts.failures.merging(drafter.counts.failures) { $0 + $1 }
        guard !failed.isEmpty else { return nil }
        if caller.finalFailure != nil || end.failure != nil { return .unavailable }
        // Waiting does not help when the message itself is the cause.
        let own: Set<String> = ["llm.refused", "llm.too-long", "llm.bad-output"]
        return failed.keys.allSatisfy(own.contains) ? nil : .temporary
    }
}

extension LLMStages {
    /// The stages that ask, with the sources of their answers.
    ///
    /// - Parameters:
    ///   - model: gives the offline answers that the settings assign to a model; nil: the rules give them.
    ///   - manner: how drafts address their reader, and which examples they follow.
    ///   - counts: what was asked.
    ///   - cancellation: stops the asking early.
    init(
        text: any AnswerSource<MessageQuestion, MessageVerdict>, drafts: any AnswerSource<DraftQuestion, Draft>,
        rules: RuleSet, settings: Settings, library: FAQLibrary,
        model: StatisticalModel?, manner: DraftManner = DraftManner(), counts: CascadeCounts = CascadeCounts(),
        cancellation: LLMCancellation = LLMCancellation()
    ) throws {
        let byModel = settings.modelHeads.contains(.urgent) ? model?.urgentThreshold : nil
        let urgentThreshold = settings.thresholds.urgent ?? byModel ?? 0.5
        let hints = InjectionHeuristics(neighbors: try ShippedFiles.batchTalk())
        let steers: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool = { text in
            hints.suspects(String(decoding: text, as: UTF8.self))
        }
        self.init()
        if settings.escalation.asks {
            self.text = .remote(
                CascadeStage(
                    source: text, settings: settings, rules: rules, library: library,
                    urgentThreshold: urgentThreshold, steers: steers, counts: counts, cancellation: cancellation))
        }
        if settings.escalation.draft != .never {
            draft = .remote(
                DraftStage(
                    source: drafts, settings: settings, library: library, steers: steers, manner: manner,
                    cancellation: cancellation))
        }
    }
}

extension DraftManner {
    /// - Parameter sharesVoice: whether the creator's own replies may leave the machine.
    init(_ configuration: LoadedConfiguration, sharesVoice: Bool) {
        let habits = configuration.voice?.habits
        let naming = ReplyNaming(writesSmall: habits.map { $0.lowerCase >= 0.5 } ?? false)
        let voice = sharesVoice ? configuration.voice : nil
        let past = voice.map { VoiceExamples($0, library: configuration.faq, profile: configuration.creator) }
        self.init(
            examples: { text, language in
                past?.nearest(to: text, language: language).map {
                    DraftExample(asked: $0.asked, answered: $0.answered)
                } ?? []
            },
            named: { draft, record, batch in naming.named(draft, record, in: batch) })
    }
}

extension VoiceHabits {
    /// The habits in words for a prompt; empty if no replies were counted.
    fileprivate var prompt: String {
        guard replies > 0 else { return "" }
        func usual(_ share: Double?) -> Bool { (share ?? 0) >= 0.5 }
        var parts = ["about \(words.of("word"))"]
        if let mail = mailGreeting {
            parts.append("e-mails \(usual(mail) ? "begin with a greeting" : "have no greeting")")
            parts.append("e-mails \(usual(mailSignature) ? "end with the first name" : "have no signature")")
        }
        if let chat = chatGreeting {
            parts.append("other replies \(usual(chat) ? "begin with a greeting" : "have no greeting")")
        }
        for (who, manner) in [("followers", audience), ("business partners", partners)] {
            for (what, texts) in [("greeting", manner.greetings), ("closing", manner.closings)] {
                parts += texts.sorted { $0.key < $1.key }.map { "\(what) to \(who) in \($0.key): \"\($0.value)\"" }
            }
        }
        if usual(lowerCase) { parts.append("sentences begin with small letters") }
        if emoji < 0.02 {
            parts.append("no emoji")
        } else if let emoji = emojis.first {
            parts.append("now and then \(emoji)")
        }
        if exclamation < 0.02 { parts.append("no exclamation marks") }
        for (tag, share) in formal.sorted(by: { $0.key < $1.key }) {
            parts.append("\(share >= 0.5 ? "formal" : "informal") address in \(tag)")
        }
        return "In their own replies: \(parts.joined(separator: "; "))."
    }
}
