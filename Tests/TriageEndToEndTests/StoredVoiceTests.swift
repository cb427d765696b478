import Foundation
import Testing

/// A store learns how its creator answers, from what `sync` reads and from what people make of drafts.
@Suite struct `The voice of a store` {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func sync(
        _ records: [[String: Any]], _ creator: String, store: String = "inbox.db",
        config: [String] = VoiceTests.withoutEncoder, more: [String] = []
    ) throws -> Program.Outcome {
        let input = try folder.write("in.jsonl", try VoiceTests.text(records))
        let outcome = try Program.run(
            ["sync", input, "--store", folder.place(store), "--offline"] + VoiceTests.options(creator, folder)
                + config + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    private func history(_ creator: String) throws -> [[String: Any]] {
        try VoiceTests.lines("history-\(creator).jsonl")
    }

    private func messages(_ creator: String) throws -> [[String: Any]] {
        try VoiceTests.lines("messages.jsonl").filter { $0["creator"] as? String == creator }
    }

    private func records(_ name: String) throws -> [Annotated] {
        try folder.text(name).split(separator: "\n").compactMap { Annotated(Array($0.utf8)) }
    }

    private func own(_ records: [Annotated]) -> Int {
        records.count { ($0["draft", "based_on"] as? String ?? "").hasPrefix("own-reply:") }
    }

    private func shown(_ store: String = "inbox.db") throws -> Program.Outcome {
        try Program.run(["voice", "show", "--store", folder.place(store)])
    }

    @Test(arguments: ["alex", "maya", "theo"])
    func `a sync learns, and the next one drafts in that voice, the same for every number of jobs`(
        creator: String
    ) throws {
        // Nothing is known when the first one begins.
        _ = try sync(try history(creator), creator, more: ["-o", folder.place("first.jsonl")])
        #expect(own(try records("first.jsonl")) == 0)
        #expect(try records("first.jsonl").allSatisfy { $0["provenance", "voice"] == nil })
        #expect(try shown().text.contains("of your replies"))
        try FileManager.default.copyItem(atPath: folder.place("inbox.db"), toPath: folder.place("copy.db"))

        let messages = try messages(creator)
        _ = try sync(messages, creator, more: ["-o", folder.place("out.jsonl"), "--jobs", "1"])
        let found = try records("out.jsonl")
        #expect(own(found) >= 8, "\(own(found)) of \(found.count)")
        #expect(Set(found.map { $0["provenance", "voice"] as? String }).count == 1)
        #expect(found[0]["provenance", "voice"] as? String != nil)
        _ = try sync(
            messages, creator, store: "copy.db", more: ["-o", folder.place("again.jsonl"), "--jobs", "2"])
        #expect(try folder.text("again.jsonl") == folder.text("out.jsonl"))
    }

    @Test func `the same export again teaches nothing, and what was learned can be carried as a file`() throws {
        let history = try history("maya")
        _ = try sync(history, "maya")
        let before = try shown().text
        _ = try sync(history, "maya")
        #expect(try shown().text == before)

        let exported = try folder.write("history.jsonl", try VoiceTests.text(history))
        let options = try VoiceTests.options("maya", folder) + VoiceTests.withoutEncoder
        #expect(try Program.run(["voice", "learn", exported, "-o", folder.place("a.jsonl")] + options).status == 0)
        let learned = try Program.run(
            ["voice", "learn", "--store", folder.place("inbox.db"), "-o", folder.place("b.jsonl")] + options)
        #expect(learned.status == 0, "\(learned.errors)")
        let (exports, store) = (
            try folder.text("a.jsonl").split(separator: "\n"), try folder.text("b.jsonl").split(separator: "\n")
        )
        #expect(exports[0] == store[0])
        func pairs(_ lines: [Substring]) -> Set<Substring> { Set(lines.filter { $0.hasPrefix("{\"id\":") }) }
        #expect(pairs(exports).count > 100 && pairs(exports) == pairs(store))
    }

    @Test func `a file of a voice counts more, and none switches it off`() throws {
        _ = try sync(try history("maya"), "maya")
        let messages = Array(try messages("maya").prefix(80))
        for name in ["a", "b", "c", "d"] {
            try FileManager.default.copyItem(atPath: folder.place("inbox.db"), toPath: folder.place("\(name).db"))
        }
        _ = try sync(messages, "maya", store: "a.db", more: ["-o", folder.place("a.out")])
        #expect(own(try records("a.out")) > 0)
        _ = try sync(messages, "maya", store: "b.db", more: ["-o", folder.place("b.out"), "--voice", "none"])
        #expect(own(try records("b.out")) == 0)
        let settings = try folder.write(
            "triage.yaml", "voice: none\nmethods: {sentiment: model, urgency: model, faq: rules}\n")
        _ = try folder.write("voice.jsonl", "{\"voice\":1}\n{\"id\":\"a\",\"x\":1}\n")
        _ = try sync(
            messages, "maya", store: "c.db", config: ["--config", settings], more: ["-o", folder.place("c.out")])
        #expect(try folder.text("c.out") == folder.text("b.out"))
        let empty = try folder.write("empty.jsonl", "{\"voice\":1}\n")
        _ = try sync(messages, "maya", store: "d.db", more: ["-o", folder.place("d.out"), "--voice", empty])
        #expect(own(try records("d.out")) == 0)
    }

    @Test func `scoring again keeps the voice`() throws {
        _ = try sync(try history("maya"), "maya")
        _ = try sync(try messages("maya"), "maya")
        let rescored = try Program.run(
            ["rescore", "--store", folder.place("inbox.db"), "--to", "jsonl"]
                + VoiceTests.options("maya", folder) + VoiceTests.withoutEncoder)
        #expect(rescored.status == 0, "\(rescored.errors)")
        // Those of the first sync were written before anything was learned.
        let drafts = rescored.lines.count { String(decoding: $0, as: UTF8.self).contains("draft") }
        #expect(drafts > 0)
    }

    @Test func `who is forgotten is not said again`() throws {
        _ = try sync(try history("maya"), "maya")
        let options = try VoiceTests.options("maya", folder) + VoiceTests.withoutEncoder
        func exported() throws -> String {
            let place = folder.place("v\(Int.random(in: 0..<1_000_000)).jsonl")
            _ = try Program.run(["voice", "learn", "--store", folder.place("inbox.db"), "-o", place] + options)
            return try String(contentsOfFile: place, encoding: .utf8)
        }
        #expect(try exported().contains("lindabrack"))
        #expect(try Program.run(["forget", "lindabrack", "--store", folder.place("inbox.db")]).status == 0)
        #expect(try !exported().contains("lindabrack"))
        let old = ["forget", "--before", "2100-01-01", "--yes", "--store", folder.place("inbox.db")]
        #expect(try Program.run(old).status == 0)
        #expect(try !exported().contains("\"from\""))
        let nothing = try shown()
        #expect(nothing.status == 64 && nothing.errors.contains("has not learned a voice"), "\(nothing.errors)")
    }

    @Test(arguments: ["alex", "maya", "theo"])
    func `nothing of past senders comes out of a store`(creator: String) throws {
        _ = try sync(VoiceTests.planted(try history(creator)), creator)
        // The encoder takes 50 ms for a message: one creator is enough.
        let config = creator == "maya" ? [] : VoiceTests.withoutEncoder
        _ = try sync(try messages(creator), creator, config: config, more: ["-o", folder.place("out.jsonl")])
        for record in try records("out.jsonl") {
            guard let draft = record["draft", "text"] as? String else { continue }
            for secret in VoiceTests.secrets { #expect(!draft.localizedCaseInsensitiveContains(secret), "\(draft)") }
        }
    }

    @Test func `nine replies are no voice, and ten are`() throws {
        func reply(_ number: Int) -> [[String: Any]] {
            let sender = ["handle": "fan\(number)"] as [String: Any]
            return [
                ["id": "m\(number)", "conversation_id": "c\(number)", "sender": sender, "text": "so good"],
                [
                    "id": "r\(number)", "conversation_id": "c\(number)", "sender": ["is_self": true],
                    "text": "Thank you.",
                ],
            ]
        }
        _ = try sync((0..<9).flatMap(reply), "maya")
        #expect(try shown().status == 64)
        _ = try sync(reply(9), "maya")
        #expect(try shown().text.contains("10 of your replies"))
    }

    @Test func `ids alone teach nothing`() throws {
        _ = try sync(try history("maya"), "maya", more: ["--ids-only", "-o", folder.place("out.jsonl")])
        #expect(try shown().status == 64)
    }

    @Test func `drafts that were edited are learned as replies`() throws {
        let praise = (0..<40).map { number in
            [
                "id": "m\(number)", "platform": "instagram", "conversation_id": "c\(number)",
                "sender": ["handle": "fan\(number)", "name": "Fan\(number) Reader"] as [String: Any],
                "text": "I love your videos so much, they are wonderful!",
            ] as [String: Any]
        }
        _ = try sync(Array(praise[..<20]), "maya")
        for number in 0..<12 {
            let outcome = try Program.run(
                [
                    "feedback", "m\(number)", "--draft", "edited", "--text", "You lovely human, thank you so much.",
                    "--store", folder.place("inbox.db"),
                ]
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        // The sync that learns it writes as before; the next one writes what was learned.
        _ = try sync(Array(praise[20..<30]), "maya", more: ["-o", folder.place("second.jsonl")])
        #expect(try !folder.text("second.jsonl").contains("You lovely human"))
        _ = try sync(Array(praise[30...]), "maya", more: ["-o", folder.place("third.jsonl")])
        let drafts = try records("third.jsonl").compactMap { $0["draft", "text"] as? String }
        #expect(
            drafts.count == 10 && drafts.allSatisfy { $0.contains("You lovely human, thank you so much.") }, "\(drafts)"
        )
    }

    @Test func `drafts that were edited three times alike are suggested`() throws {
        let praise = (0..<4).map { number in
            [
                "id": "m\(number)", "platform": "instagram", "conversation_id": "c\(number)",
                "sender": ["handle": "fan\(number)"], "text": "I love your videos so much, they are wonderful!",
            ] as [String: Any]
        }
        _ = try sync(praise, "maya", more: ["-o", folder.place("out.jsonl")])
        let suggest = ["voice", "suggest", "--store", folder.place("inbox.db"), "--to"]
        for (number, record) in try records("out.jsonl").prefix(3).enumerated() {
            #expect(try Program.run(suggest + ["json"]).text == "[]\n")
            let draft = try #require(record["draft", "text"] as? String)
            let outcome = try Program.run(
                ["feedback", "m\(number)", "--draft", "edited", "--text", draft + " Come to the live on Sunday."]
                    + ["--store", folder.place("inbox.db")])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let json = try Program.run(suggest + ["json"])
        let found = try #require(
            try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [[String: Any]])
        #expect(found.count == 1 && found[0]["after"] as? String == "Come to the live on Sunday.", "\(json.text)")
        #expect(found[0]["based_on"] as? String == "template:fan.video" && found[0]["drafts"] as? Int == 3)
        let yaml = try Program.run(suggest + ["yaml"]).text
        #expect(yaml.contains("en:\n") && yaml.contains("\n  fan.video:\n    - "), "\(yaml)")
        // As it comes out, it is the file that a run reads.
        try folder.write("triage.yaml", "replies: words.yaml\n")
        try folder.write("words.yaml", yaml)
        let outcome = try Program.run(
            ["run", "--quiet", "--config", folder.place("triage.yaml")],
            input: #"{"id":"1","text":"I love your videos so much, they are wonderful!"}"# + "\n")
        let draft = outcome.records.first.flatMap { $0?["draft", "text"] as? String }
        #expect(draft?.contains("Come to the live on Sunday.") == true, "\(outcome.errors)")
        #expect(try Program.run(suggest + ["table"]).text.contains("template:fan.video"))
    }
}
