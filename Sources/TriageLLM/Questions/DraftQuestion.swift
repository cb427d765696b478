/// A message to which a reply is wanted.
public struct DraftQuestion: Sendable, Equatable {
    public var message: MessageQuestion
    /// Of the creator's library, the only facts that the reply may state; empty: none.
    public var answer: String

    public init(message: MessageQuestion, answer: String) {
        self.message = message
        self.answer = answer
    }
}

/// What came of asking for a reply.
public struct Draft: Sendable, Equatable {
    /// Checked, for a person to read, change and send; nil: there should be none, or what was written was dropped.
    public var text: String?
    /// Why what was written was dropped.
    public var objection: DraftGuard.Objection?
    /// As the model wrote it, with placeholders where something was redacted; nil when it was dropped.
    var written: String?
}
