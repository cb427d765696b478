/// What is to be removed from a store.
package enum InboxForgetting: Sendable, Equatable {
    /// All messages of somebody who has this id, handle (with or without `@`, in any case) or name.
    case sender(String)
    /// All messages that were sent before this second since 1970; what has no time stays.
    case before(Int64)
}

/// What was removed from a store, or would be.
package struct InboxForgotten: Sendable, Equatable {
    /// Messages of other people.
    package var messages = 0
    /// Own messages, and notices, of conversations in which nobody else is left.
    package var context = 0
    package var revisions = 0
    package var feedback = 0
    package var owed = 0
    package var conversations = 0
    /// People with that id, handle or name: more than one may mean somebody else too.
    package var senders = 0
    /// Whether the texts are gone from the file, too: false while somebody else has it open.
    package var isErased = false

    package init() {}
}
