import ArgumentParser
import TriageConfig
import TriageCore
import TriageMatching

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The doctor: looks at everything a run would read.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Looks at configuration, creator, FAQ and rules, and says how to mend what is wrong.",
        discussion: """
            EXAMPLES
              triage check
              triage check my-inbox
              triage check --creator creator.yaml --faq faq.yaml --strict
              triage check --credits

            One line for each thing that was looked at: ok, warn or fail, and below it
            how to mend it. A language model that is configured is looked at too: whether its key
            is there, and whether its server answers, which costs nothing (`--offline`: not
            that). `triage models check` asks the model itself.

            EXIT CODES
              0 nothing failed · 1 a warning, with --strict · 69 a server does not answer
              78 something else failed
            """)

    @Argument(help: ArgumentHelp("The folder with triage.yaml; default: this one.", valueName: "dir"))
    var folder: String = ""

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Flag(help: "Warnings count as failures.")
    var strict = false

    @Flag(help: "Whose labelled texts the shipped model learned from, and nothing else.")
    var credits = false

    @Flag(help: "Call no server.")
    var offline = false

    func run() async throws {
        if credits { return try CheckedWriter.standardOutput.write(TrainingCredits.text) }
        var info = stat()
        guard folder.isEmpty || stat(folder, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR else {
            throw TriageError(
                "config.not-readable", "there is no such folder", at: folder,
                remedy: "check the name, or make it with `triage init \(folder)`", exit: .badConfiguration)
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
            if let remedy = line.remedy, line.verdict != .ok { out += "      mend: \(remedy)\n" }
        }
        let (warnings, failures) = (check.count(.warn), check.count(.fail))
        out += failures == 0 && warnings == 0 ? "all is well\n" : "\(failures) failed, \(warnings) to look at\n"
        try CheckedWriter.standardOutput.write(Terminal.harmless(out))
        let away = findings.count { $0.isServer }
        if failures > 0, failures == away, configured == 0 { throw RunEnded(status: .unavailable) }
        if failures > 0 { throw RunEnded(status: .badConfiguration) }
        if warnings > 0, strict { throw RunEnded(status: .finding) }
    }

    /// Whether the matcher takes every pattern.
    private static func compiles(_ rules: RuleSet) -> FolderCheck.Line {
        do {
            _ = try PatternDatabase(rules: rules)
            let patterns = rules.signals.reduce(0) { $0 + RuleText.patternCount(of: $1) }
            return FolderCheck.Line(.ok, "matcher", "\(rules.signals.count) signals, \(patterns) patterns compile")
        } catch let error as TriageError {
            return FolderCheck.line(of: error)
        } catch let errors as TriageErrors where !errors.all.isEmpty {
            return FolderCheck.line(of: errors.all[0])
        } catch {
            return FolderCheck.Line(.fail, "matcher", "\(error)")
        }
    }

    /// Starts are slower without a cache, and nothing else changes.
    private func cache() -> FolderCheck.Line {
        guard let folder = configuration.ruleCacheFolder else {
            let reason = configuration.ruleCache == nil ? "neither XDG_CACHE_HOME nor HOME is set" : "--rule-cache off"
            return FolderCheck.Line(.ok, "cache", "none (\(reason))")
        }
        return FolderCheck.Line(.ok, "cache", folder)
    }
}

extension String {
    /// The text with blanks behind it up to a width.
    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
