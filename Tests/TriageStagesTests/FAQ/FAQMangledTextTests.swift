import Testing
import TriageCore

@testable import TriageStages

struct FAQMangledTextTests {
    /// A small generator with a seed, so that a failure can be repeated.
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(1, sides)
        }
    }

    private static let pieces = [
        "camera", "where", "how much", "?", "？", "؟", "。", ",", ";", " - ", "\n", "\r\n", "...", "カメラ", "いくら", "ですか",
        "ないですか?", "мне", "камеру", "كاميرا", "d'où", "e.g. 3.5", "a@b.c", "\u{202E}", "\u{200B}", "🎉", "𝐜𝐚𝐦",
        "e\u{301}",
        "camrea", "shippping", "(", ")", "\"", "\u{0}", "ß", "İ", "x", "aaaaaaaaaaaaaaaa", "1", "ไทย", "한국어",
        "do you ship to",
    ]

    @Test(arguments: 1...12)
    func `texts put together at random are read twice the same, and drafted`(seed: Int) {
        var dice = Dice(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
        // The encoder takes ten milliseconds a text: few texts of one of the twelve are enough.
        let texts = (0..<(seed == 1 ? 40 : 200)).map { _ in
            (0..<dice.roll(60)).map { _ in
                Self.pieces[dice.roll(Self.pieces.count)] + (dice.roll(3) > 0 ? " " : "")
            }.joined()
        }
        let library = FAQLibrary(
            entries: (0..<8).map { number in
                FAQEntry(
                    id: "e\(number)",
                    question: (0..<dice.roll(20)).map { _ in Self.pieces[dice.roll(Self.pieces.count)] }
                        .joined(separator: " "),
                    alsoAsked: ["Which camera do you use?", "送料はいくらですか？"],
                    answer: Self.pieces[dice.roll(Self.pieces.count)])
            })
        let languages = (0..<200).map { _ in LanguageTable.tags[dice.roll(LanguageTable.tags.count)] }
        func answers() -> [String] {
            var batch = TextBatch.make(texts, languages: languages)
            for index in batch.records.indices {
                batch.records[index].category = CategoryAnswer(
                    label: index % 2 == 0 ? .fan : .business, scores: [1, 0, 0, 0], level: .low, by: .categoryRules,
                    because: 0..<0)
            }
            var settings = Settings()
            settings.encoder.faq = seed == 1
            FAQStage(library: library, settings: settings).annotate(&batch)
            ReplyStage(library: library, profile: CreatorProfile()).annotate(&batch)
            return batch.records.map { record in
                #expect(record.faq.map { library.entries.indices.contains($0.entry) } ?? true)
                #expect(record.faq.map { (0...1).contains($0.confidence) } ?? true)
                let draft = record.draft.map { String(decoding: batch.generated[$0.text.range], as: UTF8.self) }
                return "\(record.faq?.entry ?? -1) \(record.faq?.confidence ?? 0) \(draft ?? "")"
            }
        }
        #expect(answers() == answers())
    }

    @Test func `a wording that asks tens of thousands of things is read as far as there is room`() {
        let library = FAQLibrary(entries: [
            FAQEntry(id: "long", question: String(repeating: "zorb? ", count: 70_000), answer: "Yes."),
            FAQEntry(id: "camera", question: "Which camera do you use?", answer: "A small one."),
        ])
        var batch = TextBatch.make(["zorb?", "Which camera do you use?"], languages: ["en", "en"])
        FAQStage(library: library).annotate(&batch)
        #expect(batch.records[0].faq?.entry == 0)
    }
}
