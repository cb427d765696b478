import Foundation
import Testing

/// The scheduled job as people run it.
@Suite struct `Sync` {
    /// A store in a folder of its own, and the runs over it.
    private struct Inbox {
        let folder: ScratchFolder

        init(_ configuration: String = "") throws {
            folder = try ScratchFolder()
            try folder.write("triage.yaml", configuration)
        }

        func sync(_ more: [String] = [], input: String = "in.jsonl", output: Bool = true) throws -> Program.Outcome {
            var arguments = [
                "sync", folder.place(input), "--store", folder.place("inbox.db"), "--config",
                folder.place("triage.yaml"),
                "--cache", folder.place("answers.db"),
            ]
            if output { arguments += ["-o", folder.place("out.jsonl"), "--rejects", folder.place("rejects.jsonl")] }
            return try Program.run(arguments + more, environment: Program.warm)
        }

        func lines(_ name: String = "out.jsonl") throws -> [String] {
            try folder.text(name).split(separator: "\n").map(String.init)
        }

        func records() throws -> [[String: Any]] { try lines().map { Annotated.object(Array($0.utf8)[...]) ?? [:] } }

        func runs() throws -> [[String: Any]] {
            let outcome = try Program.run(["runs", "--store", folder.place("inbox.db"), "--to", "jsonl"])
            return outcome.lines.map { Annotated.object($0[...]) ?? [:] }
        }
    }

    private static func message(_ id: Int, _ text: String, in conversation: String = "c") -> String {
        #"{"id":"m\#(id)","platform":"instagram","conversation_id":"\#(conversation)","text":"\#(text)"}"# + "\n"
    }

    @Test func `what is known is left alone, what is new is added, and what is edited is a new revision`() throws {
        let inbox = try Inbox()
        let first = Self.message(1, "love it") + Self.message(2, "We offer $900 for a post") + "{broken\n"
        try inbox.folder.write("in.jsonl", first)
        #expect(try inbox.sync().status == 1)
        let before = try inbox.lines()
        #expect(before.count == 2)
        #expect(try inbox.lines("rejects.jsonl").count == 1)

        // The same again, and again: nothing happens, and nothing is rejected any more.
        let again = try inbox.sync()
        #expect(again.status == 0 && again.output.isEmpty)
        #expect(again.errors.contains("0 new, 3 known before"))
        #expect(try inbox.lines() == before)

        try inbox.folder.write(
            "in.jsonl", Self.message(3, "hello") + Self.message(1, "hate it, give me my money back") + first)
        #expect(try inbox.sync().status == 0)
        let records = try inbox.records()
        #expect(try inbox.lines().prefix(2).elementsEqual(before))
        #expect(records.map { $0["id"] as? String } == ["m1", "m2", "m3", "m1"])
        #expect(records.map { ($0["triage"] as? [String: Any])?["revision"] as? Int } == [nil, nil, nil, 2])
        // The older export once more: both revisions are known.
        #expect(try inbox.sync().errors.contains("0 new, 5 known before"))
        #expect(try inbox.runs().map { ($0["counts"] as? [String: Any])?["edited"] as? Int } == [0, 1, 0, 0])
    }

