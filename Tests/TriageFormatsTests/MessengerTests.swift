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

    private static let classic = #"""
        {"participants":[{"name":"Zoe"},{"name":"Mara"}],"messages":[
        {"sender_name":"Mara","timestamp_ms":2000,"content":"two"},{"sender_name":"Zoe","timestamp_ms":1000,"content":"one"}],
        "title":"Zoe","thread_path":"inbox/zoe_1"}
        """#

    private static func chat(_ name: String, _ people: String, _ texts: [(String, String, Int)]) -> String {
        let messages = texts.map {
            #"{"isUnsent":false,"media":[],"reactions":[],"senderName":"\#($0.0)","text":"\#($0.1)","timestamp":\#($0.2),"type":"text"}"#
        }
        return
            #"{"participants":[\#(people)],"threadName":"\#(name)","messages":[\#(messages.joined(separator: ","))]}"#
    }

    /// Messenger's two exports in one folder, or each in its own.
    @Test(arguments: [["all", "all"], ["account", "chats"], ["chats", "account"]])
    func `an encrypted chat goes on where the account's chat with the same people ends`(folders: [String]) throws {
        let scratch = try ScratchFolder()
        let order = folders[0] == "chats" ? ["chats", "account"] : folders
        let account = folders.contains("all") ? "all/" : "account/"
        let chats = folders.contains("all") ? "all/" : "chats/"
        scratch.write(account + "your_facebook_activity/messages/inbox/zoe_1/message_1.json", Self.classic)
        let zoe = Self.chat(
            "Zoe_7", #""Mara","Zoe""#, [("Mara", "two", 2000), ("Zoe", "two", 2000), ("Zoe", "three", 3000)])
        scratch.write(chats + "Zoe_7.json", zoe)
        scratch.write(chats + "Ida_8.json", Self.chat("Ida_8", #""Mara","Ida""#, [("Ida", "alone", 500)]))
        var paths: [String] = []
        for folder in order where !paths.contains(scratch.path + "/" + folder) {
            paths.append(scratch.path + "/" + folder)
        }
        let result = try readInputs(paths)
        let found = records(result)
        #expect(result.codes.isEmpty && result.notices.allSatisfy { $0.contains("read once") }, "\(result.notices)")
        let joined = found.filter { $0["conversation_id"]?.string == "inbox/zoe_1" }
        #expect(joined.map { $0["text"]?.string } == ["one", "two", "two", "three"])
        #expect(joined.allSatisfy { $0["conversation_title"]?.string == "Zoe" })
        #expect(joined.map { $0["sender"]?["name"]?.string }.suffix(3) == ["Mara", "Zoe", "Zoe"])
        #expect(found.count == 5 && found.contains { $0["conversation_id"]?.string == "e2ee/Ida_8" })
        // What is new in it has the id that it has by itself.
        let alone = records(try readInputs([scratch.write("Zoe_7.json", zoe)]))
        #expect(joined.suffix(2).map { $0["id"]?.string } == alone.suffix(2).map { $0["id"]?.string })
    }

    @Test func `chats that could go on two conversations stay by themselves`() throws {
        let scratch = try ScratchFolder()
        for folder in ["zoe_1", "zoe_2"] {
            scratch.write("x/your_facebook_activity/messages/inbox/\(folder)/message_1.json", Self.classic)
        }
        scratch.write("x/Zoe_7.json", Self.chat("Zoe_7", #""Zoe","Mara""#, [("Zoe", "three", 3000)]))
        let found = records(try readInputs([scratch.path + "/x"]))
        #expect(found.last { $0["text"]?.string == "three" }?["conversation_id"]?.string == "e2ee/Zoe_7")
    }

    @Test(arguments: [["fb", "tg"], ["tg", "fb"]])
    func `another export given beside one without wrapper is read too`(order: [String]) throws {
        let scratch = try ScratchFolder()
        scratch.write("fb/your_facebook_activity/messages/inbox/zoe_1/message_1.json", Self.classic)
        scratch.write("fb/your_facebook_activity/messages/autofill_information.json", "{}")
        scratch.write("tg/your_facebook_activity/messages/inbox/zoe_1/photos/1.jpg", [0xFF, 0xD8])
        scratch.write("tg/notes_1.json", #"[{"text":"four"}]"#)
        scratch.write(
            "tg/result.json",
            #"{"name":"Ida","type":"personal_chat","id":7,"messages":[{"id":1,"type":"message","date":"2024-06-01T10:40:00","#
                + #""date_unixtime":"1717231200","from":"Ida","from_id":"user7","text":"three","text_entities":[]}]}"#)
        let result = try readInputs(order.map { scratch.path + "/" + $0 })
        #expect(Set(result.texts) == ["one", "two", "three", "four"])
        #expect(result.codes.isEmpty && !result.notices.contains { $0.contains("skipped") }, "\(result.notices)")
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
