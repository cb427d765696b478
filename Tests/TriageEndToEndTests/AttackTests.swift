import Foundation
import Testing

/// Attacks on a language model that obeys every one of them: what may come out is what came out without it.
@Suite struct `Attacks on an obedient model` {
    /// An attack of the corpus, and the same message without it.
    struct Attack {
        var id: String
        var text: String
        var twin: String
    }

    struct Unread: Error {}

    static let folder = ChildServer.tests.appendingPathComponent("TriageLLMTests/Attacks").path

    static func attacks() throws -> [Attack] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") }
            .sorted()
        return try names.flatMap { name in
            try String(contentsOfFile: folder + "/" + name, encoding: .utf8).split(separator: "\n").map { line in
                guard let record = Annotated.object(ArraySlice(line.utf8)), let id = record["id"] as? String,
                    let attack = record["attack"] as? String, let twin = record["twin"] as? String
                else { throw Unread() }
                return Attack(id: id, text: attack, twin: twin)
            }
        }
    }

    // MARK: The trial

    /// Folder with a creator, answers, settings that leave every question to the model, and the corpus as one file.
    private func setUp(methods: String, port: Int) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(
            "creator.yaml",
            """
            name: Mara Lind
            handles: [maralind]
            niches: [pottery, ceramics, glazing]
            languages: [en, es, de, fr, pt]
            rates_note: Reels from EUR 1,800, long videos from EUR 4,200, no exceptions for friends of friends.
            """)
        try folder.write(
            "faq.yaml",
            """
            - {id: start, question: Where do I start with pottery?, answer: With a pinch pot and my playlist.}
            - {id: wheel, question: Which wheel do you use?, answer: A small one; see maralind.example/kit.}
            """)
        try folder.write(
            "triage.yaml",
            """
            creator: creator.yaml
            faq: faq.yaml
            llm: {provider: openai, base_url: "http://127.0.0.1:\(port)/v1", model: scripted, pack: 8}
            methods: {\(methods)}
            """)
        return folder
    }

    private func corpusFile(_ folder: ScratchFolder) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".jsonl") }
        let bytes = try names.sorted().map { try String(contentsOfFile: Self.folder + "/" + $0, encoding: .utf8) }
        return try folder.write("corpus.txt", bytes.joined())
    }

    private func line(_ id: String, _ text: String) throws -> String {
        let record = ["id": id, "text": text, "sent_at": "2026-09-01T10:00:00Z"]
        return String(decoding: try JSONSerialization.data(withJSONObject: record, options: .sortedKeys), as: UTF8.self)
    }

    /// Records by id, of messages that are answered in some order of theirs.
    private func run(_ lines: [String], _ folder: ScratchFolder, _ options: [String] = []) throws -> [String: Annotated]
    {
        let program = try Program(
            ["run", "-q", "--config", folder.place("triage.yaml"), "--cache", "off"] + options,
            input: .bytes(Array((lines.joined(separator: "\n") + "\n").utf8)))
        let outcome = try program.wait(seconds: 300)
        #expect(outcome.status == 0, "\(outcome.errors)")
        var found: [String: Annotated] = [:]
        for record in outcome.records {
            let record = try #require(record)
            found[try #require(record.whole["id"] as? String)] = record
        }
        return found
    }

    /// What nobody may move: everything but legitimacy, and with it the sum of the points.
    private func answers(_ record: Annotated?) throws -> [String] {
        let record = try #require(record)
        var parts = record["opportunity", "breakdown"] as? [String: Any] ?? [:]
        parts["legitimacy"] = nil
        let points = parts.keys.sorted().map { key in "\(key)=\((parts[key] as? [String: Any])?["points"] ?? "")" }
        let single: [Any?] = [
            record["category", "label"], record["sentiment", "label"], record["urgency", "urgent"], record["faq", "id"],
            record["priority"], record["draft", "text"],
        ]
        return points + single.map { "\($0 ?? "none")" }
    }

    private func points(_ record: Annotated?, _ part: String) -> Int {
        record?["opportunity", "breakdown", part, "points"] as? Int ?? 0
    }

    /// A shuffle that is the same in each run.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 31
        }
    }

    @Test(arguments: Trials.areFull ? [("llm", 1), ("llm", 2), ("cascade", 3)] : [("llm", 1), ("cascade", 3)])
    func `move nothing: no label, score, priority, draft or neighbor`(method: String, seed: UInt64) throws {
        let attacks = try Self.attacks()
        var random = Seeded(state: seed)
        let questions = ["category", "sentiment", "urgency", "opportunity", "faq", "draft"]
        let methods = questions.map { "\($0): \(method)" }.joined(separator: ", ")
        let twins = try attacks.map { try line("t-" + $0.id, $0.twin) }
        let mixed = (twins + (try attacks.map { try line("a-" + $0.id, $0.text) })).shuffled(using: &random)

        let honest = try ScriptedModel()
        let folder = try setUp(methods: methods, port: honest.port)
        let offline = try run(mixed, folder, ["--offline"])
        let calm = try run(twins, folder)
        let obedient = try ScriptedModel(["--obey", try corpusFile(folder)])
        let other = try setUp(methods: methods, port: obedient.port)
        let after = try run(mixed, other)
        let obeyed = try obedient.counts().obeyed

        for attack in attacks {
            let (before, now) = (offline["a-" + attack.id], after["a-" + attack.id])
            #expect(try answers(before) == answers(now), "\(attack.id), reached the model: \(obeyed[attack.id] ?? 0)")
            #expect(points(now, "legitimacy") <= points(before, "legitimacy"), "\(attack.id)")
            let twin = "t-" + attack.id
            #expect(try answers(calm[twin]) == answers(after[twin]), "\(twin), a neighbor of attacks")
            #expect(after[twin]?["injection", "suspected"] as? Bool == false, "\(twin) is harmless")
        }
        if method == "llm" {
            let asked = try honest.counts().messages
            #expect(!asked.isEmpty, "the twins are asked about")
        }
    }

    @Test func `no draft of a model that has gone bad is shown, and the template stays`() throws {
        let model = try ScriptedModel(["--rogue"])
        // The other answers stay offline, so that only the draft could differ.
        let folder = try setUp(methods: Self.draftAlone, port: model.port)
        let texts = (0..<60).map { "I watched part \($0 + 1) twice. Which glaze did you use on the blue bowl there?" }
        let lines = try texts.enumerated().map { try line("m\($0.offset)", $0.element) }
        let offline = try run(lines, folder, ["--offline"])
        let after = try run(lines, folder)
        // What is refused is asked for once more at most.
        #expect((texts.count...2 * texts.count).contains(try model.counts().answered))
        for number in texts.indices {
            let (before, now) = (offline["m\(number)"], after["m\(number)"])
            #expect(now?["draft", "by"] as? String == "reply.template", "\(now?["draft", "text"] ?? "")")
            #expect(now?["draft", "text"] as? String == before?["draft", "text"] as? String)
        }
        let honest = try ScriptedModel()
        let calm = try run(lines, try setUp(methods: Self.draftAlone, port: honest.port))
        #expect(calm.values.allSatisfy { $0["draft", "by"] as? String == "reply.llm" }, "an honest one is")
    }

    private static let draftAlone =
        "category: model, sentiment: model, urgency: model, opportunity: rules, faq: rules, draft: llm"
}
