import TriageCore

/// Collects the messages of a TikTok export, and emits them once its owner is known.
///
/// In the file, the profile follows the messages, and it is often missing. In that case the conversations show the
/// owner: the person who writes in several of them although none is named after them.
final class TikTokConversations {
    /// Maximum number of conversations whose participants are remembered.
    private static let limit = 100_000

    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private var hold = MessageHold()
    private var profile: String?
    /// The senders in each conversation, as long as there are few.
    private var senders: [String: Set<String>] = [:]
    /// Conversations between two people, which are named after the other person.
    private var pairs = Set<String>()
    private var owner: String?

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .oldestFirst)
    }

    /// Sets the owner named by the profile.
    func add(profile name: String) {
        if !name.isEmpty { profile = name }
    }

    /// Adds a message.
    ///
    /// - Parameter isPair: whether its conversation is with one other person, who gives it its name.
    func add(_ item: MessageHold.Item, isPair: Bool) throws {
        if let conversation = item.message.conversationID, let sender = item.message.sender.handle,
            item.message.sender.isSelf == nil, senders.count < Self.limit || senders[conversation] != nil
        {
            if senders[conversation, default: []].count < 16 { senders[conversation, default: []].insert(sender) }
            if isPair { pairs.insert(conversation) }
        }
        hold.add(item)
        if hold.isFull { try settle() }
    }

    func finish() throws {
        try settle()
        try buffer.flush()
    }

    private func settle() throws {
        owner = profile ?? Self.owner(senders, pairs)
        for var item in hold.take() {
            let message = item.message
            if message.sender.isSelf == true {
                item.message.sender.handle = message.sender.handle ?? owner
            } else if let conversation = message.conversationID, let sender = message.sender.handle {
                item.message.sender.isSelf = isSelf(sender, in: conversation)
                let count = senders[conversation]?.count ?? 0
                if count > 2 { item.message.participants = count }
            }
            try buffer.add(
                item.message, time: item.time, timeText: item.timeText, idPrefix: "tt:", number: item.number,
                source: item.source)
        }
    }

    private func isSelf(_ sender: String, in conversation: String) -> Bool? {
        if let owner, sender == owner { return true }
        let isPair = pairs.contains(conversation)
        if isPair, sender == conversation { return false }
        if owner != nil { return false }
        guard isPair, let all = senders[conversation], all.count == 2, all.contains(conversation) else { return nil }
        return true
    }

    private static func owner(_ senders: [String: Set<String>], _ pairs: Set<String>) -> String? {
        var counts: [String: Int] = [:]
        for pair in pairs {
            for sender in senders[pair] ?? [] where sender != pair { counts[sender, default: 0] += 1 }
        }
        let everywhere = counts.filter { $0.value > 1 && !pairs.contains($0.key) }
        return everywhere.count == 1 ? everywhere.first?.key : nil
    }
}

/// The content of a TikTok message: text, a shared video, or a picture in brackets.
struct TikTokText {
    var text: String
    var kind = "message"
    var attachment: Message.Attachment?

    init(_ content: String) {
        text = content
        let trimmed = content.trimmingBlanks()
        guard trimmed.hasPrefix("http") || trimmed.hasPrefix("[http"),
            !trimmed.utf8.contains(where: Opening.isBlank)
        else { return }
        if trimmed.hasPrefix("["), trimmed.hasSuffix("]"), Self.isPicture(trimmed.dropFirst().dropLast()) {
            let address = Self.withoutToken(trimmed.dropFirst().dropLast())
            text = ""
            attachment = Message.Attachment(type: address.hasSuffix(".gif") ? "gif" : "sticker", url: address)
        } else if Self.isShare(trimmed) {
            // The URL of an account or a video is also something that people send for others to look at.
            if trimmed.hasPrefix(Self.appShare) {
                text = ""
                kind = "share"
            }
            attachment = Message.Attachment(type: "share", url: Self.withoutToken(trimmed[...]))
        }
    }

    private static let appShare = "https://www.tiktokv.com/share/"
    private static let shares = [appShare, "https://www.tiktok.com/@"]

    /// Host names and extensions of the pictures that the app sends.
    private static let pictureHosts = ["tiktokcdn", "giphy.com", "tenor.com", "byteoversea", "ibyteimg", "ibytedtos"]
    private static let pictureEndings = [".gif", ".webp", ".png", ".jpg", ".jpeg", ".image", ".awebp"]

    /// Whether a URL in brackets leads to a picture, not to a page that somebody sent.
    private static func isPicture(_ address: Substring) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let host = path.split(separator: "/").dropFirst().first ?? ""
        return pictureHosts.contains { host.contains($0) } || pictureEndings.contains { path.hasSuffix($0) }
    }

    /// Whether a URL is that of a video, photo or account shared from the app.
    static func isShare(_ address: String) -> Bool { shares.contains(where: address.hasPrefix) }

    /// A URL without its query, which contains signatures.
    static func withoutToken(_ address: Substring) -> String { String(address.prefix { $0 != "?" }) }

    /// The partner's name in `Chat History with zoe.k::`.
    static func partner(_ header: String) -> String {
        var name = header[...]
        if header.lowercased().hasPrefix("chat history with ") { name = name.dropFirst(18) }
        while let last = name.last, last == ":" || last == " " { name = name.dropLast() }
        return String(name)
    }
}
