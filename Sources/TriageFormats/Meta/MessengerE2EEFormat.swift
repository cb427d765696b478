/// A conversation of Messenger's export of encrypted chats, a download of its own beside the account's.
struct MessengerE2EEFormat: ExportFormat {
    let name = "messenger-e2ee"
    let summary = "a Messenger export of encrypted chats (JSON): one file per conversation"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        var hasEntry = false
        var isNamed = false
        var hasPeople = false
        var isOther = false
        var hasMessages = false
        var splitter = JSONSplitter(.container(["messages"]), maximumLength: Opening.limit)
        opening.bytes.withUnsafeBufferPointer { bytes in
            splitter.feed(bytes) { event in
                switch event {
                case .element(let element, _, _):
                    if !hasMessages, let node = JSONNode(element) {
                        hasEntry = EncryptedEntry.isOne(node)
                        isOther = !hasEntry
                    }
                    hasMessages = true
                case .member("threadName", _): isNamed = true
                case .member("participants", let value):
                    hasPeople = JSONNode(value)?.elements.first?.string != nil
                default: break
                }
            }
        }
        guard !isOther, hasEntry || (isNamed && hasPeople) else { return nil }
        return Detection(
            format: name,
            reason: hasEntry
                ? "messages with 'senderName' and 'timestamp'" : "a conversation with 'threadName' and 'participants'")
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaReader(context, platform: .messenger) }
}
