import Testing
import TriageCore

@testable import TriageFormats

struct TelegramTests {
    private let folder = Fixtures.root + "/telegram-json/"

    private func records(_ result: ReadResult) -> [JSONNode] { result.lines.compactMap { JSONNode(Array($0.utf8)) } }

    private func read(_ text: String, _ zone: String = "") throws -> ReadResult {
        let scratch = try ScratchFolder()
        return try readInputs([scratch.write("x.bin", text)]) { $0.timeZone = zone }
    }

    private func chat() throws -> ReadResult { try readInputs([folder + "ChatExport_2024-07-02"]) }

    @Test func `a chat of two gives texts, kinds and sides`() throws {
        let result = try chat()
        let found = records(result)
        #expect(
            found.map { $0["text"]?.string } == [
                "", "We make tiny microphones 🎙 our page (https://lanternfish.example/kit), shall we send one?", "",
                "a bell \u{7} rang, the path is C:\\x41", "🐟 hello {[ \"there\" ]}", "", "Which colour?",
            ])
        #expect(
            found.map { $0["raw"]?["kind"]?.string } == [
                "call", "message", "message", "message", "message", "message", "message",
            ])
        #expect(
            found.map { $0["sender"]?["is_self"]?.bool } == [false, false, true, false, false, true, false])
        #expect(found.allSatisfy { $0["platform"]?.string == "telegram" && $0["conversation_id"]?.string == "7001" })
        #expect(found.allSatisfy { $0["conversation_title"]?.string == "Lanternfish Audio" })
        #expect(result.codes.isEmpty)
        #expect(result.notices.count { $0.contains("repaired") } == 1)
    }

    @Test func `the fields of a message are those of the export`() throws {
        let found = records(try chat())
        let offer = found[1]
        #expect(offer["id"]?.string == "tg:7001/12")
        #expect(offer["sent_at"]?.string == "2024-06-01T10:41:00Z")
        #expect(offer["sender"]?["id"]?.string == "user7001")
        #expect(offer["sender"]?["name"]?.string == "Lanternfish Audio")
        #expect(offer["raw"]?["edited_at"]?.string == "2024-06-01T10:45:00Z")
        #expect(offer["raw"]?["source"]?["index"]?.int == 1)
        #expect(offer["reactions"]?.elements.first?["emoji"]?.string == "👍")
        #expect(offer["reactions"]?.elements.first?["by"]?.string == "Mara")
        #expect(found[2]["reply_to"]?.string == "tg:7001/12")
        #expect(found[2]["attachments"]?.elements.first?["type"]?.string == "image")
        #expect(found[2]["attachments"]?.elements.first?["url"] == nil)
        #expect(found[5]["attachments"]?.elements.first?["type"]?.string == "voice")
        #expect(found[5]["attachments"]?.elements.first?["url"]?.string?.hasPrefix("voice_messages/") == true)
        #expect(found[6]["sender"]?["name"] == nil)
        #expect(found[6]["raw"]?["poll_options"]?.elements.first?["text"]?.string == "green")
        #expect(found[6]["attachments"]?.elements.first?["type"]?.string == "poll")
        #expect(found[0]["raw"]?["duration_seconds"]?.int == 63)
    }

    @Test func `an account gives its chats, without codes and notes to oneself`() throws {
        let result = try readInputs([folder + "DataExport_2024-07-01"])
        let found = records(result)
        #expect(
            found.compactMap { $0["id"]?.string } == [
                "tg:7002/21", "tg:7002/22", "tg:9100/1", "tg:9100/2", "tg:9100/3", "tg:9100/4", "tg:9200/5",
            ])
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [false, true, false, false, false, true, nil])
        #expect(
            found.map { $0["raw"]?["kind"]?.string } == [
                "message", "message", "system", "message", "unsupported", "message", "message",
            ])
        #expect(found[3]["raw"]?["forwarded_from"]?.string == "Kiln News")
        #expect(found[3]["raw"]?["location"]?["longitude"]?.string == "-8.61")
        #expect(found[5]["reply_to"]?.string == "tg:7002/21")
        #expect(found[6]["raw"]?["folder"]?.string == "left_chats")
        #expect(found[6]["reactions"]?.elements.first?["count"]?.int == 3)
        #expect(result.notices.contains { $0.contains("saved messages") })
        #expect(!result.lines.joined().contains("12345") && !result.lines.joined().contains("tripod"))
    }

    @Test func `a time without zone is read in the zone of the user`() throws {
        for (zone, time, name) in [("", "10:01", "UTC"), ("Europe/Lisbon", "09:01", "Europe/Lisbon")] {
            let result = try readInputs([folder + "DataExport_2024-07-01"]) { $0.timeZone = zone }
            let message = try #require(records(result).first { $0["text"]?.string == "Friday" })
            #expect(message["sent_at"]?.string == "2024-06-02T\(time):00Z")
            #expect(message["raw"]?["tz_assumed"]?.string == name)
        }
    }

    @Test func `two exports of one chat give each message once`() throws {
        let scratch = try ScratchFolder()
        let bytes = try Fixtures.bytes("telegram-json/ChatExport_2024-07-02/result.json")
        let a = scratch.write("a.zip", Packing.zip([("ChatExport_1/result.json", bytes)]))
        let b = scratch.write("b.zip", Packing.zip([("ChatExport_2/result.json", bytes)]))
        #expect(try readInputs([a, b]).lines.count == 7)
    }

    @Test func `the least that a chat may be is read`() throws {
        let result = try read(
            #"{"messages":[{"type":"message","date_unixtime":"1717238400","from":"A","text":"one"},"#
                + #"{"type":"message","date_unixtime":1717238401,"from":"B","text":["two"]},"#
                + #"{"type":"message","date_unixtime":1717238401,"from":"B","text":["two"]}]}"#)
        #expect(result.texts == ["one", "two", "two"])
        let found = records(result)
        #expect(Set(found.compactMap { $0["id"]?.string }).count == 3)
        #expect(found.allSatisfy { $0["id"]?.string?.hasPrefix("tg:") == true && $0["sender"]?["is_self"] == nil })
    }

    @Test(
        arguments: [
            ("999999999999999999999999", "null", nil), ("-62167219201", "null", nil),
            ("9223372036854775807", "null", nil),
            ("1717238400", #""user1""#, "2024-06-01T10:40:00Z"),
        ] as [(String, String, String?)])
    func `wild numbers and absent names break nothing`(time: String, sender: String, expected: String?) throws {
        let result = try read(
            #"{"name":null,"type":"personal_chat","id":1,"messages":[{"id":"\#(time)","type":"message","#
                + #""date_unixtime":"\#(time)","from":null,"from_id":\#(sender),"text":"lone \ud83d half"}]}"#)
        let record = try #require(records(result).first)
        #expect(record["sent_at"]?.string == expected)
        #expect(record["text"]?.string?.hasPrefix("lone ") == true)
        #expect(result.codes.isEmpty)
    }

    @Test func `a message that is beyond repair is refused and the next is read`() throws {
        let result = try read(
            #"{"name":"A","type":"bot_chat","id":4,"messages":[{"id":1,"type":"message","from_id":"user4","text":"a"},"#
                + #"{"id":2,"type":"message",,"text":"b"},{"id":3,"type":"message","from_id":"user4","text":"c"}]}"#)
        #expect(result.texts == ["a", "c"])
        #expect(result.codes == ["json.syntax"])
        #expect(result.numbers == [1, 2, 3])
    }

    @Test(arguments: [
        (#"{"messages":[{"type":"message","date":"2024-01-01","from":"A","text":"x"}]}"#, "telegram-json"),
        (#"[{"type":"message","ts":"1.2","text":"x","user":"U1"}]"#, "json-array"),
        (#"{"messages":[{"type":"message","text":"x"}]}"#, "jsonl json-array"),
        (#"{"chats":{"about":"a","list":[]}}"#, "telegram-json"),
        (#"{"name":"A","type":"personal_chat","id":4,"messages":[]}"#, "telegram-json"),
        (#"{"about":"a","contacts":{"about":"b","list":[]}}"#, "telegram-json"),
    ])
    func `look-alikes are told apart`(text: String, expected: String) throws {
        let found = ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: true))
        #expect(found.map { expected.contains($0.format.name) } ?? false)
        if text.contains("contacts") { #expect(found?.detection.hasMessages == false) }
    }

    @Test func `only what is broken is repaired`() {
        func repaired(_ text: String) -> String {
            Array(text.utf8).withUnsafeBufferPointer {
                String(decoding: TelegramRepair.repair($0), as: UTF8.self)
            }
        }
        #expect(repaired(#"{"a":"\x1F \\x1F \\\x1f"}"#) == #"{"a":"\u001F \\x1F \\\u001f"}"#)
        #expect(repaired(#"{"document_id": ab"c, "b":1}"#) == #"{"document_id": "ab\"c", "b":1}"#)
        #expect(
            repaired(#"{"t":"\"document_id\": x","document_id":"y"}"#)
                == #"{"t":"\"document_id\": x","document_id":"y"}"#)
        #expect(repaired(#"{"a":"\x"#) == #"{"a":"\x"#)
    }

    @Test func `numbers are new once`() {
        var set = NumberSet()
        let order: [Int64] = [1, 2, 3, 7, 9, 5, 5, 2, 8, 8, -4, Int64.max, Int64.max, Int64.min]
        #expect(
            order.map { set.insert($0) } == [
                true, true, true, true, true, true, false, false, true, false, true, true, false, true,
            ])
    }
}
