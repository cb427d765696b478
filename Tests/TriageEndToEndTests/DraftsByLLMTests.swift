import Foundation
import Testing

/// Drafts that a language model writes: what it gets to see, and what of its words a person gets to see.
struct DraftsByLLMTests {
    private let folder: ScratchFolder

    private static let creator = """
        name: Mara Quist
        voice: Short and dry, no emoji.
        languages: [en]
        works: [Salt Bowl]
        excluded_topics: [gambling]
        contact: work@mara.example
        rates: One reel costs 4321 euros and never less than that, whoever asks.

        """
    private static let faq = """
        - id: kiln
          question: Which kiln do you use?
          answer: A small front loader that holds 45 bowls. The list is at mara.example/list.
        - id: ship
          question: Do you ship abroad?
          answer: All over Europe, 9 euros a parcel.

        """

    init() throws {
        folder = try ScratchFolder()
        try folder.write("creator.yaml", Self.creator)
        try folder.write("faq.yaml", Self.faq)
    }

    private struct Case: Sendable {
        var text: String
        /// JSON of what the model says.
        var said: String
        var draft: String?
        var basedOn: String?
        var noDraft: String?
    }

    private static let cases: [Case] = [
        // An answer of the library in other words, which no words of the question name.
        Case(
            text: "what do you bake your pots in, is it big",
            said:
                #"{"q":["q1"],"d":"A small front loader, 45 bowls fit. All of it is at mara.example/list.","no":null}"#,
            draft: "A small front loader, 45 bowls fit. All of it is at mara.example/list.", basedOn: "faq:kiln"),
        // The same words without the answer that vouches for them.
        Case(
            text: "and what do you bake your cups in, is it large",
            said: #"{"q":[],"d":"A small front loader, 45 bowls fit. All of it is at mara.example/list.","no":null}"#),
        Case(
            text: "is your cat still allowed to sleep in the studio at night?",
            said: #"{"q":[],"d":null,"no":"needs-a-fact"}"#, noDraft: "needs-a-fact"),
        Case(
            text: "the salt bowl is the first thing i look at every morning, thank you!",
            said: #"{"q":[],"d":"{name}, that is a good place for it.","no":null}"#,
            draft: "Dana, that is a good place for it.", basedOn: "llm:draft"),
        Case(
            text: "We are Lumo and would pay 600 EUR for one reel about our kiln gloves in May.",
            said:
                #"{"q":[],"d":"Thanks for the 600 EUR and the gloves. Please write to work@mara.example.","no":null}"#,
            draft: "Thanks for the 600 EUR and the gloves. Please write to work@mara.example.", basedOn: "llm:draft"),
        Case(
            text: "We are Fumo and would pay 700 EUR for one reel about our aprons in June.",
            said: #"{"q":[],"d":"Thanks. One reel costs 4321 euros and never less than that, whoever asks.","no":null}"#
        ),
    ]

    private func run(_ more: String = "", arguments: [String] = []) throws -> ([[String: Any]], [[String: String]]) {
        let script = Self.cases.map { "{\"in\":\"\($0.text)\",\"answer\":\($0.said)}\n" }.joined()
        let model = try ScriptedModel(["--drafts", try folder.write("drafts.jsonl", script)])
        try folder.write(
            "triage.yaml",
            """
            creator: creator.yaml
            faq: faq.yaml
            llm:
              base_url: http://127.0.0.1:\(model.port)/v1
              model: scripted
              \(more)
            methods: {category: rules, sentiment: rules, urgency: rules, opportunity: rules, faq: rules, draft: llm}

            """)
        let lines = Self.cases.enumerated().map { number, one in
            #"{"id":"\#(number)","text":"\#(one.text)","sender":{"name":"Dana Wexford"},"platform":"instagram"}"# + "\n"
        }
        let outcome = try Program.run(
            [
                "run", try folder.write("in.jsonl", lines.joined()), "--config", folder.place("triage.yaml"), "--cache",
                "off",
            ]
                + arguments, environment: Program.warm)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let turns = try model.object("/turns")["turns"] as? [[String: String]]
        return (outcome.output.split(separator: 0x0A).compactMap { Annotated.object($0) }, turns ?? [])
    }

    @Test func `a draft gives the answers that the model names, and without one its facts are nobody's`() throws {
        let (records, turns) = try run()
        // Two drafts are refused, and asked for once more with what was wrong.
        let seconds = turns.filter { $0["user"]?.contains(" faults\n") == true }
        #expect(records.count == Self.cases.count && turns.count == Self.cases.count + 2 && seconds.count == 2)
        for (record, one) in zip(records, Self.cases) {
            let triage = try #require(record["triage"] as? [String: Any])
            let draft = triage["draft"] as? [String: Any]
            if let wanted = one.draft {
                #expect(draft?["text"] as? String == wanted, "\(one.text)")
                #expect(draft?["based_on"] as? String == one.basedOn)
            } else if one.noDraft == nil {
                #expect(draft?["text"] as? String != Annotated.object(ArraySlice(one.said.utf8))?["d"] as? String)
            }
            if let reason = one.noDraft { #expect(triage["no_draft"] as? String == reason) }
        }
        // Neither the sender's name nor the rates leave the machine.
        for turn in turns {
            let sent = (turn["system"] ?? "") + (turn["user"] ?? "")
            // A second request holds what the model wrote.
            #expect(!sent.contains("Dana") && (seconds.contains(turn) || !sent.contains("4321")))
            #expect(sent.contains("q2: Do you ship abroad?") && sent.contains("work@mara.example"))
        }
    }

    @Test(arguments: [false, true])
    func `own replies go along only where the creator says so, and never with a name, number or address of anybody`(
        shares: Bool
    ) throws {
        let replies = [
            (
                "Jorun Askeland", "my bowl cracked in the salt bowl kiln, thank you for the video",
                "Ouch. Mine crack too, every one."
            ),
            ("Edda Vik", "thank you, the salt bowl is on my table", "thank you, put soup in it, it likes soup"),
            ("Pim Roos", "thank you for the salt bowl video", "Thank you Pim. Tell Hedwig order 77120 is at Kade 14."),
        ]
        let history = replies.enumerated().map { number, reply in
            let sender = #""sender":{"name":"\#(reply.0)","handle":"h\#(number)"}"#
            return #"{"id":"a\#(number)","conversation_id":"c\#(number)","text":"\#(reply.1)",\#(sender)}"# + "\n"
                + #"{"id":"b\#(number)","conversation_id":"c\#(number)","text":"\#(reply.2)","sender":{"is_self":true}}"#
                + "\n"
        }.joined()
        let voice = folder.place("voice.jsonl")
        let learned = try Program.run(
            [
                "voice", "learn", try folder.write("history.jsonl", history), "--creator", folder.place("creator.yaml"),
                "-o", voice,
            ],
            environment: Program.warm)
        #expect(learned.status == 0, "\(learned.errors)")
        let (_, turns) = try run("share_voice: \(shares)", arguments: ["--voice", voice])
        let sent = turns.map { ($0["system"] ?? "") + ($0["user"] ?? "") }.joined(separator: "\n")
        #expect(sent.contains("it likes soup") == shares)
        #expect(sent.contains("In their own replies:"))
        for secret in ["Jorun", "Askeland", "Edda", "Pim", "Hedwig", "77120", "Kade"] {
            #expect(!sent.contains(secret))
        }
    }

    @Test func `a model of its own writes drafts, and answers name it`() throws {
        let (records, turns) = try run("draft_model: writer")
        #expect(Set(turns.compactMap { $0["model"] }) == ["writer"])
        let triage = try #require(records[0]["triage"] as? [String: Any])
        let models = (triage["provenance"] as? [String: Any])?["models"] as? [[String: Any]]
        let writer = models?.first { $0["stage"] as? String == "reply.llm" }
        #expect(writer?["model"] as? String == "writer" && writer?["prompt"] as? String == "draft/v3")
    }
}
