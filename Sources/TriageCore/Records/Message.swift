/// A message as an export reader finds it; encoded as a JSON record, it then takes the path of every JSONL line.
///
/// Missing values are not written: nil members and empty lists are left out.
package struct Message: Sendable, Equatable {
    package var id: String?
    package var platform: String?
    package var conversationID: String?
    package var conversationTitle: String?
    /// Number of people in the conversation, when known and more than two.
    package var participants: Int?
    package var sender = Sender()
    /// The sender's text, decoded; empty when there is none.
    package var text = ""
    /// RFC 3339.
    package var sentAt: String?
    package var lang: String?
    package var replyTo: String?
    package var attachments: [Attachment] = []
    package var reactions: [Reaction] = []
    /// Further values that the reader knows, in order: `kind`, `folder`, `source` ….
    package var raw: [(key: String, value: RawValue)] = []

    /// Who wrote it.
    package struct Sender: Sendable, Equatable {
        package var id: String?
        package var handle: String?
        package var name: String?
        package var isVerified: Bool?
        package var followers: Int?
        /// Whether the owner of the export sent it; nil: the owner is unknown.
        package var isSelf: Bool?
        package init() {}
    }

    /// A file, link or card that came with the message; never opened.
    package struct Attachment: Sendable, Equatable {
        package var type: String
        package var name: String?
        package var url: String?
        package init(type: String, name: String? = nil, url: String? = nil) {
            self.type = type
            self.name = name
            self.url = url
        }
    }

    package struct Reaction: Sendable, Equatable {
        package var emoji: String
        package var by: String?
        package var count: Int?
        package init(emoji: String, by: String? = nil, count: Int? = nil) {
            self.emoji = emoji
            self.by = by
            self.count = count
        }
    }

    /// A value of ``raw``.
    package indirect enum RawValue: Sendable, Equatable {
        case string(String)
        case int(Int)
        case bool(Bool)
        case object([RawMember])
        case array([RawValue])
    }

    package struct RawMember: Sendable, Equatable {
        package var key: String
        package var value: RawValue
        package init(_ key: String, _ value: RawValue) {
            self.key = key
            self.value = value
        }
    }

    package init() {}

    package static func == (a: Message, b: Message) -> Bool {
        var x: [UInt8] = []
        var y: [UInt8] = []
        a.encode(into: &x)
        b.encode(into: &y)
        return x == y
    }
}

extension Message {
    /// Appends the record as one line of JSON, without line break, in the field order of the output contract.
    package func encode(into out: inout [UInt8]) {
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
