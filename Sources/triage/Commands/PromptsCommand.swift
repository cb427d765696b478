import ArgumentParser
import TriageConfig
import TriageCore
import TriageLLM
import TriageRun

/// Shows the prompts for language models.
struct PromptsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prompts",
        abstract: "Lists, shows, checks and renders the LLM prompts.",
        discussion: """
            EXAMPLES
              triage prompts list
              triage prompts show category/v1 > my-prompts/category/category-v2.md
              triage prompts check my-prompts
              triage prompts render --text "do you ship to canada?" --faq faq.yaml

            A folder of your own (llm: {prompts: FOLDER} in triage.yaml) adds prompts; the
            newest version of each is used. Released prompts are never edited: a change is
            a new version.
            """,
        subcommands: [
            PromptsListCommand.self, PromptsShowCommand.self, PromptsCheckCommand.self, PromptsRenderCommand.self,
        ])
}

/// Selects the folder of the user's own prompts.
struct PromptFolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder of your own prompts; default: the one in triage.yaml.", valueName: "dir"))
    var prompts: String?

    @Option(help: ArgumentHelp("Settings; default: triage.yaml in the current folder.", valueName: "file"))
    var config: String?

    func library() throws -> PromptLibrary {
        if let prompts { return try PromptFiles.library(folder: prompts) }
        let loaded = try LoadedConfiguration.load(.ofProcess(config: config))
        TrustNotice.tell(loaded.withheld, asks: true)
        return try PromptFiles.library(folder: loaded.models.llm?.prompts)
    }
}

struct PromptsListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the prompts: their names, versions and sizes.")

    @OptionGroup(title: "Configuration") var folder: PromptFolderOptions

    func run() throws {
        var table = TextTable(["PROMPT", "FROM", "TOKENS", "DIGEST"])
        for entry in try folder.library().entries {
            let template = entry.template
            table.add([
                template.id.description, entry.isOverride ? template.source : "shipped",
                "about \(TokenEstimate.tokens(bytes: template.size))", String(template.digest.prefix(12)),
            ])
        }
        try CheckedWriter.standardOutput.write(
            Terminal.harmless(table.rendered(width: Terminal.isTerminal(1) ? Terminal.width(1) : nil)))
    }
}

struct PromptsShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints a prompt file, as a starting point for your own.")

    @Argument(help: ArgumentHelp("For example category/v1.", valueName: "name"))
    var name: String

    @OptionGroup(title: "Configuration") var folder: PromptFolderOptions

    func run() throws {
        let template = try folder.library().template(name)
        if let shipped = PromptFiles.shipped.first(where: { $0.path == template.source }) {
            return try CheckedWriter.standardOutput.write(shipped.bytes)
        }
        try CheckedWriter.standardOutput.write(try ConfigurationFile.read(template.source))
    }
}

struct PromptsCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks a folder of prompts and reports every error with its line.",
        discussion: """
            EXIT CODES
              0 no findings · 1 findings
            """)

    @Argument(help: ArgumentHelp("Folder of your own prompts; default: the one in triage.yaml.", valueName: "dir"))
    var path: String?

    @OptionGroup(title: "Configuration") var folder: PromptFolderOptions

    func run() throws {
        var findings: [TriageError] = []
        var count = 0
        do {
            var folder = folder
            if let path { folder.prompts = path }
            count = try folder.library().entries.count
        } catch let errors as TriageErrors {
            findings = errors.all
        } catch let error as TriageError {
            findings = [error]
        }
        try Findings.report(findings, in: findings.isEmpty ? count.of("prompt") : "prompts")
    }
}

struct PromptsRenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Prints exactly what would be sent for given texts; sends nothing.",
        discussion: """
            EXAMPLES
              triage prompts render --text "do you ship to canada?" \\
                --creator creator.yaml --faq faq.yaml
              triage prompts render draft/v3 --text "do you ship?" --redact

            The boundary around texts and the secret word are random in each run, also in
            a real one.
            """)

    @Argument(help: ArgumentHelp("For example triage/v1, the default.", valueName: "name"))
    var name: String?

    @Option(parsing: .singleValue, help: ArgumentHelp("A message; repeatable.", valueName: "text"))
    var text: [String] = []

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("Folder of your own prompts; default: the one in triage.yaml.", valueName: "dir"))
    var prompts: String?

    @Flag(help: "Remove addresses, numbers and handles.")
    var redact = false

    func run() throws {
        let loaded = try LoadedConfiguration.load(
            .ofProcess(
                config: configuration.config, creator: configuration.creator, faq: configuration.faq,
                rules: configuration.rules))
        TrustNotice.tell(loaded.withheld, asks: prompts == nil)
        let library = try PromptFiles.library(folder: prompts ?? loaded.models.llm?.prompts)
        let template = try name.map { try library.template($0) } ?? library.newest(.triage)
        let session = PromptSession(
            template, repair: template.id.question == .draft ? nil : try library.newest(.repair),
            profile: loaded.creator, library: loaded.faq, secret: RunSecret(), redacts: redact)
        let texts = text.isEmpty ? ["(the text of a message)"] : text
        let messages = texts.enumerated().map { number, text in
            (
                id: "m\(number + 1)",
                message: session.prepared(MessageQuestion(text: text, candidates: loaded.faq.entries.map(\.id)))
            )
        }
        let user: String
        if template.id.question == .draft {
            user = session.user(drafting: DraftQuestion(message: MessageQuestion(text: texts[0])), id: messages[0].id)
        } else {
            user = session.user(messages)
        }
        let schema = String(decoding: session.schema.root.encoded, as: UTF8.self)
        let out = "== system\n\(session.system)\n\n== user\n\(user)\n\n== schema\n\(schema)\n"
        try CheckedWriter.standardOutput.write(Terminal.harmless(out))
    }
}
