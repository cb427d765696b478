import Testing
import TriageCore
import TriageLLM

@Suite struct `Answers that were stored` {
    private static let verdict =
        #"{"v":1,"category":"fan","sentiment":"positive","intensity":0.5,"urgent":false,"urgency":"none","steers":false,"faq":"camera","offer":null}"#

    private static func kept(text: String? = verdict, draft: String? = nil) -> KeptAnswers? {
        var members = [
            JSONMember("v", .number("1")), JSONMember("model", .string("m")),
            JSONMember("prompt", .string("triage/v1")),
            JSONMember("draft_prompt", .string("draft/v1")),
        ]
        if let text { members.append(JSONMember("text", .string(text))) }
        if let draft { members.append(JSONMember("draft", .string(draft))) }
        return KeptAnswers(JSONValue.object(members).encoded)
    }

    @Test func `come back as they were kept`() throws {
        let kept = try #require(Self.kept(draft: "Thank you \u{1F600} \"so\" much\n"))
        #expect(KeptAnswers(kept.bytes) == kept)
        #expect(kept.text == Array(Self.verdict.utf8))
        #expect(kept.model == "m")
    }

    @Test(arguments: [
        "", "{}", "null", "[1]", "{\"v\":2,\"model\":\"m\",\"prompt\":\"p\",\"draft_prompt\":\"d\"}", "{\"v\":1}",
        "\u{0}",
        String(repeating: "[", count: 100_000),
    ])
    func `bytes that are not ours are no answers`(bytes: String) {
        #expect(KeptAnswers(Array(bytes.utf8)) == nil)
    }

    @Test func `a verdict is found by its text, and an entry that is gone is left out of it`() async throws {
        let stored = StoredAnswers(privateTexts: [])
        stored.set(["hello": try #require(Self.kept()), "odd": try #require(Self.kept(text: "{\"v\":9}"))])
        let questions = [
            MessageQuestion(text: "hello", candidates: ["camera"]), MessageQuestion(text: "hello", candidates: ["kit"]),
            MessageQuestion(text: "other"), MessageQuestion(text: "odd"),
        ]
        let results = await stored.verdicts.ask(questions)
        #expect(try results[0].get().faq == "camera")
        #expect(try results[1].get().faq == nil)
        #expect(try results[1].get().category == .fan)
        #expect(results[2] == .failure(.cancelled))
        #expect(results[3] == .failure(.cancelled))
        #expect(stored.missing == 2)
    }

    @Test func `a draft is checked again, and one that quotes what is private now is dropped`() async throws {
        let rates = "My usual rate for one reel is four thousand dollars, and I never go below that."
        let stored = StoredAnswers(privateTexts: [rates])
        stored.set([
            "a": try #require(Self.kept(draft: "Thank you so much for watching!")),
            "b": try #require(Self.kept(draft: "Sure. \(rates)")), "c": try #require(Self.kept()),
        ])
        let questions = ["a", "b", "c", "d"].map { DraftQuestion(message: MessageQuestion(text: $0)) }
        let results = await stored.drafts.ask(questions)
        #expect(try results[0].get().text == "Thank you so much for watching!")
        #expect(try results[1].get().text == nil)
        #expect(try results[2].get().text == nil)
        #expect(try results[3].get().text == nil)
    }
}
