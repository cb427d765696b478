import ArgumentParser
import TriageConfig
import TriageCore
import TriageRun

/// Allows the settings of a folder to send messages out.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Allows a folder's triage.yaml to send messages to the LLM it names.",
        discussion: """
            EXAMPLES
              triage trust
              triage trust my-inbox
              triage trust --list
              triage trust --remove my-inbox

            A triage.yaml in the current folder may come from anybody, so its settings for
            LLMs, embeddings and keys are ignored until you allow the folder. If
            triage.yaml, its prompts or its certificates change, you must allow the folder
            again. A file that you name with --config or TRIAGE_CONFIG, and your own
            ~/.config/triage/triage.yaml, need no trust.

            EXIT CODES
              0 done · 1 --remove: the folder was not allowed · 64 usage
              73 trust cannot be saved · 78 the settings are missing or invalid
            """)

    @Argument(help: ArgumentHelp("Folder with triage.yaml; default: the current one.", valueName: "dir"))
    var folder: String = ""

    @Flag(help: "List the allowed folders.")
    var list = false

    @Flag(help: "No longer allow the folder.")
    var remove = false

    mutating func validate() throws {
        if list, remove || !folder.isEmpty { throw ValidationError("--list takes no folder and no --remove.") }
    }

    func run() throws {
        guard let trusted = TrustedFolders(environment: Terminal.environment) else {
            throw TriageError(
                "trust.no-place", "trust cannot be saved: neither XDG_STATE_HOME nor HOME is set",
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

    /// Describes what was allowed.
    private static func lines(_ models: ModelSettings) -> [String] {
        func key(_ variable: String?, _ file: String?) -> String {
            variable.map { ", with the key in \($0)" } ?? file.map { ", with the key in \($0)" } ?? ""
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
