import Foundation
import Testing

/// Learning how a creator answers, and drafts made of it.
struct VoiceTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Data/creators")

    static func lines(_ name: String) throws -> [[String: Any]] {
        try String(contentsOf: data.appendingPathComponent(name), encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    static func text(_ records: [[String: Any]]) throws -> String {
        try records.map {
            String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
        }.joined(separator: "\n") + "\n"
    }

    private static func profile(_ creator: String, _ folder: ScratchFolder) throws -> String {
        let all =
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: data.appendingPathComponent("creators.json"))) as? [[String: Any]]
        let own = try #require(all?.first { $0["id"] as? String == creator })
        return try folder.write("\(creator).json", Array(try JSONSerialization.data(withJSONObject: own)))
    }

    /// Flags that name a creator's profile and library.
    static func options(_ creator: String, _ folder: ScratchFolder) throws -> [String] {
        ["--creator", try profile(creator, folder), "--faq", data.appendingPathComponent("faq-\(creator).json").path]
    }

    /// Leaves the sentence encoder out: these tests answer hundreds of messages again and again.
    static let withoutEncoder = [
        "--config", data.deletingLastPathComponent().appendingPathComponent("without-encoder.yaml").path,
    ]

    private func options(_ creator: String) throws -> [String] { try Self.options(creator, folder) }

    /// Learns from a creator's history, changed in whatever way.
    private func learn(
        _ creator: String, _ change: ([[String: Any]]) -> [[String: Any]] = { $0 }
    ) throws -> String {
        let history = try folder.write(
            "history.jsonl", try Self.text(change(try Self.lines("history-\(creator).jsonl"))))
        let voice = folder.place("voice.jsonl")
        let outcome = try Program.run(
            ["voice", "learn", history, "-o", voice] + options(creator) + Self.withoutEncoder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return voice
    }

    private func drafts(_ creator: String, _ voice: String, jobs: Int = 2) throws -> [Annotated] {
        let messages = try Self.lines("messages.jsonl").filter { $0["creator"] as? String == creator }
        let outcome = try Program.run(
            ["run", "--quiet", "--voice", voice, "--jobs", "\(jobs)"] + options(creator) + Self.withoutEncoder,
            input: try Self.text(messages)
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.records.compactMap(\.self)
    }

    @Test(arguments: ["alex", "maya", "theo"])
    func `many drafts are in the creator's own words, the same for every number of jobs`(creator: String) throws {
        let voice = try learn(creator)
        let records = try drafts(creator, voice)
        let own = records.filter { ($0["draft", "based_on"] as? String ?? "").hasPrefix("own-reply:") }
        #expect(own.count >= 8, "\(own.count) of \(records.count)")
        let first = records.map { $0["draft", "text"] as? String }
        #expect(try drafts(creator, voice, jobs: 1).map { $0["draft", "text"] as? String } == first)
    }

    @Test func `who reads a draft is told which voice it was written in`() throws {
        let voice = try learn("alex")
        let digests = Set(try drafts("alex", voice).map { $0["provenance", "voice"] as? String })
        #expect(digests.count == 1)
        #expect(try #require(digests.first ?? nil).wholeMatch(of: /[0-9a-f]{12}/) != nil)
    }

    static let secrets = ["Zebedee", "Quillfeather", "zq_handle", "55501234", "zq@mail.example", "ZQ-9917", "Elmgrove"]

    /// A history with one person's name, handle, numbers and address in every conversation.
    static func planted(_ history: [[String: Any]]) -> [[String: Any]] {
        history.map { record in
            var record = record
            var sender = record["sender"] as? [String: Any] ?? [:]
            let text = record["text"] as? String ?? ""
            if sender["is_self"] as? Bool == true {
                record["text"] =
                    "Zebedee, thank you. " + text
                    + " Say hi to Quillfeather of 4 Elmgrove. Call 55501234, zq@mail.example, @zq_handle, ZQ-9917. Zebedee wins."
            } else {
                sender["name"] = "Zebedee Quillfeather"
                // Each is another person, so that what all of them got counts as said to many.
                sender["handle"] = "zq_handle\((record["id"] as? String ?? "").suffix(4))"
                record["sender"] = sender
            }
            return record
        }
    }

    /// Plants a person into every conversation, and looks for what is theirs in every draft.
    @Test(arguments: ["alex", "maya", "theo"])
    func `nothing of past senders comes out`(creator: String) throws {
        let voice = try learn(creator, Self.planted)
        for record in try drafts(creator, voice) {
            guard let draft = record["draft", "text"] as? String else { continue }
            for secret in Self.secrets { #expect(!draft.localizedCaseInsensitiveContains(secret), "\(draft)") }
        }
    }

    @Test(arguments: ["alex", "maya", "theo"])
    func `no draft holds the name of somebody else, or a private sum`(creator: String) throws {
        let voice = try learn(creator)
        let faq = try String(
            contentsOf: Self.data.appendingPathComponent("faq-\(creator).json"), encoding: .utf8)
        let people = Set(
            try Self.lines("history-\(creator).jsonl").compactMap { record -> String? in
                let sender = record["sender"] as? [String: Any]
                guard sender?["is_self"] as? Bool != true else { return nil }
                return (sender?["name"] as? String)?.split(separator: " ").first.map(String.init)
            }.filter { $0.count >= 4 && !faq.contains($0) })
        for record in try drafts(creator, voice)
        where (record["draft", "based_on"] as? String ?? "").hasPrefix("own-reply:") {
            let draft = record["draft", "text"] as? String ?? ""
            let sender = (record.whole["sender"] as? [String: Any])?["name"] as? String ?? ""
            for word in draft.split(whereSeparator: { !$0.isLetter }).map(String.init) where people.contains(word) {
                #expect(sender.hasPrefix(word), "\(word): \(draft)")
            }
            #expect(!draft.contains("$") && !draft.contains("€") && !draft.contains("£"))
        }
    }

    @Test func `a voice can be shown, pruned and carried, and only its owner may read it`() throws {
        let voice = try learn("maya")
        let mode = try FileManager.default.attributesOfItem(atPath: voice)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let shown = try Program.run(["voice", "show", "--voice", voice])
        #expect(shown.status == 0)
        for words in ["of your replies", "begin with a greeting", "languages: en", "REUSABLE TEXT", "💛"] {
            #expect(shown.text.contains(words), "\(words)")
        }
        let before = try folder.text("voice.jsonl")
        #expect(before.contains("\"from\":\"lindabrack\""))
        let forgotten = try Program.run(["voice", "forget", "lindabrack", "--voice", voice])
        #expect(forgotten.status == 0 && forgotten.errors.contains("removed 2 pairs"), "\(forgotten.errors)")
        let after = try folder.text("voice.jsonl")
        #expect(!after.contains("lindabrack") && !after.contains("press-up off the floor"))
        #expect(try Program.run(["voice", "forget", "lindabrack", "--voice", voice]).status == 1)
        let old = try Program.run(["voice", "forget", "--before", "2100-01-01", "--voice", voice])
        #expect(old.status == 0)
        #expect(try folder.text("voice.jsonl").contains("\"from\"") == false)
    }

    @Test(arguments: ["maya"])
    func `what a person changed or removed holds over a new learning, by hand or by forget`(creator: String) throws {
        let voice = try learn(creator)
        let first = try folder.text("voice.jsonl")
        _ = try learn(creator)
        #expect(try folder.text("voice.jsonl") == first)

        var lines = first.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let removed = try #require(
            lines.firstIndex { $0.contains("\"reuse\":") && !$0.contains("lindabrack") })
        let gone = try #require(lines[removed].firstMatch(of: /"id":"([0-9a-f]+)"/)).1
        lines.remove(at: removed)
        let edited = try #require(
            lines.firstIndex { $0.contains("\"reuse\":") && !$0.contains("lindabrack") })
        lines[edited] = lines[edited].replacing(/"reuse":"[^"]*"/, with: "\"reuse\":\"You lovely human.\"")
        let emptied = try #require(lines.lastIndex { $0.contains("\"reuse\":") })
        lines[emptied] = lines[emptied].replacing(/"reuse":"[^"]*",/, with: "")
        _ = try folder.write("voice.jsonl", lines.joined(separator: "\n"))
        #expect(try Program.run(["voice", "forget", "lindabrack", "--voice", voice]).status == 0)
        let pruned = try folder.text("voice.jsonl").split(separator: "\n")

        let history = try folder.write(
            "history.jsonl",
            try Self.text(try Self.lines("history-\(creator).jsonl"))
                + #"{"id":"n1","conversation_id":"new","sender":{"handle":"newcomer"},"text":"this is so good"}"# + "\n"
                + #"{"id":"n2","conversation_id":"new","sender":{"is_self":true},"text":"Made my day, thank you."}"#
                + "\n")
        let outcome = try Program.run(
            ["voice", "learn", history, "-o", voice] + options(creator) + Self.withoutEncoder)
        #expect(outcome.status == 0 && outcome.errors.contains("1 new, 2 edited by you and kept, 3 removed by you"))
        let again = try folder.text("voice.jsonl").split(separator: "\n")
        func pairs(_ lines: [Substring]) -> [Substring] { lines.filter { $0.hasPrefix("{\"id\":") } }
        #expect(pairs(again).count == pairs(pruned).count + 1)
        #expect(!pairs(again).contains { $0.contains("\"id\":\"\(gone)\"") || $0.contains("lindabrack") })
        #expect(again.contains { $0.contains("You lovely human.") })
        let id = try #require(lines[emptied].firstMatch(of: /"id":"([0-9a-f]+)"/)).1
        #expect(pairs(again).first { $0.contains(id) }?.contains("\"reuse\"") == false)
        #expect(pairs(again).last?.contains("newcomer") == true)
        #expect(again[0] != first.split(separator: "\n")[0])
    }

    @Test func `a file with a fault is not learned over, and an empty one is`() throws {
        let message = #"{"text":"hi","conversation_id":"c"}"# + "\n"
        let bad = try folder.write("bad.jsonl", "{\"voice\":1}\n{\"id\":\"a\",\"x\":1}\n")
        #expect(try Program.run(["voice", "learn", "-", "-o", bad], input: message).status == 78)
        #expect(try folder.text("bad.jsonl").contains("\"x\":1"))
        let empty = try folder.write("empty.jsonl", "\n")
        #expect(try Program.run(["voice", "learn", "-", "-o", empty], input: message).status == 0)
        #expect(try folder.text("empty.jsonl").hasPrefix("{\"voice\":1"))
    }

    @Test func `a line that is taken out is not said any more`() throws {
        let voice = try learn("maya")
        let kept = try folder.text("voice.jsonl").split(separator: "\n").filter { !$0.contains("See you Tuesday") }
        _ = try folder.write("voice.jsonl", kept.joined(separator: "\n") + "\n")
        for record in try drafts("maya", voice) {
            #expect((record["draft", "text"] as? String ?? "").contains("See you Tuesday") == false)
        }
    }

    @Test func `a voice with faults stops the run and says every one`() throws {
        let voice = try folder.write("bad.jsonl", "{\"voice\":1}\n{\"id\":\"a\",\"x\":1}\n{\n")
        let outcome = try Program.run(["run", "--voice", voice], input: "{\"text\":\"hi\"}\n")
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("bad.jsonl:2") && outcome.errors.contains("bad.jsonl:3"))
    }

    @Test func `exports without a reply of your own teach nothing, and say how to be named`() throws {
        let outcome = try Program.run(
            ["voice", "learn", "-", "-o", folder.place("v.jsonl")],
            input: "{\"text\":\"hi\",\"conversation_id\":\"c\"}\n")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("--me"))
    }

    @Test func `a reply under a video is paired with the message that it answers`() throws {
        let records = (0..<3).map {
            "{\"id\":\"\($0)\",\"conversation_id\":\"video\",\"sender\":{\"handle\":\"p\($0)\"},\"text\":\"message \($0)\"}"
        }
        let reply =
            #"{"id":"r","conversation_id":"video","reply_to":"1","sender":{"is_self":true},"text":"Thank you."}"#
        let voice = folder.place("v.jsonl")
        let outcome = try Program.run(
            ["voice", "learn", "-", "-o", voice], input: (records + [reply]).joined(separator: "\n") + "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try folder.text("v.jsonl")
        #expect(text.contains("\"from\":\"p1\"") && text.contains("message 1"))
    }
}
