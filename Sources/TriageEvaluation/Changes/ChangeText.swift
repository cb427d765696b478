/// How the texts of a change are chosen and filled.
public enum ChangeText {
    /// The key of the texts for every language.
    public static let any = "any"
    /// Stands for the message in a text that is put around it.
    public static let message = "{text}"
    /// What may stand in braces in a text, beside ``message``.
    public static let placeholders = ["handle", "company", "first"]

    /// The texts that fit a language: its own first, then those for every language.
    ///
    /// - Parameter language: of the record; its most exact list counts, `pt-BR` before `pt`.
    static func candidates(_ texts: [String: [String]], language: String) -> [String] {
        let own = texts.keys.filter { $0 != any && isLanguage(language, within: $0) }
            .max { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        return (own.flatMap { texts[$0] } ?? []) + (texts[any] ?? [])
    }

    /// Whether a tag is a language or one of its kinds: `pt-BR` is within `pt`, and `hi` is not within `hi-Latn`.
    static func isLanguage(_ tag: String, within language: String) -> Bool {
        func parts(_ tag: String) -> [Substring] { tag.lowercased().split { $0 == "-" || $0 == "_" } }
        let wanted = parts(language)
        return !wanted.isEmpty && parts(tag).starts(with: wanted)
    }

    /// A text with the sender's words in it; nil where the record lacks one of them.
    static func filled(_ text: String, for sender: ChangeSender) -> String? {
        var text = text
        for (name, value) in zip(placeholders, [sender.handle, sender.company, sender.first]) {
            let mark = "{\(name)}"
            guard text.contains(mark) else { continue }
            guard let value else { return nil }
            text = text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: value)
        }
        return text
    }

    /// - Parameter frame: holds ``message`` once.
    static func wrapped(_ text: String, in frame: String) -> String? {
        guard let place = frame.firstRange(of: message) else { return nil }
        return frame[..<place.lowerBound] + text + frame[place.upperBound...]
    }
}
