import Testing
import TriageConfig
import TriageCore

struct FAQFileTests {
    private func read(_ text: String) -> (library: FAQLibrary, faults: [String]) {
        let collector = FaultCollector()
        let library = FAQFile.read(name: "f.yaml", bytes: Array(text.utf8), faults: collector)
        return (library, collector.faults.map { "\($0.code) \($0.at ?? "-")" })
    }

    @Test(arguments: [
        "- {id: 1, category: Gear, question: Q?, also_asked: [R?, S?], answer: A.}",
        "faq:\n  - {id: \"1\", category: Gear, question: Q?, also_asked: [R?, S?], answer: A.}",
        "{\"entries\": [{\"id\": \"1\", \"category\": \"Gear\", \"question\": \"Q?\", \"also_asked\": [\"R?\", \"S?\"], \"answer\": \"A.\"}]}",
    ])
    func `reads a list, alone or under a key`(text: String) {
        let entry = FAQEntry(id: "1", category: "Gear", question: "Q?", alsoAsked: ["R?", "S?"], answer: "A.")
        #expect(read(text).library == FAQLibrary(entries: [entry]))
        #expect(read(text).faults.isEmpty)
    }

    @Test(arguments: [
        ("- {id: a, question: Q, answer: A}\n- {id: a, question: R, answer: B}", ["faq.duplicate-id f.yaml:2:8"]),
        ("- {id: a, question: Q}", ["faq.empty-answer f.yaml:1:3"]),
        ("- {id: a, question: Q, answer: \" \"}", ["faq.empty-answer f.yaml:1:24"]),
        ("- {id: a, question: Q, answer: [1]}", ["config.wrong-type f.yaml:1:32"]),
        ("- {id: a, question: {b: c}, answer: A}", ["config.wrong-type f.yaml:1:21"]),
        ("- {id: a, answer: A}", ["faq.empty-question f.yaml:1:3"]),
        ("- {id: [a], question: Q, answer: A}", ["config.wrong-type f.yaml:1:8"]),
        ("- {id: a b, question: Q, answer: A}", ["faq.bad-id f.yaml:1:8"]),
        ("- {id: a, question: Q, anwser: A, answer: A}", ["config.unknown-key f.yaml:1:24"]),
        ("- just text", ["config.wrong-type f.yaml:1:3"]), ("text", ["faq.not-a-list f.yaml:1:1"]),
        ("questions: []", ["config.unknown-key f.yaml:1:1"]),
    ])
    func `says what is wrong and where`(text: String, expected: [String]) {
        #expect(read(text).faults == expected)
    }

    @Test(arguments: [
        (["Do you ship to Canada?"], ["do-you-ship-to-canada"]), (["¿Envías a México?"], ["envias-a-mexico"]),
        (["Ship it?", "ship it", "SHIP IT!"], ["ship-it", "ship-it-2", "ship-it-3"]),
        (["???", "!"], ["entry", "entry-2"]),
        (["Which camera and which lens do you use for videos?"], ["which-camera-and-which-lens-do-you-use"]),
        ([String(repeating: "ab", count: 30)], [String(repeating: "ab", count: 20)]),
    ])
    func `an entry without an id gets one made from its question`(questions: [String], ids: [String]) {
        let text = questions.map { "- {question: \"\($0)\", answer: A}\n" }.joined()
        #expect(read(text).faults.isEmpty)
        #expect(read(text).library.entries.map(\.id) == ids)
    }

    @Test func `an id that is written keeps its name, wherever it stands`() {
        let (library, faults) = read("- {question: Ship it?, answer: A}\n- {id: ship-it, question: Q, answer: B}\n")
        #expect(faults.isEmpty)
        #expect(library.entries.map(\.id) == ["ship-it-2", "ship-it"])
    }

    @Test(arguments: ["", "# nothing yet\n", "[]", "faq:\n", "entries: []"])
    func `takes nothing for an empty library`(text: String) {
        #expect(read(text).library.entries.isEmpty && read(text).faults.isEmpty)
    }
}

