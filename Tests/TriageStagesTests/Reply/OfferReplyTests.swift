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

    private static func draft(
        _ text: String, language: String = "en", change: (inout Record) -> Void
    ) -> String? {
        var batch = TextBatch.make([text], languages: [language])
        batch.records[0].category = CategoryAnswer(
            label: .business, scores: [0, 1, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
        change(&batch.records[0])
        var profile = CreatorProfile()
        profile.languages = ["en", "de", "es", "fr", "pt", "sv"]
        ReplyStage(library: FAQLibrary(), profile: profile, rules: kinds).annotate(&batch)
        return batch.records[0].draft.map { String(decoding: batch.generated[$0.text.range], as: UTF8.self) }
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
        ("en", "I have noted the fee of 900 EUR"), ("de", "900 EUR Honorar"), ("es", "la tarifa de 900 EUR"),
        ("fr", "le montant de 900 EUR"), ("pt", "o valor de 900 EUR"), ("sv", "arvodet 900 EUR"),
    ])
    func `a sum that was read is said back and not asked for`(language: String, words: String) {
        let text = "we pay 900 euro"
        let draft = Self.draft(text, language: language) { $0.facts.budget = Self.budget("900", in: text, 900, "EUR") }
        #expect(draft?.contains(words) == true, "\(draft ?? "none")")
        let silent = Self.draft("we pay", language: language) { _ in }
        #expect(silent?.contains("900") != true)
    }

    @Test(arguments: [
        // No currency, a sum over several parts, a share of a unit: known, but not said back.
        ("we pay 900", "900", 900.0, String?.none), ("3 videos of 300 EUR", "3 videos of 300", 900, "EUR"),
        ("9.50 EUR each", "9.50", 9.5, "EUR"),
    ])
    func `a sum that does not stand in the text so is neither said back nor asked for`(
        text: String, sum: String, amount: Double, code: String?
    ) {
        let draft = Self.draft(text) { $0.facts.budget = Self.budget(sum, in: text, amount, code) }
        #expect(draft?.contains("noted") == false && draft?.contains("the fee") == false, "\(draft ?? "none")")
    }

    @Test func `thousands are set apart as the language does it`() {
        let text = "12k EUR"
        for (language, sum) in [("en", "12,000 EUR"), ("de", "12.000 EUR"), ("sv", "12 000 EUR")] {
            let draft = Self.draft(text, language: language) {
                $0.facts.budget = Self.budget("12k", in: text, 12_000, "EUR")
            }
            #expect(draft?.contains(sum) == true, "\(draft ?? "none")")
        }
    }

    @Test(arguments: [("en", "12 October"), ("de", "12. Oktober"), ("es", "12 de octubre"), ("fr", "12 octobre")])
    func `the day of the matter is noted, and the day of the answer is kept`(language: String, day: String) {
        for isReply in [false, true] {
            let draft = Self.draft("on the 12th", language: language) {
                $0.facts.kind = 0
                $0.facts.deadlineDay = Int32(CivilDate(year: 2026, month: 10, day: 12).daysSince1970)
                ($0.facts.deadlineStart, $0.facts.deadlineEnd) = (7, 11)
                $0.facts.deadlineIsReply = isReply
            }
            #expect(draft?.contains(day) == true, "\(draft ?? "none")")
        }
    }

    @Test(arguments: ["on Monday, 13", "mid-October", "12", "in week 120"])
    func `a day whose number is not in the text is neither noted nor asked for`(text: String) {
        let draft = Self.draft(text) {
            $0.facts.kind = 0
            $0.facts.deadlineDay = Int32(CivilDate(year: 2026, month: 10, day: 20).daysSince1970)
            ($0.facts.deadlineStart, $0.facts.deadlineEnd) = (0, Int32(text.utf8.count))
        }
        #expect(draft?.contains("October") == false && draft?.contains("the date") == false, "\(draft ?? "none")")
    }

    @Test(arguments: [FactTag.rateAsk, .unpaid])
    func `who asks for a price or has no money is not asked for a fee`(tag: FactTag) {
        let draft = Self.draft("come to our fair") {
            $0.facts.kind = 0
            $0.facts.tags = 1 << UInt64(tag.rawValue)
        }
        #expect(draft?.contains("the fee") == false, "\(draft ?? "none")")
    }

    @Test func `a matter of no kind gets a draft only where something speaks of an offer`() {
        #expect(Self.draft("did you get my mail") { _ in } == nil)
        #expect(Self.draft("your invoice is attached") { $0.facts.isDefinite = true } == nil)
        #expect(Self.draft("a video for us") { $0.facts.namesDeliverables = true } != nil)
    }

    @Test func `at most three things are asked, and of a long letter only what is known to be missing`() {
        let short = Self.draft("come to our fair") {
            $0.facts.tags = 1 << UInt64(FactTag.event.rawValue)
            $0.facts.kind = 0
        }
        #expect(short?.contains("the fee, the date and the place.") == true, "\(short ?? "none")")
        let letter = String(repeating: "come to our fair in the old hall by the river ", count: 10)
        let long = Self.draft(letter) {
            $0.facts.kind = 0
            $0.facts.deadlineDay = 20_000
        }
        #expect(long?.contains("the fee.") == true && long?.contains("place") == false, "\(long ?? "none")")
    }

    @Test func `who has said everything gets no empty thanks`() {
        let letter = String(repeating: "come to our fair in the old hall by the river ", count: 10)
        let draft = Self.draft(letter) {
            $0.facts.kind = 0
            $0.facts.deadlineDay = nil
            $0.facts.budget = Self.budget("come", in: letter, 500, nil)
            $0.thread.budget = $0.facts.budget
        }
        #expect(draft?.contains("the date") == true)
        let all = Self.draft(letter) {
            $0.facts.kind = -1
            $0.facts.namesDeliverables = true
            $0.facts.deadlineDay = 20_000
            $0.facts.budget = Self.budget("come", in: letter, 500, nil)
        }
        #expect(all == nil)
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
}
