import Foundation
import Testing

/// Looking at a store and correcting what is in it, with the program as people run it.
struct InboxTests {
    private let folder: ScratchFolder
    private var store: String { folder.place("inbox.db") }

    init() throws { folder = try ScratchFolder() }

    private static let library = """
        - id: camera
          question: Which camera do you use?
          answer: A small one.

        """

    /// Fan, offer, danger with a text that drives terminals, spam, a formula; a conversation with an own message.
    private static let messages = #"""
        {"id":"m1","platform":"instagram","conversation_id":"c1","sender":{"id":"u1","handle":"ann","name":"Ann"},"text":"Love your videos so much, which camera do you use?","sent_at":"2026-11-01T10:00:00Z"}
        {"id":"m2","platform":"instagram","conversation_id":"c2","sender":{"id":"u2","handle":"glow","name":"Glow Co"},"text":"Hi! We are Glow Skincare and would love to pay you $5,000 for two reels. Please reply by 2026-11-10. Contact: pr@glow.example","sent_at":"2026-11-02T10:00:00Z"}
        {"id":"m3","platform":"instagram","conversation_id":"c3","sender":{"id":"u3","name":"\u001b[31mEvil\u0007"},"text":"I will hurt myself tonight \u001b]52;c;aGk=\u0007 \u202e\u009b31m\nsecond line","sent_at":"2026-11-03T10:00:00Z"}
        {"id":"m4","platform":"instagram","conversation_id":"c4","sender":{"id":"u4","name":"Spam"},"text":"Buy 10k followers now!!! crypto giveaway http://x.example","sent_at":"2026-11-03T11:00:00Z"}
        {"id":"m5","platform":"instagram","conversation_id":"c5","sender":{"id":"u5","name":"=cmd|' /C calc'!A0"},"text":"=1+1 You are the worst, I hate you and your disgusting videos","sent_at":"2026-11-04T11:00:00Z"}
        {"id":"m6","platform":"instagram","conversation_id":"c1","sender":{"id":"me","is_self":true},"text":"a small camera","sent_at":"2026-11-04T12:00:00Z"}
        {"id":"m7","platform":"instagram","conversation_id":"c1","sender":{"id":"u1","handle":"ann","name":"Ann"},"text":"Thanks, und wann kommt das nächste?","sent_at":"2026-11-05T10:00:00Z"}

