import ShippedRules

/// The words of ``InjectionHeuristics`` and ``InjectionStems``, from `injection-words.txt`.
enum InjectionWords {
    /// Automated readers that followers hardly ever mention otherwise.
    static let readers = Set(words("readers"))
    /// Readers that can also be camera filters, synthesizer models and so on: they count only close to a label.
    static let weakReaders = Set(words("weakReaders"))
    /// Values that our answers can have.
    static let labels = Set(words("labels"))
    /// What readers are told to do with a label.
    static let labelVerbs = Set(words("labelVerbs"))
    /// What readers are told to do with their instructions, or instead of their task.
    static let orders = Set(words("orders"))
    /// Phrases that are sufficient by themselves.
    static let phrases = entries("phrases", ",")
    /// Parts of texts in scripts without blanks between words, and in right-to-left scripts.
    static let parts = entries("parts", ",")

    /// The words of a section.
    static func words(_ section: String) -> [String] { entries(section, " ") }

    private static func entries(_ section: String, _ separator: Character) -> [String] {
        (sections[section] ?? []).flatMap { line in
            line.split(separator: separator).map { String($0.drop { $0 == " " }) }
        }
    }

    /// The lines of each section.
    private static let sections: [String: [Substring]] = {
        let file = UnsafeBufferPointer(start: shipped_injection_words.bytes, count: shipped_injection_words.count)
        var sections: [String: [Substring]] = [:]
        var name = ""
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                name = String(line.dropFirst().dropLast())
            } else {
                sections[name, default: []].append(line)
            }
        }
        return sections
    }()
}
