/// The languages that `triage` names, by index: answers carry one byte.
package enum LanguageTable {
    /// BCP 47 tags; index 0 is undetermined.
    package static let tags: [String] = [
        "und", "en", "es", "pt", "fr", "de", "it", "nl", "tr", "id", "hi-Latn", "pl", "ro", "sv", "da", "no", "fi",
        "cs", "hu", "vi", "tl", "sw", "ru", "uk", "bg", "sr", "el", "ar", "fa", "ur", "he", "hi", "bn", "ta", "th",
        "ja", "zh", "ko", "ms", "ca",
    ]

    package static let undetermined: UInt8 = 0

    /// Index of a tag; nil for one that is not listed.
    ///
    /// Regions and scripts are ignored unless listed (`pt-BR` → `pt`).
    package static func index(of tag: String) -> UInt8? {
        if let i = tags.firstIndex(of: tag) { return UInt8(i) }
        let parts = tag.split(separator: "-")
        if parts.count >= 2, parts[0].lowercased() == "hi", parts[1].lowercased() == "latn" {
            return index(of: "hi-Latn")
        }
        guard let primary = parts.first?.lowercased(), primary != tag else { return nil }
        return tags.firstIndex(of: primary).map { UInt8($0) }
    }
}
