import Foundation
import Testing

/// Keeping a library at the command line: what is missing in it, what it should learn, and what contradicts itself.
struct FAQTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let library = """
        # Robin's answers
        - id: camera
          question: Which camera do you use?   # asked daily
          answer: A small one.
        - id: shipping
          question: Do you ship to other countries?
          answer: Yes, for 12 EUR.

        """
    private static let messages = """
        {"id":"1","sender":{"id":"a"},"text":"Love it! Which tripod do you use?"}
        {"id":"2","sender":{"id":"b"},"text":"what tripod do you use?? mail me at me@mail.example"}
        {"id":"3","sender":{"id":"c"},"lang":"es","text":"¿Qué trípode usas?"}
        {"id":"4","sender":{"id":"a"},"text":"Which camera do you use?"}
        {"id":"5","sender":{"id":"d"},"text":"which camera do you use?"}
        {"id":"6","sender":{"id":"e"},"text":"Great video, thank you so much!"}

        """

    private func library(_ text: String = FAQTests.library) throws -> String { try folder.write("faq.yaml", text) }

    @Test func `what several people asked and no entry answers is suggested`() throws {
        let outcome = try Program.run(
            ["faq", "suggest", "-", "--faq", try library(), "--to", "json"], input: Self.messages)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let found = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]])
        #expect(found.count == 1)
        let texts = [found.first?["question"] as? String ?? ""] + (found.first?["also_asked"] as? [String] ?? [])
        #expect(texts.contains("Which tripod do you use?") && texts.contains("¿Qué trípode usas?"))
        #expect(found.first?["answer"] as? String == "TODO")
        #expect(!outcome.text.contains("mail"))
        #expect(outcome.errors.contains("6 messages, 3 with a question that no entry answers; 1 suggestion"))
    }

    @Test func `a table says who asked and where, and the bound on senders counts`() throws {
        let file = try library()
        let table = try Program.run(["faq", "suggest", "-", "--faq", file], input: Self.messages)
        #expect(table.text.hasPrefix("SENDERS"))
        #expect(table.text.contains("3        3         en es"))
        let none = try Program.run(["faq", "suggest", "-", "--faq", file, "--min-senders", "4"], input: Self.messages)
        #expect(none.status == 0)
        #expect(none.lines.count == 1)
    }

    @Test func `spam and what a person has to look at are no matter for a library`() throws {
        let messages = """
            {"id":"1","sender":{"id":"a"},"text":"I don't want to be alive anymore, what should I do?"}
            {"id":"2","sender":{"id":"b"},"text":"Do you want to earn $5000 a week with crypto? DM me on telegram @fastcash"}

            """
        let outcome = try Program.run(
            ["faq", "suggest", "-", "--faq", try library(), "--min-senders", "1"], input: messages)
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 1, "\(outcome.text)")
        #expect(outcome.errors.contains("2 messages, 0 with a question"), "\(outcome.errors)")
    }

    @Test func `suggestions in YAML can be put behind the library, which is then unfinished`() throws {
        let file = try library()
        let outcome = try Program.run(["faq", "suggest", "-", "--faq", file, "--to", "yaml"], input: Self.messages)
        #expect(outcome.text.hasPrefix("# asked by 3 senders in 3 messages; en, es; 1, 2, 3\n- id: "))
        try folder.write("faq.yaml", Self.library + outcome.text)
        let check = try Program.run(["faq", "check", "--faq", file])
        #expect(check.status == 1)
        #expect(check.text.contains("faq.unfinished"))
        #expect(try Program.run(["faq", "list", "--faq", file]).lines.count == 4)
        // A suggestion that was put in is none any more.
        let again = try Program.run(["faq", "suggest", "-", "--faq", file, "--to", "json"], input: Self.messages)
        #expect(again.text == "[]\n")
    }

    @Test(arguments: [
        (#"{"id":"1","text":"Which tripod do you use?","triage":{"schema":1,"faq":{"id":"tripod"}}}"#, 0),
        (#"{"id":"1","text":"Which camera do you use?","triage":{"schema":1,"faq":null}}"#, 1),
        (#"{"id":"1","text":"Which tripod do you use?","triage":{"schema":1}}"#, 1),
    ])
    func `what was answered before counts`(record: String, suggestions: Int) throws {
        let outcome = try Program.run(
            ["faq", "suggest", "-", "--faq", try library(), "--min-senders", "1", "--to", "json"],
            input: record + "\n")
        let found = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [Any]
        #expect(found?.count == suggestions)
    }

    @Test(arguments: [
        #"{"id":"1","text":"Which \"x: y\" # tripod\u0000 do you \u202euse?"}"#,
        #"{"id":"1\n- id: evil","text":"- id: evil answer: yes & *a tripod?"}"#,
    ])
    func `hostile texts stay texts`(record: String) throws {
        let outcome = try Program.run(
            ["faq", "suggest", "-", "--faq", try library(), "--min-senders", "1", "--to", "yaml"],
            input: record + "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let file = try folder.write("new.yaml", outcome.text)
        #expect(try Program.run(["faq", "list", "--json", "--faq", file]).lines.count == 1)
        #expect(!outcome.text.unicodeScalars.contains("\u{202E}"))
    }

    // MARK: Learning

    private static let gold = """
        {"id":"1","text":"is that footage off a phone or a proper thing?","gold":{"faq_id":"camera"}}
        {"id":"2","text":"Hi! is that footage off a phone or a proper thing? Yours, @sam","gold":{"faq_id":"camera"}}
        {"id":"3","text":"Which camera do you use?","gold":{"faq_id":"camera"}}
        {"id":"4","text":"Is it cold today?","gold":{"faq_id":null}}
        {"id":"5","text":"Is it warm today?","gold":{"faq_id":"gone"}}
        {"id":"6","text":"Is it warm today?"}

        """

    @Test func `wordings that were answered wrongly are added once, and nothing else changes`() throws {
        let file = try library()
        let gold = try folder.write("gold.jsonl", Self.gold)
        let dry = try Program.run(["faq", "learn", gold, "--faq", file, "--dry-run"])
        #expect(dry.status == 0, "\(dry.errors)")
        #expect(dry.text.contains("is that footage off a phone or a proper thing?"))
        #expect(try folder.text("faq.yaml") == Self.library)
        let outcome = try Program.run(["faq", "learn", gold, "--faq", file])
        #expect(outcome.errors.contains("before: 1 of 3 questions"))
        #expect(outcome.errors.contains("after, on the same messages: 3 of 3 questions"))
        #expect(outcome.errors.contains("1 label without an entry") && outcome.errors.contains("1 wording added to"))
        let text = try folder.text("faq.yaml")
        #expect(text.hasPrefix("# Robin's answers\n- id: camera\n"))
        #expect(text.contains("  also_asked:\n    - is that footage off a phone or a proper thing?\n"))
        #expect(text.hasSuffix("answer: Yes, for 12 EUR.\n"))
        #expect(try Program.run(["faq", "learn", gold, "--faq", file]).errors.contains("0 wordings for"))
        #expect(try folder.text("faq.yaml") == text)
    }

    private static let conversations = """
        {"id":"1","conversation_id":"a","sender":{"id":"s"},"text":"can you post to my aunt in norway"}
        {"id":"2","conversation_id":"b","sender":{"id":"t"},"text":"Love this, thank you!"}
        {"id":"3","conversation_id":"a","sender":{"id":"r","is_self":true},"text":"Yes, we ship to other countries, for 12 EUR."}
        {"id":"4","conversation_id":"b","sender":{"id":"r","is_self":true},"text":"Thank you, that is so kind of you!"}
        {"id":"5","conversation_id":"c","sender":{"id":"r","is_self":true},"text":"Yes, we ship to other countries, for 12 EUR."}

        """

    @Test func `what your own replies answered becomes a wording of the entry that says it`() throws {
        let file = try library()
        let export = try folder.write("conversations.jsonl", Self.conversations)
        let dry = try Program.run(["faq", "learn", export, "--faq", file, "--own-replies", "--dry-run"])
        #expect(dry.status == 0, "\(dry.errors)")
        #expect(dry.text.contains("can you post to my aunt in norway") && dry.lines.count == 2, "\(dry.text)")
        #expect(dry.errors.contains("3 own replies read, 1 match an entry"), "\(dry.errors)")
        #expect(try folder.text("faq.yaml") == Self.library)
        let outcome = try Program.run(["faq", "learn", export, "--faq", file, "--own-replies"])
        #expect(outcome.errors.contains("1 wording added to"))
        let text = try folder.text("faq.yaml")
        #expect(text.contains("  also_asked:\n    - can you post to my aunt in norway\n"), "\(text)")
        let again = try Program.run(["faq", "learn", export, "--faq", file, "--own-replies"])
        #expect(again.errors.contains("0 wordings for"), "\(again.errors)")
        #expect(try folder.text("faq.yaml") == text)
    }

    @Test func `labels that cannot be read are an error, and so are labels from a pipe`() throws {
        let file = try library()
        let bad = try folder.write("bad.jsonl", #"{"id":"1","text":"t","gold":{"faq_id":7}}"# + "\n")
        #expect(try Program.run(["faq", "learn", bad, "--faq", file]).status == 65)
        #expect(try Program.run(["faq", "learn", "-", "--faq", file]).status == 64)
        #expect(try Program.run(["faq", "learn", folder.place("none.jsonl"), "--faq", file]).status == 66)
    }

    // MARK: Checking

    @Test(arguments: [
        ("What camera are you using?", "A big one.", "faq.near-duplicate", ""),
        ("¿Qué cámara usas?", "A small one.", "", ""),
        ("Do you deliver to other countries?", "Yes, for 15 EUR.", "faq.contradiction", "numbers 12 / 15"),
        ("Do you ship to other countries?", "No.", "faq.contradiction", "yes / no"),
        ("Which tripod do you use?", "Another one.", "", ""),
    ])
    func `entries that ask the same are named, with what their answers differ in`(
        question: String, answer: String, code: String, what: String
    ) throws {
        let file = try library(Self.library + "- id: other\n  question: \"\(question)\"\n  answer: \(answer)\n")
        let outcome = try Program.run(["faq", "check", "--faq", file])
        if code.isEmpty {
            #expect(!outcome.text.contains("contradiction"))
        } else {
            #expect(outcome.status == 1)
            #expect(outcome.text.contains(code) && (what.isEmpty || outcome.text.contains(what)), "\(outcome.text)")
            #expect(outcome.text.contains("'other'"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `what can be read once only is nothing to learn from`() throws {
        let folder = try ScratchFolder()
        let pipe = folder.place("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        try folder.write("faq.yaml", "- id: a\n  question: Do you ship?\n  answer: Yes.\n")
        let outcome = try Program.run(["faq", "learn", pipe, "--faq", folder.place("faq.yaml")])
        #expect(outcome.status == 64 && outcome.errors.contains("read twice"), "\(outcome.errors)")
    }
}
