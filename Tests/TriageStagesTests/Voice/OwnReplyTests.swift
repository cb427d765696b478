import Testing
import TriageCore

@testable import TriageStages

/// Drafts in the creator's own words.
struct OwnReplyTests {
    private static let library = FAQLibrary(entries: [
        FAQEntry(id: "times", question: "When do you post?", answer: "Tuesdays at 17:00. See mara.example/list.")
    ])

    private static func pair(
        _ id: String, _ intent: String, _ reuse: String, language: String = "en", asked: String = "so good"
    ) -> VoicePair {
        var pair = VoicePair()
        (pair.id, pair.intent, pair.reuse, pair.language, pair.asked) = (id, intent, reuse, language, asked)
        return pair
    }

    private static func voice(_ pairs: [VoicePair], _ change: (inout VoiceHabits) -> Void = { _ in }) -> Voice {
        var voice = Voice()
        voice.pairs = pairs
        (voice.habits.mailGreeting, voice.habits.chatGreeting) = (1, 0)
        (voice.habits.mailSignature, voice.habits.chatSignature) = (1, 0)
        change(&voice.habits)
        return voice
    }

    private static let thanks = [
        pair("a", "fan.praise", "Thank you, {name} 💛"), pair("b", "fan.unsure", "Thank you, {name} 💛"),
        pair("c", "fan.praise", "Thank you, {name} 💛"), pair("d", "fan.praise", "Thank you, {name}."),
    ]

