import Testing
import TriageCore

@testable import TriageStages

/// What the encoder's findings of danger and of thanks mean for drafts.
struct ReplyEncoderTests {
    private static func answered(
        _ text: String, languages: [String] = ["en"], works: [String] = [], in language: String = "en",
        library: FAQLibrary = FAQLibrary(), _ change: (inout Record) -> Void
    ) -> (basis: String?, text: String, reason: NoDraft?) {
        var batch = TextBatch.make([text], languages: [language])
        batch.records[0].category = CategoryAnswer(
            label: .fan, scores: [1, 0, 0, 0], level: .high, by: .categoryModel, because: 0..<0)
        batch.records[0].sentiment = SentimentAnswer(
            label: .positive, confidence: 0.9, level: .high, intensity: 0.5, by: .sentimentModel, because: 0..<0)
        change(&batch.records[0])
        var profile = CreatorProfile()
        (profile.languages, profile.works) = (languages, works)
        ReplyStage(library: library, profile: profile, rules: RuleSet()).annotate(&batch)
        func made(_ span: Span32?) -> String? {
            span.map { String(decoding: batch.generated[$0.range], as: UTF8.self) }
        }
        let record = batch.records[0]
        return (made(record.draft?.basedOn), made(record.draft?.text) ?? "", record.noDraft)
    }

    private static func urgent(_ kind: UrgencyAnswer.Kind, isDanger: Bool = true) -> UrgencyAnswer {
        UrgencyAnswer(
            isUrgent: true, score: 0.9, kind: kind, by: .urgencyEncoder, because: 0..<0, isDanger: isDanger)
    }

    @Test(arguments: [
        (Danger.selfHarm, String?.some("template:urgent.self-harm"), NoDraft?.none),
        (.violence, "template:urgent.violence", nil), (.medical, "template:urgent.other", nil),
        (.threat, nil, .abuse), (.stalking, nil, .abuse),
    ])
    func `the kind of danger decides on the words`(kind: Danger, basis: String?, reason: NoDraft?) {
        let answered = Self.answered("he is on the stairs again") {
            $0.urgency = Self.urgent(.other)
            $0.danger = DangerAnswer(kind: kind, odds: 3)
        }
        #expect(answered.basis == basis && answered.reason == reason)
    }

    @Test(arguments: [(Float(0.5), "template:urgent.other"), (0.7, "template:urgent.violence")])
    func `words for people who are beaten need a sure kind`(share: Float, basis: String) {
        let answered = Self.answered("he is on the stairs again") {
            $0.urgency = Self.urgent(.other)
            $0.danger = DangerAnswer(kind: .violence, odds: 3, share: share)
        }
        #expect(answered.basis == basis)
    }

    @Test(arguments: [(Float(2), NoDraft?.some(.unsure)), (3, nil)])
    func `only what is surely an emergency gets the words for one`(odds: Float, reason: NoDraft?) {
        let answered = Self.answered("my knee is the size of a melon") {
            $0.urgency = Self.urgent(.other)
            $0.danger = DangerAnswer(kind: .medical, odds: odds)
        }
        #expect(answered.reason == reason && (answered.basis == nil) == (reason != nil))
    }

    @Test(arguments: [(Float(2.4), NoDraft?.some(.unsure)), (2.6, nil)])
    func `a phrase such as "he'd kill me" gets no words for who is beaten`(odds: Float, reason: NoDraft?) {
        let answered = Self.answered("he'd kill me if he knew I wrote") {
            $0.urgency = Self.urgent(.other)
            $0.danger = DangerAnswer(kind: .violence, odds: odds)
        }
        #expect(answered.reason == reason && (answered.basis == nil) == (reason != nil))
    }

    @Test(arguments: [(Float(1.4), "template:urgent.other"), (1.6, "template:urgent.violence")])
    func `who was hurt by somebody is no patient`(violence: Float, basis: String) {
        let answered = Self.answered("he put his hand around my throat and i can't swallow") {
            $0.urgency = Self.urgent(.other)
            $0.danger = DangerAnswer(kind: .medical, odds: 5, violence: violence)
        }
        #expect(answered.basis == basis)
    }

    @Test(arguments: [UrgencyAnswer.Kind.selfHarm, .other])
    func `who may be harmed by somebody that reads along gets no words about a crisis`(kind: UrgencyAnswer.Kind) {
        let answered = Self.answered("he checks my phone every morning, i can't go on") {
            $0.urgency = Self.urgent(kind)
            $0.danger = DangerAnswer(kind: .selfHarm, odds: 4, violence: 1)
        }
        #expect(answered.basis == nil && answered.reason == .unsure)
    }

    @Test(arguments: [
        // What the rules found; log-odds of danger, and of the worst part; the draft.
        (UrgencyAnswer.Kind.selfHarm, Float(-5), Float(-5), String?.none),
        (.selfHarm, -3, -3, "template:urgent.self-harm"), (.threat, -5, -5, nil),
        (.threat, -3, -3, "template:urgent.threat"),
        (.other, 3, 0.2, nil),
    ])
    func `words for danger need some of it, and a part that tells which`(
        kind: UrgencyAnswer.Kind, odds: Float, worst: Float, basis: String?
    ) {
        let answered = Self.answered("i am going to kill my boyfriend, he ate the cake") {
            $0.urgency = Self.urgent(kind)
            $0.danger = DangerAnswer(kind: .selfHarm, odds: odds, worst: worst)
        }
        #expect(answered.basis == basis)
        #expect((answered.reason == .unsure) == (basis == nil))
    }

    @Test(arguments: [(Float(0.9), Float(-6), true), (0.5, -6, false), (0.9, -0.5, false)])
    func `thanks are given where they fit and nothing is alarming`(fits: Float, danger: Float, isGiven: Bool) {
        let answered = Self.answered("what a lovely film, and the music too, we watched it twice") {
            $0.thanks = ThanksAnswer(fits: fits, sorrow: 0)
            $0.danger = DangerAnswer(kind: .medical, odds: danger)
        }
        #expect((answered.basis == "template:fan.praise") == isGiven)
    }

    @Test(arguments: [
        // The creator's languages, the message's, and how the draft begins; nil: there is none.
        (["pl", "en"], "pl", String?.some("Hej")), (["en", "de"], "en", "Hi"), (["hu", "en"], "hu", nil),
        (["hu", "en"], "fr", "Hi"), (["en"], "hu", "Hi"),
    ])
    func `a sender who shares a language with the creator gets no other one`(
        languages: [String], language: String, opening: String?
    ) {
        let answered = Self.answered("xxx yyy zzz", languages: languages, in: language) { record in
            record.fields.senderName = record.fields.text
        }
        #expect(answered.text.isEmpty == (opening == nil))
        if let opening { #expect(answered.text.hasPrefix(opening) || answered.text.hasPrefix("Dzień")) }
    }

    @Test(arguments: [
        ("Sunday Pot: five lunches from one pan", "Sunday Pot"),
        ("Visite de ma cuisine : tout", "Visite de ma cuisine"),
        ("La série « Placard vide, dessert quand même »", "Placard vide, dessert quand même"),
        ("boek 'Een jaar met bijen'", "Een jaar met bijen"), ("Libro “Punto e a capo”", "Punto e a capo"),
        ("Bilge to Berth", "Bilge to Berth"), ("Lock by Lock (guide)", "Lock by Lock"), ("It's 'me'", "It's 'me'"),
    ])
    func `a work is called as people call it`(title: String, short: String) {
        #expect(ReplyBook.shortTitle(title) == short)
    }
}
