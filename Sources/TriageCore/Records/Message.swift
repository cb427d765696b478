/// A message as a reader of exports finds it; it becomes a JSON record and then goes the way of every JSONL line.
///
/// Absent is absent: nil members and empty lists are not written.
public struct Message: Sendable, Equatable {
    public var id: String?
    public var platform: String?
    public var conversationID: String?
    public var conversationTitle: String?
    /// Number of people in the conversation, when known and more than two.
    public var participants: Int?
    public var sender = Sender()
    /// As written by the sender, after decoding; empty when there is none.
    public var text = ""
    /// RFC 3339.
    public var sentAt: String?
    public var lang: String?
    public var replyTo: String?
    public var attachments: [Attachment] = []
    public var reactions: [Reaction] = []
    /// What the reader knows beyond these, in order; `kind`, `folder`, `source` … .
    public var raw: [(key: String, value: RawValue)] = []

    /// Who wrote it.
    public struct Sender: Sendable, Equatable {
        public var id: String?
        public var handle: String?
        public var name: String?
        public var isVerified: Bool?
        public var followers: Int?
        /// nil: the owner is unknown.
        public var isSelf: Bool?
        public init() {}
    }

    /// A file, link or card that came with it; never opened.
    public struct Attachment: Sendable, Equatable {
        public var type: String
        public var name: String?
        public var url: String?
        public init(type: String, name: String? = nil, url: String? = nil) {
            self.type = type
            self.name = name
            self.url = url
        }
    }

    public struct Reaction: Sendable, Equatable {
        public var emoji: String
        public var by: String?
        public var count: Int?
        public init(emoji: String, by: String? = nil, count: Int? = nil) {
            self.emoji = emoji
            self.by = by
            self.count = count
        }
    }

    /// A value of ``raw``.
    public indirect enum RawValue: Sendable, Equatable {
        case string(String)
        case int(Int)
        case bool(Bool)
        case object([RawMember])
        case array([RawValue])
    }

    public struct RawMember: Sendable, Equatable {
        public var key: String
        public var value: RawValue
        public init(_ key: String, _ value: RawValue) {
            self.key = key
            self.value = value
        }
    }

    public init() {}

    public static func == (a: Message, b: Message) -> Bool {
        var x: [UInt8] = []
        var y: [UInt8] = []
        a.encode(into: &x)
        b.encode(into: &y)
        return x == y
    }
}

extension Message {
    /// Appends the record as one line of JSON, without line break, in the field order of the contract.
    public func encode(into out: inout [UInt8]) {
        var json = JSONObjectWriter(&out)
        json.member("id", id)
        json.member("platform", platform)
        json.member("conversation_id", conversationID)
        json.member("conversation_title", conversationTitle)
        json.member("participants", participants)
        if sender != Sender() {
            json.key("sender")
            json.open("{")
            json.member("id", sender.id)
            json.member("handle", sender.handle)
            json.member("name", sender.name)
            json.member("verified", sender.isVerified)
            json.member("followers", sender.followers)
            json.member("is_self", sender.isSelf)
            json.close("}")
        }
        json.member("text", text)
        json.member("sent_at", sentAt)
        json.member("lang", lang)
        json.member("reply_to", replyTo)
        if !attachments.isEmpty {
            json.key("attachments")
            json.open("[")
            for attachment in attachments {
                json.element()
                json.open("{")
                json.member("type", attachment.type)
                json.member("name", attachment.name)
                json.member("url", attachment.url)
                json.close("}")
            }
            json.close("]")
        }
        if !reactions.isEmpty {
            json.key("reactions")
            json.open("[")
            for reaction in reactions {
                json.element()
                json.open("{")
                json.member("emoji", reaction.emoji)
                json.member("by", reaction.by)
                json.member("count", reaction.count)
                json.close("}")
            }
            json.close("]")
        }
        if !raw.isEmpty {
            json.key("raw")
            json.open("{")
            for (key, value) in raw {
                json.key(key)
                value.encode(into: &json)
            }
            json.close("}")
        }
        out = json.finish()
    }
}

extension Message.RawValue {
    fileprivate func encode(into json: inout JSONObjectWriter) {
        switch self {
        case .string(let value): json.string(value)
        case .int(let value): json.raw(String(value))
        case .bool(let value): json.raw(value ? "true" : "false")
        case .object(let members):
            json.open("{")
            for member in members {
                json.key(member.key)
                member.value.encode(into: &json)
            }
            json.close("}")
        case .array(let values):
            json.open("[")
            for value in values {
                json.element()
                value.encode(into: &json)
            }
            json.close("]")
        }
    }
}
