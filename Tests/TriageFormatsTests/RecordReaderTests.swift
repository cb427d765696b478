import CRecordScan
import Testing
import TriageCore

@testable import TriageFormats

struct RecordReaderTests {
    @Test func `every field of a full record is read`() throws {
        let line = #"""
            {"id":"m1","platform":"x","conversation_id":"c1","conversation_title":"T","participants":3,"sender":{"id":"s",\#
            "handle":"h","name":"Zoë","verified":true,"followers":12,"is_self":false},"text":"a\nb","sent_at":\#
            "2026-08-01T06:48:53Z","lang":"en","reply_to":"m0","attachments":[{},{}],"raw":{"kind":"comment"},"creator":"k"}
            """#
        let batch = read(line)
        let record = try #require(batch.records.first)
        let f = record.fields
        let strings = [
            f.id, f.platform, f.conversationID, f.conversationTitle, f.senderID, f.senderHandle, f.senderName, f.text,
            f.sentAt, f.lang, f.replyTo, f.kind, f.creator,
        ].map { batch.string($0) }
        #expect(
            strings == [
                "m1", "x", "c1", "T", "s", "h", "Zoë", "a\nb", "2026-08-01T06:48:53Z", "en", "m0", "comment", "k",
            ])
        #expect(f.participants == 3)
        #expect(f.isVerified == true)
        #expect(f.followers == 12)
        #expect(f.isSelf == false)
        #expect(f.attachments == 2)
        #expect(f.ignored.isEmpty && !record.hasProblems)
        #expect(record.sentAt == 1_785_566_933)
        #expect(record.status == .message)
        #expect(record.closingBrace == line.utf8.count - 1)
    }

    @Test(arguments: [
        (#"{"text":"t","id":7}"#, ["id"]), (#"{"text":"t","platform":[]}"#, ["platform"]),
        (#"{"text":"t","sender":"zoe"}"#, ["sender"]),
        (#"{"text":"t","sender":{"id":7,"name":{}}}"#, ["sender.id", "sender.name"]),
        (
            #"{"text":"t","sender":{"verified":"yes","followers":"9","is_self":0}}"#,
            ["sender.verified", "sender.followers", "sender.is_self"]
        ),
        (#"{"text":"t","sender":{"followers":-1}}"#, ["sender.followers"]),
        (#"{"text":"t","sender":{"followers":1.5}}"#, ["sender.followers"]),
        (#"{"text":"t","sender":{"followers":1e99}}"#, ["sender.followers"]),
        (#"{"text":"t","sent_at":1717238400}"#, ["sent_at"]), (#"{"text":"t","sent_at":"yesterday"}"#, ["sent_at"]),
        (#"{"text":"t","lang":true,"reply_to":1}"#, ["lang", "reply_to"]),
        (#"{"text":"t","attachments":{},"reactions":"x","raw":1}"#, ["attachments", "reactions", "raw"]),
        (#"{"text":"t","raw":{"kind":1}}"#, ["raw.kind"]), (#"{"text":"t","participants":"3"}"#, ["participants"]),
        (#"{"text":"t","id":null,"sender":null,"raw":null,"attachments":null,"sent_at":null}"#, []),
        (#"{"text":"t","sender":{"followers":null,"verified":null,"is_self":null}}"#, []),
        (#"{"text":"t","id":7,"id":"x"}"#, []), (#"{"text":"t","sender":7,"sender":{}}"#, []),
        (#"{"text":"t","raw":{"kind":1},"raw":{}}"#, []), (#"{"text":"t","creator":7}"#, []),
    ])
    func `fields of a wrong type are absent and reported`(line: String, expected: [String]) throws {
        for reader in RecordGrammarTests.ways {
            let batch = read(line, with: reader)
            let record = try #require(batch.records.first)
            #expect(record.status == .message)
            #expect(record.fields.ignored.list == expected)
            #expect(batch.problems(of: record).map(\.code) == expected.map { _ in "input.ignored-field" })
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("12", 12), ("12.0", 12), ("1.2e1", 12), ("120e-1", 12), ("0e999999999999", 0),
            ("9223372036854775807", 9_223_372_036_854_775_807), ("9223372036854775808", nil), ("0.5", nil),
            ("1e19", nil),
        ] as [(String, Int64?)])
    func `followers are whole numbers however they are spelt`(number: String, expected: Int64?) {
        for reader in RecordGrammarTests.ways {
            let batch = read(#"{"text":"t","sender":{"followers":\#(number)}}"#, with: reader)
            #expect(batch.records.first?.fields.followers == expected)
        }
    }

    @Test(arguments: [
        (#"{"text":"\u0041\u00e9\u20ac\ud83d\ude00"}"#, "Aé€😀"), (#"{"text":"a\ud83db"}"#, "a\u{FFFD}b"),
        (#"{"text":"\udc00"}"#, "\u{FFFD}"), (#"{"text":"\ud83d\ud83d\ude00"}"#, "\u{FFFD}😀"),
        (#"{"text":"\ud83d\u0041"}"#, "\u{FFFD}A"), (#"{"text":"\"\\\/\b\f\n\r\t"}"#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#"{"text":"a","text":"b"}"#, "b"), (#"{"\u0074ext":"k"}"#, "k"), (#"{"text":"한글\ud7a3"}"#, "한글\u{D7A3}"),
    ])
    func `text is decoded`(line: String, expected: String) throws {
        for reader in RecordGrammarTests.ways {
            let batch = read(line, with: reader)
            let text = try #require(batch.records.first?.fields.text)
            #expect(batch.string(text) == expected)
        }
    }

    @Test(arguments: [
        (#"{"text":"t","triage":{"a":1}}"#, #"{"text":"t"}"#), (#"{"triage":1,"text":"t"}"#, #"{"text":"t"}"#),
        (#"{"triage":1,"triage":2,"text":"t"}"#, #"{"text":"t"}"#),
        (#"{"text":"t","triage":1,"triage":2}"#, #"{"text":"t"}"#),
        (#"{"triage":1,"text":"t","triage":2,"x":3}"#, #"{"text":"t","x":3}"#),
        (#"{ "text" : "t" , "triage" : [ ] }"#, #"{ "text" : "t"  }"#),
        (#"{"text":"t","tri\u0061ge":1,"x":2}"#, #"{"text":"t","x":2}"#),
        (#"{"text":"t","raw":{"triage":1}}"#, #"{"text":"t","raw":{"triage":1}}"#),
    ])
    func `an earlier triage member is cut with one comma`(line: String, expected: String) throws {
        let batch = read(line)
        let record = try #require(batch.records.first)
        var rest = Array(line.utf8)
        for cut in batch.cuts[record.cuts].reversed() { rest.removeSubrange(cut) }
        #expect(String(decoding: rest, as: UTF8.self) == expected)
    }

    @Test func `nine triage members are refused`() {
        let members = String(repeating: #","triage":1"#, count: 9)
        #expect(read(#"{"text":"t"\#(members)}"#).rejects.first?.reason.code == "input.too-many-triage")
    }

    @Test(arguments: [
        (#"{"text":"t","sender":{"is_self":true}}"#, Record.Status.own),
        (#"{"text":"t","sender":{"is_self":false,"handle":"@MARA.makes"}}"#, .own),
        (#"{"text":"t","sender":{"name":"mara makes"}}"#, .message),
        (#"{"text":"t","sender":{"id":"mara.makes"}}"#, .own),
        (#"{"text":"t","sender":{"name":"ZOË K"}}"#, .own), (#"{"text":"t","sender":{"name":"Zoe K"}}"#, .message),
        (#"{"text":"t","raw":{"kind":"message"}}"#, .message), (#"{"text":"t","raw":{"kind":"comment"}}"#, .message),
        (#"{"text":"t","raw":{"kind":"share"}}"#, .message), (#"{"text":"","raw":{"kind":"share"}}"#, .notMessage),
        (#"{"text":"t","raw":{"kind":"reaction_notice"}}"#, .notMessage),
        (#"{"text":"t","raw":{"kind":""}}"#, .notMessage),
        (#"{"text":"t","sender":{"is_self":true},"raw":{"kind":"call"}}"#, .own),
    ])
    func `own messages and what is no message are told apart`(line: String, expected: Record.Status) {
        let reader = RecordReader(ownIdentities: ["@Mara.Makes", " zoë k "])
        #expect(read(line, with: reader).records.first?.status == expected)
    }

    @Test func `a blank line is refused`() {
        let batch = read(["", " \t", #"{"text":"t"}"#].map { Array($0.utf8) })
        #expect(batch.records.map(\.status) == [.rejected, .rejected, .message])
        #expect(batch.rejects.map(\.reason.code) == ["input.blank-line", "input.blank-line"])
    }

    @Test func `a line that its reader refused stays refused`() {
        var input = makeInput([Array(#"{"text":"t"}"#.utf8)])
        input.lines[0].reject = RejectReason(code: "input.line-too-long", reason: "r", offset: 9)
        var batch = Batch()
        batch.reset(to: input)
        RecordReader().read(&batch)
        #expect(batch.records.first?.status == .rejected)
        #expect(batch.rejects.first?.reason == RejectReason(code: "input.line-too-long", reason: "r", offset: 9))
    }

    @Test func `the text may have another name`() {
        let batch = read(#"{"body":"b","text":7}"#, textKey: "body")
        #expect(batch.records.first.map { batch.string($0.fields.text) } == .some("b"))
    }

    @Test func `a line far beyond the limit of the fast way is read`() {
        let long = String(repeating: "é ", count: 400_000)
        let batch = read(#"{"text":"\#(long)"}"#)
        #expect(batch.records.first?.fields.text.count == UInt32(long.utf8.count))
    }

    @Test func `a batch without padding is refused and not read beyond`() {
        var batch = Batch()
        var input = makeInput([Array(#"{"text":"t"}"#.utf8)])
        input.bytes.removeLast()
        batch.reset(to: input)
        RecordReader().read(&batch)
        #expect(batch.rejects.first?.reason.code == "input.unpadded")
    }

    @Test func `the plain check takes any JSON and says where it fails`() {
        func check(_ text: String) -> (trs_status, Int) {
            var offset = 0
            var reason: UnsafePointer<CChar>?
            var copy = text
            let status = copy.withUTF8 { trs_check($0.baseAddress, $0.count, 10, &offset, &reason) }
            return (status, offset)
        }
        #expect(check(" [1, \"a\"] ").0 == TRS_OK)
        #expect(check("[1,]") == (TRS_SYNTAX, 3))
        #expect(check("1 2") == (TRS_SYNTAX, 2))
        #expect(check("  ").0 == TRS_EMPTY)
        #expect(check(String(repeating: "[", count: 11)).0 == TRS_DEPTH)
    }
}
