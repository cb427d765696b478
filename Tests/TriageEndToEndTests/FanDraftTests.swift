import Foundation
import Testing

/// Drafts for the audience: thanks for what was said in particular, and none for blame, warnings and questions.
///
/// The creators and messages are in `Tests/Data/drafts`.
struct FanDraftTests {
    private struct Case: Decodable, CustomTestStringConvertible, Sendable {
        var id, creator, lang, text: String
        /// Where the draft is from; nil: there is none.
        var based_on: String?
        var says, never: [String]

        var testDescription: String { "\(id): \(text.prefix(60))" }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Data/drafts")

    private static let cases: [Case] = {
        let lines = (try? Data(contentsOf: folder.appending(path: "fans.jsonl")))?.split(separator: 0x0A) ?? []
        return lines.compactMap { try? JSONDecoder().decode(Case.self, from: $0) }
    }()

    @Test func `every line of the cases is one`() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "fans.jsonl"), encoding: .utf8)
        #expect(Self.cases.count == text.split(separator: "\n").count && !Self.cases.isEmpty)
    }

    @Test func `kind words are thanked for what they say, and others are not thanked`() throws {
        let folder = try ScratchFolder()
        let data = try Data(contentsOf: Self.folder.appending(path: "creators.json"))
        let creators = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        let profile = try #require(creators.first { $0["id"] as? String == "iva" })
        try JSONSerialization.data(withJSONObject: profile).write(to: URL(filePath: folder.place("creator.json")))
        let input = try Self.cases.map { one -> String in
            let record: [String: Any] = [
                "id": one.id, "platform": "instagram", "conversation_id": one.id, "text": one.text, "lang": one.lang,
                "sender": ["handle": "\(one.id).person"], "sent_at": "2026-08-03T10:00:00Z",
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self) + "\n"
        }.joined()
        let outcome = try Program.run(
            ["run", "-", "--creator", folder.place("creator.json"), "-q"], input: input, directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let answers = try outcome.lines.map { try #require(Annotated($0)) }
        #expect(answers.count == Self.cases.count)
        for (one, answer) in zip(Self.cases, answers) {
            let draft = answer["draft", "text"] as? String
            let note = Comment(rawValue: "\(one.testDescription) → \(draft ?? "none")")
            #expect(answer["draft", "based_on"] as? String == one.based_on, note)
            for words in one.says { #expect(draft?.contains(words) == true, note) }
            for words in one.never { #expect(draft?.contains(words) != true, note) }
        }
    }
}
