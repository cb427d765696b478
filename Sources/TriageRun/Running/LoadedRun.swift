package import TriageConfig
package import TriageCore
package import TriageFormats
package import TriageLLM
import TriageMatching
import TriageStages

/// Files, rules and stages of a run, loaded and checked before the first message.
package struct LoadedRun {
    package let settings: Settings
    package let profile: CreatorProfile
    package let library: FAQLibrary
    package let rules: RuleSet
    package let signals: SignalNames
    package let plan: StagePlan
    package let object: TriageObjectEncoder
    /// Asks the language model; nil: nothing leaves the machine.
    package let asking: LLMSession?
    /// Asks the embedding model; nil: only ``FAQStage`` matches the FAQ, by words and the vectors in the program.
    package let embedding: EmbeddingSession?
    private let questions: Set<Question>
    private let modelDigest: String?
    private let voiceDigest: String?
    /// Whether drafts use the voice of the store, if it has one: `--voice` names neither a file nor `none`.
    package let usesStoredVoice: Bool
    /// Whether `--me`, the settings or the profile name the creator.
    package var isOwnerNamed: Bool { !(settings.ownIdentities.isEmpty && profile.handles.isEmpty) }

    /// - Parameters:
    ///   - me: `--me`.
    ///   - questions: `--only`; questions that these depend on are answered too.
    ///   - options: how a language model is asked; nil: none is asked, whatever is configured.
    ///   - forecast: collects what would be asked, and nothing is sent; nil: requests are sent.
    ///   - stored: stored answers used instead of asking the configured models; nil: the models are asked.
    ///   - storedVoice: the voice of a store, used if no voice file is named; nil: there is no store.
    ///   - memory: conversations and texts remembered beyond this run; nil: there are none.
    ///   - notice: shows a line to people.
    ///   - everyReason: whether answers give all their reasons, in words, instead of the configured number.
    /// - Throws: ``TriageErrors`` with every fault of every file.
    package init(
        configuration: ConfigurationOptions, me: [String], questions: Set<Question>, everyReason: Bool = false,
        asking options: LLMOptions? = nil, forecast: RunForecast? = nil, answering stored: StoredAnswers? = nil,
        storedVoice: ((LoadedConfiguration) throws -> Voice?)? = nil, memory: (any RunMemory)? = nil,
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let request = ConfigurationRequest.ofProcess(
            config: configuration.config, creator: configuration.creator, faq: configuration.faq,
            rules: configuration.rules, voice: configuration.voice)
        let cache = RuleCache(
            folder: configuration.ruleCacheFolder, version: Version.current)
        var cached: RuleCache.Entry?
        var loaded = try LoadedConfiguration.load(
            request, shipped: ShippedFiles.rules,
            cachedRules: { digest in
                if everyReason { return nil }
                cached = cache.load(key: cache.key(digest: digest))
                return cached?.rules
            })
        usesStoredVoice = loaded.voice == nil && !loaded.isVoiceOff
        if usesStoredVoice, let storedVoice { loaded.voice = try storedVoice(loaded) }
        let asksModels = options.map { !$0.offline } ?? false
        TrustNotice.tell(loaded.withheld, asks: asksModels)
        if let withheld = loaded.withheld, withheld.asks, options?.requireLLM == true {
            throw TrustNotice.error(withheld)
        }
        let database = try cached?.database ?? PatternDatabase(rules: loaded.rules)
        if cached == nil, !everyReason {
            cache.store(rules: loaded.rules, database: database, key: cache.key(digest: loaded.rules.digest))
        }
        var settings = loaded.settings
        settings.ownIdentities += me
        settings.questions = questions
        if everyReason { settings.evidenceLimit = 10_000 }
        self.settings = settings
        profile = loaded.creator
        library = loaded.faq
        rules = loaded.rules
        signals = SignalNames(rules: loaded.rules)
        let model = try configuration.statisticalModel()
        var session: LLMSession?
        if let options, !options.offline, let llm = loaded.models.llm, settings.escalation.asksAnything(questions) {
            session = try LLMSession(
                llm: llm, configuration: loaded, options: options, forecast: forecast, notice: notice)
        }
        asking = session
        // A forecast sends nothing, and what it estimates does not depend on vectors.
        let wantsFAQ = questions.isEmpty || questions.contains(.faq) || questions.contains(.draft)
        if let options, !options.offline, forecast == nil, wantsFAQ, let embeddings = loaded.models.embeddings,
            !loaded.faq.entries.isEmpty
        {
            embedding = try EmbeddingSession(embeddings, configuration: loaded, options: options, notice: notice)
        } else {
            embedding = nil
        }
        var stages =
            try session?.stages(rules: loaded.rules, settings: settings, model: model) ?? LLMStages()
        stages.faq = embedding?.stage
        if let stored {
            // Stored model answers are only read: nothing is sent.
            if loaded.knowsLLM {
                stages = try LLMStages(
                    text: stored.verdicts, drafts: stored.drafts, rules: loaded.rules, settings: settings,
                    library: loaded.faq, model: model, manner: DraftManner(loaded, sharesVoice: false))
            }
            if loaded.knowsEmbeddings {
                stages.faq = .local(StoredFAQStage(stored: stored, library: loaded.faq))
            }
        }
        plan = try StandardPlan.make(
            rules: loaded.rules, database: database, languages: try ShippedFiles.languageModel(), profile: profile,
            library: library, settings: settings, model: model,
            asking: stages, voice: loaded.voice, wordings: loaded.wordings, memory: memory)
        self.questions = questions
        modelDigest = settings.modelHeads.isEmpty ? nil : model?.digest
        voiceDigest = loaded.voice?.digest
        object = Self.object(
            signals, library, questions, rules: loaded.rules, modelDigest: modelDigest, llm: session?.name,
            voiceDigest: voiceDigest)
    }

    /// The encoder for answers that a different language model contributed to.
    package func object(llm: LLMName?) -> TriageObjectEncoder {
        Self.object(
            signals, library, questions, rules: rules, modelDigest: modelDigest, llm: llm, voiceDigest: voiceDigest)
    }

    private static func object(
        _ signals: SignalNames, _ library: FAQLibrary, _ questions: Set<Question>, rules: RuleSet, modelDigest: String?,
        llm: LLMName?, voiceDigest: String?
    ) -> TriageObjectEncoder {
        TriageObjectEncoder(
            signals: signals, library: library, questions: questions, version: Version.current,
            rulesDigest: rules.digest, modelDigest: modelDigest, llm: llm, voiceDigest: voiceDigest)
    }
}

