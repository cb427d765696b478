import Testing
import TriageCore

@testable import TriageStages

struct VoiceExamplesTests {
    private static func pair(_ asked: String, _ answered: String, from sender: String, _ language: String) -> VoicePair
    {
        var pair = VoicePair()
        (pair.id, pair.asked, pair.answered) = ("\(sender)\(asked.count)", asked, answered)
        (pair.sender, pair.language) = (sender, language)
        return pair
    }

    private static func examples(_ pairs: [VoicePair]) -> VoiceExamples {
        var voice = Voice()
        voice.pairs = pairs
        var profile = CreatorProfile()
        profile.name = "Mara Quist"
        let library = FAQLibrary(entries: [
            FAQEntry(id: "times", question: "When do you post?", answer: "At 17:00, the list is at mara.example/list.")
        ])
        return VoiceExamples(voice, library: library, profile: profile)
    }

    @Test func `the nearest by rare words come first, those in the message's language before others, no reply twice`() {
        let known = Self.examples([
            Self.pair("your video was good", "glad it was of use", from: "a", "en"),
            Self.pair("the kiln in your video smoked", "kilns do that when they sulk", from: "b", "en"),
            Self.pair("the kiln hissed at me", "kilns do that when they sulk", from: "c", "en"),
            Self.pair("kiln kiln kiln", "das macht er immer so", from: "d", "de"),
            Self.pair("hello there again", "hi again", from: "e", "en"),
        ])
        let found = known.nearest(to: "my kiln smoked in the second video", language: "en")
        #expect(
            found.map(\.answered) == ["kilns do that when they sulk", "glad it was of use", "das macht er immer so"])
        #expect(
            known.nearest(to: "something else entirely", language: "de").map(\.answered) == ["das macht er immer so"])
        #expect(known.nearest(to: "something else entirely", language: "fi").isEmpty)
    }

    @Test(arguments: [
        "order 18044 is at the post office now", "call me on +44 20 7946 0018 tonight please",
        "ask Tomas about that one",
        "write to tomas@other.example about it", "have a look at other.example/bowls first",
        "you know @tomas.clay well enough",
    ])
    func `a sentence with a name, number or address that is not public is never shown`(secret: String) {
        let known = Self.examples([
            Self.pair("what a lovely bowl you made", "the glaze did most of it. \(secret).", from: "ann", "en"),
            Self.pair("what a lovely bowl. \(secret).", "the clay did the rest of it", from: "bo", "en"),
            Self.pair("what a lovely bowl indeed", "\(secret).", from: "cy", "en"),
        ])
        let found = known.nearest(to: "a lovely bowl", language: "en")
        #expect(Set(found.map(\.answered)) == ["the glaze did most of it.", "the clay did the rest of it"])
        #expect(found.allSatisfy { $0.asked.hasPrefix("what a lovely bowl") && !$0.asked.contains(secret) })
    }

    @Test(arguments: ["thank you pim, it is kind of you", "thank you mr roos, it is kind of you"])
    func `a sender is named nowhere, in whatever letters, also where the handle says nothing of the name`(reply: String)
    {
        var pair = Self.pair("what a lovely bowl you made", reply, from: "h77", "en")
        pair.name = "Pim Roos"
        let known = Self.examples([
            pair, Self.pair("pim made a lovely bowl too", "it is a good bowl", from: "bo", "en"),
        ])
        let found = known.nearest(to: "a lovely bowl you made", language: "en")
        let shown = found.map { $0.asked + " " + $0.answered }.joined(separator: " ").lowercased()
        #expect(!shown.contains("pim") && !shown.contains("roos"), "\(shown)")
    }

    @Test func `what the library says is public`() {
        let known = Self.examples([
            Self.pair("when is the new one out", "at 17:00, as ever, see mara.example/list", from: "ann", "en")
        ])
        #expect(known.nearest(to: "when is it out", language: "en").count == 1)
    }

    @Test func `ten thousand pairs are looked through at once`() {
        let words = (0..<400).map { "word\($0)" }
        let pairs = (0..<10_000).map { number in
            let asked = (0..<12).map { words[(number * 31 + $0 * 7) % 400] }.joined(separator: " ")
            return Self.pair(asked, "that is number word\(number % 400) of many", from: "s\(number)", "en")
        }
        let clock = ContinuousClock()
        let time = clock.measure { _ = Self.examples(pairs).nearest(to: words.joined(separator: " "), language: "en") }
        #expect(time < .seconds(20))
    }

    @Test(arguments: [
        ("Dana Wexford", "{name}, good one.", "Dana, good one."), ("", "{name}, good one.", "Good one."),
        ("", "Thanks, {name}! See you, {name}.", "Thanks! See you."), ("xX_bowl_Xx", "Hi {name}", "Hi"),
        ("Dana", "no name in it", "no name in it"),
    ])
    func `a draft is given the reader's first name, or none`(sender: String, draft: String, wanted: String) {
        var batch = TextBatch.make(["hello"], languages: ["en"])
        batch.records[0].fields.senderName = Span32(start: batch.arena.count, count: sender.utf8.count)
        batch.arena += Array(sender.utf8)
        batch.records[0].category = CategoryAnswer(
            label: .fan, scores: [1, 0, 0, 0], level: .high, by: .categoryRules, because: 0..<0)
        let named = ReplyNaming(writesSmall: false).named(draft, batch.records[0], in: batch)
        #expect(named == wanted)
    }
}
