internal import ShippedLanguages
internal import TriageCore

/// Word lists for splitting and filtering replies, from `own_replies` in the language files.
struct VoiceWords: Sendable {
    /// First words of a greeting.
    let greetings: Set<String>
    /// Those of them that need a name behind them, such as "Dear".
    let namedOnly: Set<String>
    /// Words of thanks.
    let thanks: Set<String>
    /// Words that make a sentence suitable for its reader only: promises, agreements, times.
    let barred: Set<String>
    /// Words that refer to a person.
    let persons: Set<String>
    /// Yes and no, which answer one specific question.
    let answers: Set<String>
    /// Days of the week and months.
    let days: Set<String>
    /// Tags of languages that capitalise many words.
    let capitals: Set<String>
    /// By language tag: words that address a reader formally, and informally, as written.
    let formal: [String: Set<String>]
    let informal: [String: Set<String>]

    init() {
        var lists: [String: Set<String>] = [:]
        var (formal, informal): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
        var capitals: Set<String> = []
        for entry in ShippedLanguages.entries(of: "own_replies") {
            switch entry.key {
            case "formal": formal[entry.language] = Set(entry.values)
            case "capitals": capitals.insert(entry.language)
            case "informal": informal[entry.language] = Set(entry.values)
            default: lists[entry.key, default: []].formUnion(entry.values.map(VoiceText.folded))
            }
        }
        greetings = lists["greetings"] ?? []
        namedOnly = lists["named_only"] ?? []
        thanks = lists["thanks"] ?? []
        barred = lists["barred"] ?? []
        persons = lists["persons"] ?? []
        answers = lists["answers"] ?? []
        (self.formal, self.informal, self.capitals) = (formal, informal, capitals)
        let names = ["weekdays", "weak_weekdays", "months"].flatMap { ShippedLanguages.entries(of: $0) }
        days = Set(names.flatMap(\.values).map(VoiceText.folded).filter { $0.unicodeScalars.count >= 3 })
    }
}
