/// What all messages of an export by DiscordChatExporter share.
struct DiscordChat {
    var guild: JSONNode?
    var channel: JSONNode?

    var id: String? { channel?["id"]?.identifier }
    var type: String? { channel?["type"]?.identifier }

    private var name: String? { channel?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    private var isDirect: Bool { guild?["id"]?.identifier == "0" || type?.hasPrefix("Direct") == true }

    /// Whether the other side is one account, after which the channel is called.
    var partner: String? { isDirect && type != "DirectGroupTextChat" ? name : nil }

    /// `server / #channel`; of direct messages who they are with.
    var title: String? {
        guard !isDirect, let guild = guild?["name"]?.string, !guild.isEmpty else { return name }
        return name.map { guild + " / #" + $0 } ?? guild
    }

    /// Of a thread the channel it hangs in, which stands where other channels have their category.
    var parent: (id: String?, name: String?)? {
        guard let type, type.contains("Thread") else { return nil }
        return (channel?["categoryId"]?.identifier, channel?["category"]?.string)
    }
}
