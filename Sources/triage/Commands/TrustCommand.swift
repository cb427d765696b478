import ArgumentParser
import TriageConfig
import TriageCore

/// Allows folders to send messages out.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Allows the triage.yaml of a folder to send messages to the language model that it names.",
        discussion: """
            EXAMPLES
              triage trust
              triage trust my-inbox
              triage trust --list
              triage trust --remove my-inbox

            A triage.yaml that is merely found in a folder may come from anybody, so what
            it says about language models, embeddings and keys is ignored until you allow
            the folder. It is allowed as it is now: once triage.yaml, or the prompts or
            certificates that it names, change, it has to be allowed again. A file that
            you name with --config or TRIAGE_CONFIG, and the one in your own folder
            (~/.config/triage/triage.yaml), need no allowance.

            EXIT CODES
              0 done · 1 --remove: the folder was not allowed · 64 usage
              73 it cannot be noted · 78 the settings are missing or faulty
            """)

    @Argument(help: ArgumentHelp("The folder with triage.yaml; default: this one.", valueName: "dir"))
    var folder: String = ""

    @Flag(help: "Show the folders that are allowed.")
    var list = false

    @Flag(help: "Take the allowance of the folder back.")
    var remove = false

    mutating func validate() throws {
        if list, remove || !folder.isEmpty { throw ValidationError("--list stands alone.") }
    }

    func run() throws {
        guard let trusted = TrustedFolders(environment: Terminal.environment) else {
            throw TriageError(
                "trust.no-place", "there is no place to note what is allowed: neither XDG_STATE_HOME nor HOME is set",
                remedy: "set HOME, or name the settings with --config", exit: .badConfiguration)
        }
        if list { return try show(trusted.entries()) }
        if remove {
            guard trusted.remove(folder) else {
                try say("triage: this folder was not allowed")
                throw RunEnded(status: .finding)
            }
            return try say("no longer allowed: \(place)")
        }
        let bytes = try ConfigurationFile.read(place)
        let faults = FaultCollector()
        let models = SettingsFile(path: place, bytes: bytes, faults: faults).models
        try faults.throwIfAny()
        try trusted.allow(folder, bytes: bytes, models: models)
        try say("allowed: \(place)")
        for line in Self.lines(models) { try say("  " + line) }
    }

    private var place: String { ConfigurationFile.resolve(LoadedConfiguration.Role.config.defaultName, in: folder) }

    /// What was allowed, in words.
    private static func lines(_ models: ModelSettings) -> [String] {
        func key(_ variable: String?, _ file: String?) -> String {
            variable.map { ", with the key of \($0)" } ?? file.map { ", with the key in \($0)" } ?? ""
        }
        var lines: [String] = []
        if let llm = models.llm {
            lines.append("asks \(llm.model) at \(KeyHome.host(of: llm.baseURL))\(key(llm.keyVariable, llm.keyFile))")
        }
        if let embeddings = models.embeddings {
            lines.append(
                "embeds with \(embeddings.model) at \(KeyHome.host(of: embeddings.baseURL))"
                    + key(embeddings.keyVariable, embeddings.keyFile))
        }
        return lines.isEmpty ? ["it sends nothing"] : lines
    }

    private func show(_ entries: [TrustedFolders.Entry]) throws {
        let lines = entries.map { entry in
            let standing =
                switch entry.standing {
                case .trusted: "allowed"
                case .changed: "changed"
                case .gone: "gone"
                case .unsafe: "unsafe"
                case .unknown: "moved"
                }
            return "\(standing.padded(to: 9))\(Terminal.harmlessLine(ConfigurationFile.folder(of: entry.path)))\n"
        }
        try CheckedWriter.standardOutput.write(lines.joined())
    }

    private func say(_ line: String) throws {
        try CheckedWriter.standardError.write(Terminal.harmlessLine(line) + "\n")
    }
}