    @Test func `followers and reactions make no other message, and records without an id are known by what they say`()
        throws
    {
        let inbox = try Inbox()
        try inbox.folder.write(
            "in.jsonl",
            #"{"id":"1","text":"hi","sender":{"handle":"a","followers":5},"reactions":[]}"# + "\n"
                + #"{"text":"hi","sender":{"handle":"a"}}"#
                + "\n" + #"{"text":"hi","sender":{"handle":"b"}}"# + "\n")
        _ = try inbox.sync()
        try inbox.folder.write(
            "in.jsonl",
            #"{"id":"1","text":"hi","sender":{"handle":"a","followers":6},"reactions":[{"emoji":"x"}]}"# + "\n"
                + #"{"sender":{"handle":"b"},"text":"hi"}"# + "\n")
        #expect(try inbox.sync().errors.contains("0 new, 2 known before"))
        #expect(try inbox.lines().count == 3)
    }

    @Test(arguments: 1...4)
    func `many steps give what one gives, wherever they are cut`(seed: UInt64) throws {
        var numbers = seed &* 6_364_136_223_846_793_005 &+ 1
        func number(_ limit: Int) -> Int {
            numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(numbers >> 33) % limit
        }
        let texts = [
            "We would pay $2,000 for a video about our kiln", "ok", "Sounds good, when can you start?",
            "love your work",
            "Follow me for free followers www.free-likes.example", "and the budget is flexible", "thanks!", "see you",
            "?",
            "Our agency has a paid partnership for you, €750", "yes please", "what do you think",
        ]
        let messages = (0..<120).map { Self.message($0, texts[number(texts.count)], in: "c\(number(9))") }
        let whole = try Inbox()
        try whole.folder.write("in.jsonl", messages.joined())
        #expect(try whole.sync().status == 0)
        let steps = try Inbox()
        for end in (0..<4).map({ _ in number(120) }).sorted() + [120] {
            try steps.folder.write("in.jsonl", messages[..<end].joined())
            #expect(try steps.sync(["--batch-size", "\(1 + number(40))"]).status == 0)
        }
        #expect(try steps.lines() == whole.lines())
        // The measure has teeth: follow-ups that stand alone are answered otherwise.
        let run = try Program.run(["run", whole.folder.place("in.jsonl")], environment: Program.warm)
        #expect(run.lines.map { String(decoding: $0, as: UTF8.self) } == (try whole.lines()))
    }

    @Test func `a dry run says what would be done and writes nothing`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("in.jsonl", Self.message(1, "hi") + Self.message(2, "hello") + Self.message(2, "hello"))
        let before = inbox.folder.listing
        let outcome = try inbox.sync([
            "--dry-run", "--summary", inbox.folder.place("s"), "--metrics", inbox.folder.place("m"),
        ])
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("would add 2 and change 0; 1 are known"))
        #expect(inbox.folder.listing == before)
        _ = try inbox.sync()
        let stand = try inbox.folder.bytes("out.jsonl")
        try inbox.folder.write("in.jsonl", Self.message(1, "edited") + Self.message(3, "new"))
        #expect(try inbox.sync(["--dry-run"]).errors.contains("would add 1 and change 1; 0 are known"))
        #expect(try inbox.folder.bytes("out.jsonl") == stand)
    }

    @Test func `what a run writes is no input, wherever it lies`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("in.jsonl", Self.message(1, "love it") + "{broken\n")
        for _ in 0..<3 { #expect(try inbox.sync(input: "").status < 2) }
        #expect(try inbox.lines("rejects.jsonl").count == 1)
        #expect(try inbox.lines().count == 1)
        // By its name too, through a link, and as standard input.
        try FileManager.default.createSymbolicLink(
            atPath: inbox.folder.place("link.jsonl"), withDestinationPath: inbox.folder.place("out.jsonl"))
        for name in ["inbox.db", "out.jsonl", "link.jsonl"] {
            let outcome = try inbox.sync(input: name)
            #expect(outcome.status == 64 && outcome.errors.contains("input.own-file"), "\(name): \(outcome.errors)")
        }
    }

    @Test func `a limit counts what is new, and lines beyond it are rejected by the run that reaches them`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("in.jsonl", Self.message(1, "love it") + #"{"id":"b","text":5}"# + "\n")
        for _ in 0..<3 { _ = try inbox.sync(["--limit", "1"]) }
        #expect(try inbox.lines("rejects.jsonl").count == 1)
        #expect(try inbox.lines().count == 1)
    }

    @Test func `what is owed takes no place of a limit`() throws {
        let inbox = try Inbox(ScriptedModel.configuration(port: 1))
        try inbox.folder.write("in.jsonl", Self.message(1, "could we talk") + Self.message(2, "well, maybe"))
        #expect(try inbox.sync(["--max-requests", "0"]).errors.contains("2 still waiting for an LLM answer"))
        try inbox.folder.write("in.jsonl", Self.message(3, "what a day"))
        #expect(try inbox.sync(["--max-requests", "0", "--limit", "1"]).errors.contains("1 new"))
    }

