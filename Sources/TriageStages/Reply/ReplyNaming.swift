package import TriageCore

/// Puts the sender's first name into a draft that was written without knowing it.
package struct ReplyNaming: Sendable {
    private let sender = ReplySender()
    private let writesSmall: Bool

    /// - Parameter writesSmall: whether the creator's sentences begin with small letters.
    package init(writesSmall: Bool) { self.writesSmall = writesSmall }

    /// The draft with the sender's first name in place of each `{name}`; without `{name}`, and the comma beside it, where no
    /// first name is plainly known.
    package func named(_ draft: String, _ record: Record, in batch: borrowing Batch) -> String {
        guard draft.contains("{name}") else { return draft }
        let name = batch.arena.withUnsafeBufferPointer { arena in
            withUnsafePointer(to: record) { record in
                sender.firstName(record, in: arena).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        if let name { return draft.replacing("{name}", with: name) }
        var text = draft
        while text.contains("{name}") { text = OwnReplies.nameless(text, writesSmall) }
        return text
    }
}
