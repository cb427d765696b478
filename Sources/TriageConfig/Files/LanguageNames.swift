import ShippedPages
import TriageCore

/// The names of languages, which people write where a tag is needed.
package enum LanguageNames {
    /// The tag of a language, by its name in English or in the language itself; case and accents do not matter.
    ///
    /// - Returns: nil for a name that `language-names.txt` does not have.
    package static func tag(of name: String) -> String? {
        let folder = TextFolder()
        let wanted = folder.words(name)
        let page = shipped_language_names
        let text = String(decoding: UnsafeBufferPointer(start: page.bytes, count: page.count), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let isNamed = parts[1].split(separator: ",").contains { other in
                // Some scripts are not cut into words.
                other.drop { $0 == " " } == name || !wanted.isEmpty && folder.words(String(other)) == wanted
            }
            if isNamed { return String(parts[0]) }
        }
        return nil
    }
}
