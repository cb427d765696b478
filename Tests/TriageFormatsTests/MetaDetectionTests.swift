import Testing
import TriageCore

@testable import TriageFormats

struct MetaDetectionTests {
    private static let classic = #"{"sender_name":"A","timestamp_ms":1717238400000,"content":"hi"}"#
    private static let encrypted =
        #"{"isUnsent":false,"media":[],"reactions":[],"senderName":"A","text":"hi","timestamp":1,"type":"text"}"#

    private func format(_ content: String, isWhole: Bool = true) -> Detection? {
        ExportFormats.detect(Opening(bytes: Array(content.utf8), isWhole: isWhole))?.detection
    }

    @Test(
        arguments: [
            (#"{"participants":[{"name":"A"}],"messages":[\#(classic)]}"#, "messenger-json"),
            (#"{"messages":[\#(classic)],"thread_type":"Regular"}"#, "messenger-json"),
            (
                #"{"messages":[{"sender_name":"A","timestamp_ms":1,"share":{"original_content_owner":"b"}}]}"#,
                "instagram-json"
            ),
            (#"{"participants":["A","B"],"threadName":"A_1","messages":[\#(encrypted)]}"#, "messenger-e2ee"),
            (#"{"comments_v2":[{"timestamp":1,"data":[{"comment":{"comment":"x"}}]}]}"#, "facebook-comments"),
            (#"[{"string_map_data":{"Comment":{"value":"x"}}}]"#, "instagram-json"),
            (#"{"comments_media_comments":[{"string_map_data":{"Comment":{"value":"x"}}}]}"#, "instagram-json"),
            (#"{"object":"instagram","entry":[{"id":"1","time":1,"messaging":[]}]}"#, "meta-webhook"),
            (
                #"{"data":[{"id":"1","text":"x","timestamp":"2024-05-01T12:00:00+0000","username":"a"}]}"#,
                "graph-comments"
            ),
            (
                #"{"messages":[{"id":1,"type":"message","date":"2024-01-01T00:00:00","from":"A","text":"x"}]}"#,
                "telegram-json"
            ),
        ])
    func `what looks alike is told apart by its content`(content: String, name: String) {
        #expect(format(content)?.format == name)
    }

    @Test(arguments: [
        #"{"guild":{"id":"1"},"channel":{"id":"2"},"messages":[{"id":"3","timestamp":"2024-05-01T12:00:00","content":"x"}]}"#,
        #"{"data":[{"id":"1","text":"x"}]}"#, #"{"comments":[{"text":"x"}]}"#, #"{"messenger_id":"1","text":"x"}"#,
        #"{"support_messages":[],"text":"x"}"#, #"{"messages":[{"text":"hi"}]}"#, #"[]"#, #"{}"#, "null",
    ])
    func `what is not of Meta's files is not taken for one`(content: String) {
        let own = ["instagram-json", "messenger-json", "messenger-e2ee", "facebook-comments"]
        #expect(!own.contains(format(content)?.format ?? ""))
    }

    @Test(arguments: [
        #"{"autofill_information_v2":{"FULL_NAME":["A"]}}"#, #"{"messenger_contacts_settings":[]}"#,
        #"{"secret_conversations_v2":{}}"#, #"{"label_values":[{"label":"x","value":"y"}],"fbid":"1"}"#,
        #"{"profile_v2":{"name":{"full_name":"A"}}}"#, #"{"profile_user":[{"string_map_data":{}}]}"#,
    ])
    func `settings and profiles hold no messages`(content: String) {
        #expect(format(content)?.hasMessages == false)
    }

    @Test(arguments: [
        ("{\"messages\":[", classic, "messenger-json"),
        ("{\"participants\":[\"A\"],\"messages\":[", encrypted, "messenger-e2ee"),
        (
            "{\"messages\":[",
            #"{"sender_name":"A","timestamp_ms":1,"content":"x","share":{"link":"https://instagram.com/p/1"}}"#,
            "instagram-json"
        ),
        ("{\"comments_v2\":[", #"{"timestamp":1,"data":[{"comment":{"comment":"some words"}}]}"#, "facebook-comments"),
        ("[", #"{"string_map_data":{"Comment":{"value":"some words"}}}"#, "instagram-json"),
    ])
    func `an opening that ends inside a string is known all the same`(head: String, entry: String, name: String) {
        var text = head
        while text.utf8.count < Opening.limit { text += entry + "," }
        var bytes = Array(text.utf8.prefix(Opening.limit))
        #expect(ExportFormats.detect(Opening(bytes: bytes, isWhole: false))?.format.name == name)
        // In the middle of a word of the last entry.
        while bytes.last != UInt8(ascii: "e") { bytes.removeLast() }
        #expect(ExportFormats.detect(Opening(bytes: bytes, isWhole: false))?.format.name == name)
    }

    @Test func `the folder of messages alone is an export too`() throws {
        let scratch = try ScratchFolder()
        scratch.write("m/inbox/a_1/message_1.json", #"{"messages":[\#(Self.classic)]}"#)
        scratch.write("m/filtered_threads/b_2/message_1.json", #"{"messages":[\#(Self.classic)]}"#)
        scratch.write("m/information_about_your_devices.json", #"{"whatever":1}"#)
        let result = try readInputs([scratch.path + "/m"])
        #expect(result.texts == ["hi", "hi"])
        #expect(!result.notices.contains { $0.contains("unknown format") })
    }
}
