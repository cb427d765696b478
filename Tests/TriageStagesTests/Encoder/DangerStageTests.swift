import ShippedEncoder
import Testing
import TriageCore

@testable import TriageStages

struct DangerStageTests {
    private static func read(_ text: String, _ category: TriageCore.Category = .fan) -> (DangerAnswer?, quote: String) {
        var batch = TextBatch.make([text])
        var scores = SIMD4<Float>(0.1, 0.1, 0.1, 0)
        scores[Int(category.rawValue)] = 0.8
        batch.records[0].category = CategoryAnswer(
            label: category, scores: scores, level: .high, by: .categoryModel, because: 0..<0)
        batch.records[0].sentiment = SentimentAnswer(
            label: .neutral, confidence: 0.6, level: .medium, intensity: 0.2, by: .sentimentModel, because: 0..<0)
        batch.records[0].urgency = UrgencyAnswer(
            isUrgent: false, score: 0.1, kind: .none, by: .urgencyModel, because: 0..<0)
        SentenceStage().annotate(&batch)
        DangerStage().annotate(&batch)
        let danger = batch.records[0].danger
        let place = danger.map { Int($0.place.lowerBound)..<Int($0.place.upperBound) } ?? 0..<0
        return (danger, String(decoding: Array(text.utf8)[place], as: UTF8.self))
    }

    @Test(arguments: [
        (
            "i wrote letters to everyone and gave the dog to my sister. i wont be here on monday. your songs helped, thank you",
            Danger.selfHarm
        ),
        ("he hit me again and took my keys, he is asleep now and i dont know where to go", .violence),
        ("my stepdad locked us in the cellar, my little brother is bleeding, please somebody", .violence),
        ("we know which school your daughter goes to. delete the video or she pays for it", .threat),
        (
            "I stood across from your flat again last night. You sleep with the window open. Tomorrow I come up.",
            .stalking
        ),
    ])
    func `danger is found in words that no rule lists, and its kind`(text: String, kind: Danger) throws {
        let danger = try #require(Self.read(text).0)
        #expect(danger.odds > 0.5, "\(danger)")
        #expect(danger.kind == kind, "\(danger)")
    }

    @Test(arguments: [
        "this boss killed me forty times, i am done with this game haha",
        "I'm dying for the recipe, please post it",
        "Thanks to your videos I got through a dark year. I am well now and start a new job on Monday!",
        "We would love to work with you: EUR 900 for a reel about our new knives.",
        "see you at the meet-up on saturday, can't wait!",
    ])
    func `what only sounds like danger is calm`(text: String) throws {
        #expect(try #require(Self.read(text).0).odds < 0)
    }

    @Test func `danger inside an advertisement is found, also in spam, and its part is the place`() throws {
        let cry = "I have taken all of my mother's pills and nobody is at home, I only wanted to tell somebody."
        let text = "🔥 10,000 FOLLOWERS IN A WEEK 🔥 50 % off today only! growth.example/go\n\n\(cry)"
        for category in [TriageCore.Category.fan, .business, .spam] {
            let (danger, quote) = Self.read(text, category)
            #expect(try #require(danger).odds > 0.5)
            #expect(quote.hasSuffix(cry) && quote.utf8.count < cry.utf8.count + 30)
        }
        #expect(try #require(Self.read(String(text.prefix(60)), .spam).0).odds < 0)
    }

    @Test func `nothing is said of a text without a letter`() {
        #expect(Self.read("12345 !!!").0 == nil)
    }

    @Test func `a file that is no table of weights is refused`() {
        let file = shipped_danger_heads
        let bytes = Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count))
        #expect(DangerHeads(bytes) != nil)
        #expect(DangerHeads([]) == nil)
        #expect(DangerHeads(Array(bytes.dropLast())) == nil)
        #expect(DangerHeads([0] + bytes.dropFirst()) == nil)
    }
}

struct DangerSpansTests {
    private static func parts(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return DangerSpans(bytes).ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test(arguments: [
        ("", []), ("   \n ", []), ("hi", ["hi"]), ("  Short. Words. ", ["Short. Words."]),
        (
            "This sentence is long enough by itself. And so is this one, with a comma in it! Ok.",
            ["This sentence is long enough by itself.", "And so is this one, with a comma in it! Ok."]
        ),
        ("version 3.5 of shop.example/a.b is one sentence", ["version 3.5 of shop.example/a.b is one sentence"]),
        (
            "もう疲れました、誰にも言えません。明日はここにいません",
            ["もう疲れました、誰にも言えません。", "明日はここにいません"]
        ),
        ("هل تسمعني؟ أنا محبوس في الغرفة منذ يومين", ["هل تسمعني؟ أنا محبوس في الغرفة منذ يومين"]),
    ])
    func `a message is cut at the ends of sentences, and short ones stay together`(text: String, parts: [String]) {
        #expect(Self.parts(text) == parts)
    }

    @Test func `bytes that are no characters are cut as well`() {
        for bytes in [[0xE2] + [UInt8](repeating: 0x80, count: 2000), [UInt8](repeating: 0xBF, count: 700)] {
            let ranges = DangerSpans(bytes).ranges
            #expect(ranges.allSatisfy { !$0.isEmpty && $0.count <= 300 } && ranges.count <= 48)
            #expect(ranges.last?.upperBound == bytes.count)
        }
    }

    @Test func `a text without stops is cut at spaces, and every letter is in one part`() {
        for text in [
            String(repeating: "and then he came back ", count: 60), String(repeating: "я", count: 900),
            String(repeating: "a. ", count: 900), String(repeating: "Line of text\n", count: 300),
        ] {
            let parts = Self.parts(text)
            #expect(parts.allSatisfy { $0.utf8.count <= 300 } && parts.count <= 48)
            func letters(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }
            #expect(letters(parts.joined()) == letters(text))
            #expect(!parts.contains { $0.contains("\u{FFFD}") })
        }
    }
}
