package import TriageCore

/// An unparsed prompt file: its path in a folder of prompts, and its bytes.
package struct PromptFile: Sendable, Equatable {
    /// The path, which must end like ``PromptID/path``; errors name the file by it.
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// The prompts of a run: the shipped ones and the user's, which take precedence.
package struct PromptLibrary: Sendable {
    package struct Entry: Sendable {
        package var template: PromptTemplate
        /// Whether it comes from a file of the user's.
        package var isOverride: Bool
    }

    /// The entries, sorted by question and version.
    package let entries: [Entry]

    /// - Parameters:
    ///   - shipped: the files in the binary.
    ///   - overrides: the user's files; one with a shipped name replaces the shipped file.
    /// - Throws: ``TriageErrors`` with every fault of every file.
    package init(shipped: [PromptFile], overrides: [PromptFile] = []) throws(TriageErrors) {
        var faults: [TriageError] = []
        var found: [PromptID: Entry] = [:]
        for (files, isOverride) in [(shipped, false), (overrides, true)] {
            var mine: [PromptID: String] = [:]
            for file in files {
                guard let id = PromptID(path: file.path) else {
                    let names = PromptQuestion.allCases.map(\.rawValue).joined(separator: ", ")
                    faults.append(
                        TriageError(
                            "prompt.name", "the file's name is not QUESTION/QUESTION-vN.md", at: file.path,
                            remedy: "questions are \(names); for example 'category/category-v2.md'",
                            exit: .badConfiguration))
                    continue
                }
                if let first = mine.updateValue(file.path, forKey: id) {
                    faults.append(
                        TriageError(
                            "prompt.double", "'\(id)' is already in \(first)", at: file.path,
                            remedy: "keep one of them",
                            exit: .badConfiguration))
                    continue
                }
                do throws(TriageErrors) {
                    let template = try PromptTemplate(id: id, source: file.path, bytes: file.bytes)
                    found[id] = Entry(template: template, isOverride: isOverride)
                } catch {
                    faults += error.all
                }
            }
        }
        guard faults.isEmpty else { throw TriageErrors(faults) }
        let order = PromptQuestion.allCases
        entries = found.values.sorted {
            let (a, b) = ($0.template.id, $1.template.id)
            guard a.question == b.question else {
                return (order.firstIndex(of: a.question) ?? 0) < (order.firstIndex(of: b.question) ?? 0)
            }
            return a.version < b.version
        }
    }

    /// The newest prompt for a question; the user's prompts take precedence, whatever their version.
    /// - Throws: ``TriageError`` when there is none.
    package func newest(_ question: PromptQuestion) throws(TriageError) -> PromptTemplate {
        let all = entries.filter { $0.template.id.question == question }
        guard let entry = all.last(where: \.isOverride) ?? all.last else {
            throw unknown("\(question.rawValue)/vN")
        }
        return entry.template
    }

    /// The prompt with a name such as `category/v1`.
    /// - Throws: ``TriageError`` that lists the available names.
    package func template(_ name: String) throws(TriageError) -> PromptTemplate {
        guard let id = PromptID(parsing: name), let entry = entries.first(where: { $0.template.id == id }) else {
            throw unknown(name)
        }
        return entry.template
    }

    private func unknown(_ name: String) -> TriageError {
        let names = entries.map(\.template.id.description).joined(separator: ", ")
        return TriageError(
            "prompt.unknown", "there is no prompt '\(name)'; the prompts are \(names.isEmpty ? "none" : names)",
            remedy: "name one of them, or add \(PromptID(parsing: name)?.path ?? "its file") to your prompt folder",
            exit: .badConfiguration)
    }
}
