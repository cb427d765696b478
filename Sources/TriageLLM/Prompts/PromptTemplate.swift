package import TriageCore

/// The text of a prompt, read and checked: what is fixed and where what is filled in.
///
/// Filling is one pass: braces in what is filled in stay text, so no message can name a placeholder.
package struct PromptTemplate: Sendable, Equatable {
    /// Most bytes of a prompt file: four times the largest of ours, and about 4,000 tokens in every request.
    package static let limit = 16 << 10

    /// Parts of a file, in the order in which they are sent.
    package enum Section: String, Sendable, CaseIterable {
        case system = "System", profile = "Profile", faq = "FAQ", user = "User"
    }

    /// What is filled in.
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
    /// What errors call the file.
    package let source: String
    /// SHA-256 of the file, 64 hex digits: a changed text is another prompt, whatever its name says.
    package let digest: String
    /// Bytes of the file.
    package let size: Int
    /// Lines of each section.
    let sections: [Section: [[Piece]]]

    /// - Parameters:
    ///   - id: which prompt the file is.
    ///   - source: what errors call the file.
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

    /// The section with its values; a line of which every value is empty is left out.
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

/// What a prompt asks; the name of its folder.
package enum PromptQuestion: String, Sendable, CaseIterable {
    /// Everything at once.
    case triage
    case category, sentiment, urgency, offer, faq
    case draft
    /// The same again, after an answer that was of no use.
    case repair
}

/// Name of a prompt, such as `category/v1`: what it asks and its version.
package struct PromptID: Sendable, Hashable, CustomStringConvertible {
    package var question: PromptQuestion
    /// 1…9999.
    package var version: Int

    package init(_ question: PromptQuestion, version: Int) {
        self.question = question
        self.version = version
    }

    /// nil unless `text` is written as ``description`` writes it.
    package init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let question = PromptQuestion(rawValue: String(parts[0])),
            let version = Self.version(parts[1])
        else { return nil }
        self.init(question, version: version)
    }

    /// nil unless `path` ends as ``path`` does; what stands before is not looked at.
    package init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, let question = PromptQuestion(rawValue: String(parts[parts.count - 2])),
            let file = parts.last, file.hasPrefix(question.rawValue + "-"), file.hasSuffix(".md"),
            let version = Self.version(file.dropFirst(question.rawValue.count + 1).dropLast(3))
        else { return nil }
        self.init(question, version: version)
    }

    package var description: String { "\(question.rawValue)/v\(version)" }

    /// Where its file stands in a folder of prompts, such as `category/category-v1.md`.
    package var path: String { "\(question.rawValue)/\(question.rawValue)-v\(version).md" }

    private static func version(_ text: Substring) -> Int? {
        guard text.first == "v", let number = Int(text.dropFirst()), (1...9_999).contains(number),
            text.dropFirst() == "\(number)"
        else { return nil }
        return number
    }
}
