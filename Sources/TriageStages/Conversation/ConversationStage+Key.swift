import TriageCore

extension ConversationStage {
    /// Under which a conversation is remembered.
    ///
    /// - Parameters:
    ///   - platform: nil: the records name none.
    ///   - conversation: its id.
    public static func key(platform: String?, conversation: String) -> UInt64 {
        var hash = GrowingHash()
        for byte in (platform ?? "").utf8 { hash.add(byte) }
        hash.add(0xFF)
        for byte in conversation.utf8 { hash.add(byte) }
        return hash.value
    }
}
