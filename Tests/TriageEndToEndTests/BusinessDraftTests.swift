import Foundation
import Testing

/// Drafts for offers and for what only looks like one, in seven languages: what each must say, and what none may.
///
/// The creators and messages are in `Tests/Data/drafts`. One creator refuses commission, gifts and unpaid work and has no
/// address for offers, the other one has an address.
struct BusinessDraftTests {
    private struct Case: Decodable, CustomTestStringConvertible {
        var id, creator, text: String
        /// Where the draft is from; nil: there is none, or only what it must not say matters.
        var based_on: String?
        /// Why there is none; `*`: whether there is one does not matter.
        var no_draft: String?
        var says, never: [String]

        var testDescription: String { "\(id): \(text.prefix(60))" }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Data/drafts")

    private static let cases: [Case] = {
        let lines = (try? Data(contentsOf: folder.appending(path: "business.jsonl")))?.split(separator: 0x0A) ?? []
        return lines.compactMap { try? JSONDecoder().decode(Case.self, from: $0) }
    }()

    @Test func `every line of the cases is one`() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "business.jsonl"), encoding: .utf8)
        #expect(Self.cases.count == text.split(separator: "\n").count && !Self.cases.isEmpty)
    }

    @Test(arguments: ["iva", "ben"])
    func `offers get a draft that can be sent, or none`(creator: String) throws {
        let folder = try ScratchFolder()
        let data = try Data(contentsOf: Self.folder.appending(path: "creators.json"))
        let creators = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        let profile = try #require(creators.first { $0["id"] as? String == creator })
        try JSONSerialization.data(withJSONObject: profile).write(to: URL(filePath: folder.place("creator.json")))
        let cases = Self.cases.filter { $0.creator == creator }
        let input = try cases.map { one -> String in
            let record: [String: Any] = [
                "id": one.id, "platform": "instagram", "conversation_id": one.id,
                "sender": ["handle": "\(one.id).person"],
                "text": one.text, "sent_at": "2026-08-03T10:00:00Z",
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self) + "\n"
        }.joined()
        let outcome = try Program.run(
            ["run", "-", "--creator", folder.place("creator.json"), "-q"], input: input, directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let answers = try outcome.lines.map { try #require(Annotated($0)) }
        #expect(answers.count == cases.count)
        for (one, answer) in zip(cases, answers) {
            let draft = answer["draft", "text"] as? String
            let note = Comment(rawValue: "\(one.testDescription) → \(draft ?? "none")")
            if one.no_draft != "*" {
                #expect(answer["draft", "based_on"] as? String == one.based_on, note)
                #expect(answer["no_draft"] as? String == one.no_draft, note)
            }
            for words in one.says { #expect(draft?.contains(words) == true, note) }
            for words in one.never { #expect(draft?.contains(words) != true, note) }
        }
    }

    /// An excluded topic as a profile names it, and an offer of the topic in other words.
    @Test(arguments: [
        (
            "Glücksspiel und Sportwetten",
            "Für unser Online-Casino suchen wir Creator. Wir zahlen 9.500 EUR für ein Reel."
        ),
        ("Alkohol", "Wir sind eine Brauerei und zahlen 900 EUR für ein Reel."),
        ("apuestas", "Somos un casino en línea y pagamos 900 EUR por un reel."),
        ("alcool", "Nous vendons du vin et payons 900 EUR pour un reel."),
        ("cerveja e vinho", "Somos uma cervejaria e pagamos 900 EUR por um reel."),
        ("gioco d'azzardo", "Siamo un casinò e paghiamo 900 EUR per un reel."),
        ("gokken", "Wij zijn een online casino en betalen 900 EUR voor een reel."),
        ("cruise lines", "Meridian Star Cruises here. We pay 900 EUR for a reel from the deck."),
        ("supplements", "We sell creatine and a pre-workout powder and pay 900 EUR for a reel."),
        ("Nahrungsergänzung", "Wir verkaufen ein Nahrungsergänzungsmittel und zahlen 900 EUR für ein Reel."),
        (
            "Parteienwerbung",
            "Unsere Wählervereinigung zahlt für die Kommunalwahl 900 EUR für ein Reel mit unseren Kandidaten."
        ),
        ("suplementos", "Vendemos creatina y pagamos 900 EUR por un reel."),
        ("compléments alimentaires", "Nous vendons de la créatine et payons 900 EUR pour un reel."),
        ("suplementos", "Vendemos pré-treino e pagamos 900 EUR por um reel."),
        ("integratori", "Vendiamo creatina e paghiamo 900 EUR per un reel."),
        ("supplementen", "Wij verkopen creatine en betalen 900 EUR voor een reel."),
        ("Kreuzfahrten", "Unsere Reederei bietet eine Kreuzfahrt an und zahlt 900 EUR für ein Reel."),
        ("AI image generators", "We build an image model and pay 900 EUR for a reel about it."),
    ])
    func `a topic that a profile names in its own language is declined in other words`(topic: String, offer: String)
        throws
    {
        let folder = try ScratchFolder()
        let creator = try folder.write("c.yaml", "name: Ana\nniches: [pottery]\nexcluded_topics: [\"\(topic)\"]\n")
        func basis(_ creator: String) throws -> String? {
            let record = "{\"id\":\"1\",\"text\":\"\(offer)\",\"sender\":{\"name\":\"Bo\"}}\n"
            let outcome = try Program.run(["run", "--quiet", "--creator", creator], input: record)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.records.first.flatMap { $0?["draft", "based_on"] as? String }
        }
        #expect(try basis(creator) == "template:business.declined")
        #expect(try basis(try folder.write("d.yaml", "name: Ana\nniches: [pottery]\n")) != "template:business.declined")
    }
}
