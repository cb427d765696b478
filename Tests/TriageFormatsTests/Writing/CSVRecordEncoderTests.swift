import Testing
import TriageCore
import TriageFormats

struct CSVRecordEncoderTests {
    private static func rows(_ batch: Batch, library: FAQLibrary = FAQLibrary()) -> String {
        var batch = batch
        var out = OutputBuffer(capacity: 0)
        CSVRecordEncoder(library: library).encode(&batch, into: &out)
        return String(decoding: out.finish().array, as: UTF8.self)
    }

    /// The text cell of a row that holds only an id and a text.
    private static func cell(_ text: String) -> String {
        let row = rows(AnsweredBatch.make([text]))
        return String(row.dropFirst("m0,,,,,".count).dropLast(String(repeating: ",", count: 22).count + 1))
    }

    @Test func `the head names every column once`() {
        let head = String(decoding: CSVRecordEncoder(library: FAQLibrary()).header, as: UTF8.self)
        #expect(head.hasSuffix("\r\n"))
        #expect(head.hasPrefix("id,platform,conversation_id,sender,sent_at,text,category,"))
        #expect(Set(CSVRecordEncoder.columns).count == 28)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\nlines", "\"two\nlines\""),
        ("cr\rhere", "\"cr\rhere\""), (" lead", "\" lead\""), ("trail ", "\"trail \""), ("", ""), ("1-2", "1-2"),
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@me", "'@me"), ("\tx", "'\tx"), ("\rx", "\"'\rx\""),
        ("\u{0}=x", "'\u{0}=x"), ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠a", "'＠a"), ("！a", "！a"),
        ("=HYPERLINK(\"a\",\"b\")", "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\""), ("日本,語", "\"日本,語\""),
    ])
    func `cells are quoted where needed and never formulas`(text: String, expected: String) {
        #expect(Self.cell(text) == expected)
    }

    /// Where rounded scores do not sum to 1, the largest takes the rest.
    @Test(arguments: [
        ([0.99146, 0.00427, 0.00427], "0.9914"), ([0.99144, 0.00428, 0.00428], "0.9914"), ([0.5, 0.25, 0.25], "0.5"),
    ])
    func `the confidence is the score that sums to 1 with the others, as in JSON`(scores: [Float], expected: String) {
        let batch = AnsweredBatch.make(["text"]) { number, batch in
            batch.records[number].category = CategoryAnswer(
                label: .fan, scores: [scores[0], scores[1], scores[2], 0], level: .high, by: .categoryRules,
                because: 0..<0)
        }
        #expect(Self.rows(batch).contains(",fan,\(expected),high,"))
    }

    @Test func `every answer has its cell`() {
        let library = FAQLibrary(entries: [FAQEntry(id: "camera", question: "?", answer: "!")])
        let batch = AnsweredBatch.make(["text"]) { number, batch in
            AnsweredBatch.set(\.platform, "x", of: number, in: &batch)
            AnsweredBatch.set(\.conversationID, "c1", of: number, in: &batch)
            AnsweredBatch.set(\.senderHandle, "@dana", of: number, in: &batch)
            AnsweredBatch.set(\.sentAt, "2026-10-03T00:00:00Z", of: number, in: &batch)
            batch.records[number].category = AnsweredBatch.category(.business)
            batch.records[number].sentiment = SentimentAnswer(
                label: .positive, confidence: 0.8, level: .high, intensity: 0.64, by: .sentimentRules, because: 0..<0)
            batch.records[number].urgency = AnsweredBatch.urgency(false)
            batch.records[number].priority = 63
            batch.records[number].opportunity = AnsweredBatch.opportunity(92)
            batch.records[number].facts.budget = AnsweredBatch.dollars(5000)
            batch.records[number].facts.deadlineDay = 20_732
            batch.records[number].faq = FAQAnswer(entry: 0, isHigh: false, confidence: 0.5, by: .faqLexical)
            batch.records[number].injection = InjectionAnswer(isSuspected: true, score: 1, because: 0..<0)
            batch.records[number].draft = DraftAnswer(
                text: batch.generate("Hi, you".utf8), language: 1, basedOn: .absent, fill: 0..<0, by: .replyTemplate)
            batch.records[number].campaign = CampaignAnswer(id: 0x5F_0C27_A91B_E3D6, senders: 7)
        }
        #expect(
            Self.rows(batch, library: library)
                == "m0,x,c1,'@dana,2026-10-03T00:00:00Z,text,business,1,high,positive,0.64,false,0.1,63,92,gold,92,0,0,0,"
                + "5000 USD,2026-10-06,camera,possible,\"Hi, you\",true,c-005f0c27a91be3d6,7\r\n")
    }

    @Test func `every row has as many cells as the head, whatever was answered`() {
        let bare = Self.rows(AnsweredBatch.make(["a"]))
        #expect(bare.filter { $0 == "," }.count == CSVRecordEncoder.columns.count - 1)
    }

    @Test func `own messages, notices and rejects are left out, and missing ids are made`() {
        var batch = AnsweredBatch.make(["a", "b", "c", "d"])
        batch.records[0].status = .own
        batch.records[1].status = .notMessage
        batch.records[2].status = .rejected
        batch.records[3].fields.id = .absent
        let rows = Self.rows(batch)
        #expect(rows.hasPrefix("\"t:"))
        #expect(rows.split(separator: "\r\n").count == 1)
    }

    @Test func `questions that were not asked for are empty`() {
        var batch = AnsweredBatch.make(["a"]) { number, batch in
            batch.records[number].category = AnsweredBatch.category(.fan)
            batch.records[number].priority = 5
        }
        var out = OutputBuffer(capacity: 0)
        CSVRecordEncoder(library: FAQLibrary(), questions: [.priority]).encode(&batch, into: &out)
        let row = String(decoding: out.finish().array, as: UTF8.self)
        #expect(row == "m0,,,,,a,,,,,,,,5,,,,,,,,,,,,,,\r\n")
    }
}
