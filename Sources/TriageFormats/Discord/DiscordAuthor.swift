import TriageCore

/// Somebody as DiscordChatExporter writes them.
struct DiscordAuthor {
    var id: String?
    /// The name of the account, which is unique.
    var name: String?
    /// `name`, or `name#1234` of accounts that still have a number.
    var handle: String?
    /// What the account is called in the server, or calls itself.
    var nickname: String?
    var isBot = false

    init(_ node: JSONNode?) {
        id = node?["id"]?.identifier
        name = node?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        handle = Self.handle(node?["name"], node?["discriminator"])
        nickname = node?["nickname"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        isBot = node?["isBot"]?.bool ?? false
    }

    /// An account's name, with its number if it has one.
    static func handle(_ name: JSONNode?, _ discriminator: JSONNode?) -> String? {
        guard let name = name?.string, !name.isEmpty else { return nil }
        guard let number = discriminator?.identifier, number.contains(where: { $0 != "0" }) else { return name }
        return name + "#" + number
    }

    /// Whether it is who a conversation of two is called after.
    func isCalled(_ title: String) -> Bool { name == title || nickname == title || handle == title }

    var sender: Message.Sender {
        var sender = Message.Sender()
        sender.id = id
        sender.handle = handle
        sender.name = nickname
        return sender
    }
}
