import TriageConfig
import TriageCore
import TriageMatching

/// The rules of a run, ready to match: from the cache when it has them, else from the files.
struct LoadedRules {
    var rules: RuleSet
    var database: PatternDatabase

    /// - Parameter user: the creator's own rule file.
    /// - Throws: ``TriageErrors`` with every fault of the files.
    static func load(user: RuleSource?) throws -> LoadedRules {
        let shipped = ShippedFiles.rules
        let cache = RuleCache(
            folder: RuleCache.standardFolder(environment: Terminal.environment), version: Version.current)
        let sources = (shipped + (user.map { [$0] } ?? [])).map { (name: $0.name, bytes: $0.bytes) }
        let key = cache.key(sources: sources)
        if let entry = cache.load(key: key) {
            return LoadedRules(
                rules: entry.rules,
                database: try PatternDatabase(rules: entry.rules, serialized: entry.databases))
        }
        let rules = try RuleFileLoader.load(shipped: shipped, user: user)
        let database = try PatternDatabase(rules: rules)
        if cache.folder != nil, let databases = database.serialized() {
            cache.store(RuleCache.Entry(rules: rules, databases: databases), key: key)
        }
        return LoadedRules(rules: rules, database: database)
    }
}
