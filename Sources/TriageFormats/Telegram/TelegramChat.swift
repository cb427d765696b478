/// What all messages of a chat share.
struct TelegramChat {
    /// As written: digits, perhaps with a sign.
    var id: String?
    var name: String?
    var type: String?
    /// `left_chats` for those the owner is no longer in.
    var folder: String?
    /// Digits of the owner's number; nil: unknown.
    var owner: String?

    /// Whether the other side is one account, whose number is that of the chat.
    var isPrivate: Bool { type == "personal_chat" || type == "bot_chat" }

    /// Login codes, and notes to oneself.
    var isSkipped: Bool { type == "verification_codes" || type == "saved_messages" }

    /// Whether a sender is the owner; nil: unknown, as for channels, which are no person.
    func isOwn(_ sender: String?) -> Bool? {
        guard let number = sender.flatMap(Self.userNumber) else { return nil }
        if let owner { return number == owner }
        guard isPrivate, let id else { return nil }
        return number != id
    }

    /// The digits of `user123`, or of a bare number as very old exports write it.
    static func userNumber(_ sender: String) -> String? {
        let digits = sender.hasPrefix("user") ? sender.dropFirst(4) : sender[...]
        return !digits.isEmpty && digits.utf8.allSatisfy { $0 &- 0x30 < 10 } ? String(digits) : nil
    }
}
