/// The creator's own wordings for drafts, read from `replies.yaml`; they replace the program's.
package struct OwnWordings: Sendable, Equatable {
    /// One or more wordings by language tag and situation, such as `en` and `fan.praise`; each message gets one of
    /// them.
    package var texts: [String: [String: [String]]]

    package init(texts: [String: [String: [String]]] = [:]) { self.texts = texts }

    package var isEmpty: Bool { texts.isEmpty }
    /// Number of wordings over all languages and situations.
    package var count: Int { texts.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
}
