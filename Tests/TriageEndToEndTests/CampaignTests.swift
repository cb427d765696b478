import Foundation
import Testing

/// Nearly the same text of many senders, with the program as people run it.
struct CampaignTests {
    private let folder: ScratchFolder
    private var store: String { folder.place("inbox.db") }

    init() throws { folder = try ScratchFolder() }

    private static let names = ["Anna", "Kofi", "Mara", "Luisa", "Theo", "Priya", "Jon"]

    /// A copy of a text, each of a sender of its own; `{n}` is a name, `{d}` a number.
    private static func record(_ number: Int, _ text: String, group: String = "b") -> String {
        let copy = text.replacing("{n}", with: names[number % names.count]).replacing("{d}", with: "\(number + 11)")
        return
            #"{"id":"\#(group)\#(number)","platform":"instagram","conversation_id":"\#(group)\#(number)","sender":{"id":"\#(group)\#(number)","name":"Person \#(number)"},"text":"\#(copy)","sent_at":"2026-11-01T10:00:00Z"}"#
    }

    private static func copies(_ count: Int, _ text: String, group: String = "b", from first: Int = 0) -> String {
        (first..<first + count).map { record($0, text, group: group) + "\n" }.joined()
    }

    private static let bait =
        "Hi {n}! My agency grows pages like yours, real people only, message us on https://t.me/grow{d} and see 🔥"
    private static let question = "hello {n}, what kind of camera do you use for your videos and where did you buy it?"

