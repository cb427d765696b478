/// What all messages of a conversation share.
struct MetaConversation {
    var platform = MetaPlatform.instagram
    /// Nothing told Instagram from Messenger.
    var isPlatformGuessed = false
    var id: String?
    var title: String?
    var folder = ""
    /// The conversation's folder, a squeeze of the other person's name or handle.
    var directory = ""
    var participants: [String] = []
    var isGroup = false
    /// nil: unknown.
    var owner: Set<String>?
}
