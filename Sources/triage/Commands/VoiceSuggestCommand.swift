import ArgumentParser
import TriageConfig
import TriageCore
import TriageInbox
import TriageRun
import TriageStages
import TriageStore

/// Suggests wordings that a person repeatedly puts into drafts.
struct VoiceSuggestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Suggests wordings where you edited several drafts in the same way.",
        discussion: """
            EXAMPLES
              triage voice suggest --store inbox.db
              triage voice suggest --to yaml
              triage voice suggest --to json | jq '.[].after'

            Compares drafts with your edited versions (`triage feedback --draft edited
            --text`, or on the review page) sentence by sentence, ignoring greetings. A
            change made in three or more drafts is shown with the original wording.
            --to yaml prints lines for replies.yaml; changes to FAQ answers and to your
            own replies are in comments, for faq.yaml and voice.jsonl. No file is changed.

            EXIT CODES
              0 done, with or without suggestions · 64 usage · 66 no such store
              74 it is damaged · 78 bad settings
            """)

    /// The format of the suggestions.
    enum Form: String, ExpressibleByArgument, CaseIterable { case table, yaml, json }

    @OptionGroup(title: "Store") var store: StoreOptions

    @Option(help: ArgumentHelp("Maximum number of suggestions.", valueName: "n"))
    var top: Int = 20

    @Option(help: ArgumentHelp("table, yaml or json.", valueName: "format"))
    var to: Form = .table

    mutating func validate() throws {
        guard top >= 1 else { throw ValidationError("--top must be 1 or more.") }
    }

    func run() throws {
        let inbox = try store.open()
        defer { inbox.close() }
        let edits = try StoredVoice(inbox).edits()
        let found = Array(WordingSuggester().suggestions(edits).prefix(top))
        let text =
            switch to {
            case .table: Self.table(found)
            case .yaml: Self.yaml(found)
            case .json: Self.json(found)
            }
        try CheckedWriter.standardOutput.write(text)
        try CheckedWriter.standardError.write(
            "\(edits.count.of("edited draft")), \(found.count.of("suggestion"))\n")
    }

    private static func table(_ found: [WordingSuggester.Suggestion]) -> String {
        var table = TextTable(["DRAFTS", "WORDING", "LANGUAGE", "WAS", "BECAME"])
        for item in found {
            table.add([
                "\(item.messages.count)", item.basis, item.language, item.before.isEmpty ? "-" : item.before,
                item.after.isEmpty ? "-" : item.after,
            ])
        }
        return Terminal.harmless(table.rendered(width: Terminal.isTerminal(1) ? Terminal.width(1) : nil))
    }

    private static func json(_ found: [WordingSuggester.Suggestion]) -> String {
        let objects = found.map { item in
            func list(_ texts: [String]) -> String { "[" + texts.joined(separator: ",") + "]" }
            var out = JSONObjectText()
            out.add("based_on", item.basis)
            out.add("language", item.language)
            out.add("drafts", item.messages.count)
            out.add("before", item.before)
            out.add("after", item.after)
            out.add(raw: "wordings", list(item.wordings.map(JSONObjectText.string)))
            out.add(raw: "messages", list(item.messages.map(String.init)))
            return out.text
        }
        return "[" + objects.map { "\n  " + $0 }.joined(separator: ",") + (objects.isEmpty ? "]\n" : "\n]\n")
    }

    /// What `replies.yaml` could contain; suggestions that belong to no template are in comments.
    private static func yaml(_ found: [WordingSuggester.Suggestion]) -> String {
        let lines = Set(found.map(\.language)).sorted().flatMap { language in
            var names: Set<String> = []
            let all = found.filter { $0.language == language }
            let body =
                all.filter { $0.section.isEmpty }.flatMap(comment)
                + all.filter { !$0.section.isEmpty }.flatMap { item in
                    // A key may occur only once: of two changes to one template, the more frequent one comes first.
                    // Wordings that such a file does not allow are in comments too.
                    let situation = String(item.basis.dropFirst("template:".count))
                    let isTaken = RepliesFile.takes(item.wordings, for: situation)
                    let isFirst = isTaken && names.insert(item.basis).inserted
                    let margin = isFirst ? "" : "# "
                    return comment(item) + ["\(margin)\(item.basis.dropFirst("template:".count)):"]
                        + item.wordings.map { "\(margin)  - \(YAMLText.scalar($0))" }
                }
            // A key with only comments under it has no value.
            return [(names.isEmpty ? "# " : "") + "\(YAMLText.scalar(language)):"] + body.map { "  \($0)" }
        }
        return lines.map { Terminal.harmless($0) + "\n" }.joined()
    }

    private static func comment(_ item: WordingSuggester.Suggestion) -> [String] {
        let (before, after) = (YAMLText.scalar(item.before), YAMLText.scalar(item.after))
        let what =
            item.before.isEmpty
            ? "added: \(after)" : item.after.isEmpty ? "removed: \(before)" : "\(before) became \(after)"
        return ["# \(item.basis), \(item.messages.count.of("draft")): \(what)"]
    }
}
