import Testing
import TriageCore

@testable import TriageStages

/// Questions without a question mark, which are as many as those with one.
struct QuestionOpeningTests {
    private static func answered(
        _ text: String, sentiment: Sentiment? = .neutral
    ) -> (priority: Int?, basedOn: String?, noDraft: NoDraft?) {
        var batch = TextBatch.make([text])
        batch.records[0].category = CategoryAnswer(
            label: .fan, scores: [1, 0, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
        batch.records[0].sentiment = sentiment.map {
            SentimentAnswer(
                label: $0, confidence: 1, level: .high, intensity: 0, by: .sentimentRules, because: 0..<0)
        }
        PriorityStage().annotate(&batch)
        ReplyStage(library: FAQLibrary(), profile: CreatorProfile()).annotate(&batch)
        let basedOn = batch.records[0].draft.map { String(decoding: batch.generated[$0.basedOn.range], as: UTF8.self) }
        return (batch.records[0].priority, basedOn, batch.records[0].noDraft)
    }

    @Test(arguments: [
        "what camera do you use", "where did you get that apron", "how long do you fire it",
        "how much for the blue one",
        "whats the brand", "what's your kiln", "hey do you ship to spain", "hi mara do you ship to spain",
        "could you send me the link", "is this still available", "any chance of a restock",
        "nice. when is the next drop",
        "wo hast du die schürze her", "wie lange brennst du das", "was kostet die Tasse", "verschickst du nach Wien",
        "Hallo Mara, kannst du mir den Link schicken", "dónde compraste el delantal", "cuánto cuesta la taza",
        "cómo haces el esmalte", "qué cámara usas", "quanto custa a caneca", "onde você comprou",
        "vcs entregam em Lisboa",
        "como faz esse esmalte", "combien coûte le bol", "où as-tu acheté ce tablier", "est-ce que vous livrez",
        "livrez-vous en Belgique", "dove hai comprato il grembiule", "quanto costa la tazza",
    ])
    func `a question needs no question mark`(text: String) {
        let found = Self.answered(text)
        #expect(found.priority == 20)
        #expect(found.noDraft == .needsAFact)
    }

    @Test(arguments: [
        "thx", "ok", "nvm found it", "when I first saw your video I was sad", "what a day",
        "I know where you bought it",
        "you know how it is", "that is what you do", "love what you do", "watch this", "so much clay everywhere",
        "wie immer", "was für ein Tag", "cuando vi tu video", "como siempre", "que día", "quand j'ai vu ta vidéo",
        "my order came today", "have fun", "do it",
    ])
    func `what only sounds like one is none`(text: String) {
        #expect(Self.answered(text).priority == 10)
        #expect(Self.answered(text).noDraft == .nothingToAnswer)
    }

    @Test func `praise and blame stay what they are, however they open`() {
        #expect(Self.answered("how is this even real", sentiment: .positive).basedOn == "template:fan.praise")
        #expect(Self.answered("you are lazy", sentiment: .negative).basedOn == nil)
        #expect(Self.answered("how is this even real", sentiment: .positive).priority == 10)
        #expect(Self.answered("how is this even real?", sentiment: .positive).noDraft == .needsAFact)
    }
}
