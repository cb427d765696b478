package import TriageCore

/// The content of all files of a run, checked together.
package struct LoadedConfiguration: Sendable {
    package var settings = Settings()
    package var models = ModelSettings()
    package var creator = CreatorProfile()
    package var faq = FAQLibrary()
    /// How the creator answers; nil: no voice file is named.
    package var voice: Voice?
    /// Whether drafts must use plain words even if the creator's are known: `voice: none`.
    package var isVoiceOff = false
    /// The creator's own words for drafts.
    package var wordings = OwnWordings()
    package var rules = RuleSet()
    /// The creator's own rule file, read but not parsed.
    package var userRules: RuleSource?
    /// The files that were read and what named them, in the order config, creator, faq, voice, replies, rules.
    package var files: [File] = []
    /// The parts of an untrusted `triage.yaml` that are ignored; nil: the whole file applies.
    package var withheld: Withheld?

    /// Whether a language model is configured, even if it may not be asked here.
    package var knowsLLM: Bool { models.llm != nil || withheld?.hasLLM == true }
    /// Whether an embedding model is configured, even if it may not be asked here.
    package var knowsEmbeddings: Bool { models.embeddings != nil || withheld?.hasEmbeddings == true }

    /// A file that was read.
    package struct File: Sendable, Equatable {
        package var role: Role
        package var path: String
        package var origin: Origin

        package init(role: Role, path: String, origin: Origin) {
            self.role = role
            self.path = path
            self.origin = origin
        }
    }

    package enum Role: String, Sendable, CaseIterable {
        case config, creator, faq, rules, voice, replies

        /// Its command-line flag; `replies` has none.
        package var flag: String { "--\(rawValue)" }
        /// Its environment variable.
        package var variable: String { "TRIAGE_\(rawValue.uppercased())" }
        /// Its file name in a folder made by `triage init`.
        package var defaultName: String {
            switch self {
            case .config: SettingsFile.defaultName
            case .voice: "voice.jsonl"
            case .creator, .faq, .rules, .replies: "\(rawValue).yaml"
            }
        }
    }

    /// What named a file.
    package enum Origin: Sendable, Equatable {
        case flag, environment, file
        /// Found beside `triage.yaml` under its usual name, or as the `triage.yaml` of the folder.
        case found
        /// The `triage.yaml` in the user's settings folder.
        case own
    }

    package init() {}

    /// Reads and checks every file, rules included.
    ///
    /// - Parameters:
    ///   - shipped: the rule files of the program.
    ///   - cachedRules: returns the rule set for a digest if it is cached, so that no rule file has to be parsed; only
    ///     rule
    ///     sets without faults may be cached.
    /// - Throws: ``TriageErrors`` with the faults of all files.
    package static func load(
        _ request: ConfigurationRequest, shipped: [RuleSource], cachedRules: (String) -> RuleSet? = { _ in nil }
    ) throws -> LoadedConfiguration {
        var rules = RuleSet()
        var loaded = try load(request) { user in
            if let cached = cachedRules(RuleSource.digest(shipped: shipped, user: user)) {
                rules = cached
            } else {
                rules = try RuleFileLoader.load(shipped: shipped, user: user)
            }
        }
        loaded.rules = rules
        return loaded
    }

    /// Reads and checks every file.
    ///
    /// - Parameter loadRules: loads the rules with the creator's own rule file; ``TriageErrors`` that it throws are
    ///   reported together with those of the other files.
    /// - Throws: ``TriageErrors`` with the faults of all files.
    package static func load(
        _ request: ConfigurationRequest, loadRules: (RuleSource?) throws -> Void = { _ in }
    ) throws -> LoadedConfiguration {
        let faults = FaultCollector()
        let loaded = try load(request, faults: faults, loadRules: loadRules)
        try faults.throwIfAny()
        return loaded
    }

    /// Reads and checks every file.
    ///
    /// Faults go to `faults`, and what could be read is returned.
    ///
    /// - Throws: what `loadRules` throws, unless it is ``TriageErrors`` or ``TriageError``.
    package static func load(
        _ request: ConfigurationRequest, faults: FaultCollector, loadRules: (RuleSource?) throws -> Void = { _ in }
    ) throws -> LoadedConfiguration {
        var loaded = LoadedConfiguration()
        let (file, folder) = settings(request, &loaded, faults)
        loaded.settings = file.settings
        loaded.models = file.models

        func source(
            _ role: Role, _ flag: String?, _ named: String?, limit: Int = ConfigDocument.byteLimit
        ) -> RuleSource? {
            guard let (path, origin) = path(role, flag, request, named, folder, &loaded) else { return nil }
            if role == .voice, path == SettingsFile.noVoice {
                loaded.isVoiceOff = true
                return nil
            }
            guard
                let bytes = bytes(path, origin, role, &loaded, faults, limit: limit)
            else { return nil }
            return RuleSource(name: path, bytes: bytes)
        }
        if let creator = source(.creator, request.creator, file.creator) {
            loaded.creator = CreatorFile.read(name: creator.name, bytes: creator.bytes, faults: faults)
        }
        if let faq = source(.faq, request.faq, file.faq) {
            loaded.faq = FAQFile.read(name: faq.name, bytes: faq.bytes, faults: faults)
        }
        if request.readsVoice,
            let voice = source(.voice, request.voice, file.voice, limit: VoiceFile.byteLimit)
        {
            loaded.voice = VoiceFile.read(name: voice.name, bytes: voice.bytes, faults: faults)
            loaded.voice?.digest = String(SHA256.hex(voice.bytes).prefix(12))
        }
        if let replies = source(.replies, nil, file.replies) {
            loaded.wordings = RepliesFile.read(name: replies.name, bytes: replies.bytes, faults: faults)
        }
        loaded.userRules = source(.rules, request.rules, file.rules)
        do {
            try loadRules(loaded.userRules)
        } catch let errors as TriageErrors {
            errors.all.forEach { faults.add($0) }
        } catch let error as TriageError {
            faults.add(error)
        }
        return loaded
    }

    /// Reads and checks only `triage.yaml`, for commands that need none of the other files; those are only looked for.
    ///
    /// - Throws: ``TriageErrors`` with the faults of `triage.yaml`.
    package static func loadSettings(_ request: ConfigurationRequest) throws -> LoadedConfiguration {
        let faults = FaultCollector()
        var loaded = LoadedConfiguration()
        let (file, folder) = settings(request, &loaded, faults)
        loaded.settings = file.settings
        loaded.models = file.models
        // Files outside the folder of an untrusted triage.yaml are noted as such.
        let named = named(in: file)
        for role in Role.allCases where role != .config {
            _ = path(role, nil, request, named[role], folder, &loaded)
        }
        try faults.throwIfAny()
        return loaded
    }

    /// The path of the file with this role, found without reading it; nil when nothing names one.
    ///
    /// Faults of `triage.yaml`, which may name it, go to `faults`.
    package static func locate(_ role: Role, _ request: ConfigurationRequest, faults: FaultCollector) -> String? {
        if role == .config { return configPath(request)?.0 }
        var loaded = LoadedConfiguration()
        let flags: [Role: String] = [
            .creator: request.creator, .faq: request.faq, .rules: request.rules, .voice: request.voice,
        ].compactMapValues { $0 }
        func unlessOff(_ path: String?) -> String? { role == .voice && path == SettingsFile.noVoice ? nil : path }
        if let flag = flags[role] { return unlessOff(flag) }
        let (file, folder) = settings(request, &loaded, faults)
        return unlessOff(path(role, nil, request, named(in: file)[role], folder, &loaded)?.0)
    }

    /// The files that `triage.yaml` names.
    private static func named(in file: SettingsFile) -> [Role: String] {
        [
            .creator: file.creator, .faq: file.faq, .rules: file.rules, .voice: file.voice,
            .replies: file.replies,
        ].compactMapValues { $0 }
    }

    /// The settings of `triage.yaml`, as far as they apply, and its folder.
    private static func settings(
        _ request: ConfigurationRequest, _ loaded: inout LoadedConfiguration, _ faults: FaultCollector
    ) -> (file: SettingsFile, folder: String?) {
        guard let (path, origin) = configPath(request) else { return (SettingsFile(), nil) }
        if origin == .found, !FilePlace.isPlainFile(path) {
            // Whoever made the folder could make the program wait with a pipe.
            loaded.files.append(File(role: .config, path: path, origin: origin))
            faults.add(
                "config.not-readable", "this is not a regular file", at: path,
                remedy: "remove it, or name the settings with --config")
            return (SettingsFile(), nil)
        }
        guard let bytes = bytes(path, origin, .config, &loaded, faults) else { return (SettingsFile(), nil) }
        var file = SettingsFile(path: path, bytes: bytes, faults: faults)
        let folder = ConfigurationFile.folder(of: path)
        if let standing = standing(of: folder, origin, bytes, file.models, request) {
            loaded.withheld = file.withhold(standing, path: path)
        }
        return (file, folder)
    }

    /// What keeps the settings from sending anything; nil: nothing does.
    private static func standing(
        of folder: String, _ origin: Origin, _ bytes: [UInt8], _ models: ModelSettings, _ request: ConfigurationRequest
    ) -> TrustedFolders.Standing? {
        if origin == .flag || origin == .environment { return nil }
        if let own = request.userFolder, let place = FilePlace.real(own), place == FilePlace.real(folder) {
            let name = ConfigurationFile.resolve(Role.config.defaultName, in: folder)
            return FilePlace.isOwn(folder) && FilePlace.isOwn(name) ? nil : .unsafe
        }
        let standing = request.trusted?.standing(of: folder, bytes: bytes, models: models) ?? .unknown
        return standing == .trusted ? nil : standing
    }

    private static func configPath(_ request: ConfigurationRequest) -> (String, Origin)? {
        if let path = request.config { return (path, .flag) }
        if let path = request.environment[Role.config.variable], !path.isEmpty { return (path, .environment) }
        guard request.findsConfig else { return nil }
        let found = ConfigurationFile.resolve(Role.config.defaultName, in: request.folder)
        if ConfigurationFile.exists(found) { return (found, .found) }
        // If a folder was named, the user's settings do not apply to it.
        guard request.folder.isEmpty, let folder = request.userFolder else { return nil }
        let own = ConfigurationFile.resolve(Role.config.defaultName, in: folder)
        return ConfigurationFile.exists(own) ? (own, .own) : nil
    }

    private static func path(
        _ role: Role, _ flag: String?, _ request: ConfigurationRequest, _ named: String?, _ folder: String?,
        _ loaded: inout LoadedConfiguration
    ) -> (String, Origin)? {
        if let flag { return (flag, .flag) }
        if let path = request.environment[role.variable], !path.isEmpty { return (path, .environment) }
        if let named { return (named, .file) }
        // Only beside a triage.yaml: a rules.yaml in any other folder belongs to something else.
        guard let folder else { return nil }
        let found = ConfigurationFile.resolve(role.defaultName, in: folder)
        guard ConfigurationFile.exists(found) else { return nil }
        if loaded.withheld != nil, !FilePlace.isPlainFile(found, inside: folder) {
            loaded.withheld?.outside.append(role.rawValue)
            return nil
        }
        return (found, .found)
    }

    private static func bytes(
        _ path: String, _ origin: Origin, _ role: Role, _ loaded: inout LoadedConfiguration, _ faults: FaultCollector,
        limit: Int = ConfigDocument.byteLimit
    ) -> [UInt8]? {
        loaded.files.append(File(role: role, path: path, origin: origin))
        do {
            return try ConfigurationFile.read(path, limit: limit)
        } catch {
            faults.add(error)
            return nil
        }
    }
}

/// Where a command looks for its files.
///
/// The order is: flags, the environment, the folder's `triage.yaml`, the one in the user's settings folder, nothing.
package struct ConfigurationRequest: Sendable {
    package var config: String?
    package var creator: String?
    package var faq: String?
    package var rules: String?
    package var voice: String?
    /// Whether to read a voice at all.
    package var readsVoice = true
    /// Only the `TRIAGE_…` variables are used.
    package var environment: [String: String]
    /// Where to look for `triage.yaml` when nothing names one; empty: the current folder.
    package var folder: String
    /// Whether to use a `triage.yaml` that was found but not named.
    package var findsConfig = true
    /// The user's settings folder; nil: there is none.
    package var userFolder: String?
    /// The folders whose `triage.yaml` may send messages out when it is found rather than named; nil: none may.
    package var trusted: TrustedFolders?

    package init(
        config: String? = nil, creator: String? = nil, faq: String? = nil, rules: String? = nil,
        environment: [String: String] = [:], folder: String = ""
    ) {
        self.config = config
        self.creator = creator
        self.faq = faq
        self.rules = rules
        self.environment = environment
        self.folder = folder
    }
}
