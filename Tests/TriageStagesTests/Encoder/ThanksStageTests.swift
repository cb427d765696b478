import ShippedEncoder
import Testing
import TriageCore

@testable import TriageStages

struct ThanksStageTests {
    private static func read(
        _ text: String, _ feeling: Sentiment, _ category: TriageCore.Category = .fan
    ) -> ThanksAnswer? {
        var batch = TextBatch.make([text])
        var scores = SIMD4<Float>(0.1, 0.1, 0.1, 0)
        scores[Int(category.rawValue)] = 0.8
        batch.records[0].category = CategoryAnswer(
            label: category, scores: scores, level: .high, by: .categoryModel, because: 0..<0)
        batch.records[0].sentiment = SentimentAnswer(
            label: feeling, confidence: 0.8, level: .high, intensity: 0.5, by: .sentimentModel, because: 0..<0)
        SentenceStage().annotate(&batch)
        ThanksStage().annotate(&batch)
        return batch.records[0].thanks
    }

    @Test(arguments: [
        ("Your videos are wonderful, thank you so much for all the work", Sentiment.positive, true),
        ("Danke für alles, deine Stimme ist so schön", .positive, true),
        ("I passed my driving test today, thanks to you!", .positive, true),
        ("Which glue did you use for the shelf?", .neutral, false),
        ("The link in your bio does not work", .neutral, false),
        ("This was the worst episode so far, I want my hour back", .negative, false),
    ])
    func `praise and good news are thanked for, questions, reports and criticism are not`(
        text: String, feeling: Sentiment, fits: Bool
    ) throws {
        let thanks = try #require(Self.read(text, feeling))
        #expect((thanks.fits >= 0.55) == fits, "\(thanks)")
        #expect(thanks.fits >= 0 && thanks.fits + thanks.sorrow <= 1.001)
    }

    @Test func `nothing is said of what is not from a fan`() {
        #expect(Self.read("Thank you for your lovely work", .positive, .business) == nil)
        #expect(Self.read("Thank you for your lovely work", .positive, .spam) == nil)
    }

    @Test func `a file that is no table of weights is refused`() {
        let file = shipped_thanks_heads
        let bytes = Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count))
        #expect(ThanksHeads(bytes) != nil)
        #expect(ThanksHeads(Array(bytes.dropLast())) == nil)
        #expect(ThanksHeads([0] + bytes.dropFirst()) == nil)
    }
}
