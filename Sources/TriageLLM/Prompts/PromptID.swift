/// What a prompt asks; the name of its folder.
public enum PromptQuestion: String, Sendable, CaseIterable {
    /// Everything at once.
    case triage
    case category, sentiment, urgency, offer, faq
    case draft
    /// The same again, after an answer that was of no use.
    case repair
}

/// Name of a prompt, such as `category/v1`: what it asks and its version.
public struct PromptID: Sendable, Hashable, CustomStringConvertible {
    public var question: PromptQuestion
    /// 1…9999.
    public var version: Int

    public init(_ question: PromptQuestion, version: Int) {
        self.question = question
        self.version = version
    }

    /// nil unless `text` is written as ``description`` writes it.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let question = PromptQuestion(rawValue: String(parts[0])),
            let version = Self.version(parts[1])
        else { return nil }
        self.init(question, version: version)
    }

    /// nil unless `path` ends as ``path`` does; what stands before is not looked at.
    public init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, let question = PromptQuestion(rawValue: String(parts[parts.count - 2])),
            let file = parts.last, file.hasPrefix(question.rawValue + "-"), file.hasSuffix(".md"),
            let version = Self.version(file.dropFirst(question.rawValue.count + 1).dropLast(3))
        else { return nil }
        self.init(question, version: version)
    }

    public var description: String { "\(question.rawValue)/v\(version)" }

    /// Where its file stands in a folder of prompts, such as `category/category-v1.md`.
    public var path: String { "\(question.rawValue)/\(question.rawValue)-v\(version).md" }

    private static func version(_ text: Substring) -> Int? {
        guard text.first == "v", let number = Int(text.dropFirst()), (1...9_999).contains(number),
            text.dropFirst() == "\(number)"
        else { return nil }
        return number
    }
}
