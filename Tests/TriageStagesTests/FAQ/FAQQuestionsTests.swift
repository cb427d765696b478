import Testing
import TriageCore

@testable import TriageStages

struct FAQQuestionsTests {
    private let questions = FAQQuestions()
    private func language(_ tag: String) -> UInt8 { LanguageTable.index(of: tag) ?? 0 }

    @Test(arguments: [
        ("Love it!! Which mic do you use? Greetings, Sam", ["Which mic do you use?"]),
        ("Which mic? And which cable??", ["Which mic?", "And which cable??"]),
        ("¿Dónde compro la taza? Gracias", ["¿Dónde compro la taza?"]),
        ("カメラは何ですか？好きです。", ["カメラは何ですか？"]), ("هل تشحن الى المغرب؟", ["هل تشحن الى المغرب؟"]),
        ("where do you buy your wood", ["where do you buy your wood"]), ("I love your wood.", []), ("", []),
        ("?", ["?"]),
        ("Is v2.5 the one?\nSecond line. Is it?", ["Is v2.5 the one?", "Is it?"]),
        ("can you answer @sam at sam@mail.example or +49 170 1234567?", ["can you answer … at … or +49 170 …"]),
    ])
    func `takes the sentences that ask, and nothing that tells who wrote them`(text: String, expected: [String]) {
        #expect(questions.questions(in: text) == expected)
    }

    @Test(arguments: [
        ("Which microphone do you use?", "en", "what mic do u use", "en", true),
        ("Which microphone do you use?", "en", "¿Qué micrófono usas?", "es", true),
        ("Do you ship to Canada?", "en", "do you deliver to Canada", "en", true),
        ("Which microphone do you use?", "en", "Which tripod do you use?", "en", false),
        ("How much is the course?", "en", "How much is shipping?", "en", false),
    ])
    func `questions are alike by what they are about, in whatever language`(
        first: String, in one: String, second: String, in other: String, isAlike: Bool
    ) {
        let a = questions.topics(of: first, language: language(one))
        let b = questions.topics(of: second, language: language(other))
        #expect((a.similarity(to: b) >= FAQSuggester.nearness) == isAlike, "\(a.similarity(to: b))")
        #expect(abs(a.similarity(to: a) - 1) < 1e-4)
    }

    @Test func `entries that ask the same in other words are a pair, others are none`() {
        let library = FAQLibrary(entries: [
            FAQEntry(id: "a", question: "Which microphone do you use?", answer: "x"),
            FAQEntry(id: "b", question: "What mic are you using?", answer: "y"),
            FAQEntry(id: "c", question: "Which tripod do you use?", answer: "z"),
            FAQEntry(id: "d", question: "Why?", answer: "z"), FAQEntry(id: "e", question: "Why not?", answer: "z"),
        ])
        let pairs = questions.alike(in: library)
        #expect(pairs.map { [$0.0, $0.1] } == [[0, 1]])
    }
}

struct FAQSuggesterTests {
    private func filled(_ messages: [(text: String, sender: String?, language: String)]) -> FAQSuggester {
        var suggester = FAQSuggester()
        for (number, message) in messages.enumerated() {
            suggester.add(
                message.text, language: LanguageTable.index(of: message.language) ?? 0, sender: message.sender,
                id: "m\(number)")
        }
        return suggester
    }

    private static let asked: [(text: String, sender: String?, language: String)] = [
        ("Love this! Which tripod do you use?", "ana", "en"), ("what tripod do you use??", "ben", "en"),
        ("¿Qué trípode usas?", "cleo", "es"), ("which tripod do you use? also which tripod do you use?", "ana", "en"),
        ("do you ship to Norway?", "dan", "en"), ("Nice one!", "eve", "en"), ("Why?", "fay", "en"),
    ]

    @Test func `gathers what several people asked, in whatever language, and counts each message and sender once`() {
        let found = filled(Self.asked).suggestions(minimum: 2)
        #expect(found.count == 1)
        #expect(found.first?.messages == 4)
        #expect(found.first?.senders == 3)
        #expect(found.first?.languages == ["en", "es"])
        #expect(found.first?.ids == ["m0", "m1", "m2", "m3"])
        let wordings = ([found.first?.question ?? ""] + (found.first?.wordings ?? []))
        #expect(Set(wordings) == Set(wordings.filter { wording in Self.asked.contains { $0.text.contains(wording) } }))
    }

    @Test func `messages without a sender count as somebody each`() {
        let found = filled([("which tripod do you use?", nil, "en"), ("Which tripod do you use?", nil, "en")])
        #expect(found.suggestions(minimum: 2).first?.senders == 2)
        #expect(filled(Self.asked).suggestions(minimum: 1).count == 2)
        #expect(filled([]).suggestions(minimum: 1).isEmpty)
    }