struct FAQEditorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let original = """
        # My answers.

        # Gear
        - id: camera
          question: Which camera do you use?   # asked daily
          answer: |
            A small one.
            # 1 of 2
        # Shop

        - question: "Do you ship?"
          id: shipping
          also_asked: [Deliver to the US?]
          answer: Yes.
        # The end.

        """

    @Test func `leaves everything else as it was`() throws {
        let path = try folder.write("faq.yaml", Self.original, mode: 0o640)
        var editor = try FAQEditor(path: path)
        try editor.add(FAQEntry(id: "new", category: "C: d", question: "Why?", alsoAsked: ["How so?"], answer: "a\nb"))
        try editor.save()
        let added =
            "\n- id: new\n  category: \"C: d\"\n  question: Why?\n  also_asked:\n    - How so?\n  answer: |-\n    a\n    b\n"
        #expect(try folder.text("faq.yaml") == Self.original + added)
        #expect(folder.mode("faq.yaml") == 0o640)
        #expect(folder.listing == ["faq.yaml"])
        try editor.remove("new")
        #expect(String(decoding: editor.rendered(), as: UTF8.self) == Self.original)
    }

    @Test func `changes one entry where it stands`() throws {
        var editor = try FAQEditor(path: try folder.write("faq.yaml", Self.original))
        var change = FAQEditor.Change()
        change.answer = "No."
        change.alsoAsked = ["Send it?", "Deliver to the US?"]
        try editor.edit("shipping", change)
        let text = String(decoding: editor.rendered(), as: UTF8.self)
        #expect(text.contains("# asked daily") && text.contains("    # 1 of 2\n# Shop\n\n- id: shipping\n"))
        #expect(text.hasSuffix("    - Deliver to the US?\n    - Send it?\n  answer: No.\n# The end.\n"))
    }

    @Test func `removes an entry and keeps the comments`() throws {
        var editor = try FAQEditor(path: try folder.write("faq.yaml", Self.original))
        try editor.remove("camera")
        #expect(
            String(decoding: editor.rendered(), as: UTF8.self).hasPrefix(
                "# My answers.\n\n# Gear\n# Shop\n\n- question: \"Do you ship?\"\n"))
    }

    @Test(arguments: [
        ("", "f.yaml"), ("# only\n", "f.yaml"), ("[]\n", "f.yaml"), ("[{id: a, question: b, answer: c}]", "f.yaml"),
        ("faq:\n  - id: a\n    question: b\n    answer: c\n", "f.yaml"), ("", "f.json"), ("faq: []\n", "f.yaml"),
        ("[{\"id\": \"a\", \"question\": \"b\", \"answer\": \"c\"}]", "f.json"),
        ("{\"faq\": [{\"id\": \"a\", \"question\": \"b\", \"answer\": \"c\"}]}", "f.json"),
        (
            "-\n  id: a\n  question: b\n  answer: &x c\n-   id: q\n    question: *x\n    answer: \"multi\n     - line\"\n",
            "f.yaml"
        ),
        ("- id: a\r\n  question: b\r\n  answer: c\r\n", "f.yaml"), ("- id: a\n  question: b\n  answer: c", "f.yaml"),
        ("---\n- {id: a, question: b, answer: c}\n- {id: d, question: e,\n   answer: f}\n...\n", "f.yaml"),
        ("entries: &e\n- id: a\n  question: b\n  answer: >\n    c\n\n    d\n\n", "f.yaml"),
        ("  - id: a\n    question: b\n    answer: c\n", "f.yaml"),
        ("- question: b\n  answer: c\n- question: b!\n  answer: d\n", "f.yaml"),
    ])
    func `reads back what it writes, however the file is written`(text: String, name: String) throws {
        let path = try folder.write(name, text)
        let entry = FAQEntry(id: "new", question: "What: \"this\"?", alsoAsked: ["- x"], answer: "# yes\n\nno ")
        var editor = try FAQEditor(path: path)
        var expected = editor.library
        for step in 0..<3 {
            switch step {
            case 0:
                try editor.add(entry)
                expected.entries.append(entry)
            case 1:
                let id = expected.entries[0].id
                var change = FAQEditor.Change()
                change.answer = "changed\nanswer"
                try editor.edit(id, change)
                expected.entries[0].answer = "changed\nanswer"
            default:
                try editor.remove(expected.entries[0].id)
                expected.entries.removeFirst()
            }
            try editor.save()
            editor = try FAQEditor(path: path)
            #expect(editor.library == expected)
        }
        let isJSON = try ConfigurationFile.read(path).first == UInt8(ascii: "{") || name.hasSuffix("json")
        #expect(isJSON == name.hasSuffix("json"))
    }

    @Test func `makes a new file that only its owner may read`() throws {
        var editor = try FAQEditor(path: folder.place("new.yaml"), mayCreate: true)
        try editor.add(FAQEntry(id: "a", question: "Q?", answer: "A"))
        try editor.save()
        #expect(folder.mode("new.yaml") == 0o600)
        #expect(throws: TriageErrors.self) { try FAQEditor(path: folder.place("other.yaml")) }
    }

    @Test func `does not write through a symbolic link or over somebody else's change`() throws {
        let target = try folder.write("faq.yaml", "- {id: a, question: b, answer: c}\n")
        var linked = try FAQEditor(path: folder.link("link.yaml", to: target))
        try linked.remove("a")
        #expect { try linked.save() } throws: { ($0 as? TriageError)?.code == "output.symlink" }
        var editor = try FAQEditor(path: target)
        try folder.write("faq.yaml", "- {id: z, question: b, answer: c}\n")
        try editor.remove("a")
        #expect { try editor.save() } throws: { ($0 as? TriageError)?.code == "faq.changed-meanwhile" }
        #expect(try folder.text("faq.yaml") == "- {id: z, question: b, answer: c}\n")
        #expect(folder.listing == ["faq.yaml", "link.yaml"])
    }

    @Test func `refuses what would break the library`() throws {
        var editor = try FAQEditor(path: try folder.write("faq.yaml", Self.original))
        func code(_ work: () throws -> Void) -> String? {
            do {
                try work()
                return nil
            } catch { return (error as? TriageError)?.code }
        }
        #expect(code { try editor.add(FAQEntry(id: "camera", question: "q", answer: "a")) } == "faq.duplicate-id")
        #expect(code { try editor.add(FAQEntry(id: "a b", question: "q", answer: "a")) } == "faq.bad-id")
        #expect(code { try editor.add(FAQEntry(id: "x", question: " ", answer: "a")) } == "faq.empty-question")
        #expect(code { try editor.add(FAQEntry(id: "x", question: "q", answer: "\n")) } == "faq.empty-answer")
        #expect(code { try editor.remove("camra") } == "faq.unknown-id")
        #expect(throws: TriageErrors.self) {
            try FAQEditor(path: try folder.write("broken.yaml", "- {id: a, question: b"))
        }
    }

    @Test(arguments: [
        ("Which lens do you use for portraits?", "lens-use-portraits"), ("Camera?", "camera-2"), ("???", "entry"),
    ])
    func `makes short ids out of questions`(question: String, id: String) throws {
        let editor = try FAQEditor(path: try folder.write("faq.yaml", Self.original))
        #expect(editor.freeID(for: question) == id)
    }
}

