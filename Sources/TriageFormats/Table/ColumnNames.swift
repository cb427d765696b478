/// Which names of columns and members mean which field.
enum ColumnNames {
    /// Names of the message text, best first.
    static let text = [
        "text", "message", "body", "content", "comment", "comment_text", "message_text", "msg", "caption", "review",
        "mensaje", "texto", "comentario", "nachricht", "kommentar", "inhalt", "contenu", "commentaire", "mensagem",
        "messaggio", "commento", "testo", "текст", "сообщение",
    ]

    /// Fields and the names of their columns, best first.
    static let fields: [(field: TableField, names: [String])] = [
        (.text, text),
        (
            .handle,
            [
                "username", "handle", "screen_name", "login", "user_name", "sender_username", "author_username",
                "profile",
                "sender_handle",
            ]
        ),
        (
            .name,
            [
                "sender_name", "author_name", "display_name", "full_name", "name", "from", "sender", "author", "user",
                "autor", "remitente", "absender", "expéditeur", "auteur",
            ]
        ),
        (.senderID, ["sender_id", "author_id", "user_id", "from_id"]),
        (
            .time,
            [
                "sent_at", "created_at", "timestamp", "date", "datetime", "time", "created", "published_at",
                "date_time",
                "fecha", "datum", "uhrzeit", "data",
            ]
        ),
        (.id, ["id", "message_id", "comment_id", "mid", "cid", "uuid"]),
        (
            .conversation,
            [
                "conversation_id", "thread_id", "thread", "conversation", "chat", "chat_id", "channel", "post_id",
                "video_id", "url",
            ]
        ),
        (.platform, ["platform", "source", "network"]),
        (.reply, ["reply_to", "parent_id", "in_reply_to", "replied_to"]),
        (.direction, ["is_self", "is_from_me", "from_me", "outgoing", "direction", "type"]),
        (.followers, ["followers", "follower_count", "followers_count"]),
        (.verified, ["verified", "is_verified"]),
        (.lang, ["lang", "language"]),
    ]

    /// Names of a column of clocks beside one of days.
    static let clocks: Set<String> = ["time", "sent_time", "hour", "uhrzeit", "zeit", "hora", "heure", "ora"]

    private static let byName: [String: TableField] = {
        var map: [String: TableField] = [:]
        for (field, names) in fields {
            for name in names where map[name] == nil { map[name] = field }
        }
        return map
    }()

    /// What a column of this name is; nil: not known.
    static func field(of name: String) -> TableField? { byName[normalized(name)] }

    /// Lower case, trimmed, camelCase taken apart, blanks, hyphens and dots as `_`.
    static func normalized(_ name: String) -> String {
        var out = ""
        var wasLower = false
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            if properties.isWhitespace || scalar == "-" || scalar == "." || scalar == "_" {
                if !out.isEmpty, out.last != "_" { out.append("_") }
                wasLower = false
            } else {
                if wasLower, properties.isUppercase { out.append("_") }
                wasLower = properties.isLowercase || properties.numericType != nil
                out.append(properties.lowercaseMapping)
            }
        }
        while out.last == "_" { out.removeLast() }
        return out
    }
}
