import Foundation
import Testing

/// The page of a store or of records: its figures, what it leaves out, and where it goes.
struct ReportTests {
    private let folder: ScratchFolder
    private var store: String { folder.place("inbox.db") }

    init() throws { folder = try ScratchFolder() }

    private static let library = """
        - id: camera
          question: Which camera do you use?
          answer: A small one.

        """

    private static let messages = #"""
        {"id":"idm1","platform":"instagram","conversation_id":"c1","sender":{"id":"u1","handle":"ann","name":"Ann Sentinel"},"text":"Love your videos so much, which camera do you use?","sent_at":"2026-11-01T10:00:00Z"}
        {"id":"idm2","platform":"instagram","conversation_id":"c2","sender":{"id":"u2","handle":"glow","name":"Glow Sentinel"},"text":"Hi! We are Glow Skincare and would love to pay you $5,000 for two reels. Please reply by 2026-11-10. Contact: pr@glowsentinel.example","sent_at":"2026-11-02T10:00:00Z"}
        {"id":"idm3","platform":"instagram","conversation_id":"c3","sender":{"id":"u3","name":"Kim Sentinel"},"text":"I will hurt myself tonight, sentinel","sent_at":"2026-11-03T10:00:00Z"}
        {"id":"idm4","platform":"instagram","conversation_id":"c4","sender":{"id":"u4","name":"Spam Sentinel"},"text":"Buy 10k followers now!!! crypto giveaway http://x.example","sent_at":"2026-11-03T11:00:00Z"}
        {"id":"idm5","platform":"instagram","conversation_id":"c5","sender":{"id":"u5","name":"Lee Sentinel"},"text":"You are the worst, I hate you and your disgusting videos","sent_at":"2026-11-04T11:00:00Z"}
        {"id":"idm6","platform":"instagram","conversation_id":"c1","sender":{"id":"me","is_self":true},"text":"a small camera","sent_at":"2026-11-04T12:00:00Z"}
        {"id":"idm7","platform":"instagram","conversation_id":"c1","sender":{"id":"u1","handle":"ann","name":"Ann Sentinel"},"text":"Thanks, und wann kommt das nächste?"}
        {"id":"idm8","platform":"instagram","conversation_id":"c8","sender":{"id":"u8","name":"Oak Sentinel"},"text":"Our brand Oak wants to sponsor a video, budget 2,000 EUR, contract attached. partnerships@oaksentinel.example","sent_at":"2026-11-20T10:00:00Z"}

