import TriageConfig
import TriageCore
package import TriageEvaluation
import TriageRun

/// Reads files of changes into the lists that an evaluation works with.
package enum ChangeLists {
    /// The name of the list built into the binary.
    package static let shippedName = "default"

    /// The list in a file, or the shipped one.
    ///
    /// - Parameter name: a path, or ``shippedName``.
    /// - Throws: ``TriageErrors`` with every fault of the file (exit 78); ``TriageError`` when it cannot be read.
    package static func read(_ name: String) throws -> ChangeList {
        let source =
            name == shippedName
            ? ShippedFiles.changes : RuleSource(name: name, bytes: try ConfigurationFile.read(name))
        let vocabulary = ChangesFile.Vocabulary(
            operations: TextOperation.allCases.map(\.rawValue), placeholders: ChangeText.placeholders,
            message: ChangeText.message)
        return ChangeList(changes: try ChangesFile(source, vocabulary: vocabulary).changes.map(change))
    }

    private static func change(_ change: ChangesFile.Change) -> TextChange {
        var condition = TextChange.Condition()
        condition.categories = change.categories.compactMap { label($0, .category) }
        condition.sentiments = change.sentiments.compactMap { label($0, .sentiment) }
        condition.urgent = change.urgent.map { $0 ? 1 : 0 }
        condition.languages = change.languages
        condition.leastCharacters = change.least
        var expected: [EvaluatedQuestion: TextChange.Wanted] = [:]
        for question in TextChange.questions {
            guard let word = change.expected[question.rawValue] else { continue }
            expected[question] = word == "same" ? .same : label(word, question).map(TextChange.Wanted.label)
        }
        var bounds = ChangeMeasure.standardBounds
        for measure in ChangeMeasure.allCases {
            if let bound = change.bounds[measure.rawValue] { bounds[measure] = bound }
        }
        let work: TextChange.Work =
            if let operation = change.operation.flatMap(TextOperation.init(rawValue:)) {
                .operation(operation)
            } else {
                .insertion(
                    place: TextChange.Place(rawValue: change.place) ?? .after, join: change.join, texts: change.texts,
                    heldOut: change.heldOut)
            }
        return TextChange(
            id: change.id, why: change.why, work: work, expected: expected, condition: condition, bounds: bounds)
    }

    private static func label(_ word: String, _ question: EvaluatedQuestion) -> UInt8? {
        if question == .urgent { return word == "yes" ? 1 : 0 }
        return question.classes.firstIndex(of: word).map { UInt8($0) }
    }
}
