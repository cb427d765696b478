/// Converts Slack's markup to plain text: mentions, links and escapes.
struct SlackText {
    let directory: SlackDirectory

    /// The text as a reader sees it.
    func plain(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return text }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x3C else {
                out.append(bytes[at])
                at += 1
                continue
            }
            let end = bytes[(at + 1)...].firstIndex { $0 == 0x3E || $0 == 0x3C } ?? bytes.count
            if end < bytes.count, bytes[end] == 0x3E,
                let plain = token(String(decoding: bytes[(at + 1)..<end], as: UTF8.self))
            {
                out += plain.utf8
                at = end + 1
            } else {
                out += bytes[at..<end]
                at = end
            }
        }
        return String(decoding: BasicEntities.decode(out, BasicEntities.signs), as: UTF8.self)
    }

    /// The text for what is between `<` and `>`; nil when it has no meaning.
    private func token(_ inside: String) -> String? {
        let bar = inside.firstIndex(of: "|")
        let target = bar.map { inside[..<$0] } ?? inside[...]
        let label = bar.map { String(inside[$0...].dropFirst()) } ?? ""
        switch target.utf8.first {
        case UInt8(ascii: "@"):
            let id = String(target.dropFirst())
            return Self.marked(
                "@", label.isEmpty ? directory.person(id)?.handle ?? directory.person(id)?.name ?? id : label)
        case UInt8(ascii: "#"):
            let id = String(target.dropFirst())
            return Self.marked("#", label.isEmpty ? directory.channelName(id) ?? id : label)
        case UInt8(ascii: "!"):
            let parts = target.dropFirst().split(separator: "^")
            guard let word = parts.first else { return nil }
            if word == "date" { return label }
            if word == "subteam" {
                return Self.marked("@", label.isEmpty ? parts.dropFirst().first.map(String.init) ?? "" : label)
            }
            return Self.marked("@", label.isEmpty ? String(word) : label)
        default:
            guard let colon = target.firstIndex(of: ":"), colon > target.startIndex else { return nil }
            if ["mailto", "tel"].contains(target[..<colon]) {
                return label.isEmpty ? String(target[colon...].dropFirst()) : label
            }
            return label.isEmpty || label == target ? String(target) : "\(label) (\(target))"
        }
    }

    private static func marked(_ mark: String, _ name: String) -> String { name.hasPrefix(mark) ? name : mark + name }

    // MARK: Messages without text

    /// The text of blocks, which apps use in place of the message text.
    func plain(blocks: [JSONNode]) -> String {
        blocks.map(block).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func block(_ node: JSONNode) -> String {
        switch node["type"]?.string {
        case "rich_text": return elements(node, separator: "\n")
        case "section", "header", "context":
            let fields = node["fields"]?.elements ?? []
            let texts = [node["text"]].compactMap { $0 } + fields + (node["elements"]?.elements ?? [])
            return texts.compactMap(object).filter { !$0.isEmpty }.joined(separator: "\n")
        default: return ""
        }
    }

    /// The text of a text object, `{"type":"mrkdwn","text":…}`; only `mrkdwn` is escaped.
    private func object(_ node: JSONNode) -> String? {
        guard let text = node["text"]?.string else { return nil }
        return node["type"]?.string == "plain_text" ? text : plain(text)
    }

    private func elements(_ node: JSONNode, separator: String) -> String {
        (node["elements"]?.elements ?? []).map(element).joined(separator: separator)
    }

    /// Recursion is bounded by the depth limit of the JSON tree.
    private func element(_ node: JSONNode) -> String {
        switch node["type"]?.string {
        case "text": return node["text"]?.string ?? ""
        case "link":
            let address = node["url"]?.string ?? ""
            guard let text = node["text"]?.string, !text.isEmpty, text != address else { return address }
            return "\(text) (\(address))"
        case "user":
            let id = node["user_id"]?.string ?? ""
            return "@" + (directory.person(id)?.handle ?? directory.person(id)?.name ?? id)
        case "channel":
            let id = node["channel_id"]?.string ?? ""
            return "#" + (directory.channelName(id) ?? id)
        case "usergroup": return "@" + (node["usergroup_id"]?.string ?? "")
        case "broadcast": return "@" + (node["range"]?.string ?? "here")
        case "emoji": return SlackEmoji.emoji(node["name"]?.string ?? "")
        case "rich_text_list": return elements(node, separator: "\n")
        case "rich_text_section", "rich_text_quote", "rich_text_preformatted": return elements(node, separator: "")
        default: return ""
        }
    }
}

/// Slack's names for the emojis used in reactions.
enum SlackEmoji {
    /// The emoji with a name, including its skin tone; `:name:` for unknown ones, such as a workspace's custom emojis.
    static func emoji(_ name: String) -> String {
        // `wave::skin-tone-3`
        let base = name.firstRange(of: "::").map { name[..<$0.lowerBound] } ?? name[...]
        guard let found = table[String(base)] else { return ":\(name):" }
        guard base.count < name.count, let digit = name.utf8.last, (0x32...0x36).contains(digit),
            let tone = Unicode.Scalar(0x1F3FB + UInt32(digit - 0x32))
        else { return found }
        return found + String(Character(tone))
    }

