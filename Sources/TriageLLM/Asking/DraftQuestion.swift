/// A message that a reply is drafted to, with what the reply may use.
public struct DraftQuestion: Sendable, Equatable {
    /// As the sender wrote it, decoded.
    public var text: String
    /// BCP 47, if known.
    public var language: String?
    /// The library's answer, the only facts that a reply may state; empty: none fits.
    public var answer: String

    public init(text: String, language: String? = nil, answer: String = "") {
        self.text = text
        self.language = language
        self.answer = answer
    }
}

/// A reply as a model wrote it, checked; nil text: the model says that none should be.
public struct DraftVerdict: Sendable, Equatable {
    public var text: String?

    public init(text: String?) { self.text = text }
}
