import Testing
import TriageCore

@testable import TriageFormats

struct TwitchTests {
    private func records(_ path: String) throws -> [JSONNode] {
        try readInputs([path]).lines.compactMap { JSONNode(Array($0.utf8)) }
    }

    @Test func `the chat of a video is read with its people`() throws {
        let found = try records(Fixtures.root + "/twitch-json")
        #expect(found.map { $0["id"]?.string } == ["twitch:w-1", "twitch:w-2", "twitch:w-3", "twitch:w-4"])
        #expect(found.map { $0["sender"]?["is_self"]?.bool } == [false, true, nil, false])
        let first = try #require(found.first)
        #expect(first["conversation_id"]?.string == "990")
        #expect(first["conversation_title"]?.string == "Weaving a scarf, part 2")
        #expect(first["sender"]?["handle"]?.string == "ulo_k")
        #expect(first["sender"]?["name"]?.string == "Ülo_K")
        #expect(first["sender"]?["id"]?.string == "9901")
        #expect(first["sender"]?["verified"]?.bool == true)
        #expect(first["sent_at"]?.string == "2025-01-01T18:00:12.500Z")
        #expect(first["raw"]?["kind"]?.string == "comment")
        #expect(found[2]["sender"] == nil)
        #expect(found[3]["raw"]?["notice"]?.string == "resub")
        #expect(found[3]["raw"]?["bits"]?.int == 100)
        #expect(found[1]["sender"]?["verified"] == nil)
    }

    @Test func `own chat lines come out without addresses and places`() throws {
        let result = try readInputs([Fixtures.root + "/twitch-csv"])
        let found = result.lines.compactMap { JSONNode(Array($0.utf8)) }
        #expect(found.map { $0["text"]?.string } == ["merino, \"superfine\"", "wool, cotton, silk", "see you 👋"])
        #expect(found.map { $0["id"]?.string } == ["twitch:m-1", "twitch:m-2", "twitch:m-3"])
        #expect(found.map { $0["conversation_id"]?.string } == ["fringe", "fringe", "ulo_k"])
        #expect(found.allSatisfy { $0["sender"]?["is_self"]?.bool == true })
        #expect(found.allSatisfy { $0["sender"]?["handle"]?.string == "loomlena" })
        #expect(found.first?["sent_at"]?.string == "2025-01-01T18:00:20.100Z")
        let out = result.lines.joined()
        for secret in ["203.0.113", "2001:db8", "Leipzig", "3320", "Example Net", "\"SN\""] {
            #expect(!out.contains(secret), "\(secret)")
        }
    }

    @Test func `a file without its header is known all the same`() throws {
        let scratch = try ScratchFolder()
        let row =
            "2025-01-01 18:00:20,Leipzig,DE,SN,hi,3320,203.0.113.77,loomlena,2025-01-01 18:00:20,hi,fringe,m-1,,Net,8800,"
            + "2025-01-01 18:00:20,c,1,r,t,2,,false,false,false,,\n"
        let result = try readInputs([scratch.write("x.bin", row + row.replacing("m-1", with: "m-2"))])
        #expect(result.texts == ["hi", "hi"])
        #expect(!result.lines.joined().contains("203.0.113"))
    }

    @Test(arguments: [
        "2025-01-01 18:00:20,Leipzig,203.0.113.77,a,b\n", "x,2025-01-01 18:00:20,Leipzig,203.0.113.77,loomlena,a,f,m\n",
        "2025-01-01 18:00:20,Leipzig\n", "2025-01-01 18:00:20,Leipzig,203.0.113.77,loomlena,\"a,f,m\n",
    ])
    func `a row in doubt is refused and not shown`(row: String) throws {
        let scratch = try ScratchFolder()
        let header = "time,city,ip,login,body_full,channel,msg_id\n"
        var raws: [String] = []
        let assembler = BatchAssembler { input in
            for line in input.lines { raws.append(String(decoding: input.bytes[line.span.range], as: UTF8.self)) }
        }
        var options = InputReader.Options()
        options.paths = [scratch.write("x.csv", header + row)]
        try InputReader(options: options).read(into: assembler)
        try assembler.flush()
        #expect(raws == [""])
    }

    @Test(arguments: [
        (#"{"comments":[{"content_offset_seconds":1,"commenter":null,"message":{}}]}"#, "twitch-json"),
        (#"{"comments":[{"author_id":"a","parent":"root","text":"t"}]}"#, "json-array"),
        (#"{"comments":[{"text":"t"}]}"#, "json-array"), ("body,channel,msg_id\nhi,a,1\n", "twitch-csv"),
        ("BODY_FULL;Login\nhi;a\n", "twitch-csv"), ("body,channel\nhi,a\n", "csv"),
    ])
    func `it is told from what looks like it`(text: String, format: String) {
        let found = ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: true))?.detection.format
        // Other formats may know the others even better.
        #expect(format.hasPrefix("twitch") ? found == format : found?.hasPrefix("twitch") != true)
    }
}
