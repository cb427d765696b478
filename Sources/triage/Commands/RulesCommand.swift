import ArgumentParser
import TriageConfig
import TriageCore
import TriageMatching
import TriageRun

/// Lists, shows and checks the signals that decide.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Lists, shows, checks and tests the rule signals.",
        discussion: """
            EXAMPLES
              triage rules list spam
              triage rules show spam.guaranteed-returns
              triage rules check --rules rules.yaml
              triage rules test --rules rules.yaml

            Your own rules.yaml can add signals, change keys of an existing one, or
            disable it with "enabled: false".
            """,
        subcommands: [RulesListCommand.self, RulesShowCommand.self, RulesCheckCommand.self, RulesTestCommand.self])
}

/// Selects the file of the creator's own signals.
struct RuleFileOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Your own signals, added to the shipped ones (YAML or JSON).", valueName: "file"))
    var rules: String?

    @Option(help: ArgumentHelp("Settings; default: triage.yaml in the current folder.", valueName: "file"))
    var config: String?

    /// The creator's own rule file; nil when nothing names one.
    ///
    /// - Throws: ``TriageErrors`` when it, or the configuration that names it, cannot be read.
    func userRules() throws -> RuleSource? {
        let faults = FaultCollector()
        let path = LoadedConfiguration.locate(.rules, .ofProcess(config: config, rules: rules), faults: faults)
        try faults.throwIfAny()
        return try path.map { RuleSource(name: $0, bytes: try ConfigurationFile.read($0)) }
    }

    /// The shipped signals, extended by the creator's own.
    func load() throws -> RuleSet {
        try RuleFileLoader.load(shipped: ShippedFiles.rules, user: try userRules())
    }
}

struct RulesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists signals with their triggers and what they feed.",
        discussion: """
            EXAMPLES
              triage rules list
              triage rules list spam
              triage rules list --json | jq 'select(.feeds.urgent > 1).name'
            """)

    @Argument(help: ArgumentHelp("Only signals whose name begins with this.", valueName: "prefix"))
    var prefix: String = ""

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Configuration") var files: RuleFileOptions

    func run() throws {
        let signals = try files.load().signals.filter { $0.name.hasPrefix(prefix) }
        if json {
            try CheckedWriter.standardOutput.write(signals.map { RuleText.json($0) + "\n" }.joined())
            return
        }
        var table = TextTable(["SIGNAL", "FIRES ON", "PATTERNS", "FEEDS"])
        for signal in signals {
            let patterns = RuleText.patternCount(of: signal)
            table.add([
                signal.name, RuleText.trigger(of: signal), patterns == 0 ? "" : "\(patterns)",
                RuleText.feedsLine(of: signal),
            ])
        }
        try CheckedWriter.standardOutput.write(
            table.rendered(width: Terminal.isTerminal(1) ? Terminal.width(1) : nil))
        try CheckedWriter.standardError.write(signals.count.of("signal") + "\n")
    }
}

struct RulesShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows everything about a signal, as YAML.",
        discussion: """
            EXAMPLES
              triage rules show spam.guaranteed-returns
              triage rules show link.short --json
            """)

    @Argument(help: ArgumentHelp("Signal names.", valueName: "name"))
    var names: [String]

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup(title: "Configuration") var files: RuleFileOptions

    func run() throws {
        let rules = try files.load()
        let signals = try rules.named(names)
        let text = signals.map { json ? RuleText.json($0) + "\n" : RuleText.yaml($0) }
        try CheckedWriter.standardOutput.write(text.joined(separator: json ? "" : "\n"))
    }
}

struct RulesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks all rule files and reports every error with its line.",
        discussion: """
            EXAMPLES
              triage rules check
              triage rules check --rules rules.yaml

            EXIT CODES
              0 no findings · 1 findings · 78 a file cannot be read
            """)

    @OptionGroup(title: "Configuration") var files: RuleFileOptions

    func run() throws {
        let user = try files.userRules()
        let faults = FaultCollector()
        let rules = RuleFileLoader.load(shipped: ShippedFiles.rules, user: user, faults: faults)
        var findings = faults.faults
        if findings.isEmpty {
            findings += RuleLint.findings(in: rules)
            do {
                findings += try PatternDatabase(rules: rules).slowRegexes.map(Self.finding)
            } catch let error as TriageError {
                findings.append(error)
            } catch let errors as TriageErrors {
                findings += errors.all
            }
        }
        try Findings.report(findings, in: rules.signals.count.of("signal"))
    }

    private static func finding(_ regex: SlowRegex) -> TriageError {
        let (what, remedy) =
            switch regex.cause {
            case .isTriedOnEveryText:
                (
                    "a regex runs on every text, because its matches share no required text",
                    "put a word or sign outside optional and alternative parts"
                )
            case .hasTooManyStates:
                (
                    "a regex has too many states, which makes it slow to compile and to match",
                    "narrow its gaps (`.{0,20}` instead of `.{0,60}`, one instead of two), or split it"
                )
            }
        return TriageError("rules.slow-regex", what, at: regex.place, remedy: remedy, exit: .finding)
    }
}

struct RulesTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Tests the examples of signals: those that must match and those that must not.",
        discussion: """
            EXAMPLES
              triage rules test
              triage rules test --rules rules.yaml mine.course-question

            EXIT CODES
              0 all examples passed · 1 some failed · 78 a rule file is invalid
            """)

    @Argument(help: ArgumentHelp("Only these signals.", valueName: "name"))
    var names: [String] = []

    @Option(help: ArgumentHelp("Creator profile, for signals that use the creator's words.", valueName: "file"))
    var creator: String?

    @OptionGroup(title: "Configuration") var files: RuleFileOptions

    func run() throws {
        let rules = try files.load()
        let chosen = Set(try rules.named(names).map(\.name))
        let loaded = try LoadedConfiguration.load(
            .ofProcess(config: files.config, creator: creator, rules: files.rules))
        TrustNotice.tell(loaded.withheld, asks: false)
        let probe = try StageProbe(rules: rules, profile: loaded.creator, settings: loaded.settings)
        let test = RuleExamples(rules, names: chosen, probe: probe)
        try Findings.report(test.failures, in: "\(test.tried.of("example")) of \(test.signals.of("signal"))")
    }
}

extension RuleSet {
    /// The signals with these names, in the order of the names.
    ///
    /// - Throws: ``TriageErrors`` `rules.unknown-signal`, with a suggestion for each unknown name.
    func named(_ names: [String]) throws -> [Signal] {
        var faults: [TriageError] = []
        var found: [Signal] = []
        for name in names {
            if let signal = signals.first(where: { $0.name == name }) {
                found.append(signal)
            } else {
                faults.append(
                    TriageError(
                        "rules.unknown-signal", "there is no signal '\(name)'",
                        remedy: Suggestion.closest(to: name, among: signals.map(\.name)).map { "did you mean '\($0)'?" }
                            ?? "list them with `triage rules list`", exit: .usage))
            }
        }
        if !faults.isEmpty { throw TriageErrors(faults) }
        return found
    }
}
