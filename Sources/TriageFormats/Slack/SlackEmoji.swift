/// The names that Slack has for the emojis people react with.
enum SlackEmoji {
    /// The emoji of a name, with its tone of skin; `:name:` of those that are not known, such as a workspace's own.
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
