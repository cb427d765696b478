package import TriageConfig

extension ConfigurationRequest {
    /// What flags and the environment of the process ask for.
    ///
    /// - Parameter folder: where `triage.yaml` is looked for; empty: the current folder.
    package static func ofProcess(
        config: String? = nil, creator: String? = nil, faq: String? = nil, rules: String? = nil, voice: String? = nil,
        folder: String = ""
    ) -> ConfigurationRequest {
        var environment: [String: String] = [:]
        for role in LoadedConfiguration.Role.allCases {
            if let value = Terminal.environment(role.variable) { environment[role.variable] = value }
        }
        var request = ConfigurationRequest(
            config: config, creator: creator, faq: faq, rules: rules, environment: environment, folder: folder)
        request.voice = voice
        request.userFolder = usualFolder
        request.trusted = TrustedFolders(environment: Terminal.environment)
        return request
    }

    /// Where a user keeps settings for every folder; nil: the environment names no such place.
    private static var usualFolder: String? {
        // What is not absolute would be a folder of wherever the user stands.
        func absolute(_ name: String) -> String? { Terminal.environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let base = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { "\($0)/.config" }
        return base.map { "\($0)/triage" }
    }

    /// The files that are asked for or found, as far as there are any.
    ///
    /// What is wrong with them is told by whoever reads them.
    var files: [String] {
        let faults = FaultCollector()
        return LoadedConfiguration.Role.allCases.compactMap { LoadedConfiguration.locate($0, self, faults: faults) }
    }
}
