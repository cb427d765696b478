package import TriageCore

/// The checked text of a prompt: its fixed parts and its placeholders.
///
/// Filling in is a single pass: braces in inserted values stay text, so no message can name a placeholder.
package struct PromptTemplate: Sendable, Equatable {
    /// The size limit of a prompt file, in bytes: four times our largest one, and about 4,000 tokens in every request.
    package static let limit = 16 << 10

    /// The sections of a file, in the order in which they are sent.
    package enum Section: String, Sendable, CaseIterable {
        case system = "System", profile = "Profile", faq = "FAQ", user = "User"
    }

    /// The values that are filled in.
    package enum Placeholder: String, Sendable, CaseIterable {
        case shape
        case name, niches, excluded, works, languages, voice, contact
        case questions
        case messages
    }

    enum Piece: Sendable, Equatable {
        case text(String)
        case value(Placeholder)
    }

    package let id: PromptID
    /// The name of the file in errors.
    package let source: String
    /// SHA-256 of the file, 64 hex digits: a changed text is another prompt, whatever its name.
    package let digest: String
    /// The size of the file in bytes.
    package let size: Int
    /// Lines of each section.
    let sections: [Section: [[Piece]]]

    /// - Parameters:
    ///   - id: which prompt the file contains.
    ///   - source: the name of the file in errors.
    ///   - bytes: the file.
    /// - Throws: ``TriageErrors`` with every fault, its line, and how to fix it.
    package init(id: PromptID, source: String, bytes: [UInt8]) throws(TriageErrors) {
        var reader = PromptReader(id: id, source: source)
        sections = try reader.read(bytes)
        self.id = id
        self.source = source
        digest = SHA256.hex(bytes)
        size = bytes.count
    }

    /// Whether the file has the section.
    package func has(_ section: Section) -> Bool { sections[section] != nil }

    /// The section with its values; a line whose values are all empty is left out.
    package func text(_ section: Section, _ values: [Placeholder: String]) -> String {
        var lines: [String] = []
        for pieces in sections[section] ?? [] {
            var line = ""
            var isFilled = true
            for piece in pieces {
                switch piece {
                case .text(let text): line += text
                case .value(let placeholder):
                    let value = values[placeholder] ?? ""
                    isFilled = isFilled && !value.isEmpty
                    line += value
                }
            }
            if isFilled { lines.append(line) }
        }
        return lines.joined(separator: "\n")
    }
}

/// What a prompt asks; also the name of its folder.
package enum PromptQuestion: String, Sendable, CaseIterable {
    /// All questions at once.
    case triage
    case category, sentiment, urgency, offer, faq
    case draft
    /// The second attempt after a useless answer.
    case repair
}

/// The name of a prompt, such as `category/v1`: what it asks, and its version.
package struct PromptID: Sendable, Hashable, CustomStringConvertible {
    package var question: PromptQuestion
    /// 1…9999.
    package var version: Int

    package init(_ question: PromptQuestion, version: Int) {
        self.question = question
        self.version = version
    }

    /// nil unless `text` has the form of ``description``.
    package init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let question = PromptQuestion(rawValue: String(parts[0])),
            let version = Self.version(parts[1])
        else { return nil }
        self.init(question, version: version)
    }

    /// nil unless `path` ends like ``path``; what comes before is ignored.
    package init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, let question = PromptQuestion(rawValue: String(parts[parts.count - 2])),
            let file = parts.last, file.hasPrefix(question.rawValue + "-"), file.hasSuffix(".md"),
            let version = Self.version(file.dropFirst(question.rawValue.count + 1).dropLast(3))
        else { return nil }
        self.init(question, version: version)
    }

    package var description: String { "\(question.rawValue)/v\(version)" }

    /// The path of its file in a folder of prompts, such as `category/category-v1.md`.
    package var path: String { "\(question.rawValue)/\(question.rawValue)-v\(version).md" }

    private static func version(_ text: Substring) -> Int? {
        guard text.first == "v", let number = Int(text.dropFirst()), (1...9_999).contains(number),
            text.dropFirst() == "\(number)"
        else { return nil }
        return number
    }
}