struct FAQCheckTests {
    @Test(arguments: [
        ("Which camera do you use?", "A.", "which camera do you use", "B.", ["faq.contradiction"]),
        ("Which camera do you use?", "A.", "Which CAMERA do you use?!", "a", ["faq.duplicate"]),
        ("Which camera do you film with?", "A.", "What camera do you film with?", "B.", ["faq.near-duplicate"]),
        ("Do you ship?", "A.", "Do you ship to Canada?", "B.", ["faq.subset"]),
        ("Which camera do you use?", "The X.", "What light do you film with?", "The X.", ["faq.same-answer"]),
        ("Which camera do you use?", "TODO: ask", "Do you ship?", "Yes.", ["faq.unfinished"]),
        ("Which camera do you use?", "A.", "Do you ship?", "Yes.", []),
        ("How much is a reel?", "A.", "How long is a reel?", "B.", []),
    ])
    func `finds entries that no matcher can tell apart`(
        first: String, answer: String, second: String, other: String, codes: [String]
    ) {
        let library = FAQLibrary(entries: [
            FAQEntry(id: "a", question: first, answer: answer), FAQEntry(id: "b", question: second, answer: other),
        ])
        let text =
            "- {id: a, question: \"\(first)\", answer: \"\(answer)\"}\n- {id: b, question: \"\(second)\", answer: \"\(other)\"}"
        let findings = FAQCheck.findings(name: "f.yaml", bytes: Array(text.utf8))
        #expect(findings.map(\.code) == codes)
        #expect(findings.allSatisfy { $0.at?.hasPrefix("f.yaml:") ?? false } && library.entries.count == 2)
    }

