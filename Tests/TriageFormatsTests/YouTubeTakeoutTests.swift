import Testing
import TriageCore

@testable import TriageFormats

struct YouTubeTakeoutTests {
    private static let channel = "UC" + String(repeating: "k", count: 22)

    private static func format(_ text: String) -> String? {
        ExportFormats.detect(Opening(bytes: Array(text.utf8), isWhole: true))?.detection.format
    }

    /// A table with one row, whose cells stand under the names of its header.
    private static let cells = [
        "comment id": "UgzQ1.7", "channel id": channel, "comment create timestamp": "2024-07-01T08:30:00.5+00:00",
        "price": "0", "parent comment id": "UgzQ1", "video id": "vidKnit0009", "post id": "",
        "comment text": #""{""text"":""Links are ""},{""text"":""below\n""}""#, "top-level comment id": "UgzQ1",
    ]

    @Test(arguments: [
        "Comment ID,Channel ID,Comment Create Timestamp,Price,Parent Comment ID,Video ID,Comment Text",
        "Channel ID,Comment Create Timestamp,Price,Comment ID,Parent Comment ID,Video ID,Comment Text",
        "Channel ID,Comment create timestamp,Price,Comment ID,Parent comment ID,Video ID,Comment text",
        "Comment ID,Channel ID,Comment Create Timestamp,Price,Parent Comment ID,Post ID,Video ID,Comment Text,"
            + "Top-Level Comment ID",
        "Comment Text,Video ID,Comment ID,Channel ID,Price,Comment Create Timestamp,A New Column",
    ])
    func `every header is read by its names`(header: String) throws {
        let row = header.split(separator: ",").map { Self.cells[$0.lowercased()] ?? "" }.joined(separator: ",")
        let text = header + "\r\n" + row + "\r\n\r\n\r\n"
        #expect(Self.format(text) == "youtube-takeout")
        let (result, records) = try MetaWebhookTests.read(text)
        #expect(result.codes.isEmpty && records.count == 1)
        #expect(records.first?["text"]?.string == "Links are below\n")
        #expect(records.first?["id"]?.string == "yt:UgzQ1.7")
        #expect(records.first?["reply_to"]?.string == "yt:UgzQ1")
        #expect(records.first?["conversation_id"]?.string == "vidKnit0009")
        #expect(records.first?["sender"]?["id"]?.string == Self.channel)
        #expect(records.first?["sender"]?["is_self"]?.bool == true)
        #expect(records.first?["sent_at"]?.string == "2024-07-01T08:30:00.5Z")
        #expect(result.notices.contains { $0.contains("nothing to triage") })
    }

    @Test(arguments: [
        "Kommentar-ID,Kanal-ID,Erstellt am,Preis,Übergeordnet,Video-ID,Kommentartext",
        "Reactie,Kanaal,Tijd,Prijs,Bovenliggend,Video,Tekst",
    ])
    func `translated headers are read by what stands below them`(header: String) throws {
        let rows = [
            #"UgzQabcdefghijk,\#(Self.channel),2024-07-01T08:30:00+00:00,0,,vidKnit0009,"{""text"":""eins""}""#,
            #"UgzQabcdefghijk.99,\#(Self.channel),2024-07-01T08:31:00+00:00,0,UgzQabcdefghijk,vidKnit0010,zwei, drei"#
                .replacing("zwei, drei", with: "\"zwei, drei\""),
        ]
        let text = ([header] + rows).joined(separator: "\r\n")
        #expect(Self.format(text) == "youtube-takeout")
        let records = try MetaWebhookTests.read(text).records
        #expect(records.map { $0["text"]?.string } == ["eins", "zwei, drei"])
        #expect(records.map { $0["id"]?.string } == ["yt:UgzQabcdefghijk", "yt:UgzQabcdefghijk.99"])
        #expect(records.map { $0["reply_to"]?.string } == [nil, "yt:UgzQabcdefghijk"])
        #expect(records.map { $0["conversation_id"]?.string } == ["vidKnit0009", "vidKnit0010"])
    }

    @Test(arguments: [
        (#"{"text":"a "},{"text":"\u003eb"}"#, "a >b"), (#"{"takeoutSegments":[{"text":"x"},{"text":"y"}]}"#, "xy"),
        ("{\"text\":\"one\ntwo\"}", "one\ntwo"), ("{broken", "{broken"), ("plain", "plain"), ("", ""), ("{}", "{}"),
        (#"{"a":1}"#, #"{"a":1}"#), (#"{"takeoutSegments":[]}"#, #"{"takeoutSegments":[]}"#),
    ])
    func `each spelling of a text is read`(cell: String, text: String) {
        #expect(TakeoutText.plain(cell) == text)
    }

    @Test func `a whole Takeout is read`() throws {
        let result = try readInputs([Fixtures.root + "/youtube-takeout"])
        #expect(
            Set(result.texts) == [
                "Pattern is in \n@bea", "plain, with \"quotes\" 🧶", "{not json", "we start in five", "for the guest",
                "hi all <3\nsecond line", "🧶",
            ])
        #expect(result.texts.count == 7)
        let records = result.lines.compactMap { JSONNode(Array($0.utf8)) }
        #expect(records.allSatisfy { $0["sender"]?["is_self"]?.bool == true && $0["platform"]?.string == "youtube" })
        let paid = try #require(records.first { $0["text"]?.string == "for the guest" })
        #expect(paid["raw"]?["price"]?.string == "2000000" && paid["raw"]?["currency"]?.string == "EUR")
        let old = try #require(records.first { $0["text"]?.string == "hi all <3\nsecond line" })
        #expect(old["sent_at"]?.string == "2020-04-27T23:18:23Z")
        #expect(old["conversation_id"]?.string == "vidKnit0006")
        #expect(old["conversation_title"]?.string == "Blocking & more")
        #expect(old["id"]?.string?.hasPrefix("yt:") == true)
    }

    @Test func `rows that are no rows are rejected with their line`() throws {
        let header = "Channel ID,Comment Create Timestamp,Price,Comment ID,Parent Comment ID,Video ID,Comment Text\n"
        let row = "\(Self.channel),2024-07-01T08:30:00+00:00,0,UgA,,vidKnit0009,ok\n"
        let result = try MetaWebhookTests.read(header + "one,two\n" + row + "a,b,c,d,e,f,\"open\n").result
        #expect(result.texts == ["ok"])
        #expect(Set(result.codes) == ["csv.cell-count", "csv.unclosed-quote"])
    }

    @Test(arguments: [
        "<html><body>Sent at noon</body></html>", "<p>Sent at 2020 UTC while watching</p>", "<li>Sent at home</li>",
    ])
    func `other pages are none`(text: String) {
        let opening = Opening(bytes: Array(text.utf8), isWhole: true)
        #expect(YouTubeTakeoutFormat().detect(opening) == nil)
    }
}