    private static let table: [String: String] = {
        let words = names.split { $0 == " " || $0 == "\n" }
        var table: [String: String] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            table[String(words[index])] = String(words[index + 1])
        }
        return table
    }()

    private static let names = """
        +1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 heart ❤️ red_heart ❤️ blue_heart 💙 green_heart 💚 yellow_heart 💛
        purple_heart 💜 orange_heart 🧡 black_heart 🖤 white_heart 🤍 brown_heart 🤎 broken_heart 💔 sparkling_heart 💖
        two_hearts 💕 heartbeat 💓 heart_eyes 😍 heart_hands 🫶 joy 😂 rolling_on_the_floor_laughing 🤣 rofl 🤣 smile 😄
        smiley 😃 grinning 😀 grin 😁 laughing 😆 satisfied 😆 sweat_smile 😅 slightly_smiling_face 🙂 blush 😊
        wink 😉 kissing_heart 😘 relaxed ☺️ yum 😋 stuck_out_tongue 😛 stuck_out_tongue_winking_eye 😜 zany_face 🤪
        sunglasses 😎 star-struck 🤩 partying_face 🥳 smirk 😏 unamused 😒 disappointed 😞 pensive 😔 confused 😕
        slightly_frowning_face 🙁 white_frowning_face ☹️ persevere 😣 confounded 😖 tired_face 😫 weary 😩 pleading_face 🥺
        cry 😢 sob 😭 triumph 😤 angry 😠 rage 😡 exploding_head 🤯 flushed 😳 scream 😱 fearful 😨 cold_sweat 😰
        hugging_face 🤗 thinking_face 🤔 thinking 🤔 shushing_face 🤫 neutral_face 😐 expressionless 😑 face_with_rolling_eyes 🙄
        upside_down_face 🙃 open_mouth 😮 hushed 😯 astonished 😲 sleepy 😪 sleeping 😴 nauseated_face 🤢 mask 😷
        face_palm 🤦 facepalm 🤦 shrug 🤷 skull 💀 ghost 👻 robot_face 🤖 poop 💩 hankey 💩 smiling_face_with_tear 🥲
        saluting_face 🫡 melting_face 🫠 nerd_face 🤓 innocent 😇 imp 👿 smiling_imp 😈 see_no_evil 🙈 eyes 👀 eye 👁️
        wave 👋 raised_hands 🙌 clap 👏 pray 🙏 handshake 🤝 ok_hand 👌 v ✌️ crossed_fingers 🤞 the_horns 🤘 metal 🤘
        call_me_hand 🤙 muscle 💪 point_up ☝️ point_up_2 👆 point_down 👇 point_left 👈 point_right 👉 fist ✊
        facepunch 👊 punch 👊 hand ✋ raised_hand ✋ raising_hand 🙋 bow 🙇 writing_hand ✍️ dancer 💃 runner 🏃
        fire 🔥 100 💯 tada 🎉 confetti_ball 🎊 sparkles ✨ star ⭐ star2 🌟 dizzy 💫 boom 💥 collision 💥 zap ⚡ rocket 🚀
        trophy 🏆 medal 🏅 first_place_medal 🥇 crown 👑 gem 💎 gift 🎁 balloon 🎈 birthday 🎂 champagne 🍾 beers 🍻
        beer 🍺 clinking_glasses 🥂 coffee ☕ tea 🍵 pizza 🍕 taco 🌮 cake 🍰 cookie 🍪 popcorn 🍿 avocado 🥑
        white_check_mark ✅ heavy_check_mark ✔️ ballot_box_with_check ☑️ x ❌ negative_squared_cross_mark ❎
        heavy_plus_sign ➕ heavy_minus_sign ➖ question ❓ grey_question ❔ exclamation ❗ heavy_exclamation_mark ❗
        bangbang ‼️ warning ⚠️ no_entry ⛔ no_entry_sign 🚫 rotating_light 🚨 red_circle 🔴 large_green_circle 🟢
        large_blue_circle 🔵 large_yellow_circle 🟡 hourglass ⌛ hourglass_flowing_sand ⏳ alarm_clock ⏰ calendar 📆
        date 📅 pushpin 📌 round_pushpin 📍 paperclip 📎 memo 📝 pencil 📝 book 📖 books 📚 bookmark 🔖 link 🔗 email 📧
        envelope ✉️ incoming_envelope 📨 phone ☎️ telephone_receiver 📞 iphone 📱 computer 💻 camera 📷 movie_camera 🎥
        clapper 🎬 video_camera 📹 microphone 🎤 headphones 🎧 musical_note 🎵 notes 🎶 guitar 🎸 art 🎨 bulb 💡
        moneybag 💰 money_with_wings 💸 dollar 💵 euro 💶 credit_card 💳 chart_with_upwards_trend 📈
        chart_with_downwards_trend 📉 bar_chart 📊 mag 🔍 mag_right 🔎 key 🔑 lock 🔒 unlock 🔓 bell 🔔 no_bell 🔕
        mega 📣 loudspeaker 📢 speech_balloon 💬 thought_balloon 💭 package 📦 shopping_trolley 🛒 hammer 🔨 wrench 🔧
        gear ⚙️ bug 🐛 seedling 🌱 herb 🌿 four_leaf_clover 🍀 rose 🌹 sunflower 🌻 tulip 🌷 cherry_blossom 🌸
        palm_tree 🌴 evergreen_tree 🌲 sunny ☀️ sun_with_face 🌞 rainbow 🌈 cloud ☁️ snowflake ❄️ umbrella ☔ ocean 🌊
        earth_africa 🌍 earth_americas 🌎 earth_asia 🌏 dog 🐶 cat 🐱 unicorn_face 🦄 bee 🐝 butterfly 🦋 penguin 🐧
        airplane ✈️ car 🚗 bike 🚲 ship 🚢 house 🏠 checkered_flag 🏁 soccer ⚽ basketball 🏀 video_game 🎮 dart 🎯
        recycle ♻️ arrow_up ⬆️ arrow_down ⬇️ arrow_right ➡️ arrow_left ⬅️ repeat 🔁 one 1️⃣ two 2️⃣ three 3️⃣
        """
}