    @Test func `answers that a model owes are asked for first, and come out as a further revision`() throws {
        var model: ScriptedModel? = try ScriptedModel()
        let port = try #require(model).port
        let inbox = try Inbox(ScriptedModel.configuration(port: port))
        try inbox.folder.write("in.jsonl", Self.message(1, "could we talk") + Self.message(2, "well, maybe"))
        let budget = try inbox.sync(["--max-requests", "0"])
        #expect(budget.status == 0)
        #expect(budget.errors.contains("2 still waiting for an LLM answer"))
        #expect(try model?.counts().requests == 0)
        // Nothing to ask and nobody to answer: nothing changes, and nothing is lost.
        model = nil
        #expect(try inbox.sync().errors.contains("2 still waiting for an LLM answer"))
        #expect(try inbox.lines().count == 2)

        let other = try ScriptedModel()
        try inbox.folder.write("triage.yaml", other.configuration())
        try inbox.folder.write("in.jsonl", Self.message(3, "what a day"))
        let settled = try inbox.sync()
        #expect(settled.errors.contains("1 new, 0 known before, 2 pending messages answered"))
        let records = try inbox.records()
        #expect(records.map { $0["id"] as? String } == ["m1", "m2", "m1", "m2", "m3"])
        let triage = records.map { $0["triage"] as? [String: Any] ?? [:] }
        #expect(triage.map { $0["revision"] as? Int } == [nil, nil, 2, 2, nil])
        #expect(triage.map { $0["problems"] == nil } == [false, false, true, true, true])
        #expect(try other.counts().requests == 3)
        // Paid for once, and owed no more.
        let last = try inbox.sync()
        #expect(!last.errors.contains("waiting for an LLM answer"))
        #expect(try other.counts().requests == 3)
        #expect(try inbox.lines().count == 5)
    }

    @Test func `the budget of a day holds over all its runs`() throws {
        let model = try ScriptedModel()
        let inbox = try Inbox(model.configuration(concurrency: 1))
        try inbox.folder.write(
            "in.jsonl", (0..<40).map { Self.message($0, "could we maybe talk about thing \($0)") }.joined())
        // A model that costs a dollar per million tokens: a few messages fit into this.
        let limit = 0.01
        var spent: [Double] = []
        for _ in 0..<3 {
            #expect(try inbox.sync(["--max-cost-per-day", "\(limit)", "--batch-size", "8"]).status == 0)
            spent.append(try inbox.runs().compactMap { $0["usd"] as? Double }.reduce(0, +))
        }
        #expect(spent[0] > 0 && spent[2] <= limit)
        #expect(spent[1] - spent[0] < limit / 4 && spent[2] - spent[1] < limit / 4)
        #expect(try inbox.runs().last?["requests"] as? Int ?? 0 > 0)
        #expect(try inbox.records().count >= 40)
    }

