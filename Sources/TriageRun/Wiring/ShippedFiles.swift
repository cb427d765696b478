import ShippedLanguages
import ShippedModel
import ShippedRules
package import TriageConfig
package import TriageCore
package import TriageLLM
package import TriageStages

/// The files built into the binary.
package enum ShippedFiles {
    /// The rule files in the order in which they are read, followed by those of each language.
    package static var rules: [RuleSource] {
        var sources: [RuleSource] = []
        while true {
            let file = shipped_rule_file(sources.count)
            guard file.name != nil else { break }
            sources.append(source(file))
        }
        return sources
            + ShippedLanguages.files.map { file in
                RuleSource(
                    name: "\(file.name)", bytes: file.text.withUTF8Buffer { Array($0) }, kind: .language)
            }
    }

    /// The word lists of language identification.
    package static func languageModel() throws -> LanguageIdentifier {
        LanguageIdentifier(try LanguagesFile(source(shipped_languages)).languages)
    }

    /// The words for signals that no rule file describes, for people who read the reasons.
    package static func reasons() throws -> ReasonsFile { try ReasonsFile(source(shipped_reasons)) }

    /// Phrases that a model's draft may not use on its own initiative.
    package static func draftPromises() throws -> PhraseRules { try phrases(shipped_draft_guard) }

    /// The classifier that tells promises from text that only sounds like one.
    package static var draftJudge: DraftJudge { DraftJudge(source(shipped_draft_judge).bytes) }

    /// How people talk about messages other than their own.
    package static func batchTalk() throws -> PhraseRules { try phrases(shipped_batch_talk) }

    /// Things that people add to a message without changing its meaning.
    package static var changes: RuleSource { source(shipped_changes) }

    private static func phrases(_ shipped: shipped_file) throws -> PhraseRules {
        PhraseRules(try PhraseList(source(shipped)))
    }

    /// The statistical model; its checksum is checked by a test, not at every start.
    package static func model() throws -> StatisticalModel {
        let bytes = UnsafeRawBufferPointer(start: shipped_model.bytes, count: shipped_model.count)
        return try StatisticalModel(decoding: bytes, at: "shipped.model", isTrusted: true)
    }

    private static func source(_ file: shipped_file) -> RuleSource {
        RuleSource(
            name: String(cString: file.name),
            bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
    }
}
