/// Finds the conversation that an encrypted chat goes on with: Messenger's two exports know the same people under other
/// numbers.
///
/// The same names take part in both; where several conversations have them, only the one that Messenger itself put
/// aside when it began to encrypt is meant, and if that does not tell either, the chat stays by itself.
struct MetaJoins {
    private var conversations: [MessageDigest: [String]] = [:]
    private var chats: [(key: String, people: MessageDigest)] = []
    private var threads: [String: String] = [:]
    private let hasChats: Bool

    init(_ paths: [String]) { hasChats = paths.contains(where: EncryptedEntry.isPath) }

    /// - Parameter isFlat: whether it is an encrypted chat.
    mutating func add(_ key: String, participants: [String], isFlat: Bool) {
        guard hasChats, participants.count >= 2 else { return }
        let people = MessageDigest(
            platform: "", conversation: "", time: "", sender: "",
            text: Set(participants).sorted().joined(separator: "\u{0}"), ordinal: 0)
        if isFlat { chats.append((key, people)) } else { conversations[people, default: []].append(key) }
    }

    /// All were added.
    ///
    /// - Returns: the conversations that a chat was joined to, once for each such chat; nothing when asked again.
    mutating func settle() -> [String] {
        var joined: [String] = []
        for (key, people) in chats {
            var found = conversations[people] ?? []
            if found.count > 1 { found = found.filter { $0.hasPrefix("e2ee_cutover/") } }
            guard found.count == 1, let thread = found.first else { continue }
            threads[key] = thread
            joined.append(thread)
        }
        chats = []
        conversations = [:]
        return joined
    }

    /// The conversation that a chat belongs to; nil: it stands by itself.
    func thread(of key: String) -> String? { threads[key] }
}