    private func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
        let outcome = try Program.run(arguments, input: input, directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    private func answers(_ outcome: Program.Outcome) throws -> [Annotated] {
        try outcome.lines.map { try #require(Annotated($0)) }
    }

    private static func counts(_ answers: [Annotated]) -> [Int?] { answers.map { $0["campaign", "count"] as? Int } }

    /// The weight of the evidence that many sent it, for the category of each.
    private static func weights(_ answers: [Annotated]) -> [Double?] {
        answers.map { answer in
            let because = answer["category", "because"] as? [[String: Any]] ?? []
            return because.first { $0["signal"] as? String == "campaign.many-senders" }?["weight"] as? Double
        }
    }

    @Test func `has an id and a count from the third sender on, in every form of output`() throws {
        let input = Self.copies(7, Self.bait) + Self.record(50, "love your videos!", group: "f") + "\n"
        let outcome = try run(["run", "-"], input: input)
        let answers = try answers(outcome)
        #expect(Self.counts(answers) == [nil, nil, 3, 4, 5, 6, 7, nil])
        let ids = Set(answers.compactMap { $0["campaign", "id"] as? String })
        #expect(ids.count == 1)
        #expect(try #require(ids.first).wholeMatch(of: /c-[0-9a-f]{16}/) != nil)
        #expect(outcome.errors.contains("1 campaign, 7 messages"))
        let csv = try run(["run", "-", "--to", "csv", "-q"], input: input)
        let rows = csv.text.split(separator: "\r\n")
        #expect(rows[0].hasSuffix(",campaign,campaign_count"))
        #expect(rows[7].hasSuffix(",\(ids.first ?? ""),7") && rows[8].hasSuffix(",,"))
        #expect(try run(["run", "-", "--to", "table", "-q"], input: input).text.contains("spam ×7"))
        let explained = try run(["explain", "-"], input: input).text
        #expect(explained.contains("\(ids.first ?? ""), 7 senders sent nearly the same text"))
        #expect(explained.contains("campaign.many-senders"))
        let only = try self.answers(run(["run", "-", "--only", "campaign", "-q"], input: input))
        #expect(Self.counts(only) == Self.counts(answers) && only.allSatisfy { $0["category"] == nil })
    }

    @Test(arguments: ["1", "2", "3"])
    func `jobs and batch sizes change no byte`(jobs: String) throws {
        var input = ""
        for round in 0..<60 {
            input +=
                Self.copies(3, Self.bait, from: 3 * round) + Self.copies(2, Self.question, group: "q", from: 2 * round)
            input +=
                Self.record(round, "the kiln video number {d} was my favourite one by {n} so far", group: "f") + "\n"
        }
        let first = try run(["run", "-", "--jobs", "1", "--batch-size", "512", "-q"], input: input)
        #expect(try Self.counts(answers(first)).compactMap(\.self).count > 280)
        for size in ["1", "7", "64"] {
            let again = try run(["run", "-", "--jobs", jobs, "--batch-size", size, "-q"], input: input)
            #expect(again.output == first.output, "--batch-size \(size)")
        }
    }

    @Test func `is evidence for spam where a text has something of spam, and only there`() throws {
        let bait = try answers(run(["run", "-", "-q"], input: Self.copies(5, Self.bait)))
        #expect(Self.weights(bait).map { ($0 ?? 0) > 0 } == [false, false, true, true, true])
        #expect(bait.last?["category", "label"] as? String == "spam")
        let spam = bait.map { $0["category", "scores", "spam"] as? Double ?? 0 }
        #expect(spam[4] > spam[1])
        for text in [
            Self.question,
            "Dear {n}, copy this to your page: I do not give the company permission to use any of my {d} pictures, past or to come",
            "please {n}, the old theatre of our town is to be torn down in {d} days, speak of it to everybody that you know",
            "hi {n}, please sign the petition for the old theatre of our town, every name counts https://theatre.example/sign",
            "happy birthday {n}!! i hope that you have a wonderful day with all of your family and a big cake",
        ] {
            let others = try answers(run(["run", "-", "-q"], input: Self.copies(9, text)))
            #expect(Self.counts(others).last == 9, "\(text)")
            #expect(Self.weights(others).allSatisfy { $0 == nil }, "\(text)")
            #expect(others.first?["category", "label"] as? String == others.last?["category", "label"] as? String)
        }
    }

    /// Messages of fans and of business, no two of them the same: of shared openings, thanks and questions.
    @Test func `five thousand harmless messages of as many senders are no campaigns`() throws {
        var (input, count) = ("", 0)
        let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Data/composed")
        let names = try FileManager.default.contentsOfDirectory(atPath: data.path).sorted()
        var known: Set<String> = []
        for name in names {
            let file = data.appendingPathComponent("\(name)/messages.jsonl")
            for line in (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? [] {
                guard count < 5000, let record = Annotated.object(Array(line.utf8)[...]),
                    let text = record["text"] as? String, let gold = record["gold"] as? [String: Any],
                    gold["category"] as? String != "spam",
                    known.insert(text).inserted
                else { continue }
                let made = ["id": "m\(count)", "text": text, "sender": ["id": "s\(count)"]] as [String: Any]
                input += String(decoding: try JSONSerialization.data(withJSONObject: made), as: UTF8.self) + "\n"
                count += 1
            }
        }
        #expect(count == 5000)
        let found = try answers(run(["run", "-", "--only", "campaign", "-q"], input: input))
        #expect(Self.counts(found).compactMap(\.self).isEmpty)
    }

    @Test func `danger in it stays urgent and among the first`() throws {
        let text =
            "I will kill you tonight, {n}, I know where you live, read it on https://x{d}.example/me and be afraid"
        for answer in try answers(run(["run", "-", "-q"], input: Self.copies(6, text))) {
            #expect(answer["urgency", "urgent"] as? Bool == true)
            #expect(answer["priority"] as? Int ?? 0 >= 90)
        }
    }

    @Test func `goes on over syncs, whatever was sent between, until a sender is forgotten`() throws {
        var counts: [Int?] = []
        for part in 0..<4 {
            try folder.write("in.jsonl", Array((Self.copies(2, Self.bait, from: 2 * part)).utf8))
            _ = try run(["sync", "in.jsonl", "--store", store, "-o", "out.jsonl", "-q"])
            // What is known is not counted again.
            _ = try run(["sync", "in.jsonl", "--store", store, "-o", "out.jsonl", "-q"])
        }
        let lines = try folder.bytes("out.jsonl").split(separator: 0x0A).map(Array.init)
        counts = try Self.counts(lines.map { try #require(Annotated($0)) })
        #expect(counts == [nil, nil, 3, 4, 5, 6, 7, 8])
        _ = try run(["forget", "b1", "--yes", "--store", store])
        _ = try run(["forget", "b2", "--yes", "--store", store])
        try folder.write("in.jsonl", Array(Self.copies(1, Self.bait, from: 20).utf8))
        _ = try run(["sync", "in.jsonl", "--store", store, "-o", "out.jsonl", "-q"])
        let last = try #require(try folder.bytes("out.jsonl").split(separator: 0x0A).last)
        #expect(try #require(Annotated(Array(last)))["campaign", "count"] as? Int == 7)
        // A store answers anew as if all had come at once.
        _ = try run(["rescore", "--store", store, "--write"])
        let csv = try run(["export", "--store", store, "--to", "csv"]).text
        #expect(csv.contains(",7\r\n"))
    }
}
