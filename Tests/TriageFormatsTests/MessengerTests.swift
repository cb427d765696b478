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

    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    @Test func `the chats of an account are read from all folders, with the owner of the profile`() throws {
        let result = try readInputs([Fixtures.root + "/messenger-json"])
        let found = records(result)
        #expect(result.codes.isEmpty)
        #expect(result.notices == [MessengerJSONFormat.missingEncrypted])
        #expect(found.count == 7)
        #expect(found.allSatisfy { $0["platform"]?.string == "messenger" && $0["raw"]?["platform_guess"] == nil })
        func thread(_ id: String) -> [JSONNode] { found.filter { $0["conversation_id"]?.string == id } }
        let henrik = thread("inbox/henriksolberg_881")
        #expect(henrik.map { $0["raw"]?["kind"]?.string } == ["message", "call", "message", "message"])
        #expect(henrik.first?["text"]?.string == "Is the paddle course in Tromsø still on?\nAnd what does it cost (€)?")
        #expect(henrik.map { $0["sender"]?["is_self"]?.bool } == [false, false, true, false])
        #expect(henrik[2]["reactions"]?.elements.first?["by"]?.string == "Henrik Sølberg")
        #expect(henrik[3]["attachments"]?.elements.first?["type"]?.string == "sticker")
        let offer = try #require(thread("filtered_threads/canvasandoar_77").first)
        #expect(offer["text"]?.string == "We'd like two reels, budget is 900 €")
        #expect(offer["raw"]?["folder"]?.string == "filtered_threads")
        #expect(offer["id"]?.string?.hasPrefix("fb:") == true)
        let group = thread("archived_threads/paddlers_9")
        #expect(group.map { $0["raw"]?["kind"]?.string } == ["message", "system"])
        #expect(group.allSatisfy { $0["participants"]?.int == 3 })
    }

    @Test(arguments: [
        (#""thread_type":"Regular""#, "", "messenger-json", false),
        ("", #","sticker":{"uri":"messages/stickers_used/1.png"}"#, "messenger-json", false),
        ("", #","photos":[{"uri":"your_activity_across_facebook/messages/inbox/a_1/p.jpg"}]"#, "messenger-json", false),
        ("", #","photos":[{"uri":"your_instagram_activity/messages/inbox/a_1/p.jpg"}]"#, "instagram-json", false),
        ("", #","share":{"link":"https://www.instagram.com/p/1/"}"#, "instagram-json", false),
        ("", #","share":{"original_content_owner":"b"}"#, "instagram-json", false),
        // A link to Instagram is sent in Messenger too; where the files lie says more.
        (
            "", #","share":{"link":"https://instagram.com/p/1/"},"videos":[{"uri":"your_facebook_activity/v.mp4"}]"#,
            "messenger-json", false
        ),
        ("", "", "messenger-json", true),
    ])
    func `the platform of a lone file is told by its content`(
        member: String, entry: String, format: String, isGuess: Bool
    ) throws {
        let scratch = try ScratchFolder()
        let tail = member.isEmpty ? "" : "," + member
        let content = #"{"messages":[{"sender_name":"A","timestamp_ms":1,"content":"a"\#(entry)}]\#(tail)}"#
        let path = scratch.write("x", content)
        let record = try #require(records(try readInputs([path])).first)
        #expect(record["platform"]?.string == String(format.prefix { $0 != "-" }))
        #expect(record["raw"]?["platform_guess"]?.bool == (isGuess ? true : nil))
        let opening = Opening(bytes: Array(content.utf8), isWhole: true)
        #expect(ExportFormats.detect(opening)?.format.name == format)
        // Whoever names the format decides where nothing tells.
        let named = try readInputs([path]) { $0.format = "instagram-json" }
        if isGuess { #expect(records(named).first?["platform"]?.string == "instagram") }
    }

    @Test func `an Instagram and a Facebook export side by side are each read as their own`() throws {
        let scratch = try ScratchFolder()
        for name in ["instagram-json", "messenger-json"] {
            for path in try Fixtures.paths(of: name) {
                scratch.write("both/\(name)/" + path, try Fixtures.bytes(name + "/" + path))
            }
        }
        let both = records(try readInputs([scratch.path]))
        var expected: [String: Int] = [:]
        for name in ["instagram-json", "messenger-json"] {
            let platform = String(name.prefix { $0 != "-" })
            expected[platform] = try readInputs([Fixtures.root + "/" + name]).lines.count
        }
        #expect(Dictionary(grouping: both) { $0["platform"]?.string ?? "" }.mapValues(\.count) == expected)
    }
}