    @Test func `keeps the frequent ones when there are too many, and says so`() {
        var suggester = FAQSuggester()
        for number in 0..<(FAQSuggester.groupLimit + 500) {
            if number.isMultiple(of: 500) {
                suggester.add("which tripod do you use?", language: 1, sender: "s\(number)", id: "t\(number)")
            }
            suggester.add("is zorb\(number)x a wumple\(number)y?", language: 1, sender: "a", id: "m\(number)")
        }
        #expect(suggester.isPruned)
        let found = suggester.suggestions(minimum: 2)
        #expect(found.map(\.question) == ["which tripod do you use?"])
        #expect(found.first?.messages == 18)
    }

    @Test func `the same messages give the same suggestions`() {
        #expect(filled(Self.asked).suggestions(minimum: 1) == filled(Self.asked).suggestions(minimum: 1))
    }
}

struct FAQPiecesTests {
    /// Cosines with each entry, of a text that is read stretch by stretch (all of it: the only one).
    private func cosines(
        _ text: String, by stretches: [Range<Int>]? = nil,
        of wordings: [(String, Int)] = [
            ("which camera do you use", 0), ("where is my order", 1), ("do you ship to canada", 2),
        ]
    ) -> [Float] {
        let entries = (wordings.map(\.1).max() ?? 0) + 1
        let pieces = FAQPieces(wordings: wordings.map { (Array($0.0.utf8), $0.1) }, entries: entries)
        var likeness = FAQPieces.Likeness(entries: entries)
        defer { likeness.deallocate() }
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { text in
            pieces.withView { view in
                for stretch in stretches ?? [0..<bytes.count] { likeness.move(to: stretch, of: text, view) }
                #expect(likeness.count == likeness.sums.filter { $0 != 0 }.count)
                return likeness.sums.map { $0 / likeness.length }
            }
        }
    }

    @Test func `a stretch that grows is like one that is read at once`() {
        let text = "hi there, which camera do you use to ship, and where is my order"
        let whole = cosines(text)
        for stretches in [
            [0..<8, 9..<41, 0..<41, 0..<text.utf8.count], [41..<64, 9..<64, 0..<64], [0..<64, 3..<4, 0..<64],
        ] {
            for (a, b) in zip(cosines(text, by: stretches), whole) { #expect(abs(a - b) < 1e-5) }
        }
    }

    @Test func `wordings of one entry support each other`() {
        let wordings = [
            ("reset password", 0), ("forgot my password", 0), ("password is lost", 0),
            ("change the password of the router", 1),
        ]
        let found = cosines("new password", of: wordings)
        #expect(found[0] > found[1])
    }

    @Test(arguments: [
        ("which camera do you use", 0), ("camerra u using?", 0), ("where's my orders", 1), ("shipping 2 canada", 2),
    ])
    func `what is spelled alike is nearest`(text: String, part: Int) {
        let found = cosines(text)
        #expect(found.indices.max { found[$0] < found[$1] } == part)
        #expect(found.allSatisfy { $0 <= 1.0001 })
    }

    @Test func `the same text is fully alike, punctuation aside, and another not at all`() {
        #expect(abs(cosines("Which... camera, do you use?!".lowercased())[0] - 1) < 1e-4)
        #expect(cosines("zzzz qqqq").allSatisfy { $0 == 0 })
        #expect(cosines("").allSatisfy { $0 == 0 })
    }
}

struct FAQCuesTests {
    @Test func `reads words, concepts and the two ends of a sentence`() {
        let cues = FAQCues("#? 50 #. -25 #TOPIC 10 #where 125 which 200 my -300")
        #expect(cues.question == 0.5 && cues.statement == -0.25 && cues.topic == 0.1)
        #expect(cues.concepts == ["where": 1.25])
        cues.withView { view in
            #expect(view.weight(TextFolder.hash(Array("which".utf8))) == 2)
            #expect(view.weight(TextFolder.hash(Array("my".utf8))) == -3)
            #expect(view.weight(TextFolder.hash(Array("other".utf8))) == 0)
        }
    }

    @Test func `what was learned fits its table, and names concepts that there are`() {
        let cues = FAQCues()
        let names = Set(FAQLexicon.parse().concepts.map(\.name))
        #expect(cues.concepts.count > 10)
        for name in cues.concepts.keys { #expect(names.contains(name), "\(name)") }
        #expect(FAQWeights.shipped.cues.split { $0 == " " || $0 == "\n" }.count / 2 < 3000)
    }
}
