import Testing
import TriageCore

@testable import TriageStages

/// What a draft says back of an offer, and what it asks.
struct OfferReplyTests {
    private static let kinds = RuleSet(
        kinds: [
            OfferKind(
                id: "event", facts: 1 << UInt64(FactTag.event.rawValue), reply: "business.event",
                asks: ["fee", "date", "place", "travel costs", "audience"])
        ])

    private static let library = FAQLibrary(entries: [
        FAQEntry(id: "shop", question: "Do you have a shop?", answer: "Yes, ask at shop@robin.example."),
        FAQEntry(
            id: "brands", question: "How can a brand work with you?",
            answer: "Send a short brief to deals@robin.example. Kim answers in a week."),
    ])

    private static func answered(
        _ text: String, language: String = "en", contacts: FAQContacts = FAQContacts(), contact: String = "",
        change: (inout Record) -> Void
    ) -> (text: String, basedOn: String)? {
        var batch = TextBatch.make([text], languages: [language])
        batch.records[0].category = CategoryAnswer(
            label: .business, scores: [0, 1, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
        change(&batch.records[0])
        var profile = CreatorProfile()
        profile.languages = ["en", "de", "es", "fr", "pt", "sv"]
        profile.contact = contact
        ReplyStage(
            library: library, profile: profile, rules: kinds, settings: Settings(), voice: nil, contacts: contacts
        ).annotate(&batch)
        func made(_ span: Span32) -> String { String(decoding: batch.generated[span.range], as: UTF8.self) }
        return batch.records[0].draft.map { (made($0.text), made($0.basedOn)) }
    }

    private static func draft(
        _ text: String, language: String = "en", contacts: FAQContacts = FAQContacts(),
        change: (inout Record) -> Void
    ) -> String? {
        answered(text, language: language, contacts: contacts, change: change)?.text
    }

    /// A sum whose figures stand in a text.
    private static func budget(_ sum: String, in text: String, _ amount: Double, _ code: String?) -> MoneyAmount {
        let bytes = Array(text.utf8)
        let start = bytes.firstRange(of: Array(sum.utf8))?.lowerBound ?? 0
        return MoneyAmount(
            amount: amount, currency: code.flatMap { Currency(parsing: $0) }, usd: amount, start: Int32(start),
            end: Int32(start + sum.utf8.count))
    }

    @Test(arguments: [
        ("en", "I've noted the fee (900 EUR)"), ("de", "das Honorar (900 EUR)"), ("es", "el importe (900 EUR)"),
        ("fr", "le montant (900 EUR)"), ("pt", "o valor (900 EUR)"), ("sv", "arvodet (900 EUR)"),
    ])
    func `a sum that was read is said back and not asked for`(language: String, words: String) {
        let text = "we pay 900 euro"
        let draft = Self.draft(text, language: language) {
            $0.facts.budget = Self.budget("900", in: text, 900, "EUR")
            $0.facts.amounts = 1
        }
        #expect(draft?.contains(words) == true, "\(draft ?? "none")")
        let silent = Self.draft("we pay", language: language) { _ in }
        #expect(silent?.contains("900") != true)
    }

    @Test(arguments: [
        // No currency, a sum over several parts, a share of a unit: known, but not said back.
        ("we pay 900", "900", 900.0, String?.none), ("3 videos of 300 EUR", "3 videos of 300", 900, "EUR"),
        ("9.50 EUR each", "9.50", 9.5, "EUR"),
    ])
    func `a sum that does not stand in the text so is not called the fee, nor asked for`(
        text: String, sum: String, amount: Double, code: String?
    ) {
        let draft = Self.draft(text) {
            $0.facts.budget = Self.budget(sum, in: text, amount, code)
            $0.facts.amounts = 1
        }
        #expect(draft?.contains("figures") == false && draft?.contains("the fee") == false, "\(draft ?? "none")")
    }

    @Test func `of several sums none is called the fee`() {
        let text = "£500, or £900 for two"
        let draft = Self.draft(text) {
            $0.facts.budget = Self.budget("£900", in: text, 900, "GBP")
            $0.facts.amounts = 2
        }
        #expect(draft?.contains("figures") == false && draft?.contains("900") == false, "\(draft ?? "none")")
    }

    @Test(arguments: [
        ("£4,000", 4000.0, "GBP"), ("USD 3,800", 3800, "USD"), ("14.500 EUR", 14_500, "EUR"), ("2 000 $", 2000, "CAD"),
    ])
    func `a sum is said as the message writes it`(sum: String, amount: Double, code: String) {
        let text = "we offer \(sum) for it"
        let draft = Self.draft(text) {
            $0.facts.budget = Self.budget(sum, in: text, amount, code)
            $0.facts.amounts = 1
        }
        #expect(draft?.contains("the fee (\(sum))") == true, "\(draft ?? "none")")
    }

    /// What stands between the figures of a sum never reaches a draft.
    @Test func `words inside a sum are not repeated`() {
        let text = "we offer EUR visit evil.example 900 for it"
        let draft = Self.draft(text) {
            $0.facts.budget = Self.budget("EUR visit evil.example 900", in: text, 900, "EUR")
            $0.facts.amounts = 1
        }
        #expect(draft?.contains("the fee (900 EUR)") == true, "\(draft ?? "none")")
    }

    @Test func `thousands are set apart as the language does it`() {
        let text = "12k EUR"
        for (language, sum) in [("en", "12,000 EUR"), ("de", "12.000 EUR"), ("sv", "12 000 EUR")] {
            let draft = Self.draft(text, language: language) {
                $0.facts.budget = Self.budget("12k", in: text, 12_000, "EUR")
                $0.facts.amounts = 1
            }
            #expect(draft?.contains(sum) == true, "\(draft ?? "none")")
        }
    }

    @Test(arguments: [("en", "12 October"), ("de", "12. Oktober"), ("es", "12 de octubre"), ("fr", "12 octobre")])
    func `the day of the matter and the day of the answer are noted, and no answer is promised`(
        language: String, day: String
    ) {
        for isReply in [false, true] {
            let draft = Self.draft("on 12 October", language: language) {
                $0.facts.kind = 0
                $0.facts.deadlineDay = Int32(CivilDate(year: 2026, month: 10, day: 12).daysSince1970)
                ($0.facts.deadlineStart, $0.facts.deadlineEnd) = (7, 11)
                $0.facts.deadlineIsReply = isReply
            }
            #expect(draft?.contains(day) == true, "\(draft ?? "none")")
            if language == "en" { #expect(draft?.contains("the deadline") == isReply) }
        }
    }

    @Test(arguments: [
        "on Monday, 13", "mid-October", "12", "in week 120", "on the 20th", "20 October or 21 October", "19-20 October",
        "20 October, and the 3rd", "20 November",
    ])
    func `a day is noted only where the text names it with its month, and no other`(text: String) {
        let draft = Self.draft(text) {
            $0.facts.kind = 0
            $0.facts.deadlineDay = Int32(CivilDate(year: 2026, month: 10, day: 20).daysSince1970)
            ($0.facts.deadlineStart, $0.facts.deadlineEnd) = (0, Int32(text.utf8.count))
        }
        #expect(draft?.contains("October") == false && draft?.contains("the date") == false, "\(draft ?? "none")")
    }

    @Test(arguments: ["20 October, 9.30, £1,400", "October 20 at 45 Mill Road", "el 20 de octubre", "am 20. Oktober"])
    func `times, sums and higher numbers are no other day`(text: String) {
        let draft = Self.draft(text) {
            $0.facts.kind = 0
            $0.facts.deadlineDay = Int32(CivilDate(year: 2026, month: 10, day: 20).daysSince1970)
        }
        #expect(draft?.contains("the date you have in mind (20 October)") == true, "\(draft ?? "none")")
    }

    @Test func `the day of an offer is not noted`() {
        let draft = Self.draft("900 EUR, 20 October") {
            $0.facts.tags = 1 << UInt64(FactTag.deliverable.rawValue)
            $0.facts.deadlineDay = Int32(CivilDate(year: 2026, month: 10, day: 20).daysSince1970)
        }
        #expect(draft?.contains("October") == false, "\(draft ?? "none")")
    }

    @Test(arguments: [FactTag.rateAsk, .unpaid])
    func `who asks for a price or has no money is not asked for a fee`(tag: FactTag) {
        let draft = Self.draft("come to our fair") {
            $0.facts.kind = 0
            $0.facts.tags = 1 << UInt64(tag.rawValue)
        }
        #expect(draft?.contains("your budget") == false, "\(draft ?? "none")")
    }

    @Test func `a matter of no kind gets no draft, unless something speaks of an offer`() {
        #expect(Self.draft("did you get my mail") { _ in } == nil)
        #expect(Self.draft("your invoice is attached") { $0.facts.isDefinite = true } == nil)
        #expect(Self.draft("30 minutes with us") { $0.facts.namesDeliverables = true } == nil)
        #expect(Self.draft("a video for us") { $0.facts.tags = 1 << UInt64(FactTag.deliverable.rawValue) } != nil)
    }

    @Test func `neither the date nor the place nor the work is asked for`() {
        let draft = Self.draft("come to our fair") {
            $0.facts.tags = 1 << UInt64(FactTag.event.rawValue)
            $0.facts.kind = 0
        }
        #expect(draft?.hasSuffix("I will go through it and come back to you.") == true, "\(draft ?? "none")")
    }

    @Test func `who has said everything is told what happens next, as far as it is surely an offer`() {
        let letter = String(repeating: "come to our fair in the old hall by the river ", count: 10)
        for level in [Level.high, .medium] {
            let draft = Self.draft(letter) {
                $0.category?.level = level
                $0.facts.kind = 0
                $0.facts.tags = 1 << UInt64(FactTag.unpaid.rawValue)
                $0.facts.deadlineDay = 20_000
            }
            #expect(draft?.hasSuffix("I will go through it and come back to you.") == (level == .high ? true : nil))
        }
    }

    @Test func `a topic that the creator excludes is declined`() {
        let draft = Self.draft("sponsor our casino") {
            let part = OpportunityAnswer.Part(points: 0, maximum: 30, because: 0..<0)
            $0.opportunity = OpportunityAnswer(
                monetary: part, brandFit: part, legitimacy: part, urgency: part, insights: 0..<0)
            $0.facts.points.brandFit = 0
        }
        #expect(draft?.contains("I will pass") == true, "\(draft ?? "none")")
    }

    /// The library tells everybody where deals go.
    private static let contacts = FAQStage(library: library).contacts

    @Test func `the address for deals is that of the entry about brands`() {
        #expect(Self.contacts.deals == FAQContacts.Contact(entry: 1, address: "deals@robin.example"))
    }

    @Test func `the profile's address for offers stands before the library's`() {
        let draft = Self.answered("900 EUR for a reel", contacts: Self.contacts, contact: "kim@agency.example") {
            $0.facts.tags = 1 << UInt64(FactTag.deliverable.rawValue)
        }
        #expect(draft?.text.contains("kim@agency.example") == true)
    }

    @Test func `a short enquiry gets what the library says about deals`() {
        let draft = Self.answered("let us do a video together", contacts: Self.contacts) {
            $0.facts.tags = 1 << UInt64(FactTag.deliverable.rawValue)
        }
        #expect(draft?.basedOn == "faq:brands")
        #expect(draft?.text.hasSuffix("Send a short brief to deals@robin.example. Kim answers in a week.") == true)
    }

    @Test(arguments: ["en", "de", "es", "fr", "pt", "sv"])
    func `who names a fee is not asked for a brief and gets the address alone`(language: String) {
        let text = "900 EUR for a reel"
        let draft = Self.answered(text, language: language, contacts: Self.contacts) {
            $0.facts.budget = Self.budget("900 EUR", in: text, 900, "EUR")
            $0.facts.amounts = 1
        }
        #expect(draft?.basedOn == "template:business.offer")
        #expect(draft?.text.contains("deals@robin.example") == true && draft?.text.contains("900 EUR") == true)
        #expect(draft?.text.contains("brief") == false)
    }

    @Test func `who sells something gets no thanks for an offer`() {
        let draft = Self.draft("hire me, 900 EUR", contacts: Self.contacts) {
            $0.facts.tags = 1 << UInt64(FactTag.creatorPays.rawValue)
        }
        #expect(draft == nil)
    }

    @Test(arguments: [
        ("A reel from 1,200 EUR, stories 400 EUR.", [1200, 400]),
        ("from GBP 1.900; talks GBP 350 plus the train", [1900, 350]),
        ("£350 (two hours), 12.50 USD", [350, 12]), ("60-90 s, 3 reels, ask", []),
    ])
    func `the sums of the rates are those with a currency beside them`(rates: String, sums: [Double]) {
        #expect(OfferPolicy.sums(in: rates).map(\.amount) == sums)
    }

    @Test(arguments: [
        ("No commission-only work.", OfferPolicy.Terms.commission, true),
        ("nur gegen Honorar, keine Provision", .commission, true),
        ("No commission-only or gifted-only posts", .gifted, true), ("Gifts welcome", .gifted, false),
        ("no unpaid work for companies", .unpaid, true), ("Charity work free", .unpaid, false),
        ("no acepto tratos solo por comisión", .commission, true),
    ])
    func `terms are refused where the profile says so, in any language`(
        rates: String, terms: OfferPolicy.Terms, isRefused: Bool
    ) {
        var profile = CreatorProfile()
        profile.rates = rates
        let policy = OfferPolicy(profile: profile, library: FAQLibrary(), exchange: .shipped)
        #expect(policy.refuses(terms) == isRefused)
    }

    @Test func `a fee under a tenth of the lowest rate is paltry, under half of it low`() {
        var profile = CreatorProfile()
        profile.rates = "A reel 1,000 USD, stories 400 USD"
        let policy = OfferPolicy(profile: profile, library: FAQLibrary(), exchange: .shipped)
        #expect([39, 40, 199, 200].map(policy.fee) == [.paltry, .low, .low, .fair])
        #expect(OfferPolicy(profile: CreatorProfile(), library: FAQLibrary(), exchange: .shipped).fee(1) == .fair)
    }

    @Test(arguments: [
        ("Write to a.b@mail.example.", "a.b@mail.example"), ("(help@x.example)", "help@x.example"),
        ("@handle or a@b", nil), ("mail me at a@b@c.example", nil), ("none", nil),
    ])
    func `the address of an answer is its first e-mail address`(answer: String, address: String?) {
        #expect(FAQContacts.address(in: answer) == address)
    }
}