    @Test func `a summary names what is urgent and what is worth a look, for its owner alone`() throws {
        let inbox = try Inbox()
        try inbox.folder.write(
            "in.jsonl",
            Self.message(1, "love it")
                + Self.message(
                    2,
                    "Hi, I am Jo, head of partnerships at Acme. We pay $9,000 for one video, reply by Friday please. jo@acme.example"
                )
                + Self.message(
                    3, "Someone stole my account and is asking your fans for money in your name, please help now"))
        let arguments = ["--summary", inbox.folder.place("s.json"), "--offers-above", "40"]
        #expect(try inbox.sync(arguments + ["--metrics", inbox.folder.place("t.prom")]).status == 0)
        let foundSummary = Annotated.object(try inbox.folder.bytes("s.json")[...])
        let summary = try #require(foundSummary)
        #expect((summary["counts"] as? [String: Any])?["new"] as? Int == 3)
        #expect((summary["offers"] as? [[String: Any]])?.first?["id"] as? String == "m2")
        #expect(summary["state"] as? String == "done")
        let text = try inbox.folder.text("s.json")
        #expect(!text.contains("stole") && !text.contains("jo@acme"))
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: inbox.folder.place(name))[.posixPermissions] as? Int
        }
        #expect(try mode("s.json") == 0o600)
        #expect(try mode("out.jsonl") == 0o600)
        #expect(try mode("inbox.db") == 0o600)
        for line in try inbox.lines("t.prom") where !line.hasPrefix("#") {
            let isSample = line.wholeMatch(of: /[a-z_]+\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\} -?[0-9.]+/) != nil
            #expect(isSample, "\(line)")
        }
        #expect(try inbox.folder.text("t.prom").contains("state=\"new\"} 3\n"))
    }

    @Test func `ids alone: the store knows what it has seen and keeps no word of it`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("in.jsonl", Self.message(1, "a very particular sentence"))
        #expect(try inbox.sync(["--ids-only"], output: false).status == 64)
        #expect(try inbox.sync(["--ids-only"]).status == 0)
        #expect(try inbox.sync(["--ids-only"]).errors.contains("1 known before"))
        for name in inbox.folder.listing where name.hasPrefix("inbox.db") {
            let bytes = try inbox.folder.bytes(name)
            #expect(Data(bytes).range(of: Data("particular".utf8)) == nil, "\(name)")
        }
    }

    @Test func `ids alone: no word is kept for a model that gave no answer, and it is not asked again`() throws {
        var model: ScriptedModel? = try ScriptedModel()
        let port = try #require(model).port
        model = nil
        let inbox = try Inbox(ScriptedModel.configuration(port: port))
        try inbox.folder.write("in.jsonl", Self.message(1, "a particular thing, could we talk"))
        let unanswered = try inbox.sync(["--ids-only"])
        #expect(
            unanswered.status == 0 && !unanswered.errors.contains("waiting for an LLM answer"), "\(unanswered.errors)")
        #expect(try inbox.lines().first?.contains("\"problems\":[") == true)
        for name in inbox.folder.listing where name.hasPrefix("inbox.db") {
            let bytes = try inbox.folder.bytes(name)
            #expect(Data(bytes).range(of: Data("particular".utf8)) == nil, "\(name)")
        }
        let other = try ScriptedModel()
        try inbox.folder.write("triage.yaml", other.configuration())
        #expect(try inbox.sync(["--ids-only"]).errors.contains("1 known before"))
        #expect(try inbox.lines().count == 1)
        #expect(try other.counts().requests == 0)
    }

    @Test func `an output changed by hand is not touched, and the error says what to do`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("in.jsonl", Self.message(1, "hi"))
        _ = try inbox.sync()
        let good = try inbox.folder.bytes("out.jsonl")
        try inbox.folder.write("in.jsonl", Self.message(2, "hello"))
        usleep(20_000)
        try inbox.folder.write("out.jsonl", [0x7B] + good)
        let refused = try inbox.sync()
        #expect(refused.status == 74)
        #expect(refused.errors.contains("fix:") && refused.errors.contains("[output."))
        #expect(try inbox.folder.bytes("out.jsonl") == [0x7B] + good)
        // A copy of what was there will do, when it is said to.
        try FileManager.default.removeItem(atPath: inbox.folder.place("out.jsonl"))
        try inbox.folder.write("out.jsonl", good)
        #expect(try inbox.sync(["--adopt"]).status == 0)
        #expect(try inbox.lines().count == 2)
        #expect(try inbox.runs().map { $0["state"] as? String } == ["done", "failed", "done"])
    }

    /// What programs that rotate logs do, between two runs.
    @Test(arguments: ["moved", "moved, and a new one made", "copied and emptied", "removed"])
    func `an output that was rotated is gone on with in a new file, and nothing comes twice`(how: String) throws {
        let inbox = try Inbox()
        let files = FileManager.default
        try inbox.folder.write("in.jsonl", Self.message(1, "hi") + "{broken\n")
        #expect(try inbox.sync().status == 1)
        for name in ["out.jsonl", "rejects.jsonl"] {
            let (path, old) = (inbox.folder.place(name), inbox.folder.place(name + ".1"))
            switch how {
            case "removed": try files.removeItem(atPath: path)
            case "copied and emptied":
                try files.copyItem(atPath: path, toPath: old)
                #expect(truncate(path, 0) == 0)
            default:
                try files.moveItem(atPath: path, toPath: old)
                if how != "moved" { #expect(files.createFile(atPath: path, contents: nil)) }
            }
        }
        try inbox.folder.write("in.jsonl", Self.message(1, "hi") + Self.message(2, "hello") + "{broken\n{worse\n")
        let second = try inbox.sync()
        #expect(second.status == 1 && second.errors.contains("2 new, 2 known"), "\(second.errors)")
        #expect(try inbox.records().map { $0["id"] as? String } == ["m2"])
        #expect(try inbox.lines("rejects.jsonl").count == 1)
        if how != "removed" { #expect(try inbox.lines("out.jsonl.1").count == 1) }
        try inbox.folder.write("in.jsonl", Self.message(3, "good evening"))
        let third = try inbox.sync()
        #expect(third.status == 0 && !third.errors.contains("new one"), "\(third.errors)")
        #expect(try inbox.records().map { $0["id"] as? String } == ["m2", "m3"])
    }

    @Test func `an output that is moved away under a run goes on in a new file at once`() throws {
        let inbox = try Inbox()
        let program = try Program(
            [
                "sync", "-", "--store", inbox.folder.place("inbox.db"), "-o", inbox.folder.place("out.jsonl"),
                "--batch-size", "1",
            ], input: .pipe)
        func feed(_ id: Int, until isDone: () throws -> Bool) rethrows {
            program.write(Array(Self.message(id, "hello").utf8))
            try waitUntil(isDone)
        }
        feed(1) { ((try? inbox.lines().count) ?? 0) == 1 }
        try FileManager.default.moveItem(
            atPath: inbox.folder.place("out.jsonl"), toPath: inbox.folder.place("out.jsonl.1"))
        feed(2) { ((try? inbox.lines().count) ?? 0) == 1 }
        #expect(truncate(inbox.folder.place("out.jsonl"), 0) == 0)
        feed(3) { ((try? inbox.lines().count) ?? 0) == 1 }
        let outcome = try program.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try inbox.lines("out.jsonl.1").count == 1)
        #expect(try inbox.records().map { $0["id"] as? String } == ["m3"])
        #expect(try inbox.sync(["--dry-run"], input: "out.jsonl.1").status == 0)
    }

    @Test func `a folder of all sorts is committed as far as it can be read, and tells the rest every time`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("dms/a.jsonl", Self.message(1, "hi"))
        try inbox.folder.write("dms/b.zip", ZipFile.make([("b.jsonl", Array(Self.message(2, "hello").utf8))]))
        try inbox.folder.write("dms/bill.pdf", "%PDF-1.7")
        try inbox.folder.write("dms/z.jsonl", Self.message(3, "good evening"))
        for new in [3, 0] {
            let outcome = try inbox.sync(input: "dms")
            #expect(outcome.status == 1, "\(outcome.errors)")
            #expect(outcome.errors.contains("\(new) new"), "\(outcome.errors)")
            #expect(outcome.errors.contains("dms/bill.pdf was skipped: a PDF document"), "\(outcome.errors)")
        }
        #expect(try inbox.records().compactMap { $0["id"] as? String }.sorted() == ["m1", "m2", "m3"])
        #expect(try inbox.lines("rejects.jsonl").isEmpty)
        // The shell names the same files.
        let names = ["a.jsonl", "b.zip", "bill.pdf", "z.jsonl"].map { inbox.folder.place("dms/" + $0) }
        let listed = try Program.run(["sync"] + names + ["--store", inbox.folder.place("inbox.db")])
        #expect(listed.status == 1 && listed.errors.contains("0 new, 3 known before"), "\(listed.errors)")
        let run = try Program.run(["run"] + names)
        #expect(run.status == 1 && run.lines.count == 3, "\(run.errors)")
        #expect(try Program.run(["run", "--on-error", "fail"] + names).status == 65)
    }

    @Test func `an older and a newer export of one account are known by their parent folder`() throws {
        let inbox = try Inbox()
        func thread(_ count: Int) -> String {
            let messages = (1...count).reversed().map {
                #"{"sender_name":"Ana","timestamp_ms":\#(1_717_200_000_000 + $0),"content":"message \#($0)"}"#
            }
            return #"{"participants":[{"name":"Ana"},{"name":"Mara"}],"messages":["# + messages.joined(separator: ",")
                + #"],"title":"Ana","thread_path":"inbox/ana_1"}"#
        }
        for (name, count) in [("old", 3), ("new", 5)] {
            try inbox.folder.write("exports/\(name)/messages/inbox/ana_1/message_1.json", thread(count))
        }
        #expect(try inbox.sync(input: "exports/old").errors.contains("3 new"))
        #expect(try inbox.sync(input: "exports/new").errors.contains("2 new, 3 known before"))
        let parent = try inbox.sync([inbox.folder.place("exports/old")], input: "exports")
        #expect(parent.status == 0)
        #expect(parent.errors.contains("0 new, 5 known before"), "\(parent.errors)")
        #expect(parent.errors.contains("once"), "\(parent.errors)")
        #expect(try inbox.lines().count == 5)
    }

    @Test func `a second run leaves at once with 75 and names the first, or waits`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("in.jsonl", Self.message(1, "hi"))
        let arguments = ["sync", "-", "--store", inbox.folder.place("inbox.db")]
        let holder = try Program(arguments, input: .pipe)
        // Who holds it writes so into the lock; before that, whoever comes might be first.
        waitUntil(seconds: 60) { (try? inbox.folder.text("inbox.db.lock")).map { !$0.isEmpty } ?? false }
        let refused = try inbox.sync()
        #expect(refused.status == 75)
        #expect(refused.errors.contains("another run holds this store: process "))
        #expect(refused.errors.contains("triage sync, since 20"))
        #expect(try inbox.sync(["--wait", "0"]).status == 75)
        let waiting = try Program(
            ["sync", inbox.folder.place("in.jsonl"), "--store", inbox.folder.place("inbox.db"), "--wait"])
        #expect(waiting.end(within: 0.5) == nil)
        holder.closeInput()
        #expect(try holder.wait().status == 0)
        #expect(try waiting.wait().status == 0)
    }

    @Test func `nothing that cannot be is begun`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("in.jsonl", Self.message(1, "hi"))
        try FileManager.default.createSymbolicLink(
            atPath: inbox.folder.place("link.jsonl"), withDestinationPath: inbox.folder.place("target"))
        let cases: [([String], Int32)] = [
            (["-o", inbox.folder.place("link.jsonl")], 73), (["-o", inbox.folder.place("no/where")], 73),
            (["-o", inbox.folder.place("x"), "--rejects", inbox.folder.place("x")], 64), (["-o", "-"], 64),
            (["-o", inbox.folder.place("triage.yaml")], 64), (["--wait", "-1"], 64), (["--offers-above", "101"], 64),
            (["--max-cost-per-day", "nan"], 64),
        ]
        try inbox.folder.write("triage.yaml", "# not empty\n")
        for (arguments, status) in cases {
            let outcome = try inbox.sync(arguments, output: false)
            #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
        }
        #expect(try inbox.sync(input: "missing.jsonl").status == 66)
        try inbox.folder.write("triage.yaml", "creator: 5\nnonsense: 1\n")
        let other = try inbox.sync(["--store", inbox.folder.place("other.db")])
        #expect(other.status == 78)
        #expect(!inbox.folder.listing.contains { $0.hasPrefix("other.db") })
    }

    @Test func `exports of several formats, folders and standard input go into one store`() throws {
        let inbox = try Inbox()
        try inbox.folder.write("dms/a.jsonl", Self.message(1, "hi"))
        try inbox.folder.write(
            "dms/b.csv", "id,platform,conversation_id,text\nm1,instagram,c,hi\nm2,instagram,c,hello\n")
        #expect(try inbox.sync(input: "dms").status == 0)
        let piped = try Program.run(
            ["sync", "--store", inbox.folder.place("inbox.db"), "-o", inbox.folder.place("out.jsonl")],
            input: Self.message(2, "hello") + Self.message(3, "good evening"))
        #expect(piped.status == 0)
        #expect(piped.output.isEmpty)
        #expect(try inbox.records().compactMap { $0["id"] as? String }.sorted() == ["m1", "m2", "m3"])
    }

    @Test func `a run that was killed is told from one that runs, and its store goes on`() throws {
        let inbox = try Inbox()
        let holder = try Program(["sync", "-", "--store", inbox.folder.place("inbox.db")], input: .pipe)
        var states: [String?] = []
        waitUntil {
            states = ((try? inbox.runs()) ?? []).map { $0["state"] as? String }
            return !states.isEmpty
        }
        #expect(states == ["running"])
        holder.send(signal: SIGKILL)
        _ = holder.end(within: 30)
        #expect(try inbox.runs().map { $0["state"] as? String } == ["killed"])
        let table = try Program.run(["runs", "--store", inbox.folder.place("inbox.db")])
        #expect(table.text.contains("killed"))
        try inbox.folder.write("in.jsonl", Self.message(1, "hi"))
        #expect(try inbox.sync().status == 0)
    }

    @Test func `what a killed run could not say, the next summary does`() throws {
        let inbox = try Inbox()
        let urgent = Self.message(
            1, "Someone stole my account and asks your fans for money in your name, please help now")
        let killed = try Program(
            [
                "sync", "-", "--store", inbox.folder.place("inbox.db"), "-o", inbox.folder.place("out.jsonl"),
                "--batch-size", "1",
            ], input: .pipe)
        killed.write(Array((urgent + Self.message(2, "hi") + Self.message(3, "hi") + Self.message(4, "hi")).utf8))
        waitUntil { (try? inbox.lines().count) ?? 0 >= 2 }
        killed.send(signal: SIGKILL)
        _ = killed.end(within: 30)
        try inbox.folder.write("in.jsonl", urgent)
        func named() throws -> [String?] {
            _ = try inbox.sync(["--summary", inbox.folder.place("s.json")])
            let summary = Annotated.object(try inbox.folder.bytes("s.json")[...])
            return (summary?["urgent"] as? [[String: Any]] ?? []).map { $0["id"] as? String }
        }
        #expect(try named() == ["m1"])
        #expect(try named() == [])
    }

    @Test func `what a run could not tell, for its summary could not be written, the next one tells`() throws {
        let inbox = try Inbox()
        try inbox.folder.write(
            "in.jsonl",
            Self.message(1, "Someone stole my account and asks your fans for money in your name, please help now"))
        #expect(try inbox.sync(["--summary", inbox.folder.place("none/s.json")]).status == 73)
        #expect(try inbox.runs().first?["state"] as? String == "failed")
        #expect(try inbox.sync(["--summary", inbox.folder.place("s.json")]).status == 0)
        let summary = Annotated.object(try inbox.folder.bytes("s.json")[...])
        #expect((summary?["urgent"] as? [[String: Any]])?.map { $0["id"] as? String } == ["m1"])
    }

    @Test func `a signal stops a run with what is answered, and the next one does the rest`() throws {
        let inbox = try Inbox()
        // More than fits into the batches of a run.
        let count = 60_000
        try inbox.folder.write(
            "in.jsonl", (0..<count).map { Self.message($0, "Would you do a collab for \($0) dollars?") }.joined())
        let program = try Program([
            "sync", inbox.folder.place("in.jsonl"), "--store", inbox.folder.place("inbox.db"), "-o",
            inbox.folder.place("out.jsonl"), "--batch-size", "256",
        ])
        waitUntil { (try? inbox.lines().count) ?? 0 >= 256 }
        let before = try inbox.lines().count
        program.send(signal: SIGTERM)
        // A second where nothing else runs; the tests beside this one may hold both processors.
        #expect(program.end(within: 10)?.status == 143)
        let ids = try inbox.records().compactMap { $0["id"] as? String }
        // What was answered already is committed; a dozen batches that only waited for their turn are not worked on.
        #expect(ids.count <= before + 4 * 256, "\(ids.count) after \(before)")
        #expect(ids == (0..<ids.count).map { "m\($0)" })
        let known = try Program.run([
            "sync", inbox.folder.place("in.jsonl"), "--store", inbox.folder.place("inbox.db"), "--limit", "10", "-o",
            inbox.folder.place("out.jsonl"),
        ])
        #expect(known.errors.contains("10 new"), "\(known.errors)")
        #expect(try inbox.records().compactMap { $0["id"] as? String } == (0..<ids.count + 10).map { "m\($0)" })
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int)])
    func `a signal stops a run, which then is no success`(signal: Int32, status: Int) throws {
        let inbox = try Inbox()
        let program = try Program(
            [
                "sync", "-", "--store", inbox.folder.place("inbox.db"), "-o", inbox.folder.place("out.jsonl"),
                "--batch-size", "1", "--metrics", inbox.folder.place("t.prom"),
            ], input: .pipe)
        program.write(Array((Self.message(1, "hi") + Self.message(2, "hi")).utf8))
        waitUntil { (try? inbox.lines().count) ?? 0 >= 1 }
        program.send(signal: signal)
        #expect(program.end(within: 30)?.status == Int32(status))
        let run = try #require(try inbox.runs().first)
        #expect(run["state"] as? String == "stopped")
        #expect(run["exit"] as? Int == status)
        #expect(try !inbox.folder.text("t.prom").contains("last_success"))
    }
}
