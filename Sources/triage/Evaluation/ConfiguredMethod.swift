import TriageConfig
import TriageCore
import TriageEvaluation
import TriageFormats
import TriageMatching

/// The stages of a run, with a configuration of its own.
final class ConfiguredMethod: EvaluationMethod {
    let loaded: LoadedConfiguration
    private let database: PatternDatabase
    private let model: StatisticalModel?

    /// - Parameter model: answers what it can; nil: the rules answer everything.
    /// - Throws: ``TriageErrors`` with every fault of every file.
    init(configuration: ConfigurationOptions, model: StatisticalModel? = nil) throws {
        self.model = model
        let request = ConfigurationRequest.ofProcess(
            config: configuration.config, creator: configuration.creator, faq: configuration.faq,
            rules: configuration.rules)
        let cache = RuleCache(
            folder: RuleCache.standardFolder(environment: Terminal.environment), version: Version.current)
        var cached: RuleCache.Entry?
        loaded = try LoadedConfiguration.load(
            request, shipped: ShippedFiles.rules,
            cachedRules: { digest in
                cached = cache.load(key: cache.key(digest: digest))
                return cached?.rules
            })
        database = try cached?.database ?? PatternDatabase(rules: loaded.rules)
        if cached == nil {
            cache.store(rules: loaded.rules, database: database, key: cache.key(digest: loaded.rules.digest))
        }
    }

    func lane(for profile: CreatorProfile?, library: FAQLibrary?) throws -> any EvaluationLane {
        let library = library ?? loaded.faq
        return PipelineLane(pipeline: try pipeline(for: profile, library: library), library: library)
    }

    /// The stages for one creator.
    ///
    /// - Parameter me: identities of the creator beside the configured ones.
    func pipeline(for profile: CreatorProfile?, library: FAQLibrary?, me: [String] = []) throws -> Pipeline {
        let (profile, library) = (profile ?? loaded.creator, library ?? loaded.faq)
        let plan = try StandardPlan.make(
            rules: loaded.rules, database: database, languages: try ShippedFiles.languageModel(), profile: profile,
            library: library, settings: loaded.settings, model: model)
        let reader = RecordReader(
            ownIdentities: loaded.settings.ownIdentities + me, ownHandles: profile.handles)
        return Pipeline(
            plan: plan, jobs: 1, read: { reader.read(&$0) },
            encode: { BatchResult(sequence: $0.input.sequence, output: ByteBlock([]), rejects: [], tally: RunCounts()) }
        )
    }
}

/// One creator's messages on their way through the stages, in order, so that conversations are followed.
private final class PipelineLane: EvaluationLane {
    private let pipeline: Pipeline
    private let library: FAQLibrary
    /// Numbers of the library's entries in the names of the evaluation.
    private var entries: [UInt32] = []

    init(pipeline: Pipeline, library: FAQLibrary) {
        self.pipeline = pipeline
        self.library = library
    }

    func answer(_ input: InputBatch, names: inout Names) -> [LaneAnswer] {
        if entries.count != library.entries.count { entries = library.entries.map { names.number($0.id) } }
        let batch = pipeline.annotate(input)
        return batch.records.map { record in
            if record.status == .rejected, batch.rejects.indices.contains(record.reject) {
                return .refused(batch.rejects[record.reject].reason)
            }
            return .answered(Prediction(record, entries: entries))
        }
    }
}
