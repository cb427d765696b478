import Testing
import TriageCore

@testable import TriageFormats

struct MessengerTests {
    private func encrypted(_ name: String) throws -> [JSONNode] {
        try readInputs([Fixtures.root + "/messenger-e2ee/" + name]).lines.compactMap { JSONNode(Array($0.utf8)) }
    }

    @Test func `an encrypted chat is read with the fields of every other chat`() throws {
        let all = try encrypted("Harbour Teas_3.json")
        #expect(
            all.map { $0["text"]?.string } == [
                "Did the samples arrive? 🍵", "", "", "gone", "two lines\nand a \"quote\"", "café?",
            ])
        #expect(
            all.map { $0["raw"]?["kind"]?.string } == ["message", "message", "message", "unsent", "message", "message"])
        #expect(all.map { $0["sender"]?["is_self"]?.bool } == [false, false, true, false, false, false])
        let first = try #require(all.first)
        #expect(first["platform"]?.string == "messenger")
        #expect(first["conversation_id"]?.string == "e2ee/Harbour Teas_3")
        #expect(first["conversation_title"]?.string == "Harbour Teas")
        #expect(first["sent_at"]?.string == "2024-06-01T10:42:00Z")
        #expect(first["id"]?.string?.hasPrefix("fb:") == true)
        #expect(first["reactions"]?.elements.first?["by"]?.string == "Mara Makes")
        #expect(first["raw"]?["platform_guess"] == nil)
    }

    @Test func `a file that was not fetched is an attachment without address`() throws {
        let all = try encrypted("Harbour Teas_3.json")
        #expect(all[1]["attachments"]?.elements.count == 1)
        #expect(all[1]["attachments"]?.elements.first?["url"] == nil)
        #expect(all[1]["raw"]?["media_missing"]?.bool == true)
        #expect(all[2]["attachments"]?.elements.compactMap { $0["type"]?.string } == ["image", "audio"])
        #expect(all[2]["raw"]?["media_missing"] == nil)
    }

    @Test func `order comes from the times, and the owner of a group is unknown`() throws {
        let all = try encrypted("Boat crew_12.json")
        #expect(all.map { $0["text"]?.string } == ["me", "who rows?"])
        #expect(all.allSatisfy { $0["sender"]?["is_self"] == nil && $0["participants"]?.int == 3 })
    }

    @Test(arguments: [("Ana Lima_15", "Ana Lima"), ("a_b", "a_b"), ("_3", "_3"), ("x_1_2", "x_1"), ("x_", "x_")])
    func `the title of a thread has no number`(name: String, title: String) {
        #expect(EncryptedEntry.title(ofThread: name) == title)
    }
}
