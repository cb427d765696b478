import Testing

@testable import TriageStages

struct WordingSuggesterTests {
    private static let names = ["Ann Wexford", "Bo Tarrant", "Cy Young", "Di Marsh"]

    /// Edits of drafts to several people, who are `{name}` in both.
    private static func edits(
        _ draft: String, _ edited: [String], basis: String = "template:fan.praise", language: String = "en"
    ) -> [WordingSuggester.Edit] {
        edited.enumerated().map { number, text in
            var edit = WordingSuggester.Edit()
            (edit.number, edit.basis, edit.language) = (Int64(number), basis, language)
            edit.senderName = names[number % names.count]
            let first = String(edit.senderName.prefix { $0 != " " })
            (edit.draft, edit.edited) = (draft.replacing("{name}", with: first), text.replacing("{name}", with: first))
            return edit
        }
    }

    private static func found(_ edits: [WordingSuggester.Edit]) -> [String] {
        WordingSuggester().suggestions(edits).map { "\($0.messages.count) \($0.basis): \($0.before) > \($0.after)" }
    }

    private static let praise = "Hi {name}, thank you, that is really kind."
    private static let offer = """
        Hi {name}, thank you for the offer. I've noted the fee ($900). I will go through it and come back to you.

        Maya
        """

    @Test(arguments: [
        // A sentence that is replaced, removed, added.
        (
            praise, "Hi {name}, you are too kind.",
            "template:fan.praise: thank you, that is really kind. > you are too kind."
        ),
        (
            offer, "Hi {name}, thank you for the offer. I've noted the fee ($900).\n\nMaya",
            "template:business.next: I will go through it and come back to you. > "
        ),
        (praise, praise + " Come to the live on Sunday.", "template:fan.praise:  > Come to the live on Sunday."),
        // The reader's name, and what stands in a slot, make no other sentence.
        (
            praise, "Hi {name}, bless you, {name}.",
            "template:fan.praise: thank you, that is really kind. > bless you, {name}."
        ),
        (
            offer, offer.replacing("I've noted the fee ($900). ", with: ""),
            "template:business.noted: I've noted {facts}. > "
        ),
    ])
    func `three edits alike suggest, two do not`(draft: String, edited: String, expected: String) {
        #expect(Self.found(Self.edits(draft, [edited, edited, edited])) == ["3 " + expected])
        #expect(Self.found(Self.edits(draft, [edited, edited])) == [])
    }

    @Test func `three different edits do not suggest`() {
        #expect(Self.found(Self.edits(Self.praise, ["Cheers.", "Ta.", "You are kind."])) == [])
    }

    @Test func `a greeting that is edited is no wording`() {
        let edited = "Hey {name}, thank you, that is really kind."
        #expect(Self.found(Self.edits(Self.praise, Array(repeating: edited, count: 4))) == [])
    }

    @Test func `the same change of two languages, or of two sources, is two`() {
        let edited = ["You are kind.", "You are kind."]
        let edits =
            Self.edits("Thanks a lot.", edited, basis: "faq:a") + Self.edits("Thanks a lot.", edited, basis: "faq:b")
            + Self.edits("Thanks a lot.", edited, basis: "faq:a", language: "de")
        #expect(Self.found(edits) == [])
    }

    @Test func `other changes beside it do not hide a change`() {
        let all = ["", " See you Sunday.", " Say hi to the dog."].map { "Hi {name}, you are too kind." + $0 }
        #expect(Self.found(Self.edits(Self.praise, all)).isEmpty)
        let kept = ["", " See you Sunday.", " Say hi to the dog."].map {
            Self.offer.replacing("I've noted the fee ($900). ", with: "") + $0
        }
        #expect(Self.found(Self.edits(Self.offer, kept)) == ["3 template:business.noted: I've noted {facts}. > "])
    }

    @Test func `an emoji behind a sentence is no part of what is added behind it`() {
        let draft = Self.praise + " 🙏"
        let edited = draft + " Come to the live on Sunday. 💛"
        #expect(
            Self.found(Self.edits(draft, Array(repeating: edited, count: 3)))
                == ["3 template:fan.praise:  > Come to the live on Sunday."])
    }

    @Test func `what it would become stands among the other wordings of the template`() throws {
        let edits = Self.edits(Self.praise, Array(repeating: "Hi {name}, you are too kind.", count: 3))
        let found = try #require(WordingSuggester().suggestions(edits).first)
        #expect(found.section == "wordings" && found.wordings.contains("you are too kind."))
        #expect(!found.wordings.contains("thank you, that is really kind.") && found.wordings.count > 1)
        #expect(found.messages == [0, 1, 2])
    }

    @Test func `an answer of the library and an own reply are named by what they are`() {
        for basis in ["faq:kit", "own-reply:0a1b"] {
            let edited = Array(repeating: "It is all at the shop.", count: 3)
            #expect(
                Self.found(Self.edits("The list is in the bio.", edited, basis: basis))
                    == ["3 \(basis): The list is in the bio. > It is all at the shop."])
        }
    }

    @Test func `texts of any size and kind are compared in no time and suggest nothing strange`() {
        let long = String(repeating: "Buy now! ", count: 400_000)
        let many = (0..<41).map { "Sentence \($0)." }.joined(separator: " ")
        for text in [long, many, "", "{name}", "\u{202E}\u{7}", String(repeating: "💛", count: 5_000)] {
            #expect(Self.found(Self.edits(Self.praise, Array(repeating: text, count: 4))).count <= 1)
            #expect(Self.found(Self.edits(text, Array(repeating: Self.praise, count: 4))).count <= 1)
        }
        #expect(Self.found(Self.edits(Self.praise, Array(repeating: long, count: 4))) == [])
        let clock = ContinuousClock()
        let edits = (0..<2_000).flatMap { _ in Self.edits((0..<40).map { "Old \($0)." }.joined(separator: " "), [many])
        }
        #expect(clock.measure { _ = WordingSuggester().suggestions(edits) } < .seconds(20))
    }
}
