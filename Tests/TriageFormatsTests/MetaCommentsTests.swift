import Testing
import TriageCore

@testable import TriageFormats

struct MetaCommentsTests {
    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    private func read(_ content: String) throws -> [JSONNode] {
        let scratch = try ScratchFolder()
        return records(try readInputs([scratch.write("x.bin", content)]))
    }

    @Test func `own comments on Facebook are read with what they stand under`() throws {
        let result = try readInputs([Fixtures.root + "/facebook-comments"])
        let found = records(result)
        #expect(
            found.map { $0["text"]?.string } == ["two lines\nand \"quotes\"", "", "The blue canoe, every time 🛶"])
        #expect(
            found.allSatisfy {
                $0["platform"]?.string == "facebook" && $0["raw"]?["kind"]?.string == "comment"
                    && $0["sender"]?["is_self"]?.bool == true && $0["sender"]?["name"]?.string == "Tove Marling"
            })
        #expect(found[2]["sent_at"]?.string == "2024-09-15T11:38:20Z")
        #expect(found[2]["conversation_title"]?.string == "Tove Marling commented on Henrik Sølberg's post.")
        #expect(found[2]["raw"]?["group"]?.string == "Paddle Hall")
        #expect(found[2]["raw"]?["source"]?["index"]?.int == 0)
        #expect(found[1]["attachments"]?.elements.compactMap { $0["type"]?.string } == ["image", "share"])
        #expect(found.allSatisfy { $0["id"]?.string?.hasPrefix("fb:") == true })
        #expect(result.notices.contains { $0.contains("nothing to triage") })
        #expect(result.notices.contains { $0.hasPrefix("1 empty entry") })
    }

    @Test func `comments of an export are read with its chats`() throws {
        let scratch = try ScratchFolder()
        for path in try Fixtures.paths(of: "messenger-json") {
            scratch.write("e/" + path, try Fixtures.bytes("messenger-json/" + path))
        }
        let chats = try readInputs([scratch.path]).lines.count
        let list = "comments_and_reactions/comments.json"
        scratch.write(
            "e/your_facebook_activity/" + list, try Fixtures.bytes("facebook-comments/" + list))
        let all = records(try readInputs([scratch.path]))
        #expect(all.count == chats + 3)
        #expect(all.filter { $0["platform"]?.string == "facebook" }.count == 3)
    }

    @Test func `comments under labels of an unknown language are told from the accounts they stand under`() throws {
        let found = records(try readInputs([Fixtures.root + "/instagram-json"]))
            .filter { $0["raw"]?["kind"]?.string == "comment" }
        #expect(found.map { $0["text"]?.string } == ["Mooi licht!", "niin kaunis ääni", "hieno!"])
        #expect(found.allSatisfy { $0["conversation_id"]?.string == "studio_nord" })
        #expect(found.last?["sent_at"]?.string == "2024-06-01T10:50:00Z")
    }

    private static func row(_ entries: [(String, String)], _ time: Int) -> String {
        let members = entries.map { #""\#($0.0)":{"value":"\#($0.1)"}"# } + [#""Z":{"timestamp":\#(time)}"#]
        return #"{"string_map_data":{\#(members.joined(separator: ","))}}"#
    }

    @Test(
        arguments: [
            // The account stands first and has one value.
            ([[("A", "ana"), ("B", "so fine")], [("A", "ana"), ("B", "wow")]], ["wow", "so fine"], "ana"),
            // All are single words: what recurs is the account.
            ([[("A", "wow"), ("B", "ana")], [("A", "cool"), ("B", "ana")]], ["cool", "wow"], "ana"),
            ([[("A", "ana"), ("B", "wow")], [("A", "ana"), ("B", "cool")]], ["cool", "wow"], "ana"),
            // Nothing recurs: the comment stands first.
            ([[("A", "wow"), ("B", "ana")]], ["wow"], "ana"),
            ([[("A", "only a comment")]], ["only a comment"], nil),
        ] as [([[(String, String)]], [String], String?)])
    func `what recurs and has no blanks is the account`(
        rows: [[(String, String)]], texts: [String], owner: String?
    ) throws {
        let list = rows.enumerated().map { Self.row($1, 1_717_240_000 - $0) }.joined(separator: ",")
        let found = try read("[\(list)]")
        #expect(found.map { $0["text"]?.string } == texts)
        #expect(found.allSatisfy { $0["conversation_id"]?.string == owner })
    }

    @Test func `rows of labels and values are read`() throws {
        let found = try read(
            #"[{"timestamp":1717238400,"media":[],"label_values":[{"label":"Comment","value":"Gro\u00c3\u009fartig"},"#
                + #"{"label":"URL","value":"https://www.instagram.com/p/1/","href":"https://www.instagram.com/p/1/"},"#
                + #"{"title":"Owner","dict":[{"dict":[{"label":"Username","value":"studio_nord"}]}]}],"fbid":"1"}]"#)
        #expect(found.map { $0["text"]?.string } == ["Großartig"])
        #expect(found.first?["conversation_id"]?.string == "studio_nord")
        #expect(found.first?["sent_at"]?.string == "2024-06-01T10:40:00Z")
    }

    @Test func `comments of overlapping lists come out once`() throws {
        let scratch = try ScratchFolder()
        let rows = [Self.row([("Comment", "a b"), ("Media Owner", "x")], 1_717_240_000)]
        for zip in ["1", "2"] {
            scratch.write(
                "\(zip).zip",
                Packing.zip([
                    ("comments/post_comments_1.json", Array("[\(rows[0])]".utf8)),
                    (
                        "messages/inbox/a_1/message_\(zip).json",
                        Array(#"{"messages":[{"sender_name":"A","timestamp_ms":\#(zip),"content":"\#(zip)"}]}"#.utf8)
                    ),
                ]))
        }
        let found = try readInputs([scratch.path + "/1.zip", scratch.path + "/2.zip"])
        #expect(found.texts == ["1", "2", "a b"])
    }

    @Test func `two folders with the same files give each message once`() throws {
        let scratch = try ScratchFolder()
        for folder in ["a", "b"] {
            for path in try Fixtures.paths(of: "instagram-json") {
                scratch.write(folder + "/" + path, try Fixtures.bytes("instagram-json/" + path))
            }
        }
        let once = try readInputs([scratch.path + "/a"]).lines.count
        #expect(try readInputs([scratch.path + "/a", scratch.path + "/b"]).lines.count == once)
    }
}

struct MetaPlaceholderTests {
    private func export(_ entries: [(thread: String, sender: String, content: String)]) throws -> [JSONNode] {
        let scratch = try ScratchFolder()
        for (thread, sender, content) in entries {
            scratch.write(
                "e/your_instagram_activity/messages/inbox/\(thread)_1/message_1.json",
                #"{"participants":[{"name":"\#(sender)"},{"name":"Mara"}],"messages":[{"sender_name":"\#(sender)","#
                    + #""timestamp_ms":1717238400000,"content":"\#(content)","photos":[{"uri":"p.jpg"}]}],"title":"t"}"#
            )
        }
        return try readInputs([scratch.path]).lines.compactMap { JSONNode(Array($0.utf8)) }
    }

    @Test func `a sentence in place of attachments is known in every language`() throws {
        let found = try export(
            ["Aino", "Bo", "Carla"].map { ($0, $0, "\($0) lähetti liitteen.") } + [("d", "Dora", "Dora here, look")])
        #expect(found.map { $0["text"]?.string } == ["", "", "", "Dora here, look"])
        #expect(found.allSatisfy { $0["attachments"]?.elements.count == 1 })
        #expect(found.first?["raw"]?["placeholder"]?.string == "Aino lähetti liitteen.")
        #expect(found.last?["raw"]?["placeholder"] == nil)
    }

    @Test(
        arguments: [
            [("a", "A", "same old words"), ("b", "B", "same old words")],
            [("a", "A", "lol"), ("b", "B", "lol"), ("c", "C", "lol")],
            // Mass offers and waves of phishing are what many send with one picture.
            ["Ana", "Bo", "Cy", "Di"].map { ($0, $0, "Can you do a collab? Budget $500") },
            ["Ana", "Bo", "Cy"].map { ($0, $0, "\($0) here, can you do a collab?") },
            ["Ana", "Bo", "Cy"].map { ($0, $0, "Liite on lähetetty") },
            // Only the owner's begin with `You`, and a name that is somebody else's says nothing.
            [("a", "Ana", "You sent an attachment."), ("b", "Bo", "Ana sent an attachment.")],
            [("a", "Ana", "Ana sent an attachment. Budget $500"), ("b", "Bo", "Bo sent an attachment?")],
        ])
    func `what people may have written stays`(entries: [(String, String, String)]) throws {
        let found = try export(entries.map { (thread: $0.0, sender: $0.1, content: $0.2) })
        #expect(found.map { $0["text"]?.string } == entries.map(\.2))
    }

    /// Words that look like those of Meta's about reactions, groups and calls, in a conversation of Ana and Mara.
    @Test(arguments: [
        ("Ana created the group.", "system"), ("Ana named the group Sunday crew.", "system"),
        ("Ana added Mara to the group.", "system"), ("Liked a message", "reaction_notice"),
        ("You left the group.", "message"), ("You named the group after my dog, 900 EUR for a video.", "message"),
        ("Ana added me because he wants to bring 900 EUR to the group.", "message"),
        ("Ana named the group leader, so we pay 900 EUR.", "message"), ("Ana left the group. Call me", "message"),
        ("Liked a message of yours, 900 EUR?", "message"), ("Reacted 900 to your message", "message"),
        ("Ana added Mara to the group.\\n900 EUR", "message"),
    ])
    func `what people may have said of a group is a message`(words: String, kind: String) throws {
        let scratch = try ScratchFolder()
        scratch.write(
            "e/your_instagram_activity/messages/inbox/ana_1/message_1.json",
            #"{"participants":[{"name":"Ana"},{"name":"Mara"}],"messages":[{"sender_name":"Ana","#
                + #""timestamp_ms":1717238400000,"content":"\#(words)"}],"title":"Ana"}"#)
        let record = try #require(try readInputs([scratch.path]).lines.compactMap { JSONNode(Array($0.utf8)) }.first)
        #expect(record["raw"]?["kind"]?.string == kind)
        #expect(record["text"]?.string == words.replacing("\\n", with: "\n"))
    }

    @Test func `an answer to a story says whose story it is`() throws {
        let scratch = try ScratchFolder()
        let path = scratch.write(
            "x",
            #"{"messages":[{"sender_name":"A","timestamp_ms":1,"content":"love it","share":"#
                + #"{"link":"https://www.instagram.com/stories/maramakes/33?x=1"}}]}"#)
        let record = try #require(try readInputs([path]).lines.compactMap { JSONNode(Array($0.utf8)) }.first)
        #expect(record["text"]?.string == "love it" && record["raw"]?["kind"]?.string == "message")
        #expect(record["raw"]?["story_owner"]?.string == "maramakes")
        #expect(record["attachments"]?.elements.first?["type"]?.string == "story_reply")
    }
}
