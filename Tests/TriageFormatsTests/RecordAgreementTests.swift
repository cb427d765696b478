import Testing
import TriageCore

@testable import TriageFormats

/// The fast way and the exact way must say the same of every line, however mangled.
struct RecordAgreementTests {
    static let seeds = [
        #"{"id":"a-1","platform":"instagram","conversation_id":"c","sender":{"id":"7","handle":"zoe","#
            + #""name":"Zo\u00eb","verified":true,"followers":1200,"is_self":false},"#
            + #""text":"ol\u00e1 \ud83d\ude42 \"x\"\n","sent_at":"2026-08-01T06:48:53Z","lang":"pt","reply_to":"b","#
            + #""attachments":[{"type":"image"},{}],"raw":{"kind":"message"}}"#,
        #"{"text":"Grüße aus Köln 😀 日本","participants":["a","b","c"],"creator":"maya","x":[1,2.5,{"y":null}]}"#,
        #"{ "text" : "" , "sender" : { "followers" : 12.0 , "is_self" : null } , "reactions" : [] , "triage" : {} }"#,
    ]

    static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "0", "-", "1e400", "1.", ".5", "nul",
            "null", "true", "123456789012345678901234567890", "\"text\"", "\"triage\":{\"a\":[1]},", ",\"triage\":1",
            ",\"sender\":{\"id\":4,\"handle\":\"x\"}", ",\"sender\":null", ",\"raw\":{\"kind\":\"call\"}", ",\"raw\":7",
            ",\"followers\":-1", ",\"participants\":3.0", ",\"attachments\":5", ",\"te\\u0078t\":\"q\"", "\u{0}",
            "\u{1F}", "😀", " ", "\t", "\u{FEFF}",
        ].map { Array($0.utf8) } + [[0xED, 0xA0, 0x80], [0xC0, 0x80], [0xFF]]

    private func mangled(_ line: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var line = line
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let at = Int.random(in: 0...line.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: if at < line.count { line.remove(at: at) }
            case 1, 2: line.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: at)
            case 3: if at < line.count { line[at] = UInt8.random(in: 0...255, using: &random) }
            default:
                // Between two members, where whole members make sense.
                if let comma = line.indices.filter({ line[$0] == 0x2C }).randomElement(using: &random) {
                    line.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: comma)
                }
            }
        }
        return line
    }

    private func summary(_ batch: Batch) -> [String] {
        batch.records.map { record in
            guard record.reject < 0 else { return "\(batch.rejects[record.reject].reason)" }
            let f = record.fields
            let spans = [
                f.text, f.id, f.platform, f.conversationID, f.conversationTitle, f.senderID, f.senderHandle,
                f.senderName, f.sentAt, f.lang, f.replyTo, f.kind, f.creator,
            ]
            let values = spans.map { span in span.isPresent ? "\(Array(batch.arena[span.range]))" : "-" }
            let numbers = "\(f.isVerified as Any) \(f.followers as Any) \(f.isSelf as Any) \(f.participants)"
            return
                "\(values) \(numbers) \(f.attachments) \(f.ignored.list) \(record.closingBrace) \(batch.cuts[record.cuts])"
                + " \(record.status) \(record.sentAt as Any)"
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `both ways give the same fields, cuts and faults for mangled lines`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let fast = RecordReader(ownIdentities: [], usesFastPath: true)
        let exact = RecordReader(ownIdentities: [], usesFastPath: false)
        for _ in 0..<1500 {
            let line = mangled(Array((Self.seeds.randomElement(using: &random) ?? "").utf8), &random)
            let a = summary(read([line], with: fast))
            let b = summary(read([line], with: exact))
            #expect(a == b, "seed \(seed): \(String(decoding: line, as: UTF8.self))")
        }
    }

    @Test(arguments: [7, 8] as [UInt64])
    func `both ways agree in a batch, where a line makes use of those before it`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let lines = (0..<2000).map { _ in mangled(Array((Self.seeds.randomElement(using: &random) ?? "").utf8), &random)
        }
        let fast = summary(read(lines, with: RecordReader(ownIdentities: [], usesFastPath: true)))
        let exact = summary(read(lines, with: RecordReader(ownIdentities: [], usesFastPath: false)))
        for (line, (a, b)) in zip(lines, zip(fast, exact)) {
            #expect(a == b, "seed \(seed): \(String(decoding: line, as: UTF8.self))")
        }
        #expect(fast.count == exact.count)
    }

    @Test(arguments: [5, 6] as [UInt64])
    func `what is left after the cuts is the same record without triage`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let reader = RecordReader()
        var cutLines = 0
        for _ in 0..<3000 {
            let line = mangled(Array((Self.seeds.randomElement(using: &random) ?? "").utf8), &random)
            let batch = read([line], with: reader)
            guard let record = batch.records.first, record.status != .rejected, !record.cuts.isEmpty else { continue }
            cutLines += 1
            var rest = line
            for cut in batch.cuts[record.cuts].reversed() { rest.removeSubrange(cut) }
            let again = read([rest], with: reader)
            #expect(again.cuts.isEmpty, "seed \(seed): \(String(decoding: line, as: UTF8.self))")
            #expect(again.records.first?.status == record.status)
            let text = record.fields.text
            #expect(again.records.first.map { again.string($0.fields.text) } == .some(batch.string(text)))
        }
        #expect(cutLines > 100)
    }
}
