package import TriageConfig
package import TriageCore
import TriageEvaluation
package import TriageFormats
import TriageLLM
import TriageMatching
package import TriageRun

/// An evaluation method that runs the stages of a run, with its own configuration.
package final class ConfiguredMethod: EvaluationMethod {
    package let loaded: LoadedConfiguration
    private let database: PatternDatabase
    private let model: StatisticalModel?
    private let asking: LLMMethod?
    private var sessions: [LLMSession] = []

    /// How a method asks a language model.
    package struct LLMMethod {
        package var options: LLMOptions
        /// Whether to ask about every message, regardless of the configuration.
        package var asksAll = false
        /// The model to use in place of the configured one.
        package var model: String?
    }

    /// - Parameters:
    ///   - model: answers what it can; nil: the rules answer everything.
    ///   - asking: how the configured language model is asked; nil: it is not asked.
    ///   - readsVoice: whether drafts use the creator's voice, if there is one.
    /// - Throws: ``TriageErrors`` with every fault of every file.
    package init(
        configuration: ConfigurationOptions, model: StatisticalModel? = nil, asking: LLMMethod? = nil,
        readsVoice: Bool = true
    ) throws {
        self.model = model
        self.asking = asking
        var request = ConfigurationRequest.ofProcess(
            config: configuration.config, creator: configuration.creator, faq: configuration.faq,
            rules: configuration.rules, voice: configuration.voice)
        request.readsVoice = readsVoice
        let cache = RuleCache(folder: configuration.ruleCacheFolder, version: Version.current)
        var cached: RuleCache.Entry?
        loaded = try LoadedConfiguration.load(
            request, shipped: ShippedFiles.rules,
            cachedRules: { digest in
                cached = cache.load(key: cache.key(digest: digest))
                return cached?.rules
            })
        TrustNotice.tell(loaded.withheld, asks: asking.map { !$0.options.offline } ?? false)
        database = try cached?.database ?? PatternDatabase(rules: loaded.rules)
        if cached == nil {
            cache.store(rules: loaded.rules, database: database, key: cache.key(digest: loaded.rules.digest))
        }
    }

    /// Whether messages are sent to a language model.
    package var asks: Bool { asking.map { !$0.options.offline } ?? false }

    package func lane(for profile: CreatorProfile?, library: FAQLibrary?) throws -> any EvaluationLane {
        let library = library ?? loaded.faq
        return PipelineLane(pipeline: try pipeline(for: profile, library: library), library: library)
    }

    /// The stages for one creator.
    ///
    /// - Parameter me: identities of the creator in addition to the configured ones.
    package func pipeline(for profile: CreatorProfile?, library: FAQLibrary?, me: [String] = []) throws -> Pipeline<
        RunCounts
    > {
        let (profile, library) = (profile ?? loaded.creator, library ?? loaded.faq)
        var own = loaded
        (own.creator, own.faq) = (profile, library)
        let stages = try askingStages(&own)
        let plan = try StandardPlan.make(
            rules: loaded.rules, database: database, languages: try ShippedFiles.languageModel(), profile: profile,
            library: library, settings: own.settings, model: model, asking: stages, voice: loaded.voice,
            wordings: loaded.wordings)
        let reader = RecordReader(
            ownIdentities: loaded.settings.ownIdentities + me, ownHandles: profile.handles)
        return Pipeline(
            plan: plan, jobs: 1, read: { reader.read(&$0) },
            encode: { BatchResult(sequence: $0.input.sequence, output: ByteBlock([]), rejects: [], tally: RunCounts()) }
        )
    }
}

extension ConfiguredMethod {
    /// What the sessions of all creators have spent; nil: no language model is asked.
    package var usage: (tokens: Double, cost: Double?)? {
        guard !sessions.isEmpty else { return nil }
        let reports = sessions.map(\.spending)
        let costs = reports.compactMap(\.cost)
        return (
            Double(reports.reduce(0) { $0 + $1.usage.input + $1.usage.output }),
            costs.count == reports.count ? costs.reduce(0, +) : nil
        )
    }

    private static func say(_ line: String) {
        try? CheckedWriter.standardError.write("triage: \(Terminal.harmlessLine(line))\n")
    }

    package func close() {
        let sessions = sessions
        waitFor { for session in sessions { await session.finish() } }
        for line in sessions.flatMap({ $0.summary() }) { Self.say(line) }
    }

    /// - Throws: ``TriageError`` when a language model is required and none is configured.
    private func askingStages(_ configuration: inout LoadedConfiguration) throws -> LLMStages? {
        guard let asking, !asking.options.offline else { return nil }
        guard var llm = configuration.models.llm else {
            if let withheld = configuration.withheld, withheld.hasLLM { throw TrustNotice.error(withheld) }
            throw TriageError(
                "llm.none", "no LLM is configured", remedy: "name a triage.yaml that has llm: with --config",
                exit: .badConfiguration)
        }
        if let model = asking.model { llm.model = model }
        if asking.asksAll {
            var escalation = configuration.settings.escalation
            (escalation.category, escalation.sentiment, escalation.urgency) = (.always, .always, .always)
            (escalation.opportunity, escalation.faq, escalation.draft) = (.always, .always, .never)
            configuration.settings.escalation = escalation
        }
        let session = try LLMSession(
            llm: llm, configuration: configuration, options: asking.options,
            notice: { Self.say($0) })
        sessions.append(session)
        return try session.stages(rules: configuration.rules, settings: configuration.settings, model: model)
    }
}

/// Runs one creator's messages through the stages in order, so that conversations can be followed.
private final class PipelineLane: EvaluationLane {
    private let pipeline: Pipeline<RunCounts>
    private let library: FAQLibrary
    private let asks: Bool
    /// For each entry of the library, its number in the evaluation's table of names.
    private var entries: [UInt32] = []

    init(pipeline: Pipeline<RunCounts>, library: FAQLibrary) {
        self.pipeline = pipeline
        asks = pipeline.plan.slots.contains { if case .remote = $0 { true } else { false } }
        self.library = library
    }

    func answer(_ input: InputBatch, names: inout Names) -> [LaneAnswer] {
        if entries.count != library.entries.count { entries = library.entries.map { names.number($0.id) } }
        let pipeline = pipeline
        let batch = asks ? waitFor { (try? await pipeline.annotateAsking(input)) ?? Batch() } : pipeline.annotate(input)
        return batch.records.map { record in
            if record.status == .rejected, batch.rejects.indices.contains(record.reject) {
                return .refused(batch.rejects[record.reject].reason)
            }
            return .answered(Prediction(record, entries: entries))
        }
    }
}
