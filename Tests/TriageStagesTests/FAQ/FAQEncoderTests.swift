import Testing
import TriageCore

@testable import TriageStages

struct FAQEncoderTests {
    private static let library = FAQLibrary(entries: [
        FAQEntry(
            id: "camera", category: "Gear", question: "What camera and lens do you use?",
            answer: "A Fuji X-T5 with the 35 mm."),
        FAQEntry(
            id: "shipping", category: "Shop", question: "Do you ship abroad?",
            answer: "Yes, to all of Europe and North America, within ten days."),
        FAQEntry(
            id: "beginner", category: "Content", question: "I am new to this. Where should I start?",
            answer: "Start with the first video of the basics list."),
        FAQEntry(
            id: "pattern", category: "Shop", question: "Can I sell things I made from your patterns?",
            answer: "Yes, up to fifty pieces a year, if you name me."),
        FAQEntry(
            id: "dog", category: "Personal", question: "What breed is your dog?", answer: "A mix from the shelter."),
        FAQEntry(
            id: "lights", category: "Gear", question: "How do you light your videos?", answer: "A window and one lamp."),
        FAQEntry(
            id: "meet", category: "Personal", question: "Can I meet you somewhere?",
            answer: "At the spring fair; dates are in the newsletter."),
        FAQEntry(
            id: "music", category: "Content", question: "Where is the music in your videos from?",
            answer: "From a library; the names are below each video."),
        FAQEntry(
            id: "schedule", category: "Content", question: "When do you upload new videos?", answer: "On Sundays."),
    ])

    private func match(_ text: String, isEncoding: Bool = true) -> (id: String?, answer: FAQAnswer?) {
        var batch = TextBatch.make([text])
        var settings = Settings()
        settings.encoder.faq = isEncoding
        FAQStage(library: Self.library, settings: settings).annotate(&batch)
        let answer = batch.records[0].faq
        return (answer.map { Self.library.entries[$0.entry].id }, answer)
    }

    @Test(arguments: [
        ("would you send a parcel to my address in Lisbon?", "shipping"),
        ("is it okay to put the hats I knitted after your design up for money on a market stall?", "pattern"),
        ("never held a needle before, which of your clips should i watch first?", "beginner"),
        ("what sort of pooch is the fluffy one sleeping behind you?", "dog"),
        ("welche Lampen nimmst du beim Filmen?", "lights"),
        ("¿se puede vender lo que tejo con tus diseños?", "pattern"),
    ])
    func `finds the entry that means the same in other words`(text: String, id: String) {
        let found = match(text)
        #expect(found.id == id)
        #expect(found.answer?.by == .faqEncoder)
    }

    @Test(arguments: [
        "What did your grandmother say about the prize?", "Is it cold where you live now that it snows so early?",
        "can you believe my boss fired me today?", "how much is 3 plus 4?", "?",
    ])
    func `finds none for a question that no entry answers`(text: String) {
        #expect(match(text).id == nil)
    }

    @Test func `is left out where the method is rules`() {
        let found = match("Which camera do you use?", isEncoding: false)
        #expect(found.id == "camera")
        #expect(found.answer?.by == .faqLexical)
    }

    @Test(arguments: [(7, Decider.faqLexical), (8, .faqEncoder), (256, .faqEncoder), (257, .faqLexical)])
    func `libraries that are very small or very large are matched by words alone`(count: Int, by: Decider) {
        let library = FAQLibrary(
            entries: [Self.library.entries[0]]
                + (1..<count).map {
                    FAQEntry(
                        id: "e\($0)", category: "", question: "How do I clean plate number \($0)?", answer: "Gently.")
                })
        var batch = TextBatch.make(["What camera and lens do you use?"])
        FAQStage(library: library).annotate(&batch)
        #expect(batch.records[0].faq.map { library.entries[$0.entry].id } == "camera")
        #expect(batch.records[0].faq?.by == by)
    }
}
