import Testing
import TriageCore

@testable import TriageStages

/// What words find; what sentences mean is in FAQEncoderTests.
struct FAQStageTests {
    private static let words = {
        var settings = Settings()
        settings.encoder.faq = false
        return settings
    }()
    private static let library = FAQLibrary(entries: [
        FAQEntry(
            id: "camera", category: "Gear", question: "What camera and lens do you use?", answer: "A small one."),
        FAQEntry(id: "microphone", category: "Gear", question: "Which microphone do you use?", answer: "A clip-on."),
        FAQEntry(
            id: "shipping", category: "Shop", question: "Where can I buy your prints, and do you ship abroad?",
            alsoAsked: ["Do you deliver to other countries?"], answer: "In the shop. Yes."),
        FAQEntry(id: "refund", category: "Shop", question: "How do I return an order?", answer: "Write to us."),
        FAQEntry(id: "schedule", category: "Content", question: "When do you upload new videos?", answer: "Sundays."),
        FAQEntry(id: "home", category: "Personal", question: "Where are you from?", answer: "Porto."),
        FAQEntry(id: "beginner", category: "Content", question: "I am a beginner. Where should I start?", answer: "…"),
        FAQEntry(id: "zorbium", category: "Gear", question: "How do I clean a zorbium plate?", answer: "Gently."),
        FAQEntry(id: "edit", category: "Gear", question: "What do you edit with?", answer: "Resolve."),
    ])

    private func match(_ text: String, _ language: String = "en") -> (id: String?, answer: FAQAnswer?) {
        var batch = TextBatch.make([text], languages: [language])
        FAQStage(library: Self.library, settings: Self.words).annotate(&batch)
        let answer = batch.records[0].faq
        return (answer.map { Self.library.entries[$0.entry].id }, answer)
    }

    @Test(arguments: [
        ("What camera do you use?", "en", "camera"),
        ("what cam is that, which lens? pls tell", "en", "camera"),
        ("which mic do u use in your videos?", "en", "microphone"),
        ("Which micropohne do you use?", "en", "microphone"),
        ("wich microphne do you use?", "en", "microphone"),
        ("Love the last one!! Do you deliver to Norway?", "en", "shipping"),
        ("how can i get a refund for my order?", "en", "refund"),
        ("hey, where are you from originally?", "en", "home"),
        ("¿Qué cámara usas?", "es", "camera"),
        ("Que câmera você usa?", "pt", "camera"),
        ("Quel micro utilises-tu ?", "fr", "microphone"),
        ("Womit schneidest du deine Videos?", "de", "edit"),
        ("Woher kommst du?", "de", "home"),
        ("hangi mikrofonu kullanıyorsun?", "tr", "microphone"),
        ("kak pakai kamera apa?", "id", "camera"),
        ("Какую камеру ты используешь?", "ru", "camera"),
        ("カメラは何を使っていますか？", "ja", "camera"),
        ("How should I clean the zorbium plates?", "en", "zorbium"),
    ])
    func `finds the entry in other words, misspelt and in other languages`(
        text: String, language: String, id: String
    ) {
        #expect(match(text, language).id == id)
    }

    @Test(arguments: [
        "Your camera work is wonderful, thank you!",
        "I dropped my camera in a lake yesterday.",
        "Is it cold where you live now that it snows so early?",
        "Will you be at the fair on Sunday?", "Which tripod do you use?", "¿Qué trípode usas?",
        "Which perfume do you use?",
        "What did your grandmother say about the prize?",
        "ok", "???", "", "!!!", "🎉🎉", "?",
    ])
    func `no entry for a message that asks something else or nothing`(text: String) {
        #expect(match(text).id == nil)
    }

    @Test func `a plain question is a high match, a vague one less sure`() {
        let plain = match("Which microphone do you use?").answer
        let vague = match("so is the microphone thing with the long cable and the fan noise ok?").answer
        #expect(plain?.isHigh == true)
        #expect((vague?.confidence ?? 0) < (plain?.confidence ?? 0))
    }

    @Test func `thresholds decide what is offered`() {
        var settings = Self.words
        settings.thresholds.faqPossible = 1.1
        var batch = TextBatch.make(["Which microphone do you use?"])
        FAQStage(library: Self.library, settings: settings).annotate(&batch)
        #expect(batch.records[0].faq == nil)
    }

    @Test func `spam gets no answer, and an offer less easily one that offers do not ask about`() {
        func confidence(_ label: TriageCore.Category?) -> Float? {
            var batch = TextBatch.make(["What camera do you use?"])
            batch.records[0].category = label.map {
                CategoryAnswer(label: $0, scores: [1, 0, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
            }
            FAQStage(library: Self.library, settings: Self.words).annotate(&batch)
            return batch.records[0].faq?.confidence
        }
        #expect(confidence(.spam) == nil)
        #expect(confidence(.fan) == confidence(nil))
        #expect((confidence(.business) ?? 0) < (confidence(.fan) ?? 0))
    }

    @Test func `own messages are not asked`() {
        var batch = TextBatch.make(["Which microphone do you use?"])
        batch.records[0].status = .own
        FAQStage(library: Self.library, settings: Self.words).annotate(&batch)
        #expect(batch.records[0].faq == nil)
    }

    @Test(arguments: [
        FAQLibrary(), FAQLibrary(entries: [FAQEntry(id: "a", question: "", answer: "")]),
        FAQLibrary(entries: [FAQEntry(id: "a", question: "the of?", answer: "")]),
        FAQLibrary(entries: (0..<70).map { FAQEntry(id: "e\($0)", question: "word\($0) or other\($0)?", answer: "") }),
        FAQLibrary(
            entries: [FAQEntry(id: "a", question: (0..<200).map { "w\($0)" }.joined(separator: " "), answer: "")]),
    ])
    func `any library can be indexed`(library: FAQLibrary) {
        var batch = TextBatch.make(["What is word7?", "w1 w2 w3?"])
        FAQStage(library: library, settings: Self.words).annotate(&batch)
        #expect(batch.records.count == 2)
    }

    @Test(arguments: [
        String(repeating: "camera ", count: 100_000) + "?", String(repeating: "?", count: 100_000),
        String(repeating: "カメラ", count: 100_000), String(repeating: "a", count: 1_000_000) + "?",
        String(repeating: "what camera, ", count: 20_000), String(repeating: "what? ", count: 20_000),
        "\u{0}what\u{0}camera\u{0}?", "\u{202E}?camera what", "d'où, l'…?", "。。。？？、、カ",
    ])
    func `awkward texts are read in bounded work, twice the same`(text: String) {
        let stage = FAQStage(library: Self.library, settings: Self.words)
        var first = TextBatch.make([text, "Which microphone do you use?"])
        var second = TextBatch.make([text, "Which microphone do you use?"], languages: ["ja", "en"])
        stage.annotate(&first)
        stage.annotate(&second)
        #expect(first.records[1].faq?.entry == 1)
        #expect(first.records[1].faq?.confidence == second.records[1].faq?.confidence)
    }

    @Test func `the creator's name is no part of a question`() {
        var profile = CreatorProfile()
        profile.name = "Robin Zorbium"
        var batch = TextBatch.make(["Robin, which microphone do you use?"])
        FAQStage(library: Self.library, settings: Self.words, profile: profile).annotate(&batch)
        #expect(batch.records[0].faq?.entry == 1)
    }
}
