import Foundation
import Testing

/// What a change of the configuration means for what was answered before.
struct RescoreTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func run(_ arguments: String...) throws -> Program.Outcome {
        try Program.run(arguments, directory: folder.path)
    }

    private static let texts = [
        "Which camera do you use?", "We would pay you $3,000 for a reel, please reply by Friday", "so is it still on?",
        "Buy followers now, cheap crypto", "I love this so much", "I hate this, you are awful",
    ]

    private func messages(_ key: String = "text") -> String {
        Self.texts.enumerated().map { number, text in
            #"{"id":"\#(number)","conversation_id":"c\#(number / 3)","sender":{"id":"u\#(number / 3)"},"\#(key)":"\#(text)"}"#
                + "\n"
        }.joined()
    }

    private func library(_ id: String) throws {
        try folder.write("faq.yaml", "- id: \(id)\n  question: Which camera do you use?\n  answer: This one.\n")
    }

    @Test(arguments: ["text", "body"])
    func `nothing changes where nothing was changed, and a change is shown before it is written`(key: String) throws {
        try library("camera")
        try folder.write("in.jsonl", messages(key))
        #expect(try run("sync", "in.jsonl", "--store", "i.db", "--faq", "faq.yaml", "-q").status == 0)
        let same = try run("rescore", "--store", "i.db", "--faq", "faq.yaml")
        #expect(same.status == 0, "\(same.errors)")
        #expect(same.output.isEmpty)
        #expect(same.errors.contains("0 of 6 messages change"))
        #expect(!same.errors.contains("only scores"))

        try library("kit")
        #expect(try run("feedback", "1", "--category", "spam", "--store", "i.db").status == 0)
        let before = try run("export", "--store", "i.db").output
        let shown = try run("rescore", "--store", "i.db", "--faq", "faq.yaml", "--to", "jsonl")
        #expect(shown.lines.count == 1)
        #expect(shown.text.contains(#""faq":{"from":"camera","to":"kit"}"#))
        #expect(shown.errors.contains("nothing was saved"))
        #expect(try run("export", "--store", "i.db").output == before)

        let written = try run("rescore", "--store", "i.db", "--faq", "faq.yaml", "--write")
        #expect(written.text.contains("faq camera → kit"))
        let fresh = try run("run", "in.jsonl", "--faq", "faq.yaml", "-q").output
        #expect(try run("export", "--store", "i.db").output == fresh)
        #expect(try run("list", "--view", "spam", "--store", "i.db").text.contains("spam*"))
        #expect(try run("rescore", "--store", "i.db", "--faq", "faq.yaml").errors.contains("0 of 6"))
        #expect(try run("runs", "--store", "i.db", "--to", "jsonl").text.contains(#""command":"rescore""#))
    }

    @Test func `a text with U+0000 in it is answered as all of it`() throws {
        let record = #"{"id":"1","text":"Earn 5% daily\u0000 with crypto, DM me on telegram","title":"Earn 5% daily"}"#
        try folder.write("in.jsonl", record + "\n")
        #expect(try run("sync", "in.jsonl", "--store", "i.db", "-q").status == 0)
        let same = try run("rescore", "--store", "i.db")
        #expect(same.errors.contains("0 of 1 message change"), "\(same.errors)\(same.text)")
        #expect(!same.errors.contains("only scores"))
    }

    @Test func `LLM answers are taken from the store, without any request`() throws {
        try library("camera")
        try folder.write("in.jsonl", messages())
        var model: ScriptedModel? = try ScriptedModel()
        try folder.write("triage.yaml", (model?.configuration() ?? "") + "faq: faq.yaml\nstore: i.db\n")
        let environment = try Program.warm(home: folder)
        let synced = try Program.run(
            ["sync", "in.jsonl", "-q", "--config", "triage.yaml"], environment: environment, directory: folder.path)
        #expect(synced.status == 0, "\(synced.errors)")
        // Gone: whoever asked would get a problem, and the cache is another one, too.
        model = nil
        let same = try run("rescore")
        #expect(same.status == 0, "\(same.errors)")
        #expect(same.output.isEmpty, "\(same.text)")
        #expect(!same.errors.contains("only scores"), "\(same.errors)")
        #expect(!same.errors.contains("never sent"), "\(same.errors)")

        let before = try run("export").text
        #expect(before.contains("text.llm"))
        try library("kit")
        let written = try run("rescore", "--write")
        #expect(written.status == 0, "\(written.errors)")
        let after = try run("export").text
        #expect(after.contains("\"kit\""))
        #expect(after.contains("text.llm") && !after.contains("llm.cancelled"))
        #expect(try run("rescore").errors.contains("0 of 6"))

        try folder.write("triage.yaml", "faq: faq.yaml\nstore: i.db\n")
        #expect(try run("rescore").errors.contains("had LLM answers, but no LLM is configured now"))
    }

    @Test func `an edited message, an own one and a notice stay what they are`() throws {
        try library("camera")
        let first = messages() + #"{"id":"own","conversation_id":"c0","sender":{"id":"x"},"text":"thanks"}"# + "\n"
        try folder.write("in.jsonl", first)
        #expect(try run("sync", "in.jsonl", "--store", "i.db", "--faq", "faq.yaml", "--me", "x", "-q").status == 0)
        try folder.write("edit.jsonl", #"{"id":"4","conversation_id":"c1","sender":{"id":"u1"},"text":"I loved it"}"#)
        #expect(try run("sync", "edit.jsonl", "--store", "i.db", "--faq", "faq.yaml", "-q").status == 0)
        let before = try run("export", "--store", "i.db")
        #expect(before.text.contains("\"revision\":2") && before.text.contains("\"skipped\":\"own\""))
        try library("kit")
        #expect(try run("rescore", "--store", "i.db", "--faq", "faq.yaml", "--write").status == 0)
        let after = try run("export", "--store", "i.db")
        #expect(after.lines.count == 7)
        #expect(after.text.contains("\"revision\":2") && after.text.contains("\"skipped\":\"own\""))
        // The camera; and the edited one stands where it first stood, with less of the conversation before it.
        #expect((1...2).contains(zip(before.lines, after.lines).filter { $0 != $1 }.count))
        #expect(try run("show", "4", "--store", "i.db").text.contains("Before"))
    }

    @Test func `other answers are no news for the next summary`() throws {
        try folder.write("in.jsonl", messages())
        func told() throws -> [String?] {
            let synced = try run(
                "sync", "in.jsonl", "--store", "i.db", "-q", "--summary", "s.json", "--offers-above", "20")
            #expect(synced.status == 0, "\(synced.errors)")
            let summary = Annotated.object(try folder.bytes("s.json")[...])
            return (summary?["offers"] as? [[String: Any]] ?? []).map { $0["id"] as? String }
        }
        #expect(try told().contains("1"))
        try folder.write("faq.yaml", "- id: offers\n  question: \(Self.texts[1])\n  answer: Write to my manager.\n")
        let written = try run("rescore", "--store", "i.db", "--faq", "faq.yaml", "--write", "--to", "jsonl")
        #expect(written.text.contains(#""id":"1","#) && written.text.contains(#""to":"offers"#), "\(written.text)")
        #expect(try told() == [])
    }

    @Test func `a text is found again whatever stands beside it, and what cannot be read again is counted`() throws {
        let records = [
            #"{"id":"1","type":"text","body":"which camera do you use?"}"#,
            #"{"id":"2","body":"which camera do you use?","quoted":{"text":"older"}}"#,
            #"{"id":"3","body":"which camera do you use?","text":5}"#,
        ]
        try library("camera")
        try folder.write("in.jsonl", records.joined(separator: "\n") + "\n")
        let mapped = ["sync", "in.jsonl", "--map", "text=body", "--store", "i.db", "-q"]
        #expect(try Program.run(mapped, directory: folder.path).status == 0)
        let outcome = try run("rescore", "--store", "i.db", "--faq", "faq.yaml", "--to", "jsonl")
        #expect(outcome.lines.count == 3, "\(outcome.errors)")
        #expect(outcome.errors.contains("3 of 3 messages change"))
        #expect(!outcome.errors.contains("could not be read and"))

        // Which of two equal members was meant cannot be told from the record alone.
        try folder.write("in.jsonl", #"{"id":"4","body":"hello you","body":"hello you"}"# + "\n")
        #expect(try Program.run(mapped, directory: folder.path).status == 0)
        let skipped = try run("rescore", "--store", "i.db", "--faq", "faq.yaml", "--write")
        #expect(skipped.errors.contains("3 of 3 messages change"), "\(skipped.errors)")
        #expect(skipped.errors.contains("1 record could not be read and stays unchanged"), "\(skipped.errors)")
    }

    @Test func `while another run holds the store nothing was saved, but shown`() throws {
        try library("camera")
        try folder.write("in.jsonl", messages())
        #expect(try run("sync", "in.jsonl", "--store", "i.db", "-q").status == 0)
        // It waits, should it meet one of those below.
        let holder = try Program(
            ["sync", "-", "--store", "i.db", "-q", "--wait", "60"], input: .pipe, directory: folder.path)
        var status: Int32 = 0
        var errors = ""
        // Until the other one has come so far.
        for _ in 0..<200 {
            let outcome = try run("rescore", "--store", "i.db", "--write")
            (status, errors) = (outcome.status, outcome.errors)
            if status != 0 { break }
            usleep(50_000)
        }
        #expect(status == 75)
        #expect(errors.contains("triage sync"))
        #expect(try run("rescore", "--store", "i.db").status == 0)
        #expect(try run("forget", "u1", "--store", "i.db").status == 75)
        holder.closeInput()
        #expect(try holder.wait().status == 0)
        #expect(try run("forget", "u1", "--store", "i.db").status == 0)
    }
}
