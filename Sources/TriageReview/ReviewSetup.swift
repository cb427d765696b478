import TriageConfig
import TriageCore
import TriageRun

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which files belong to the store that is served, and what they set.
struct ReviewSetup: Sendable {
    /// As it was given.
    var storePath: String
    var storeName: String
    /// How files are named: by flags, the environment, or `triage.yaml`.
    var configuration: ConfigurationOptions

    var request: ConfigurationRequest {
        .ofProcess(
            config: configuration.config, creator: configuration.creator, faq: configuration.faq,
            rules: configuration.rules, voice: configuration.voice)
    }

    /// Tells this store from others in what a browser keeps for the same address; says nothing about where it lies.
    var storeMark: String {
        guard let resolved = realpath(storePath, nil) else { return String(SHA256.hex(storePath.utf8).prefix(16)) }
        defer { free(resolved) }
        return String(SHA256.hex(String(cString: resolved).utf8).prefix(16))
    }

    /// Where a file lies; nil: nothing names one.
    ///
    /// - Throws: ``TriageErrors`` with the faults of `triage.yaml`.
    func path(_ role: LoadedConfiguration.Role) throws -> String? {
        let faults = FaultCollector()
        let path = LoadedConfiguration.locate(role, request, faults: faults)
        try faults.throwIfAny()
        return path
    }

    /// Whether a file can be replaced: what is new is put into its folder first.
    func isWritable(_ path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var info = stat()
        let isLink = lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
        return !isLink && access(folder, W_OK) == 0
    }

    /// What the page needs to draw, as JSON.
    var json: String {
        "{\"tiers\":{\"gold\":90,\"blue\":70,\"gray\":50},\"single_keys\":true,\"preview\":\(ReviewItem.previewLength)}"
    }

    /// What is set, as JSON: never a key, never an address.
    ///
    /// - Throws: ``TriageErrors`` with the faults of the files.
    func settings() throws -> String {
        let loaded = try LoadedConfiguration.load(request)
        let settings = loaded.settings
        func mode(_ mode: Escalation.Mode) -> String {
            guard loaded.models.llm != nil else { return "offline" }
            return switch mode {
            case .never: "offline"
            case .cascade: "cascade"
            case .always: "llm"
            }
        }
        let escalation = settings.escalation
        var methods = JSONObjectText()
        for (name, value) in [
            ("category", escalation.category), ("sentiment", escalation.sentiment), ("urgency", escalation.urgency),
            ("opportunity", escalation.opportunity), ("faq", escalation.faq), ("draft", escalation.draft),
        ] { methods.add(name, mode(value)) }
        var weights = JSONObjectText()
        weights.add("monetary", settings.opportunity.monetary)
        weights.add("brand_fit", settings.opportunity.brandFit)
        weights.add("legitimacy", settings.opportunity.legitimacy)
        weights.add("urgency", settings.opportunity.urgency)
        var limits = JSONObjectText()
        limits.add("max_requests", loaded.models.limits.maxRequests)
        limits.add("max_tokens", loaded.models.limits.maxTokens)
        var out = JSONObjectText()
        out.add(raw: "methods", methods.text)
        out.add(raw: "opportunity", weights.text)
        out.add(
            raw: "thresholds",
            "{\"category\":{\"high\":\(settings.thresholds.categoryHigh),\"medium\":\(settings.thresholds.categoryMedium)}}"
        )
        out.add(raw: "limits", limits.text)
        out.add(raw: "llm", loaded.models.llm.map { "{\"model\":\(JSONObjectText.string($0.model))}" } ?? "null")
        out.add(
            raw: "embeddings",
            loaded.models.embeddings.map { "{\"model\":\(JSONObjectText.string($0.model))}" } ?? "null")
        var files = JSONObjectText()
        for file in loaded.files { files.add(file.role.rawValue, file.path) }
        out.add(raw: "files", files.text)
        return out.text
    }
}
