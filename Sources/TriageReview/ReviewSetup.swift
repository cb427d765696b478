import Platform
import TriageConfig
import TriageCore
import TriageRun

/// The files that belong to the served store, and their settings.
struct ReviewSetup: Sendable {
    /// The path as the user gave it.
    var storePath: String
    var storeName: String
    /// Where files are named: in flags, the environment, or `triage.yaml`.
    var configuration: ConfigurationOptions

    var request: ConfigurationRequest {
        .ofProcess(
            config: configuration.config, creator: configuration.creator, faq: configuration.faq,
            rules: configuration.rules, voice: configuration.voice)
    }

    /// Identifies this store in the browser's storage, which stores at the same address share; does not reveal its
    /// path.
    var storeMark: String {
        guard let resolved = realpath(storePath, nil) else { return String(SHA256.hex(storePath.utf8).prefix(16)) }
        defer { free(resolved) }
        return String(SHA256.hex(String(cString: resolved).utf8).prefix(16))
    }

    /// The path of a file; nil: nothing names one.
    ///
    /// - Throws: ``TriageErrors`` with the faults of `triage.yaml`.
    func path(_ role: LoadedConfiguration.Role) throws -> String? {
        let faults = FaultCollector()
        let path = LoadedConfiguration.locate(role, request, faults: faults)
        try faults.throwIfAny()
        return path
    }

    /// Whether a file can be replaced: the new one is first written to its folder, so the folder must be writable.
    func isWritable(_ path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var info = stat()
        let isLink = lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
        return !isLink && access(folder, W_OK) == 0
    }

    /// What the page needs for drawing, as JSON.
    var json: String {
        "{\"tiers\":{\"gold\":90,\"blue\":70,\"gray\":50},\"single_keys\":true,\"preview\":\(ReviewItem.previewLength)}"
    }

    /// The settings as JSON, without keys and addresses.
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
