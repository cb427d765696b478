import ArgumentParser
import TriageConfig
import TriageCore
import TriageEvaluation
import TriageFormats
import TriageLearning
import TriageRun
import TriageStages

/// Suggests entries for questions that the library does not answer.
struct FAQSuggestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Suggests entries for questions that several people asked and no entry answers.",
        discussion: """
            EXAMPLES
              triage faq suggest export.zip --faq faq.yaml
              triage run export.zip | triage faq suggest - --min-senders 3
              triage faq suggest messages.jsonl --to yaml >> faq.yaml

            Reads messages, annotated or not, and groups unanswered questions that ask the
            same thing, in any language. Spam and urgent messages are skipped. Answers are
            never invented: with --to yaml or json each is TODO, which `triage faq check`
            reports until you write it. Only the question itself is shown; handles,
            addresses and long numbers become "…".

            EXIT CODES
              0 done, with or without suggestions · 64 usage · 66 input not readable
              78 bad configuration
            """)

    /// The format of the suggestions.
    enum Form: String, ExpressibleByArgument, CaseIterable { case table, yaml, json }

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("Minimum number of senders who asked.", valueName: "n"))
    var minSenders: Int = 2

    @Option(help: ArgumentHelp("Maximum number of suggestions.", valueName: "n"))
    var top: Int = 20

    @Option(help: ArgumentHelp("table, yaml or json.", valueName: "format"))
    var to: Form = .table

    mutating func validate() throws {
        guard minSenders >= 1 else { throw ValidationError("--min-senders must be 1 or more.") }
        guard top >= 1 else { throw ValidationError("--top must be 1 or more.") }
    }

    func run() async throws {
        if input.paths.isEmpty, Terminal.isTerminal(0) { throw Self.helped() }
        let reading = try MessageReading(configuration, me: input.me)
        let collector = UnansweredQuestions()
        try collector.read(input, with: reading)
        let found = Array(collector.suggester.suggestions(minimum: minSenders).prefix(top))
        try CheckedWriter.standardOutput.write(rendered(found, reading.loaded.faq))
        var words = "\(collector.read.of("message")), \(collector.unanswered) with a question that no entry answers; "
        words += "\(found.count.of("suggestion"))\n"
        if collector.suggester.isPruned {
            words += "too many different questions: rare ones were left out\n"
        }
        try CheckedWriter.standardError.write(words)
    }

    private func rendered(_ found: [FAQSuggester.Suggestion], _ library: FAQLibrary) -> String {
        if to == .table {
            var table = TextTable(["SENDERS", "MESSAGES", "LANGUAGES", "IDS", "QUESTION"])
            for item in found {
                let ids = item.ids.prefix(3).map { String($0.prefix(24)) }.joined(separator: " ")
                table.add([
                    String(item.senders), String(item.messages), item.languages.prefix(4).joined(separator: " "), ids,
                    item.question,
                ])
            }
            return table.rendered(width: Terminal.isTerminal(1) ? Terminal.width(1) : nil)
        }
        var taken = FAQIDs(library: library)
        let entries = found.map { item in
            FAQEntry(
                id: taken.next(for: item.question), category: "", question: item.question,
                alsoAsked: Array(item.wordings.prefix(3)), answer: "TODO")
        }
        if to == .json {
            return "[" + entries.map { "\n  " + FAQEditor.json($0) }.joined(separator: ",")
                + (entries.isEmpty ? "]\n" : "\n]\n")
        }
        return zip(entries, found).map { entry, item in
            let ids = item.ids.map { String($0.prefix(60)) }.joined(separator: ", ")
            let comment =
                "asked by \(item.senders.of("sender")) in \(item.messages.of("message")); "
                + "\(item.languages.joined(separator: ", ")); \(ids)"
            return FAQEditor.yaml(entry, comment: Terminal.harmless(comment))
        }.joined()
    }
}
