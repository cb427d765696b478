package import ArgumentParser
package import TriageCore

/// Which answers are printed.
package struct QuestionOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Print only these questions, comma-separated.", valueName: "questions"))
    package var only: [String] = []

    /// The questions of `--only`; empty: all.
    package func questions() throws -> Set<Question> {
        var asked: Set<Question> = []
        for name in only.flatMap({ $0.split(separator: ",") }) {
            let trimmed = name.filter { $0 != " " }
            guard let question = Question(rawValue: trimmed) else {
                let known = Question.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError(
                    "--only does not know '\(Terminal.harmless(trimmed))'; the questions are \(known).")
            }
            asked.insert(question)
        }
        if asked.isEmpty, !only.isEmpty {
            let known = Question.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--only is empty; the questions are \(known).")
        }
        return asked
    }

    package init() {}
}
