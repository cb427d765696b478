/// Rules on word sequences in their written form, as in the shipped `draft-guard.yaml` and `batch-talk.yaml`.
package struct PhraseList: Sendable {
    /// Phrases that are removed from a sentence before it is matched.
    package var skip: [String] = []
    package var negations: [String] = []
    /// Negations that may follow what they negate.
    package var negationsBehind: [String] = []
    /// Groups of words with the same meaning.
    package var same: [[String]] = []
    /// Parts of texts in scripts without blanks between words.
    package var parts: [String] = []
    package var lists: [String: [String]] = [:]
    package var rules: [Rule] = []

    package init() {}

    /// The patterns of a rule, of which one match is enough, and its exceptions, which suppress it in their sentence.
    package struct Rule: Sendable {
        package var name: String
        package var match: [String]
        package var unless: [String] = []
        /// Whether it also applies to negated phrases.
        package var negated = false
        /// Whether it also applies to questions.
        package var questions = false
        /// Whether it is skipped if every word of the match occurs in text that may be repeated.
        package var echo = false
        /// Whether it is skipped if there is an answer.
        package var answered = false
        /// Whether it counts regardless of other evidence.
        package var alone = false

        package init(name: String, match: [String]) {
            self.name = name
            self.match = match
        }
    }
}