    @Test(arguments: [
        ("It costs 12 EUR.", "It costs $1,200.", ": numbers 12 / 1200"), ("Takes 9.90.", "Takes 9,9 EUR.", ""),
        ("Yes, every week.", "No, never.", ": yes / no"), ("Sí.", "Nein.", ": yes / no"), ("No.", "No way.", ""),
        ("On Sundays at 18:00.", "On Mondays at 18:00.", ": days sundays / mondays"),
        ("See robin.example/a.", "See https://robin.example/b/.", ": links robin.example/a / robin.example/b"),
        ("See robin.example/a.", "See https://www.robin.example/a for all 3.", ""),
        ("12 or 15 EUR.", "15 EUR.", ""), ("Yes, 3 of 5.", "No, 4.", ": yes / no; numbers 3, 5 / 4"),
    ])
    func `says what two answers to one question differ in`(first: String, second: String, facts: String) {
        let text = """
            - {id: a, question: Which one?, answer: "\(first)"}
            - {id: b, question: Which one, answer: "\(second)"}
            """
        let found = FAQCheck.findings(name: "f", bytes: Array(text.utf8))
        #expect(found.map(\.what) == ["'a' and 'b' answer the same question differently\(facts)"])
    }

    @Test func `pairs that somebody else found alike are reported once, with what differs`() {
        let text = """
            - {id: a, question: How long does it take?, answer: 3 days}
            - {id: b, question: When will mine be here?, answer: 9 days}
            - {id: c, question: What is the delivery time?, answer: soon}
            """
        let found = FAQCheck.findings(
            name: "f", bytes: Array(text.utf8), alike: { _ in [(1, 0), (0, 1), (0, 2), (2, 2)] })
        #expect(found.map(\.code) == ["faq.contradiction", "faq.near-duplicate"])
        #expect(found.first?.what.hasSuffix("numbers 3 / 9") == true)
    }

    @Test func `finds a wording of one entry in another`() {
        let text = """
            - {id: a, question: Which camera?, also_asked: ["What do you film on?", "what do you film on"], answer: A}
            - {id: b, question: "What do you film on?", answer: B}
            """
        #expect(
            FAQCheck.findings(name: "f", bytes: Array(text.utf8)).map(\.code) == [
                "faq.said-twice", "faq.contradiction",
            ])
    }
}

struct FAQIDsTests {
    @Test func `ids are made of telling words, and none twice`() {
        var ids = FAQIDs(library: FAQLibrary(entries: [FAQEntry(id: "tripod", question: "q", answer: "a")]))
        #expect(
            ["Tripod?", "Tripod?", "???", "???"].map { ids.next(for: $0) } == [
                "tripod-2", "tripod-3", "entry", "entry-2",
            ])
    }
}
