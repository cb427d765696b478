import Testing
import TriageCore

@testable import TriageStages

struct VoiceLearnerTests {
    private static let library = FAQLibrary(entries: [
        FAQEntry(
            id: "times", question: "When do you post?",
            answer: "Tuesdays and Saturdays at 17:00. The list is at mara.example/list."
        ),
        FAQEntry(
            id: "brands", question: "How can a brand work with you?",
            answer: "Write to work@mara.example; Pilar answers."),
    ])

    private static var profile: CreatorProfile {
        var profile = CreatorProfile()
        (profile.name, profile.handles) = ("Mara Quist", ["maraclay"])
        profile.rates = "One reel 4321 euros"
        return profile
    }

    private static func exchange(
        _ answered: String, to name: String, intent: String = "fan.praise", platform: String = "instagram",
        language: String = "en", day: Int? = nil, asked: String = "please keep it up, see you, so good, well done, well"
    ) -> VoiceLearner.Exchange {
        var exchange = VoiceLearner.Exchange()
        (exchange.answered, exchange.asked, exchange.intent) = (answered, asked, intent)
        (exchange.sender, exchange.senderName) = (name.lowercased(), name)
        (exchange.platform, exchange.language, exchange.day) = (platform, language, day)
        return exchange
    }

    private static func learn(_ exchanges: [VoiceLearner.Exchange]) -> Voice {
        VoiceLearner(library: library, profile: profile).voice(of: exchanges)
    }

    /// What can be said again of a reply that two people got.
    private static func reuse(_ answered: String, intent: String = "fan.praise", language: String = "en") -> String {
        let names = ["Ann Wexford", "Bo Tarrant"]
        let exchanges = names.enumerated().map { number, name in
            exchange(
                answered.replacing("{name}", with: String(name.split(separator: " ")[0])), to: name, intent: intent,
                language: language, day: number)
        }
        return learn(exchanges).pairs[0].reuse
    }

    @Test(arguments: [
        ("Thank you, {name}.", "Thank you, {name}."), ("Thank you {name} 💛", "Thank you {name} 💛"),
        ("{name}, this made my week. Keep going.", "{name}, this made my week. Keep going."),
        ("cheers {name}, that's kind", "cheers {name}, that's kind"),
        // Of thanks with more behind a comma the thanks are left.
        ("Cheers {name}, Dorota sends hers.", "Cheers {name}."),
        // Numbers, sums, addresses, handles.
        ("Thanks! Order 18044 is on its way.", "Thanks!"), ("Thank you. That is $40.", "Thank you."),
        ("Thank you. Look at other.example.", "Thank you."), ("Thank you. Ask @tomas.", "Thank you."),
        // Promises, days, agreement, others.
        ("Thank you. I'll send it.", "Thank you."), ("Thank you. See you on Friday.", "Thank you."),
        ("Yes.", ""), ("Thank you. Tell him I said hi.", "Thank you."),
        ("Thank you. Dorota said the same.", "Thank you."),
        // Nothing is asked back, and nobody is named twice.
        ("Thank you. What was it?", "Thank you."), ("{name}, thank you, {name}.", ""),
        ("Thank you {x}.", ""),
    ])
    func `only what could be said to anybody is said again`(answered: String, expected: String) {
        #expect(Self.reuse(answered) == expected)
    }

    @Test func `what one person got is not said again`() {
        let voice = Self.learn([
            Self.exchange("Thank you. Give the dog a biscuit.", to: "Ann"), Self.exchange("Thank you. Bye.", to: "Bo"),
        ])
        #expect(voice.pairs.map(\.reuse) == ["Thank you.", "Thank you."])
    }

    private static func learn(_ exchanges: [VoiceLearner.Exchange], keeping old: Voice) -> VoiceLearner.Lesson {
        VoiceLearner(library: library, profile: profile).learn(exchanges, keeping: old)
    }

    private static let four = ["Ann", "Bo", "Cy", "Di"].map { exchange("Thank you, \($0).", to: $0) }

    @Test func `learning the same again changes nothing`() {
        let first = Self.learn(Self.four)
        let again = Self.learn(Self.four, keeping: first)
        #expect(again.voice == first)
        #expect(again.added == 0 && again.changed == 0 && again.removed == 0)
    }

    @Test func `a pair that a person removed stays removed, and what it taught is gone`() {
        var voice = Self.learn(Self.four)
        voice.pairs.removeFirst()
        let again = Self.learn(Self.four, keeping: voice)
        #expect(again.voice.pairs.map(\.sender) == ["bo", "cy", "di"])
        #expect(again.removed == 1 && again.voice.habits.replies == 3)
        // Nor does it come back the time after.
        #expect(Self.learn(Self.four, keeping: again.voice).voice == again.voice)
    }

