/// Where a command looks for its files: flags first, then the environment, then `triage.yaml` of the folder, then that of
/// the user's own folder, then nothing.
package struct ConfigurationRequest: Sendable {
    package var config: String?
    package var creator: String?
    package var faq: String?
    package var rules: String?
    package var voice: String?
    /// Whether a voice is read at all.
    package var readsVoice = true
    /// Only the `TRIAGE_…` variables are looked at.
    package var environment: [String: String]
    /// Where `triage.yaml` is looked for when nothing names one; empty: the current folder.
    package var folder: String
    /// Whether a `triage.yaml` that nobody named is used.
    package var findsConfig = true
    /// The user's own folder of settings; nil: there is none.
    package var userFolder: String?
    /// The folders whose found `triage.yaml` may send messages out; nil: none may.
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
