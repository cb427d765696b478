import ArgumentParser
import TriageConfig
import TriageCore
import TriageLLM
import TriageRun

/// Inspects the configured language model.
struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Lists an LLM server's models, and checks the configured one.",
        discussion: """
            EXAMPLES
              triage models list --config my-inbox/triage.yaml
              triage models check
            """,
        subcommands: [ModelsListCommand.self, ModelsCheckCommand.self])
}

/// Selects the configuration of the language model.
struct ModelOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Settings; default: triage.yaml in the current folder.", valueName: "file"))
    var config: String?

    /// - Throws: ``TriageError`` (exit 78) when none is configured.
    func llm() throws -> ModelSettings.LLM {
        let loaded = try LoadedConfiguration.load(.ofProcess(config: config))
        guard let llm = loaded.models.llm else {
            if let withheld = loaded.withheld, withheld.hasLLM { throw TrustNotice.error(withheld) }
            throw TriageError(
                "llm.none", "no LLM is configured", at: config ?? "triage.yaml",
                remedy: "add llm: {provider: openai, base_url: http://127.0.0.1:8080/v1, model: …}",
                exit: .badConfiguration)
        }
        return llm
    }

    func models() throws -> ModelSettings { try LoadedConfiguration.load(.ofProcess(config: config)).models }
}

struct ModelsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the models the server offers; always free of charge.")

    @OptionGroup(title: "Configuration") var options: ModelOptions

    func run() async throws {
        let llm = try options.llm()
        let transport = ModelAddress.transport(llm)
        defer { transport.close() }
        let provider = ModelListProvider(try ModelAddress.endpoint(llm))
        let names = try await ModelProbe.answer(of: transport, to: provider.request(), provider.read)
        try CheckedWriter.standardOutput.write(names.map { Terminal.harmless($0) + "\n" }.joined())
        if !names.contains(llm.model) {
            try CheckedWriter.standardError.write(
                "triage: the configured model '\(Terminal.harmless(llm.model))' is not in this list\n")
        }
    }
}

struct ModelsCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Sends one tiny request (two if the server refuses schemas) and reports the result.",
        discussion: """
            EXIT CODES
              0 the model answers · 1 its answer is unusable
              69 it refuses permanently (key, money, address, model)
              75 it does not answer now · 78 bad configuration
            """)

    @OptionGroup(title: "Configuration") var options: ModelOptions

    func run() async throws {
        let llm = try options.llm()
        let transport = ModelAddress.transport(llm)
        defer { transport.close() }
        var lines = try await ModelProbe(
            endpoint: try ModelAddress.endpoint(llm), transport: transport, mostOutput: llm.maxOutputTokens
        ).run()
        if let embeddings = try options.models().embeddings {
            lines.append(ModelProbe.Line(subject: "embeddings", text: try await Self.probe(embeddings)))
        }
        try CheckedWriter.standardOutput.write(
            lines.map { "\($0.subject.padded(to: 12))\(Terminal.harmless($0.text))\n" }.joined())
    }

    /// Requests one vector for one word.
    private static func probe(_ embeddings: ModelSettings.Embeddings) async throws -> String {
        let transport = ModelAddress.transport(embeddings)
        defer { transport.close() }
        guard let provider = EmbeddingsProvider(try ModelAddress.endpoint(embeddings)) else {
            throw TriageError(
                "llm.no-embeddings", "this provider does not support embeddings", at: "embeddings.provider",
                exit: .badConfiguration)
        }
        do {
            let reply = try await ModelProbe.answer(of: transport, to: provider.request(["hello"])) {
                provider.read($0, to: ["hello"])
            }
            return "works, in \(reply.vectors.first?.count ?? 0) dimensions"
        } catch var error as TriageError {
            error.what = error.what.replacing("the LLM", with: "the embedding server")
            error.at = "embeddings"
            throw error
        }
    }
}