    @Test func `words that a person changed or emptied stay as they are`() {
        var voice = Self.learn(Self.four)
        voice.pairs[0].reuse = "You are kind."
        voice.pairs[1].reuse = ""
        voice.pairs[2].intent = "fan.joke"
        var again = Self.learn(Self.four, keeping: voice)
        for _ in 0..<2 {
            #expect(
                again.voice.pairs.map(\.reuse) == ["You are kind.", "", "Thank you, {name}.", "Thank you, {name}."])
            #expect(again.voice.pairs[2].intent == "fan.joke")
            #expect(again.changed == 3)
            again = Self.learn(Self.four, keeping: again.voice)
        }
    }

    @Test func `new pairs come behind the old, whose export need not be read again, and all of them count`() {
        let old = Self.learn([Self.exchange("So kind of you.", to: "Ann Wexford")])
        #expect(old.pairs.map(\.reuse) == [""])
        let again = Self.learn([Self.exchange("So kind of you.", to: "Bo Tarrant")], keeping: old)
        #expect(again.voice.pairs.map(\.name) == ["Ann Wexford", "Bo Tarrant"])
        #expect(again.voice.pairs.map(\.reuse) == ["So kind of you.", "So kind of you."])
        #expect(again.added == 1 && again.voice.habits.replies == 2)
    }

    @Test func `the name of somebody whose export is not read again stays theirs`() {
        let old = Self.learn([Self.exchange("Thank you, Zebedee.", to: "Zebedee Quill")])
        let new = ["Ann", "Bo"].map { Self.exchange("Thank you. Zebedee says hi.", to: $0) }
        #expect(Self.learn(new, keeping: old).voice.pairs.allSatisfy { !$0.reuse.contains("Zebedee") })
    }

    @Test func `a voice that is full loses its oldest pairs, and they do not come back`() {
        let learner = VoiceLearner(library: Self.library, profile: Self.profile)
        let lesson = learner.learn(Self.four, limit: 3)
        #expect(lesson.surplus == 1 && lesson.voice.pairs.map(\.sender) == ["bo", "cy", "di"])
        #expect(learner.learn(Self.four, keeping: lesson.voice, limit: 3).voice == lesson.voice)
    }

    @Test func `a reply with a sign that no terminal should get is not said again`() {
        #expect(Self.reuse("Thank you\u{7} so much.") == "")
    }

    @Test func `two replies to one person are one person's`() {
        let voice = Self.learn([Self.exchange("So kind.", to: "Ann"), Self.exchange("So kind.", to: "Ann")])
        #expect(voice.pairs.map(\.reuse) == ["", ""])
    }

    /// "See you Tuesday" says nothing to who wrote of a loss, or years later.
    @Test(arguments: [1, 14])
    func `a day that closes replies is left out`(days: Int) {
        let voice = Self.learn(
            ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"].enumerated().map {
                Self.exchange("Thank you, \($0.element). See you Tuesday 💛", to: $0.element, day: $0.offset * days)
            })
        #expect(voice.pairs.allSatisfy { $0.reuse == "Thank you, {name}." })
    }

    @Test(arguments: [
        ("Tuesdays and Saturdays at 17:00. mara.example/list.", "Tuesdays and Saturdays at 17:00. mara.example/list."),
        (
            "Tuesdays and Saturdays, {name}. See mara.example/list. My dog waits too.",
            "Tuesdays and Saturdays, {name}. See mara.example/list."
        ),
        (
            "Thank you for asking. Tuesdays and Saturdays at 17:00. mara.example/list.",
            "Tuesdays and Saturdays at 17:00. mara.example/list."
        ),
        // Another number or address makes it another answer; a missing address makes it none.
        ("Tuesdays at 18:00. mara.example/list.", ""), ("mara.example/old has it.", ""),
        ("Tuesdays and Saturdays.", ""),
    ])
    func `an answer to a question of the library is used as far as it says what the entry says`(
        answered: String, expected: String
    ) {
        #expect(Self.reuse(answered, intent: "faq:times") == expected)
    }

    @Test(arguments: [
        (
            "Thank you. Please write to work@mara.example. Pilar answers.",
            "Please write to work@mara.example. Pilar answers."
        ),
        // Thanks alone leave the sender waiting, and what agrees is nobody else's.
        ("Thank you for asking.", ""), ("I'm in. Write to work@mara.example.", "Write to work@mara.example."),
        ("I'll sign it. Write to work@mara.example and I'll pay.", ""),
    ])
    func `to an offer is said again where to write, and never that it is taken`(answered: String, expected: String) {
        #expect(Self.reuse(answered, intent: "business.offer") == expected)
    }

    @Test func `habits are counted`() {
        let voice = Self.learn([
            Self.exchange("Hi Ann,\n\nthank you!\n\nMara", to: "Ann Wexford", platform: "email"),
            Self.exchange("Hi Bo,\n\nthank you.\n\nMara", to: "Bo", platform: "email"),
            Self.exchange("lovely 💛", to: "Cy"), Self.exchange("Good one.", to: "Di"),
        ])
        #expect(voice.habits.replies == 4)
        #expect(voice.habits.mailGreeting == 1 && voice.habits.chatGreeting == 0)
        #expect(voice.habits.mailSignature == 1 && voice.habits.chatSignature == 0)
        #expect(voice.habits.greetings == ["en": "Hi {name},"])
        #expect(voice.habits.emoji == 0.25 && voice.habits.emojis == ["💛"])
        // Half of the chats begin small, and no e-mail does.
        #expect(voice.habits.lowerCase == 0 && voice.habits.exclamation == 0.25)
    }

    @Test func `greetings and closings of chats are learned for the audience and for business partners`() {
        let people = ["Ann", "Bo", "Cyd", "Dee"]
        let voice = Self.learn(
            people.map { Self.exchange("Hiya \($0), the slugs have come back. Beer traps. M x", to: $0) }
                + people.map {
                    Self.exchange("Hello \($0), that is too low. Best, Mara", to: $0, intent: "business.offer")
                }
                + [
                    Self.exchange("Hiya Eve, that is the last one of them. M x", to: "Eve"),
                    Self.exchange("Ha. Slugs win.", to: "Fay"),
                ])
        #expect(voice.habits.audience.greetings == ["en": "Hiya {name},"])
        #expect(voice.habits.audience.closings == ["en": "M x"])
        #expect(voice.habits.partners.greetings == ["en": "Hello {name},"])
        #expect(voice.habits.partners.closings == ["en": "Best, Mara"])
        #expect(voice.pairs.allSatisfy { !$0.reuse.contains("M x") && !$0.reuse.contains("Mara") })
    }

    @Test(arguments: [
        ("Hiya {n}, the slugs have come back.", "Hiya,"), ("¡Hola {n}! Otra vez.", "¡Hola!"),
        ("Hola, {n}. Otra vez.", "Hola."), ("Dear {n}, the slugs have come back.", nil),
        ("Liebe {n}, da sind sie wieder.", nil),
    ])
    func `who has no name is greeted as the others are, where the greeting stands without one`(
        answered: String, bare: String?
    ) {
        let voice = Self.learn(
            ["Ann", "Bo", "Cyd"].map { Self.exchange(answered.replacing("{n}", with: $0), to: $0) })
        #expect(voice.habits.audience.bare["en"] == bare)
    }

    @Test(arguments: [
        ("Hi Ann, it is on the shelf. Mara", true), ("Hi Ann, it is on the shelf. All the best, Mara", true),
        ("Hi Ann, it is on the shelf.", false), ("Hi Ann, it is on the shelf. Ask my sister, she is Mara.", false),
        ("Mara", false),
    ])
    func `an e-mail may be signed at the end of its last line`(answered: String, isSigned: Bool) {
        let mail = Self.learn([Self.exchange(answered, to: "Ann", platform: "email")])
        #expect(mail.habits.mailSignature == (isSigned ? 1 : 0))
        #expect(!mail.pairs[0].reuse.contains("Mara"))
        #expect(Self.learn([Self.exchange(answered, to: "Ann")]).habits.chatSignature == 0)
    }

    @Test(arguments: ["See you Tuesday 💛", "I will be there.", "Thank you.", "Call 555 0100", "Deal?"])
    func `words that promise, thank, ask or name a day are no closing`(last: String) {
        let voice = Self.learn(["Ann", "Bo", "Cyd", "Dee"].map { Self.exchange("Slugs again. \(last)", to: $0) })
        #expect(voice.habits.audience.closings.isEmpty)
    }

    @Test(arguments: [("Kommen Sie gern vorbei, ich freue mich.", 1.0), ("Komm gern vorbei, ich sehe dich dann.", 0)])
    func `how the reader is addressed is counted`(answered: String, expected: Double) {
        let voice = Self.learn(
            (0..<5).map { Self.exchange(answered, to: "Person\($0)", language: "de") })
        #expect(voice.habits.formal["de"] == expected)
    }

    @Test func `the id of a pair is the same whatever else is learned`() {
        let one = Self.exchange("Thank you.", to: "Ann")
        let other = Self.exchange("Well done.", to: "Bo")
        #expect(Self.learn([one, other]).pairs[1].id == Self.learn([other]).pairs[0].id)
        #expect(Set(Self.learn([one, one]).pairs.map(\.id)).count == 2)
    }

    @Test func `hostile replies are read without harm`() {
        for text in ["", "{name}", "}{", "\u{202E}x", String(repeating: "a.", count: 5_000), "💛💛", "....", "\n\n\n"] {
            _ = Self.learn([Self.exchange(text, to: ""), Self.exchange(text, to: "Ann", platform: "email")])
        }
    }
}