    private static func draft(
        _ text: String = "love this", voice: Voice, name: String? = "Ann Wexford", platform: String = "instagram",
        language: String = "en", category: TriageCore.Category = .fan, change: (inout Record) -> Void = { _ in }
    ) -> (text: String, basedOn: String)? {
        var batch = TextBatch.make([text], languages: [language])
        func field(_ value: String?) -> Span32 {
            guard let value else { return .absent }
            let span = Span32(start: batch.arena.count, count: value.utf8.count)
            batch.arena += Array(value.utf8)
            return span
        }
        batch.records[0].fields.senderName = field(name)
        batch.records[0].fields.platform = field(platform)
        batch.records[0].category = CategoryAnswer(
            label: category, scores: [1, 0, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
        batch.records[0].sentiment = SentimentAnswer(
            label: .positive, confidence: 0.9, level: .high, intensity: 0.5, by: .sentimentRules, because: 0..<0)
        change(&batch.records[0])
        var profile = CreatorProfile()
        (profile.name, profile.languages) = ("Mara Quist", ["en", "pt", "de", "fr"])
        ReplyStage(library: library, profile: profile, rules: RuleSet(), settings: Settings(), voice: voice)
            .annotate(&batch)
        guard let draft = batch.records[0].draft else { return nil }
        func made(_ span: Span32) -> String { String(decoding: batch.generated[span.range], as: UTF8.self) }
        return (made(draft.text), made(draft.basedOn))
    }

    @Test(arguments: [
        ("Ann Wexford", "Thank you, Ann 💛"), ("some brand", nil),
    ])
    func `praise gets what the creator says to many, with the new name, if it says anything without`(
        name: String, expected: String?
    ) {
        for number in 0..<9 {
            let draft = Self.draft("love this \(number)", voice: Self.voice(Self.thanks), name: name)
            #expect((draft?.basedOn == "own-reply:a") == (expected != nil))
            if let expected { #expect(draft?.text == expected) }
        }
    }

    @Test func `the same message gets the same words, and others get others`() {
        let more = ["e", "f"].map { Self.pair($0, "fan.praise", "Thank you, {name} ✨") }
        let pairs = Self.thanks + more
        let texts = (0..<20).compactMap { Self.draft("love this \($0)", voice: Self.voice(pairs))?.text }
        #expect(texts == (0..<20).compactMap { Self.draft("love this \($0)", voice: Self.voice(pairs))?.text })
        #expect(Set(texts).count == 2)
    }

    @Test func `a message like others gets what those got`() {
        let cheers = (0..<12).map {
            Self.pair("t\($0)", "fan.praise", "Thank you, {name}.", asked: "lovely video \($0)")
        }
        let done = (0..<8).map {
            Self.pair("w\($0)", "fan.praise", "Well done, {name}.", asked: "finished week \($0) today")
        }
        let voice = Self.voice(cheers + done)
        #expect(Self.draft("finished week three today", voice: voice)?.text == "Well done, Ann.")
        #expect(Self.draft("what a lovely video", voice: voice)?.text == "Thank you, Ann.")
    }

    @Test(arguments: [(FactTag.deliverable, true), (.creatorPays, false)])
    func `who offers something is sent where others are, and who sells something is not`(tag: FactTag, isSent: Bool) {
        let pairs = ["a", "b", "c"].map {
            Self.pair($0, "business.offer", "Please write to deals@mara.example, {name}.")
        }
        let draft = Self.draft("a video for you", voice: Self.voice(pairs), category: .business) {
            $0.facts.tags = 1 << UInt64(tag.rawValue)
        }
        #expect((draft?.text.contains("deals@mara.example") == true) == isSent, "\(draft?.text ?? "none")")
    }

    @Test func `what was said once is no habit`() {
        let pairs = ["a"].map { Self.pair($0, "fan.praise", "Ha!") }
        #expect(Self.draft(voice: Self.voice(pairs))?.basedOn == "template:fan.praise")
    }

    @Test func `nobody gets words in a language that they were not said in`() {
        #expect(Self.draft(voice: Self.voice(Self.thanks), language: "pt")?.basedOn == "template:fan.praise")
    }

    @Test(arguments: [UrgencyAnswer.Kind.selfHarm, .threat, .legal])
    func `danger comes before own words`(kind: UrgencyAnswer.Kind) {
        let draft = Self.draft(voice: Self.voice(Self.thanks)) {
            $0.urgency = UrgencyAnswer(isUrgent: true, score: 0.9, kind: kind, by: .urgencyRules, because: 0..<0)
        }
        #expect(draft?.basedOn.hasPrefix("template:") == true)
    }

    private static func asked(_ record: inout Record) {
        record.faq = FAQAnswer(entry: 0, isHigh: true, confidence: 0.99, by: .faqLexical)
    }

    @Test func `a question of the library gets the creator's own words in its language, as long as they are true`() {
        let pairs = [
            Self.pair("x", "faq:times", "Terças às 17:00. mara.example/list.", language: "pt"),
            Self.pair("y", "faq:times", "Tuesdays, 17:00. mara.example/list."),
        ]
        #expect(
            Self.draft(voice: Self.voice(pairs), language: "pt", change: Self.asked)?.text
                == "Terças às 17:00. mara.example/list.")
        #expect(Self.draft(voice: Self.voice(pairs), change: Self.asked)?.basedOn == "own-reply:y")
        let old = [Self.pair("y", "faq:times", "Tuesdays, 18:00. mara.example/list.")]
        #expect(Self.draft(voice: Self.voice(old), change: Self.asked)?.basedOn == "faq:times")
    }

    @Test func `templates begin and end as the creator does`() {
        let small = Self.voice([]) {
            $0.lowerCase = 0.9
            $0.greetings = ["en": "hi {name},"]
        }
        #expect(Self.draft(voice: Self.voice([]))?.text.first?.isUppercase == true)
        #expect(Self.draft(voice: small)?.text.first?.isLowercase == true)
        let mail = Self.draft(voice: small, platform: "email")?.text ?? ""
        #expect(mail.hasPrefix("hi ann,\n\n") && mail.hasSuffix("\n\nmara"))
        let plain = Self.draft(voice: Self.voice([]), platform: "email")?.text ?? ""
        #expect(plain.hasPrefix("Hi Ann,\n\n") && plain.hasSuffix("\n\nMara"))
        #expect(plain.dropFirst(9).first?.isUppercase == true)
        let german = Self.draft(voice: Self.voice([]), platform: "email", language: "de")?.text ?? ""
        #expect(german.hasPrefix("Hallo Ann,\n\n") && german.dropFirst(12).first?.isLowercase == true)
    }

    @Test func `drafts outside e-mails begin and end as the creator's replies do`() {
        let voice = Self.voice([]) {
            ($0.chatGreeting, $0.emoji, $0.emojis) = (0.9, 0.4, ["🧡"])
            ($0.audience.greetings, $0.audience.closings) = (["en": "Hiya {name}!"], ["en": "M x"])
            ($0.partners.greetings, $0.partners.closings) = (["en": "Hello {name},"], ["en": "Best, Mara"])
        }
        let fan = Self.draft(voice: voice)?.text ?? ""
        #expect(fan.hasPrefix("Hiya Ann! ") && fan.dropFirst(10).first?.isUppercase == true && fan.hasSuffix(" M x"))
        #expect(!fan.contains("🧡"))
        #expect(Self.draft(voice: voice, platform: "email")?.text.hasSuffix("\n\nMara") == true)
        let answer = Self.draft(voice: voice, change: Self.asked)?.text ?? ""
        #expect(answer == "Hiya Ann! Tuesdays at 17:00. See mara.example/list. M x")
        let comma = Self.voice([]) { ($0.chatGreeting, $0.audience.greetings) = (0.9, ["en": "Hiya {name},"]) }
        let below = Self.draft(voice: comma, change: Self.asked)?.text ?? ""
        #expect(below == "Hiya Ann,\nTuesdays at 17:00. See mara.example/list.")
        // Nobody in danger is greeted in a cheerful manner.
        let danger = Self.draft(voice: voice) {
            $0.urgency = UrgencyAnswer(
                isUrgent: true, score: 0.9, kind: .selfHarm, by: .urgencyRules, because: 0..<0, isDanger: true)
        }
        #expect(danger?.text.hasPrefix("Hi Ann, I have read") == true, "\(danger?.text ?? "")")
        let sad = Self.draft(voice: voice) { $0.facts.tags = 1 << UInt64(FactTag.condolence.rawValue) }?.text ?? ""
        #expect(!sad.isEmpty && !sad.contains("M x"))
    }

    @Test(arguments: [("fr", 0.0, ["votre", "vous"]), ("de", 1.0, ["dass du"]), ("fr", 1.0, ["ton "])])
    func `the reader is addressed as the creator addresses readers`(language: String, share: Double, never: [String]) {
        for number in 0..<9 {
            let voice = Self.voice([]) { $0.formal = [language: share] }
            let text = Self.draft("texte \(number)", voice: voice, language: language)?.text ?? ""
            for word in never { #expect(!text.contains(word), "\(text)") }
        }
    }

    @Test func `an emoji stands behind thanks if the creator uses any`() {
        let often = Self.voice([]) { ($0.emoji, $0.emojis) = (0.4, ["🧡"]) }
        #expect(Self.draft(voice: often)?.text.hasSuffix("🧡") == true)
        let never = Self.voice([]) { ($0.emoji, $0.emojis) = (0.01, ["🧡"]) }
        #expect(Self.draft(voice: never)?.text.hasSuffix("🧡") == false)
    }
}
