import TriageCore

/// Collects the messages of a TikTok export and hands them on once it is known who its owner is.
///
/// The profile stands behind the messages in the file, and often there is none; then conversations tell: who writes in
/// several of them, though none is with them, is the owner.
final class TikTokConversations {
    /// Conversations whose people are remembered.
    private static let limit = 100_000

    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private var hold = MessageHold()
    private var profile: String?
    /// Who wrote in each conversation, as far as they are few.
    private var senders: [String: Set<String>] = [:]
    /// Conversations of two, which are named after the other.
    private var pairs = Set<String>()
    private var owner: String?

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .oldestFirst)
    }

    /// The owner as the profile says.
    func add(profile name: String) {
        if !name.isEmpty { profile = name }
    }

    /// Takes a message.
    ///
    /// - Parameter isPair: whether its conversation is with one other, after whom it is named.
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
