/// What is to be removed from a store.
public enum InboxForgetting: Sendable, Equatable {
    /// All messages of somebody who has this id, handle (with or without `@`, in any case) or name.
    case sender(String)
    /// All messages that were sent before this second since 1970; what has no time stays.
    case before(Int64)
}

/// What was removed from a store, or would be.
public struct InboxForgotten: Sendable, Equatable {
    /// Messages of other people.
    public var messages = 0
    /// Own messages, and notices, of conversations in which nobody else is left.
    public var context = 0
    public var revisions = 0
    public var feedback = 0
    public var owed = 0
    public var conversations = 0
    /// People with that id, handle or name: more than one may mean somebody else too.
    public var senders = 0
    /// Whether the texts are gone from the file, too: false while somebody else has it open.
    public var isErased = false

    public init() {}
}