extension LoadedRun {
    /// The encoder of records for the requested format.
    ///
    /// - Parameters:
    ///   - sources: names of the inputs so far, for rejects that are answered in place.
    ///   - color: the value of the flag.
    ///   - toTerminal: whether the output goes to standard output rather than to a file.
    package func encoder(
        _ format: OutputFormat, rejects: RejectPolicy, sources: @escaping @Sendable () -> [String], color: ColorChoice,
        toTerminal: Bool
    ) -> any RecordEncoder {
        switch format {
        case .jsonl: JSONLRecordEncoder(object: object, container: .lines, rejects: rejects, sources: sources)
        case .json: JSONLRecordEncoder(object: object, container: .array, rejects: rejects, sources: sources)
        case .csv: CSVRecordEncoder(library: library, questions: settings.questions)
        case .table:
            TableRecordEncoder(
                library: library,
                renderer: TableRenderer(
                    width: toTerminal ? Terminal.width(1) : 100,
                    usesColor: color.isUsed(onTerminal: toTerminal && Terminal.isTerminal(1))))
        }
    }
}

extension ColorChoice {
    /// The flag decides first, then `NO_COLOR`, then whether the output is a terminal with colours.
    package func isUsed(onTerminal: Bool) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: onTerminal && Terminal.environment("NO_COLOR") == nil && Terminal.environment("TERM") != "dumb"
        }
    }
}