        """#

    private func run(_ arguments: String..., input: String = "") throws -> Program.Outcome {
        try Program.run(arguments, input: input, directory: folder.path)
    }

    /// Fills the store.
    private func sync(_ messages: String = InboxTests.messages) throws {
        try folder.write("faq.yaml", Self.library)
        let outcome = try run(
            "sync", try folder.write("in.jsonl", messages), "--store", store, "--faq", "faq.yaml", "-q")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func ids(_ outcome: Program.Outcome) throws -> [String] {
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try outcome.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])["id"] as? String ?? ""
        }
    }

    private static func isHarmless(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy {
            $0 == "\n" || !($0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || (0x202A...0x202E).contains($0.value))
        }
    }

    @Test func `views show what they say, the best first, and drive no terminal`() throws {
        try sync()
        #expect(try ids(run("list", "--store", store, "--to", "jsonl")) == ["m3", "m5"])
        #expect(try ids(run("list", "--view", "business", "--store", store, "--to", "jsonl")) == ["m2"])
        #expect(
            try ids(run("list", "--view", "all", "--sort", "recent", "--store", store, "--to", "jsonl", "--limit", "3"))
                == ["m7", "m5", "m4"])
        #expect(
            try ids(run("list", "--view", "all", "--sort", "value", "--store", store, "--to", "jsonl")).first == "m2")
        #expect(
            try ids(
                run("list", "--view", "fan", "--since", "2026-11-05", "--store", store, "--to", "jsonl")) == ["m7"])
        let table = try run("list", "--view", "all", "--store", store)
        #expect(table.lines.count == 7)
        #expect(table.lines.allSatisfy(Self.isHarmless))
        #expect(table.text.contains("$5,000"))
        let short = try run("list", "--view", "all", "--limit", "2", "--store", store)
        #expect(short.lines.count == 3)
        #expect(short.errors.contains("--limit"))
        for sort in ["arrival", "name"] {
            #expect(try run("list", "--sort", sort, "--store", store).status == 64)
        }
    }

    @Test func `an offer is listed in its own currency, as in a table of run`() throws {
        let offer =
            #"{"id":"e","sender":{"id":"u","name":"Oak"},"text":"We would like to pay you 900 EUR for two reels, "#
            + #"as a paid partnership with our brand."}"# + "\n"
        try sync(offer)
        #expect(try run("list", "--view", "all", "--store", store).text.contains("€900"))
        #expect(try run("run", "in.jsonl", "--to", "table", "-q").text.contains("€900"))
    }

    @Test func `a typo in the profile does not hide the store`() throws {
        try sync()
        try folder.write("triage.yaml", "store: inbox.db\ncreator: creator.yaml\n")
        try folder.write("creator.yaml", "nmae: Mara\n")
        for command in [["list"], ["show", "1"], ["stats"], ["search", "camera"]] {
            let outcome = try Program.run(command, directory: folder.path)
            #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(command): \(outcome.errors)")
        }
        #expect(try run("run", "in.jsonl").errors.contains("creator.yaml:1:1"))
        try folder.write("triage.yaml", "store: inbox.db\nstroe: x\n")
        #expect(try run("list").status == 78)
    }

    @Test func `what comes out of a store is what run writes, and cells are no formulas`() throws {
        try sync()
        let direct = try run("run", "in.jsonl", "--faq", "faq.yaml", "-q")
        let exported = try run("export", "--store", store)
        #expect(exported.output == direct.output)
        let csv = try run("export", "--store", store, "--to", "csv")
        let head = try run("run", "in.jsonl", "--faq", "faq.yaml", "-q", "--to", "csv")
        #expect(csv.lines.first == head.lines.first)
        #expect(csv.text.contains("\"'=1+1 You are"))
        #expect(!csv.text.contains(",=") && !csv.text.contains("\n="))
        #expect(try run("export", "--store", store, "-o", "out.jsonl").status == 0)
        #expect(try folder.bytes("out.jsonl") == direct.output)
        #expect(try ids(run("export", "--view", "spam", "--store", store)) == ["m4"])
    }

    @Test func `a message is shown with its conversation, answers and reasons, and is harmless`() throws {
        try sync()
        let page = try run("show", "m7", "--store", store)
        #expect(page.status == 0, "\(page.errors)")
        #expect(page.text.contains("No 7 · m7 · instagram"))
        #expect(page.text.contains("you: a small camera"))
        #expect(page.text.contains("Love your videos"))
        #expect(page.text.contains("Reasons"))
        #expect(page.text.contains("% sure"))
        for jargon in ["category.", "sentiment.", "urgency.", "faq.", "template:", "brand_fit"] {
            #expect(!page.text.contains(jargon), "\(jargon): names of methods are for --to jsonl and explain")
        }
        let evil = try run("show", "no:3", "--store", store)
        #expect(Self.isHarmless(evil.output))
        #expect(evil.text.contains("second line"))
        let json = try run("show", "3", "--store", store, "--to", "jsonl")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        #expect((object["record"] as? [String: Any])?["id"] as? String == "m3")
        #expect(object["number"] as? Int == 3)
        for name in ["99", "id:99", "key:0000000000", "' OR 1=1 --", ""] {
            let none = try run("show", name, "--store", store)
            #expect(none.status == 66, "\(name)")
            #expect(none.errors.contains("store.no-message"))
        }
    }

    @Test func `what is done leaves the lists, and comes back`() throws {
        try sync()
        let before = try ids(run("list", "--store", store, "--to", "jsonl"))
        let done = try Program.run(["done"] + before + ["--store", store], directory: folder.path)
        #expect(done.status == 0, "\(done.errors)")
        let empty = try run("list", "--store", store)
        #expect(empty.status == 0 && empty.errors.contains("nothing left in this view"), "\(empty.errors)")
        #expect(try ids(run("list", "--store", store, "--to", "jsonl")).isEmpty)
        #expect(try ids(run("list", "--done", "--store", store, "--to", "jsonl")) == before)
        #expect(try ids(run("list", "--view", "all", "--store", store, "--to", "jsonl")).count == 6)
        #expect(try run("done", before[0], "--undo", "--store", store).status == 0)
        #expect(try ids(run("list", "--store", store, "--to", "jsonl")) == [before[0]])
        // A wrong name saves nothing.
        #expect(try run("done", before[1], "99", "--store", store).status == 66)
        #expect(try run("done", before[0], "99", "--store", store).status == 66)
        #expect(try ids(run("list", "--store", store, "--to", "jsonl")) == [before[0]])
    }

    @Test func `words are found, and hostile queries are words`() throws {
        try sync()
        #expect(try ids(run("search", "CAMERA", "--store", store, "--to", "jsonl")).sorted() == ["m1", "m6"])
        #expect(try ids(run("search", "nachste", "--store", store, "--to", "jsonl")) == ["m7"])
        #expect(try ids(run("search", "glow", "skin*", "--store", store, "--to", "jsonl")) == ["m2"])
        for query in ["'; DROP TABLE message; --", "text:camera", "NEAR(a b)", "(((", "camera AND", "-camera", "a^b"] {
            let outcome = try run("search", "--store", store, "--", query)
            #expect(outcome.status == 0 || outcome.status == 1, "\(query): \(outcome.errors)")
        }
        #expect(try ids(run("list", "--view", "all", "--store", store, "--to", "jsonl")).count == 6)
        #expect(try run("search", "zebra", "--store", store).status == 1)
        // Arguments are at most 128 KiB each: these are a megabyte.
        let long = [String](repeating: String(repeating: "x", count: 100_000), count: 10)
        let outcome = try Program.run(["search", "--store", store] + long)
        #expect(outcome.status == 64)
        #expect(outcome.errors.utf8.count < 1000)
    }

    @Test func `corrections stand beside the answers, count in views, teach, and are taken back`() throws {
        try sync()
        let before = try run("export", "--store", store).output
        func say(_ arguments: String...) throws -> Program.Outcome {
            try Program.run(["feedback"] + arguments + ["--store", store], directory: folder.path)
        }
        #expect(try say("1", "--category", "business", "--urgent", "true", "--faq", "right").status == 0)
        #expect(try say("m2", "--opportunity", "dismissed", "--draft", "edited").status == 0)
        #expect(try say("m5", "--faq-entry", "none", "--sentiment", "neutral").status == 0)
        #expect(try run("export", "--store", store).output == before)
        #expect(try ids(run("list", "--view", "business", "--store", store, "--to", "jsonl")) == ["m1"])
        #expect(try ids(run("list", "--store", store, "--to", "jsonl")) == ["m3", "m1"])
        #expect(try run("list", "--view", "business", "--store", store).text.contains("business*"))
        let gold = try run("feedback", "export", "--store", store)
        #expect(gold.lines.count == 2)
        #expect(gold.text.contains(#""gold":{"category":"business","urgent":true,"faq_id":"camera"}"#))
        #expect(gold.text.contains(#""gold":{"sentiment":"neutral","faq_id":null}"#))
        #expect(!gold.text.contains("\"triage\""))
        try folder.write("gold.jsonl", gold.output)
        let evaluated = try run("evaluate", "gold.jsonl", "--faq", "faq.yaml")
        #expect(evaluated.status == 0, "\(evaluated.errors)")
        #expect(evaluated.text.contains("category  (1 labelled)"))

        let said = try run("export", "--corrections", "--store", store)
        #expect(said.text.contains(#""corrections":{"category":"business","urgent":true,"faq":"right"}}"#))
        let statistics = try run("stats", "--store", store, "--to", "json")
        let counts = try #require(try JSONSerialization.jsonObject(with: Data(statistics.output)) as? [String: Any])
        #expect((counts["all"] as? [String: Any])?["business"] as? Int == 2)
        #expect((counts["drafts"] as? [String: Any])?["edited"] as? Int == 1)
        #expect(try run("stats", "--store", store).text.contains("Agreement category 0 of 1"))
        let library = try run("faq", "list", "--faq", "faq.yaml", "--store", store)
        #expect(library.text.contains("1     1 of 1"), "\(library.text)")

        #expect(try say("1", "--undo", "--field", "category").status == 0)
        #expect(try ids(run("list", "--view", "fan", "--store", store, "--to", "jsonl")).contains("m1"))
        #expect(try run("feedback", "list", "--store", store).text.contains("undone later"))
        #expect(try run("show", "1", "--store", store).text.contains("category: fan → business (undone later)"))
        #expect(try say("1", "--undo", "--field", "category").status == 64)
        for wrong in [["6", "--category", "fan"], ["4", "--draft", "edited"], ["1"], ["1", "--category", "friend"]] {
            #expect(try Program.run(["feedback"] + wrong + ["--store", store]).status == 64, "\(wrong)")
        }
    }

    @Test func `a draft is rated, with the reason and the words that were sent, and whatever became of it`() throws {
        try sync()
        func say(_ arguments: String...) throws -> Program.Outcome {
            try Program.run(["feedback", "2"] + arguments + ["--store", store], directory: folder.path)
        }
        func drafts() throws -> [String: Int]? {
            let outcome = try run("stats", "--store", store, "--to", "json")
            return try (JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])?["drafts"]
                as? [String: Int]
        }
        let note = "too \"stiff\" \u{1B}[31m\u{202E}"
        let reply = "Gern! \"Yes\" \\n\n陶芸 \u{1B}[31m"
        #expect(try say("--draft-rating", "bad", "--note", note).status == 0)
        #expect(try drafts()?["bad"] == 1)
        #expect(try drafts()?["good"] == 0)
        #expect(try drafts()?["edited"] == 0)
        let edited = try say("--draft", "edited", "--text", reply)
        #expect(edited.status == 0 && edited.errors.contains("draft none → edited"), "\(edited.errors)")
        let all = try #require(try drafts())
        #expect([all["accepted"], all["edited"], all["dismissed"], all["good"], all["bad"]] == [0, 1, 0, 0, 1])
        let words = try run("stats", "--store", store).text
        #expect(words.contains("; of 1 you decided on: 0 accepted, 1 edited, 0 dismissed; 0 of 1 rated good\n"))

        let listed = try run("feedback", "list", "--to", "jsonl", "--store", store)
        let rows = try listed.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
        }
        #expect(rows.map { $0["field"] as? String } == ["draft", "draft_rating"])
        #expect(rows.map { $0["value"] as? String } == ["edited", "bad"])
        #expect(rows.map { $0["text"] as? String } == [reply, nil])
        #expect(rows.map { $0["note"] as? String } == [nil, note])
        for shown in [try run("feedback", "list", "--store", store), try run("show", "2", "--store", store)] {
            #expect(shown.text.contains("bad (too \"stiff\" "))
            #expect(Self.isHarmless(shown.output))
        }

        // What was thought first is taken back alone, with its reason; of the draft it says nothing.
        #expect(try say("--undo", "--field", "draft_rating").status == 0)
        #expect(try drafts()?["bad"] == 0)
        #expect(try drafts()?["edited"] == 1)
        #expect(try run("stats", "--store", store).text.contains("rated good") == false)
        #expect(try say("--draft-rating", "good").status == 0)
        #expect(try drafts()?["good"] == 1)

        for wrong in [
            ["--draft-rating", "great"], ["--note", "x"], ["--text", "x"], ["--draft", "accepted", "--text", "x"],
            ["--undo", "--note", "x"], ["--draft-rating", "bad", "--note", String(repeating: "é", count: 1001)],
            ["--draft", "edited", "--text", String(repeating: "x", count: 32 << 10 | 1)],
        ] {
            let outcome = try Program.run(["feedback", "2"] + wrong + ["--store", store])
            #expect(outcome.status == 64, "\(wrong.map { $0.prefix(20) }): \(outcome.errors.prefix(300))")
        }
        #expect(try Program.run(["feedback", "4", "--draft-rating", "good", "--store", store]).status == 64)
        #expect(try run("feedback", "list", "--to", "jsonl", "--store", store).lines.count == 4)
    }

    @Test func `who is forgotten is in no file any more and does not come back`() throws {
        try sync()
        #expect(try run("forget", "ann", "--dry-run", "--store", store).errors.contains("would remove 2 messages"))
        let outcome = try run("forget", "ann", "--store", store)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("removed 2 messages of 1 sender, 1 own message"))
        for file in folder.listing where file.hasPrefix("inbox.db") {
            let bytes = Data(try folder.bytes(file))
            for word in ["videos so much", "nächste", "small camera", "uann", "\"u1\""] {
                #expect(bytes.range(of: Data(word.utf8)) == nil, "\(file): \(word)")
            }
        }
        try sync()
        #expect(try ids(run("export", "--store", store)) == ["m2", "m3", "m4", "m5"])
        #expect(try run("forget", "ann", "--store", store).status == 1)
        #expect(try run("forget", "--before", "2026-11-03", "--ids-too", "--yes", "--store", store).status == 0)
        try sync()
        #expect(try ids(run("export", "--store", store)) == ["m3", "m4", "m5", "m2"])
    }

    @Test func `as long as somebody reads the store, what is forgotten is said to be there still`() throws {
        try sync()
        let script = """
            import sqlite3, subprocess, sys
            reader = sqlite3.connect(sys.argv[1], isolation_level=None)
            reader.execute("begin")
            reader.execute("select count(*) from message").fetchone()
            forget = sys.argv[2:] + ["forget", "ann", "--store", sys.argv[1]]
            statuses = [subprocess.run(forget).returncode for _ in range(2)]
            reader.execute("end")
            reader.close()
            print(*statuses, subprocess.run(forget).returncode)
            """
        let told = try Tool.run(["python3", "-c", script, store, Program.path])
        #expect(told.printed == "75 75 1\n")
        for file in folder.listing where file.hasPrefix("inbox.db") {
            #expect(Data(try folder.bytes(file)).range(of: Data("videos so much".utf8)) == nil, "\(file)")
        }
    }

    @Test func `a FAQ match that was confirmed teaches its own entry, also when another one answers later`() throws {
        try sync()
        #expect(try run("feedback", "1", "--faq", "right", "--store", store).status == 0)
        #expect(try run("list", "--view", "all", "--store", store).text.contains("camera*"))
        try folder.write("faq.yaml", Self.library.replacing("id: camera", with: "id: kit"))
        #expect(try run("rescore", "--write", "--store", store, "--faq", "faq.yaml").status == 0)
        #expect(try run("show", "1", "--store", store).text.contains("kit, certain match"))
        #expect(try run("feedback", "export", "--store", store).text.contains(#""gold":{"faq_id":"camera"}"#))
        let corrected = try run("export", "--corrections", "--store", store).text
        #expect(corrected.contains(#""corrections":{"faq":"entry:camera"}}"#))

        // Wrong was the old one; of the new one nobody has said anything.
        #expect(try run("feedback", "1", "--faq", "wrong", "--store", store).status == 0)
        #expect(try run("list", "--view", "all", "--store", store).text.contains("not kit*"))
        try folder.write("faq.yaml", Self.library.replacing("id: camera", with: "id: lens"))
        #expect(try run("rescore", "--write", "--store", store, "--faq", "faq.yaml").status == 0)
        let table = try run("list", "--view", "all", "--store", store).text
        #expect(table.contains("lens") && !table.contains("not lens") && !table.contains("lens*"))
        #expect(try run("feedback", "export", "--store", store).output.isEmpty)
    }

    static let commands: [[String]] = [
        ["list"], ["show", "1"], ["search", "a"], ["stats"], ["export"], ["feedback", "1", "--category", "fan"],
        ["feedback", "list"], ["feedback", "export"], ["forget", "ann"], ["store", "check"], ["store", "repair"],
        ["rescore"], ["rescore", "--write"],
    ]

    @Test(arguments: commands)
    func `a store that is not there is said to be missing, and none is made`(command: [String]) throws {
        let outcome = try Program.run(command + ["--store", folder.place("none.db")], directory: folder.path)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("store.missing") && outcome.errors.contains("fix:"))
        #expect(outcome.output.isEmpty)
        #expect(folder.listing.isEmpty)
        for nothing in [[], ["--store", ""]] {
            let unnamed = try Program.run(command + nothing, directory: folder.path)
            #expect(unnamed.status == 64)
            #expect(unnamed.errors.contains("store.unnamed"))
        }
    }

    @Test func `a store of a later version, and what is none, is left alone; an empty one is a store`() throws {
        try folder.write("faq.yaml", Self.library)
        #expect(try run("sync", try folder.write("in.jsonl", ""), "--store", store, "-q").status == 0)
        for (command, status) in zip(Self.commands, [0, 66, 1, 0, 0, 66, 0, 0, 1, 0, 0]) {
            let outcome = try Program.run(command + ["--store", store], directory: folder.path)
            #expect(outcome.status == Int32(status), "\(command): \(outcome.errors)")
        }
        try folder.write("noise.db", String(repeating: "noise", count: 1000))
        #expect(try run("list", "--store", "noise.db").status == 78)
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1]); c.execute("insert into grdb_migrations values ('v999')"); c.commit()
            """
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = ["python3", "-c", script, store]
        try python.run()
        python.waitUntilExit()
        // `store check` looks at any store, and finds that this one is of a later version.
        for command in Self.commands where command != ["store", "check"] {
            let outcome = try Program.run(command + ["--store", store], directory: folder.path)
            #expect(outcome.status == 78, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("store.newer"))
        }
    }

    @Test func `the store of the settings is used when none is named`() throws {
        try sync()
        try folder.write("triage.yaml", "store: inbox.db\nfaq: faq.yaml\n")
        #expect(try ids(run("list", "--to", "jsonl")) == ["m3", "m5"])
        #expect(try run("faq", "list").text.contains("USED"))
    }

    @Test func `two people look while a run writes`() throws {
        try sync()
        var more = ""
        for number in 0..<3000 {
            more +=
                #"{"id":"n\#(number)","platform":"x","sender":{"id":"s\#(number)"},"text":"hello number \#(number)"}"#
            more += "\n"
        }
        let input = try folder.write("more.jsonl", more)
        let writer = try Program(
            ["sync", input, "--store", store, "--batch-size", "100", "-q"], directory: folder.path)
        var readers: [Program] = []
        for _ in 0..<4 {
            readers += try (0..<2).map { _ in
                try Program(["list", "--view", "all", "--store", store, "--to", "jsonl"])
            }
            for reader in readers.suffix(2) {
                let outcome = try reader.wait()
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.lines.count >= 6)
            }
        }
        #expect(try writer.wait().status == 0)
        #expect(try ids(run("list", "--view", "all", "--store", store, "--to", "jsonl")).count == 3006)
    }
}
