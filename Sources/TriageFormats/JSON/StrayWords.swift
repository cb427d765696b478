/// Finds text that people may have written in those parts of a JSON value that no reader uses.
enum StrayWords {
    /// Names of members, in lower case, whose strings are not message text: who, when, what kind, where.
    ///
    /// The list covers all formats, because it is used only where no text was found.
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
        "game_title", "game_description", "new_title", "topic", "purpose", "emoticon", "gift_message", "reason",
        "domain", "currency", "information_text", "profile_image", "avatar", "avatarurl", "color", "colour", "badges",
        "roles", "user_badges", "user_color", "user_profile", "bot_profile", "icons", "etag", "authorchannelurl",
        "authorprofileimageurl", "viewerrating", "time_text", "_time_text", "time_parsed", "votes", "author_thumbnail",
        "author_url", "original_content_owner", "share_owner", "timezone", "lang", "source", "description", "summary",
        "alttext", "superstickermetadata", "extractor", "channel_id", "mentions", "entities", "embeds", "stickers",
        "reference", "interaction", "service", "service_name", "service_icon", "author_name", "thumb_url", "from_url",
        "title_link", "original_url", "subtitle", "snippet", "messagecreate", "poll", "ad_id", "referral", "postback",
        "conversationname", "edithistory", "initiatinguserid",
    ]

    /// Whether a member's strings may be message text.
    static func isOpen(_ key: String) -> Bool { !names.contains(key.lowercased()) && !isID(key) }

    /// Whether a member is named like an id.
    static func isID(_ key: String) -> Bool { key.hasSuffix("id") || key.hasSuffix("Id") || key.hasSuffix("ID") }

    private static let texts: Set<String> = [
        "content", "contents", "text", "message", "body", "comment", "textoriginal", "textdisplay", "messagetext",
        "commentcontent", "questioncontent", "displaymessage", "usercomment", "share_text", "caption", "full_text",
    ]

    /// Whether a member is named like a text in some format.
    static func isText(_ key: String) -> Bool {
        texts.contains(key.lowercased())
    }

    /// Names of members that identify people or places, and should contain no text.
    static let people: Set<String> = [
        "author", "from", "user", "sender", "commenter", "user_profile", "roles", "reactions",
    ]

    /// Whether a string is more than a number, a code or a URL.
    ///
    /// - Parameter isSure: whether a single word in Latin letters counts, although it may be an unknown code.
    static func areWords(_ text: String, isSure: Bool = true) -> Bool {
        var hasLetter = false
        var isCode = false
        for scalar in text.unicodeScalars {
            // Some other scripts do not put spaces between words.
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

    /// Whether a piece of JSON, possibly truncated, contains text.
    ///
    /// - Parameter isWanted: whether a member's strings count.
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
    /// Whether it contains text, under any name.
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

    /// Whether it contains text under a name that may hold text.
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

    /// Whether a key is duplicated and the earlier value has text that the last value does not.
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

    /// Whether it contains text that is missing from the text extracted from it.
    func hasWords(besides text: String) -> Bool {
        (text.isEmpty && hasStrayWords) || hidesWords
            || members.contains { StrayWords.people.contains($0.key) && $0.value.hasMisplacedWords }
    }

    /// Whether it contains text where only a person or a place should be named.
    var hasMisplacedWords: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasMisplacedWords)
        case .object(let members):
            members.contains { StrayWords.isText($0.key) ? $0.value.hasWords : $0.value.hasMisplacedWords }
        default: false
        }
    }
}
