/// Finds what may be somebody's words in parts of a JSON text that no reader takes.
enum StrayWords {
    /// Names of members, in lower case, whose strings are no texts: who, when, what kind, where.
    ///
    /// Of all formats together: it only counts where no text was found.
    private static let names: Set<String> = [
        "sender_name", "sendername", "actor", "from", "to", "author", "name", "names", "username", "display_name",
        "displayname", "handle", "nickname", "title", "user", "users", "first_name", "last_name", "real_name",
        "real_name_normalized", "display_name_normalized", "screen_name", "authordisplayname", "global_name", "channel",
        "team", "forwarded_from", "via_bot", "saved_from", "place_name", "address", "location", "action", "type",
        "subtype", "kind", "emoji", "reaction", "reactions", "reactionkey", "file", "files", "file_name", "filename",
        "photo", "thumbnail", "mime_type", "mimetype", "media_type", "media", "uri", "url", "urls", "link", "href",
        "path", "filetype", "pretty_type", "date", "time", "created_at", "createdat", "timestamp", "edited",
        "performer", "sticker_emoji", "sticker", "members", "member", "recipients", "participants", "inviter", "phone",
        "phone_number", "discard_reason", "parent", "vcard", "contact", "contact_information", "contact_vcard",
        "game_title", "game_description",
        "new_title", "topic", "purpose", "emoticon", "gift_message", "reason", "domain", "currency", "information_text",
        "profile_image", "avatar", "avatarurl", "color", "colour", "badges", "roles", "user_badges", "user_color",
        "user_profile", "bot_profile", "icons", "etag", "authorchannelurl", "authorprofileimageurl", "viewerrating",
        "time_text", "_time_text", "time_parsed", "votes", "author_thumbnail", "author_url", "original_content_owner",
        "share_owner", "timezone", "lang", "source", "description", "summary", "alttext", "superstickermetadata",
        "extractor", "channel_id", "mentions", "entities", "embeds", "stickers", "reference", "interaction", "service",
        "service_name", "service_icon", "author_name", "thumb_url", "from_url", "title_link", "original_url",
        "subtitle", "snippet", "messagecreate", "poll", "ad_id", "referral", "postback", "conversationname",
        "edithistory", "initiatinguserid",
    ]

    /// Whether a member's strings may be texts.
    static func isOpen(_ key: String) -> Bool { !names.contains(key.lowercased()) && !isID(key) }

    /// Whether a member is called as ids are.
    static func isID(_ key: String) -> Bool { key.hasSuffix("id") || key.hasSuffix("Id") || key.hasSuffix("ID") }

    private static let texts: Set<String> = [
        "content", "contents", "text", "message", "body", "comment", "textoriginal", "textdisplay", "messagetext",
        "commentcontent", "questioncontent", "displaymessage", "usercomment", "share_text", "caption", "full_text",
    ]

    /// Whether a member is called as texts are in one format or another.
    static func isText(_ key: String) -> Bool {
        texts.contains(key.lowercased())
    }

    /// Names of members that say who somebody is, or where: no text belongs into them.
    static let people: Set<String> = [
        "author", "from", "user", "sender", "commenter", "user_profile", "roles", "reactions",
    ]

    /// Whether a string is more than a number, a code or an address.
    ///
    /// - Parameter isSure: whether one word of Latin letters, which may be a code of a newer kind, counts.
    static func areWords(_ text: String, isSure: Bool = true) -> Bool {
        var hasLetter = false
        var isCode = false
        for scalar in text.unicodeScalars {
            // Words of another script need no blank between them.
            if scalar == " " || (!scalar.isASCII && scalar.properties.isAlphabetic) {
                return !isAddress(text) && text.unicodeScalars.contains { $0.properties.isAlphabetic }
            }
            if (scalar.value | 0x20) &- 0x61 < 26 {
                hasLetter = true
            } else if scalar.value &- 0x30 < 10 || "_/:{}[]=+@#\\".unicodeScalars.contains(scalar) {
                isCode = true
            }
        }
        return isSure && hasLetter && !isCode
    }

    private static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("http://") || text.hasPrefix("https://")
    }

    /// Whether a piece of a JSON text, which may be cut off, has words.
    ///
    /// - Parameter isWanted: whether strings of a member count.
    static func areIn(_ bytes: UnsafeBufferPointer<UInt8>, _ isWanted: (String) -> Bool = isOpen) -> Bool {
        var key = ""
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "\"") else {
                at += 1
                continue
            }
            let start = at + 1
            at = start
            while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            let text = UnsafeBufferPointer(rebasing: bytes[start..<max(start, min(at, bytes.count))])
            at += 1
            var next = at
            while next < bytes.count, Opening.isBlank(bytes[next]) { next += 1 }
            if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
                key = String(decoding: text, as: UTF8.self)
                at = next + 1
            } else if isWanted(key), areWords(String(decoding: text, as: UTF8.self), isSure: key.isEmpty || isText(key))
            {
                return true
            }
        }
        return false
    }
}

extension JSONNode {
    /// Whether it has words, under whatever name.
    var hasWords: Bool { hasWords(isSure: true) }

    private func hasWords(isSure: Bool) -> Bool {
        switch self {
        case .string(let text): StrayWords.areWords(text, isSure: isSure)
        case .array(let elements): elements.contains { $0.hasWords(isSure: isSure) }
        case .object(let members):
            members.contains { member in
                if StrayWords.isOpen(member.key) {
                    return member.value.hasWords(isSure: isSure || StrayWords.isText(member.key))
                }
                return !StrayWords.isID(member.key) && member.value.hasStrayWords
            }
        default: false
        }
    }

    /// Whether words stand under a name that says nothing else of its text.
    var hasStrayWords: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasStrayWords)
        case .object(let members):
            members.contains { member in
                if StrayWords.isOpen(member.key) {
                    let isString = member.value.string != nil
                    return member.value.hasWords(isSure: isString || StrayWords.isText(member.key))
                }
                return !StrayWords.isID(member.key) && member.value.hasStrayWords
            }
        default: false
        }
    }

    /// Whether a name stands in it twice, with words that the last of them does not have.
    var hidesWords: Bool {
        switch self {
        case .array(let elements): return elements.contains(where: \.hidesWords)
        case .object(let members):
            for (index, member) in members.enumerated() {
                if member.value.hidesWords { return true }
                let later = members[(index + 1)...].last { $0.key == member.key }
                if let later, later.value != member.value, StrayWords.isOpen(member.key), member.value.hasWords {
                    return true
                }
            }
            return false
        default: return false
        }
    }

    /// The object without some of its members.
    func without(_ keys: String...) -> JSONNode { .object(members.filter { !keys.contains($0.key) }) }

    /// Whether it has words that are not in the text that was made of it.
    func hasWords(besides text: String) -> Bool {
        (text.isEmpty && hasStrayWords) || hidesWords
            || members.contains { StrayWords.people.contains($0.key) && $0.value.hasMisplacedWords }
    }

    /// Whether a text stands in it, where only who somebody is or where should stand.
    var hasMisplacedWords: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasMisplacedWords)
        case .object(let members):
            members.contains { StrayWords.isText($0.key) ? $0.value.hasWords : $0.value.hasMisplacedWords }
        default: false
        }
    }
}
