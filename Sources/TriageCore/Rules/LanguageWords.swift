/// What distinguishes a language from others with the same script.
package struct LanguageWords: Sendable {
    /// The BCP 47 tag.
    package var tag: String
    /// Frequent words, folded.
    package var words: [String]
    /// Words spelt with their accents.
    package var marked: [String]
    /// Letters that indicate the language.
    package var letters: String

    package init(tag: String, words: [String], marked: [String], letters: String) {
        self.tag = tag
        self.words = words
        self.marked = marked
        self.letters = letters
    }
}