        """#

    private func run(_ arguments: String..., input: String = "") throws -> Program.Outcome {
        try Program.run(arguments, input: input, directory: folder.path)
    }

    private func sync(_ messages: String = ReportTests.messages) throws {
        try folder.write("faq.yaml", Self.library)
        let outcome = try run(
            "sync", try folder.write("in.jsonl", messages), "--store", store, "--faq", "faq.yaml", "-q")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func correct() throws {
        for words in [
            ["no:1", "--category", "business", "--faq", "right", "--draft", "edited"],
            ["no:3", "--urgent", "false"], ["no:5", "--urgent", "true", "--sentiment", "neutral"],
            ["no:8", "--opportunity", "dismissed"], ["no:4", "--category", "fan"], ["no:4", "--undo"],
        ] {
            let outcome = try Program.run(["feedback"] + words + ["--store", store], directory: folder.path)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    private func page(_ outcome: Program.Outcome) -> MarkupCheck {
        #expect(outcome.status == 0, "\(outcome.errors)")
        let page = MarkupCheck(outcome.text)
        #expect(page.faults.isEmpty, "\(page.faults.prefix(5))")
        return page
    }

    /// The numbers of `stats --to json` by their paths, lists by the id or the day of an element.
    private func stats(_ further: String...) throws -> [String: String] {
        let outcome = try Program.run(["stats", "--store", store, "--to", "json"] + further, directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        var found: [String: String] = [:]
        func add(_ value: Any, _ path: String) {
            switch value {
            case let object as [String: Any]:
                for (key, value) in object { add(value, path.isEmpty ? key : "\(path).\(key)") }
            case let list as [[String: Any]]:
                for object in list {
                    let name = object["id"] as? String ?? object["day"] as? String ?? "?"
                    add(object, "\(path).\(name)")
                }
            case let number as NSNumber: found[path] = number.stringValue
            default: break
            }
        }
        add(try JSONSerialization.jsonObject(with: Data(outcome.output)), "")
        return found
    }

    private func expectSame(_ page: MarkupCheck, _ stats: [String: String], but left: Set<String> = []) {
        for (name, shown) in page.figures where !left.contains(name) && name != "saved.seconds" {
            #expect(stats[name] == shown.replacingOccurrences(of: ",", with: ""), "\(name)")
        }
    }

    // MARK: Figures

    @Test func `its figures are those of stats, as people corrected them`() throws {
        try sync()
        try correct()
        let outcome = try run("report", "--store", store)
        let page = page(outcome)
        let stats = try stats()
        expectSame(page, stats)
        for name in [
            "all.messages", "all.fan", "all.business", "all.spam", "all.positive", "all.negative", "all.neutral",
            "all.urgent", "all.offers", "own", "tiers.gold", "dismissed_offers", "faq.camera.high", "faq.camera.right",
            "drafts.made", "drafts.edited", "days.2026-11-01.messages", "days.2026-11-20.offers",
        ] {
            #expect(page.figures[name] != nil, "\(name)")
        }
        #expect(page.figures["all.business"] == "3" && page.figures["all.urgent"] == "1")
        #expect(outcome.text.contains("data-figure=\"saved.seconds\" data-value=\"\(stats["saved.seconds"] ?? "?")\""))
        // What was dismissed, or is no offer, is not on the board; what is urgent only now is in its list.
        #expect(page.text.contains("Glow Sentinel") && !page.text.contains("Oak Sentinel"))
        #expect(page.text.contains("Lee Sentinel") && !page.text.contains("Kim Sentinel"))
        #expect(page.text.contains("1 message more have no date"))
    }

    @Test func `records with corrections give the figures of their store`() throws {
        try sync()
        try correct()
        let records = try run("export", "--store", store, "--corrections")
        let page = page(try run("report", "-", input: records.text))
        expectSame(page, try stats())
        #expect(page.figures == self.page(try run("report", "--store", store)).figures)
        #expect(page.text.contains("it is unknown here"))
        #expect(page.text.contains("Glow Sentinel") && !page.text.contains("Oak Sentinel"))
        #expect(page.text.contains("Lee Sentinel") && !page.text.contains("Kim Sentinel"))
    }

    @Test func `only what was sent since a day counts, as in stats`() throws {
        try sync()
        let since = ["--since", "2026-11-03"]
        let page = page(try Program.run(["report", "--store", store] + since, directory: folder.path))
        let counted = try stats("--since", "2026-11-03")
        expectSame(page, counted)
        #expect(page.figures["all.messages"] == "4")
        let records = try run("export", "--store", store)
        let other = self.page(
            try Program.run(["report", "-"] + since, input: records.output, directory: folder.path))
        #expect(other.figures == page.figures)
    }

    @Test(arguments: [(days: 300, heading: "Messages by week"), (1500, "Messages by month"), (100_000, "years")])
    func `long times are shown in steps that can be seen`(span: (days: Int, heading: String)) throws {
        let end = Date(timeIntervalSince1970: 1_790_000_000)
        let format = ISO8601DateFormatter()
        var records = ""
        for part in 0...2 {
            let date = format.string(from: end.addingTimeInterval(-86_400 * Double(span.days * part) / 2))
            records += #"{"id":"m\#(part)","text":"Love your videos","sent_at":"\#(date)"}"# + "\n"
        }
        try sync(records)
        let page = page(try run("report", "--store", store))
        expectSame(page, try stats())
        #expect(page.text.contains(span.heading))
        #expect(page.tags["rect", default: 0] < 200)
        #expect(page.figures["all.messages"] == "3")
        if span.days == 300 { #expect(page.figures.keys.contains { $0.hasPrefix("weeks.") }) }
    }

    // MARK: Few and many

    @Test func `nothing, one message and spam alone make a page`() throws {
        let empty = page(try run("report", "-"))
        #expect(empty.text.contains("There are no messages."))
        #expect(empty.figures["all.messages"] == "0")
        let one = try run("run", "--quiet", input: #"{"text":"hi"}"# + "\n")
        let single = page(try run("report", "-", input: one.text))
        #expect(single.figures["all.messages"] == "1" && single.text.contains("have no dates"))
        try sync(#"{"id":"s","text":"Buy 10k followers now!!! crypto giveaway http://x.example"}"# + "\n")
        let spam = page(try run("report", "--store", store))
        #expect(spam.figures["all.spam"] == "1" && spam.figures["all.fan"] == "0")
        #expect(spam.text.contains("There are no offers.") && spam.text.contains("Nothing is urgent."))
    }

    @Test func `of very many the first are shown and the others counted`() throws {
        var records = ""
        for number in 0..<2000 {
            records +=
                #"{"id":"m\#(number)","sender":{"name":"N\#(number)"},"text":"t","sent_at":"2026-10-01T10:00:00Z","triage":{"schema":1,"language":{"tag":"x\#(number % 500)"},"category":{"label":"business"},"urgency":{"urgent":true},"opportunity":{"score":\#(number % 100),"tier":"gold"},"faq":{"id":"f\#(number)","match":"high"},"priority":\#(number % 100)}}"#
                + "\n"
        }
        let outcome = try run("report", "-", input: records)
        let page = page(outcome)
        #expect(page.tags["blockquote"] == 50)
        #expect(page.text.contains("And 1,950 more"))
        // The best ones, and of those the ones that came first.
        #expect(page.text.contains("N99") && page.text.contains("N1999") && !page.text.contains("N1990"))
        #expect(outcome.text.utf8.count < 300_000)
        #expect(page.figures["all.messages"] == "2,000")
    }

    @Test func `what was refused or has no answers is said, and is no record`() throws {
        let annotated = try run(
            "run", "--quiet", "--on-error", "pass", input: #"{"text":"hi"}"# + "\n{broken\n" + #"{"text":"ho"}"# + "\n")
        let page = page(
            try run("report", "-", input: annotated.text + "{broken\n" + #"{"text":"plain"}"# + "\n"))
        #expect(page.figures["all.messages"] == "2")
        #expect(page.text.contains("1 line of the input was rejected"))
        #expect(page.text.contains("1 line was not a record and left out"))
        #expect(page.text.contains("1 record had no answers"))
    }

    @Test func `what went wrong with a store, and what a model cost, is said as stats has it`() throws {
        let odd = """
            {"id":"p1","platform":5,"text":"Love your videos","sent_at":"2026-11-01T10:00:00Z"}
            {broken
            {"id":"p2","text":"\\"problems\\":[{\\"stage\\":","raw":{"problems":[{"stage":"x","code":"not.ours"}]}}

            """
        #expect(try run("sync", try folder.write("odd.jsonl", odd), "--store", store, "-q").status == 1)
        let before = page(try run("report", "--store", store))
        #expect(before.text.contains("1 line of the input was rejected, in all runs"))
        #expect(before.text.contains("1 message had a problem:"))
        #expect(before.text.contains("input.ignored-field") && !before.text.contains("not.ours"))
        #expect(before.text.contains("No LLM requests: cost $0."))
        let paid = try Tool.run([
            "python3", "-c",
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
                + "c.execute('INSERT INTO spend VALUES (20000, 1234, 50000, 700, 0.25, 4)')", store,
        ])
        #expect(paid.status == 0)
        let after = page(try run("report", "--store", store))
        let stats = try stats()
        expectSame(after, stats)
        #expect(after.figures["spend.requests"] == "1,234" && after.figures["spend.input_tokens"] == "50,000")
        #expect(after.text.contains("$0.25 for 1,230 requests; of the other 4 the price is unknown."))
    }

    // MARK: What it tells, and where it goes

    @Test func `without text no quote, no name and no id of a record is left`() throws {
        try sync()
        let with = try run("report", "--store", store)
        #expect(with.text.contains("Glow Sentinel") && with.text.lowercased().contains("hurt myself"))
        for outcome in [
            try run("report", "--store", store, "--no-text"),
            try run("report", "-", "--no-text", input: try run("export", "--store", store).text),
        ] {
            let page = page(outcome)
            #expect(!outcome.text.lowercased().contains("sentinel"))
            #expect(!outcome.text.lowercased().contains("hurt") && !outcome.text.contains("idm"))
            #expect(page.text.contains("Offer 1") && page.text.contains("$5,000"))
            expectSame(page, try stats())
        }
    }

    @Test func `the same messages give the same bytes, in a file of its owner alone`() throws {
        try sync()
        let first = try run("report", "--store", store)
        #expect(try run("report", "--store", store, "-o", "report.html").status == 0)
        #expect(try folder.bytes("report.html") == first.output)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.place("report.html"))[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        #expect(first.text.contains("content=\"default-src 'none'; style-src 'sha256-"))
        try FileManager.default.createSymbolicLink(atPath: folder.place("link.html"), withDestinationPath: "x")
        #expect(try run("report", "--store", store, "-o", "link.html").status == 73)
        #expect(folder.listing.allSatisfy { !$0.contains(".part") })
    }

    @Test func `records without answers, and nothing at all, are told how to go on`() throws {
        let plain = try run("report", "-", input: #"{"text":"hi"}"# + "\n")
        #expect(plain.status == 65)
        #expect(plain.errors.contains("report.not-annotated") && plain.errors.contains("triage run"))
        #expect(plain.output.isEmpty)
        #expect(try run("report").status == 64)
        #expect(try run("report", "-", "--store", store).status == 64)
        #expect(try run("report", "--store", store).status == 66)
        #expect(try run("report", "missing.jsonl").status == 66)
        #expect(try run("report", "-", "--since", "yesterday").status == 64)
    }
}
