package import TriageConfig

extension ConfigurationRequest {
    /// The request that follows from the flags and the environment of the process.
    ///
    /// - Parameter folder: where to look for `triage.yaml`; empty: the current folder.
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

    /// The user's settings folder for all projects; nil: the environment names none.
    private static var usualFolder: String? {
        // A relative path would depend on the current folder.
        func absolute(_ name: String) -> String? { Terminal.environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let base = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { "\($0)/.config" }
        return base.map { "\($0)/triage" }
    }

    /// The files that are named or found, as far as they exist.
    ///
    /// Faults in them are reported by whoever reads them.
    var files: [String] {
        let faults = FaultCollector()
        return LoadedConfiguration.Role.allCases.compactMap { LoadedConfiguration.locate($0, self, faults: faults) }
    }
}
