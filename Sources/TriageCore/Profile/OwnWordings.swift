/// The creator's own words for drafts, in place of the program's: what `replies.yaml` says.
package struct OwnWordings: Sendable, Equatable {
    /// By language tag and situation, such as `en` and `fan.praise`: one wording or more, of which each message gets one.
    package var texts: [String: [String: [String]]]

    package init(texts: [String: [String: [String]]] = [:]) { self.texts = texts }

    package var isEmpty: Bool { texts.isEmpty }
    /// Over all languages and situations.
    package var count: Int { texts.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
}
