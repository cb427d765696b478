/// What the first bytes of a JSON file of Meta's show.
struct MetaOpening {
    /// The first entry of the arrays that Meta writes; nil: none is in sight.
    private(set) var first: JSONNode?
    /// Names of the members at the top that are in sight.
    private(set) var members = Set<String>()
    /// What the messages in sight show.
    private(set) var signs = MetaSigns()

    private static let arrays: Set<String> = ["messages", "comments_media_comments", "comments_reels_comments"]

    /// nil: no JSON.
    init?(_ opening: Opening) {
        var splitter: JSONSplitter
        switch opening.firstByte {
        case UInt8(ascii: "{"): splitter = JSONSplitter(.container(Self.arrays), maximumLength: Opening.limit)
        case UInt8(ascii: "["): splitter = JSONSplitter(.array, maximumLength: Opening.limit)
        default: return nil
        }
        opening.bytes.withUnsafeBufferPointer { bytes in
            splitter.feed(bytes) { event in
                switch event {
                case .element(let element, _, _):
                    guard let node = JSONNode(element) else { return }
                    if first == nil { first = node }
                    if first?["sender_name"] != nil { signs.add(node) }
                case .member(let name, _):
                    members.insert(name)
                    if name == "thread_type" { signs.hasType = true }
                default: break
                }
            }
        }
    }

    /// Whether it is a conversation of the usual form.
    var isThread: Bool { first?["sender_name"] != nil && first?["timestamp_ms"] != nil }
}
