internal import ShippedLanguages

/// Beginnings of texts beside an amount that tell what it is, from the language files.
///
/// They are compared with folded text at the beginning of a word; a blank at their end ends the word.
enum MoneyPhrases {
    private static let byKind = Dictionary(
        grouping: ShippedLanguages.entries(of: "money_phrases"), by: \.key
    ).mapValues { entries in
        // The same word in two languages is one phrase.
        Set(entries.flatMap(\.values)).sorted().map { Array($0.utf8) }
    }

    /// The phrases of a kind that `LanguageSchema` names.
    static func of(_ kind: String) -> [[UInt8]] { byKind[kind] ?? [] }
}
