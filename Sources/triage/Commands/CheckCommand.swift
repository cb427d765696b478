import ArgumentParser
import Platform
import TriageConfig
import TriageCore
import TriageMatching
import TriageRun

/// Checks everything that a run would read.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks configuration, creator, FAQ and rules, and says how to fix problems.",
        discussion: """
            EXAMPLES
              triage check
              triage check my-inbox
              triage check --creator creator.yaml --faq faq.yaml --strict
              triage check --credits

            Prints one line per item: ok, warn or fail, with a fix below it. If an LLM is
            configured, it also checks whether the key is there and the server answers,
            which costs nothing (`--offline` skips this). `triage models check` asks the
            LLM itself.

            EXIT CODES
              0 nothing failed · 1 a warning, with --strict · 69 a server does not answer
              78 something else failed
            """)

    @Argument(help: ArgumentHelp("Folder with triage.yaml; default: the current one.", valueName: "dir"))
    var folder: String = ""

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Flag(help: "Treat warnings as failures.")
    var strict = false

    @Flag(help: "Only print the sources of the texts the shipped model learned from.")
    var credits = false

    @Flag(help: "Do not contact any server.")
    var offline = false

    func run() async throws {
        if credits { return try CheckedWriter.standardOutput.write(TrainingCredits.text) }
        var info = stat()
        guard folder.isEmpty || stat(folder, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR else {
            throw TriageError(
                "config.not-readable", "no such folder", at: folder,
                remedy: "check the name, or create it with `triage init \(folder)`", exit: .badConfiguration)
        }
        var check = FolderCheck(
            .ofProcess(
                config: configuration.config, creator: configuration.creator, faq: configuration.faq,
                rules: configuration.rules, voice: configuration.voice, folder: folder),
            shipped: ShippedFiles.rules)
        if check.count(.fail) == 0 { check.add(Self.compiles(check.rules)) }
        check.add(cache())
        let configured = check.count(.fail)
        let findings = await ModelReachability.findings(check.configuration.models, isOffline: offline)
        for finding in findings { check.add(finding.line) }
        var out = ""
        for line in check.lines {
            out += "\(line.verdict.rawValue.padded(to: 4))  \(line.subject): \(line.text)\n"
            if let remedy = line.remedy, line.verdict != .ok { out += "      fix:  \(remedy)\n" }
        }
        let (warnings, failures) = (check.count(.warn), check.count(.fail))
        out += failures == 0 && warnings == 0 ? "no problems found\n" : "\(failures) failed, \(warnings) warnings\n"
        try CheckedWriter.standardOutput.write(Terminal.harmless(out))
        let away = findings.count { $0.isServer }
        if failures > 0, failures == away, configured == 0 { throw RunEnded(status: .unavailable) }
        if failures > 0 { throw RunEnded(status: .badConfiguration) }
        if warnings > 0, strict { throw RunEnded(status: .finding) }
    }

    /// Checks that the matcher accepts every pattern.
    private static func compiles(_ rules: RuleSet) -> FolderCheck.Line {
        do {
            _ = try PatternDatabase(rules: rules)
            let patterns = rules.signals.reduce(0) { $0 + RuleText.patternCount(of: $1) }
            return FolderCheck.Line(.ok, "matcher", "\(rules.signals.count) signals, \(patterns) patterns compiled")
        } catch let error as TriageError {
            return FolderCheck.line(of: error)
        } catch let errors as TriageErrors where !errors.all.isEmpty {
            return FolderCheck.line(of: errors.all[0])
        } catch {
            return FolderCheck.Line(.fail, "matcher", "\(error)")
        }
    }

    /// Without a cache, starts are slower; nothing else changes.
    private func cache() -> FolderCheck.Line {
        guard let folder = configuration.ruleCacheFolder else {
            let reason = configuration.ruleCache == nil ? "neither XDG_CACHE_HOME nor HOME is set" : "--rule-cache off"
            return FolderCheck.Line(.ok, "cache", "none (\(reason))")
        }
        return FolderCheck.Line(.ok, "cache", folder)
    }
}
