/// Where a command looks for its files: flags first, then the environment, then `triage.yaml` of the folder, then that of
/// the user's own folder, then nothing.
public struct ConfigurationRequest: Sendable {
    public var config: String?
    public var creator: String?
    public var faq: String?
    public var rules: String?
    package var voice: String?
    /// Whether a voice is read at all.
    package var readsVoice = true
    /// Only the `TRIAGE_…` variables are looked at.
    public var environment: [String: String]
    /// Where `triage.yaml` is looked for when nothing names one; empty: the current folder.
    public var folder: String
    /// Whether a `triage.yaml` that nobody named is used.
    public var findsConfig = true
    /// The user's own folder of settings; nil: there is none.
    public var userFolder: String?
    /// The folders whose found `triage.yaml` may send messages out; nil: none may.
    public var trusted: TrustedFolders?

    public init(
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
