import Testing
import TriageCore

@testable import TriageStages

struct FAQTermsTests {
    /// Answers with a library of two entries that are not about offers, and `questions` behind them.
    private func answer(
        _ text: String, asksRates: Bool = true, amounts: UInt16 = 0, category: TriageCore.Category = .business,
        questions: [String] = ["How can a brand work with you and what are your rates?"]
    ) -> (id: String?, answer: FAQAnswer?) {
        let all = ["Which wheel do you use?", "What do your mugs cost?"] + questions
        let library = FAQLibrary(
            entries: all.enumerated().map {
                FAQEntry(id: String($0.offset), category: "", question: $0.element, answer: "…")
            })
        var batch = TextBatch.make([text])
        batch.records[0].category = CategoryAnswer(
            label: category, scores: category == .business ? [0.1, 0.9, 0, 0] : [0.9, 0.1, 0, 0], level: .high,
            by: .categoryRules, because: 0..<0)
        if asksRates { batch.records[0].facts.tags |= 1 << UInt64(FactTag.rateAsk.rawValue) }
        batch.records[0].facts.amounts = amounts
        FAQStage(library: library).annotate(&batch)
        let found = batch.records[0].faq
        return (found.map { library.entries[$0.entry].id }, found)
    }

    @Test(arguments: ["vad tar du för en story?", "koliko za story"])
    func `an offer that asks for rates in words of its own gets the entry about them`(text: String) {
        let (id, answer) = answer(text)
        #expect(id == "2")
        #expect(answer?.by == .faqTerms)
    }

    @Test func `one whose words mean what the entry says needs no such help`() {
        #expect(answer("combien pour un réel chez toi ?").id == "2")
    }

    @Test func `the shorter the offer, the surer`() throws {
        let long = "we are a family mill from the hills and have been weaving since 1911, "
        let confidences = try [0, 1, 2].map {
            try #require(answer(String(repeating: long, count: $0) + "koliko za story").answer?.confidence)
        }
        #expect(confidences[0] > confidences[1] && confidences[1] > confidences[2])
        #expect(answer(String(repeating: long, count: 4) + "koliko za story").id == nil)
    }

    @Test func `a fan, an offer with an amount, and one that asks for nothing get none`() {
        #expect(answer("koliko za story", category: .fan).id == nil)
        #expect(answer("koliko za story", amounts: 1).id == nil)
        #expect(answer("volimo tvoj story", asksRates: false).id == nil)
    }

    @Test func `what words find surely stays`() {
        #expect(answer("Which wheel do you use?").id == "0")
    }

    @Test(arguments: [
        (["How do we reach you about sponsorship and what do you charge?"], "2"),
        (["Wie läuft eine Kooperation und was kostet sie?"], "2"), (["Quanto custa uma parceria?"], "2"),
        (["Do brands pay for your reviews?", "What are your rates, and how do brands get in touch?"], "3"),
        (["What do your presets cost?"], nil), (["How can a brand work with you?"], nil), ([], nil),
    ])
    func `the entry is about money and working together, or there is none`(questions: [String], expected: String?) {
        #expect(answer("koliko za story", questions: questions).id == expected)
    }
}
