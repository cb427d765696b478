import TriageConfig
import TriageCore
import TriageFormats
import TriageMatching
import TriageStages

/// Files, rules and stages of a run, loaded and checked before the first message.
struct LoadedRun {
    let settings: Settings
    let profile: CreatorProfile
    let library: FAQLibrary
    let rules: RuleSet
    let signals: SignalNames
    let plan: StagePlan
    let object: TriageObjectEncoder

    /// - Parameters:
    ///   - me: `--me`.
    ///   - questions: `--only`; what they need is answered too.
    ///   - everyReason: whether answers give all their reasons, in words; else as many as configured.
    /// - Throws: ``TriageErrors`` with every fault of every file.
    init(
        configuration: ConfigurationOptions, me: [String], questions: Set<Question>, everyReason: Bool = false
    ) throws {
        var environment: [String: String] = [:]
        for role in LoadedConfiguration.Role.allCases {
            if let value = Terminal.environment(role.variable) { environment[role.variable] = value }
        }
        let request = ConfigurationRequest(
            config: configuration.config, creator: configuration.creator, faq: configuration.faq,
            rules: configuration.rules, environment: environment)
        let cache = RuleCache(
            folder: RuleCache.standardFolder(environment: Terminal.environment), version: Version.current)
        var cached: RuleCache.Entry?
        let loaded = try LoadedConfiguration.load(
            request, shipped: ShippedFiles.rules,
            cachedRules: { digest in
                if everyReason { return nil }
                cached = cache.load(key: cache.key(digest: digest))
                return cached?.rules
            })
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
        plan = try StandardPlan.make(
            rules: loaded.rules, database: database, languages: try ShippedFiles.languageModel(), profile: profile,
            library: library, settings: settings, model: model)
        object = TriageObjectEncoder(
            signals: signals, library: library, questions: questions, version: Version.current,
            rulesDigest: loaded.rules.digest,
            modelDigest: settings.modelHeads.isEmpty ? nil : model?.digest)
    }
}
