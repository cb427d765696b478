/// Finds the sentences that Meta writes in place of an attachment, in whatever language the account has.
///
/// People do not say the same with a file in three conversations under three names; Meta does.
struct MetaPlaceholders {
    /// Sentences that are remembered at most, and bytes of the longest one.
    private static let limit = 20_000
    private static let longest = 200
    private static let needed = 3

    private struct Sight {
        var threads: [String]
        var senders: [String]
    }

    private var seen: [String: Sight] = [:]

    /// Takes in the text of a message that has an attachment.
    mutating func add(_ content: String, sender: String, thread: String) {
        guard let key = Self.key(content, sender) else { return }
        guard var sight = seen[key] else {
            if seen.count < Self.limit { seen[key] = Sight(threads: [thread], senders: [sender]) }
            return
        }
        // Three are enough to know.
        if sight.threads.count < Self.needed, !sight.threads.contains(thread) { sight.threads.append(thread) }
        if sight.senders.count < Self.needed, !sight.senders.contains(sender) { sight.senders.append(sender) }
        seen[key] = sight
    }

    /// Whether the text of a message with an attachment is such a sentence.
    func contains(_ content: String, sender: String) -> Bool {
        guard !seen.isEmpty, let key = Self.key(content, sender), let sight = seen[key] else { return false }
        return sight.threads.count >= Self.needed && sight.senders.count >= Self.needed
    }

    /// The sentence without the name it may begin with; nil: too short or long to be one.
    ///
    /// A word or an emoji alone is what people write.
    private static func key(_ content: String, _ sender: String) -> String? {
        let text = content.trimmingBlanks()
        guard text.utf8.count <= longest else { return nil }
        if !sender.isEmpty, text.utf8.count > sender.utf8.count, text.hasPrefix(sender) {
            return "\u{FFFC}" + text.dropFirst(sender.count)
        }
        return text.utf8.contains(0x20) && text.unicodeScalars.contains(where: \.properties.isAlphabetic)
            ? String(text) : nil
    }

    /// Whether an entry may have an attachment, by a look at its bytes that is cheaper than taking it apart.
    static func mayAttach(_ entry: UnsafeBufferPointer<UInt8>) -> Bool {
        var i = 0
        while i + 6 < entry.count {
            if entry[i] == 0x22 {
                switch entry[i + 1] {
                case UInt8(ascii: "s"), UInt8(ascii: "p"), UInt8(ascii: "v"), UInt8(ascii: "a"), UInt8(ascii: "f"),
                    UInt8(ascii: "g"):
                    let rest = entry[(i + 1)...]
                    if keys.contains(where: { rest.starts(with: $0) }) { return true }
                default: break
                }
            }
            i += 1
        }
        return false
    }

    private static let keys = ["share", "sticker", "photos", "videos", "audio_files", "files", "gifs"].map {
        Array(($0 + "\"").utf8)
    }
}
