import Testing
import TriageCore

@testable import TriageStages

/// Which words a business message gets by what the encoder read it to be about.
struct ReplyMatterTests {
    private static let rules = RuleSet(
        kinds: [
            ("sponsorship", "business.offer", ["fee"]), ("event", "business.event", ["date"]),
            ("job", "business.job", ["pay"]),
            ("podcast", "business.podcast", ["date"]), ("bill", "business.invoice", []),
        ].map { (id: String, reply: String, asks: [String]) in OfferKind(id: id, facts: 0, reply: reply, asks: asks) })

    private static func answered(
        _ matter: MatterAnswer?, rule: Int8 = 0, rates: String = "", contact: String = "deals@robin.example",
        platform: String? = nil, wordings: OwnWordings = OwnWordings(), change: (inout Record) -> Void = { _ in }
    ) -> (basis: String?, text: String, reason: NoDraft?) {
        var batch = TextBatch.make(["we would like to have you"], languages: ["en"])
        batch.records[0].category = CategoryAnswer(
            label: .business, scores: [0, 1, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
        batch.records[0].facts.kind = rule
        batch.records[0].matter = matter
        if let platform {
            batch.records[0].fields.platform = Span32(start: batch.arena.count, count: platform.utf8.count)
            batch.arena += Array(platform.utf8)
        }
        change(&batch.records[0])
        var profile = CreatorProfile()
        profile.name = "Robin Hale"
        (profile.languages, profile.rates, profile.contact) = (["en"], rates, contact)
        ReplyStage(
            library: FAQLibrary(), profile: profile, rules: rules, settings: Settings(), voice: nil, wordings: wordings
        ).annotate(&batch)
        func made(_ span: Span32?) -> String? {
            span.map { String(decoding: batch.generated[$0.range], as: UTF8.self) }
        }
        return (
            made(batch.records[0].draft?.basedOn), made(batch.records[0].draft?.text) ?? "", batch.records[0].noDraft
        )
    }

    @Test(arguments: [
        (Matter.deal, "offer"), (.collab, "offer"), (.rates, "rates"), (.licence, "licence"), (.press, "press"),
        (.podcast, "podcast"), (.event, "event"), (.job, "job"), (.book, "job"),
    ])
    func `a sure kind decides on the words, whatever the rules say`(matter: Matter, words: String) {
        let answer = MatterAnswer(kind: matter, probability: 0.8)
        for rule: Int8 in [-1, 0, 1] {
            #expect(Self.answered(answer, rule: rule).basis == "template:business.\(words)")
        }
    }

    @Test(arguments: [Matter.wholesale, .peer, .research, .other, .commission, .gift])
    func `a kind that only the creator can answer gets no draft`(matter: Matter) {
        let answered = Self.answered(MatterAnswer(kind: matter, probability: 0.9))
        #expect(answered.basis == nil && answered.reason == .unsure)
    }

    @Test(arguments: [(Level.low, false), (.medium, true)])
    func `what something costs is a question about rates only from who is surely no fan`(level: Level, isGiven: Bool) {
        let rates = MatterAnswer(kind: .rates, probability: 0.8)
        let answered = Self.answered(rates) { $0.category?.level = level }
        #expect((answered.basis == "template:business.rates") == isGiven && (answered.reason == .unsure) == !isGiven)
    }

    @Test(arguments: [("", false), ("deals@robin.example", true)])
    func `who needs an answer within two days is sent on, or gets none`(contact: String, isGiven: Bool) {
        let event = MatterAnswer(kind: .event, probability: 0.8)
        let answered = Self.answered(event, contact: contact) { $0.facts.deadlineHours = 47 }
        #expect((answered.basis != nil) == isGiven, "\(answered.text)")
    }

    @Test(arguments: [
        (Int8(1), "business.event", "email", false), (1, "business.event", "instagram", true),
        (2, "business.job", "email", true), (3, "business.podcast", "email", true),
    ])
    func `that it will be looked at answers an e-mail of which nothing was read only where people can wait`(
        rule: Int8, basis: String, platform: String, isGiven: Bool
    ) {
        let answered = Self.answered(nil, rule: rule, contact: "robin.hale@mail.example", platform: platform)
        #expect(answered.basis == (isGiven ? "template:\(basis)" : nil), "\(answered.text)")
        #expect(answered.reason == (isGiven ? nil : .needsAFact))
    }

    @Test(arguments: [("deals@robin.example", String?.none), ("", "template:business.representation")])
    func `who has a manager sends no other manager there`(contact: String, basis: String?) {
        let answered = Self.answered(MatterAnswer(kind: .represent, probability: 0.9), contact: contact)
        #expect(answered.basis == basis)
    }

    private static let ownWords = OwnWordings(
        texts: [
            "en": [
                "business.invoice": ["Kim has it."], "business.charity": ["I pick two a year."],
                "business.gifting": ["Kim unpacks it."],
            ]
        ])

    @Test(arguments: [(Float(0.6), -1, false), (0.6, 4, true), (0.9, -1, true)] as [(Float, Int8, Bool)])
    func `a message about money is a bill only where it surely is one, or the rules say so`(
        probability: Float, rule: Int8, isBill: Bool
    ) {
        let answer = MatterAnswer(kind: .invoice, probability: probability)
        #expect(Self.answered(answer, rule: rule).reason == (isBill ? NoDraft.needsAFact : .unsure))
        let own = Self.answered(answer, rule: rule, wordings: Self.ownWords)
        #expect((own.basis == "template:business.invoice") == isBill)
        #expect(own.text.contains("Kim has it.") == isBill)
    }

    @Test(arguments: [
        (Matter.invoice, "deals@robin.example"), (.charity, "deals@robin.example"), (.press, ""),
        (.freebie, "deals@robin.example"),
    ])
    func `a fact that only the creator knows is not put off with words, unless they are the creator's`(
        matter: Matter, contact: String
    ) {
        let answer = MatterAnswer(kind: matter, probability: 0.9)
        let answered = Self.answered(answer, contact: contact)
        #expect(answered.basis == nil && answered.reason == .needsAFact)
        let own = Self.answered(answer, contact: contact, wordings: Self.ownWords)
        #expect((own.basis != nil) == (matter != .press))
    }

    @Test(arguments: [("deals@robin.example", true), ("", false)])
    func `an offer that needs an answer within two days gets no promise of one, but an address`(
        contact: String, isGiven: Bool
    ) {
        for kind in [Matter.deal, .event, .job] {
            let answered = Self.answered(MatterAnswer(kind: kind, probability: 0.9), contact: contact) {
                $0.facts.deadlineHours = 20
            }
            #expect((answered.basis != nil) == isGiven)
        }
    }

    @Test func `who sells something gets no draft`() {
        let answered = Self.answered(MatterAnswer(kind: .service, probability: 0.9))
        #expect(answered.basis == nil && answered.reason == .nothingToAnswer)
    }

    @Test(arguments: [
        (Matter.commission, "No commission-only work.", true), (.gift, "No gifted posts.", true),
        (.gift, "No commission-only work.", false), (.commission, "EUR 900 a reel", false),
    ])
    func `terms that the profile rules out are declined`(matter: Matter, rates: String, isDeclined: Bool) {
        let answered = Self.answered(
            MatterAnswer(kind: matter, probability: 0.9), rates: rates)
        #expect(answered.basis == (isDeclined ? "template:business.unpaid" : nil))
    }

    @Test func `two kinds that come near each other get no words of either`() {
        let answer = MatterAnswer(kind: .event, probability: 0.55, second: 0.35)
        #expect(Self.answered(answer, rule: 1).basis == nil)
        let clear = MatterAnswer(kind: .event, probability: 0.55, second: 0.29)
        #expect(Self.answered(clear, rule: 0).basis == "template:business.event")
    }

    @Test(arguments: [("deals@robin.example", Float(0.8), true), ("deals@robin.example", 0.7, false), ("", 0.8, false)])
    func `what is surely a manager's goes there, of whatever kind it is`(
        contact: String, handled: Float, isGiven: Bool
    ) {
        let answer = MatterAnswer(kind: .book, probability: 0.3, second: 0.25, handled: handled)
        let answered = Self.answered(answer, rule: -1, contact: contact)
        #expect((answered.basis != nil) == isGiven)
        #expect(answered.text.contains("deals@robin.example") == isGiven)
    }

    @Test(arguments: [
        ("No commission-only work, no gifted posts.", true), ("No gifted posts.", false), ("", false),
    ])
    func `a commission or a gift, whichever it is, is declined where neither is taken`(rates: String, isDeclined: Bool)
    {
        let answer = MatterAnswer(kind: .gift, probability: 0.45, second: 0.3, feeless: 0.75)
        #expect((Self.answered(answer, rates: rates).basis == "template:business.unpaid") == isDeclined)
    }

    @Test(arguments: [
        // The rules say event.
        (Matter.event, Float(0.4), true), (.event, 0.3, false), (.deal, 0.4, false), (.deal, 0.5, true),
    ])
    func `an unsure kind gets a draft only where the rules say the same`(
        matter: Matter, probability: Float, isGiven: Bool
    ) {
        let answered = Self.answered(
            MatterAnswer(kind: matter, probability: probability), rule: 1)
        #expect((answered.basis != nil) == isGiven)
    }

    @Test(arguments: [
        (Matter.deal, String?.some("template:business.declined")), (.commission, "template:business.declined"),
        (.gift, "template:business.declined"), (.press, nil), (.event, nil), (.other, nil),
    ])
    func `an excluded topic is declined where it is advertised, and else left alone`(matter: Matter, basis: String?) {
        #expect(Self.answered(MatterAnswer(kind: matter, probability: 0.9, excluded: 0.9)).basis == basis)
    }

    @Test(arguments: [Float(0.2), 0.35, 0.45])
    func `an offer whose topic may be excluded gets neither thanks nor a refusal`(probability: Float) {
        for kind in [Matter.deal, .commission, .gift] {
            let answered = Self.answered(MatterAnswer(kind: kind, probability: 0.9, excluded: probability))
            #expect(answered.basis == nil && answered.reason == .unsure)
        }
    }

    @Test(arguments: [(Float(0.1), true), (0.9, false)])
    func `what goes on with something agreed gets no words for a first message`(ongoing: Float, isGiven: Bool) {
        for kind in [Matter.deal, .event, .job, .licence, .rates, .podcast] {
            let answered = Self.answered(MatterAnswer(kind: kind, probability: 0.9, ongoing: ongoing))
            #expect((answered.basis != nil) == isGiven)
        }
        let refused = MatterAnswer(kind: .deal, probability: 0.9, excluded: 0.9, ongoing: ongoing)
        #expect((Self.answered(refused).basis != nil) == isGiven)
        let bill = MatterAnswer(kind: .invoice, probability: 0.9, ongoing: ongoing)
        #expect(Self.answered(bill, wordings: Self.ownWords).text.contains("Kim has it."))
    }

    @Test(arguments: [Matter.deal, .event, .job, .book, .licence, .podcast, .press])
    func `what a manager handles goes to the address of the profile`(matter: Matter) {
        let answer = MatterAnswer(kind: matter, probability: 0.8)
        let answered = Self.answered(answer)
        #expect(answered.text.contains("deals@robin.example"), "\(answered.text)")
        #expect(!Self.answered(answer, contact: "").text.contains("deals@"))
    }

    @Test(arguments: [(Int32(20), false), (48, false), (49, true), (200, true)])
    func `the press that needs an answer within two days gets no draft`(hours: Int32, isGiven: Bool) {
        let answer = MatterAnswer(kind: .press, probability: 0.9)
        #expect((Self.answered(answer) { $0.facts.deadlineHours = hours }.basis != nil) == isGiven)
    }

    @Test func `where the encoder did not read a message, the rules decide`() {
        #expect(Self.answered(nil, rule: 1).basis == "template:business.event")
    }
}
