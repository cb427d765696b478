import Foundation
import Testing

/// What strangers write stays text on the page, whichever field they write it in.
struct ReportAttackTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// A record with the text, as JSON escapes it, in every field that a page could take something from.
    static func record(_ text: String, _ number: Int) -> String {
        let p = "P\(number)q \(text)"
        return #"{"id":"\#(p)","platform":"\#(p)","conversation_id":"\#(p)","conversation_title":"\#(p)","#
            + #""sender":{"id":"\#(p)","handle":"\#(p)","name":"\#(p)"},"text":"\#(p)","sent_at":"2026-10-0\#(number % 9 + 1)T10:00:00Z","lang":"\#(p)","#
            + #""triage":{"schema":1,"id":"\#(p)","language":{"tag":"\#(p)","confidence":1},"#
            + #""category":{"label":"business","confidence":1,"level":"\#(p)","by":"\#(p)","because":[{"signal":"\#(p)","weight":1,"quote":"\#(p)"}]},"#
            + #""sentiment":{"label":"\#(p)","confidence":1,"intensity":0.9,"by":"\#(p)"},"#
            + #""urgency":{"urgent":true,"score":0.9,"by":"\#(p)"},"#
            + #""opportunity":{"score":90,"tier":"\#(p)","stars":4.5,"breakdown":{"monetary":{"points":40,"of":40},"\#(p)":{"points":1,"of":2},"brand_fit":{"points":"\#(p)","of":30},"legitimacy":{"points":-1,"of":1e99}},"#
            + #""insights":["\#(p)","I\#(p)"],"budget":{"amount":5,"currency":"\#(p)","usd":5},"deadline":"\#(p)"},"#
            + #""faq":{"id":"\#(p)","question":"\#(p)","answer":"\#(p)","match":"\#(p)","confidence":1,"by":"\#(p)"},"#
            + #""injection":{"suspected":true},"draft":{"text":"\#(p)","language":"\#(p)","based_on":"\#(p)","by":"\#(p)","fill":["\#(p)"]},"priority":99,"#
            + #""provenance":{"version":"\#(p)","rules":"\#(p)","models":[{"stage":"\#(p)","model":"\#(p)","prompt":"\#(p)"}]},"#
            + #""problems":[{"stage":"\#(p)","code":"\#(p)","message":"\#(p)"}]}}"# + "\n"
    }

    private func check(_ outcome: Program.Outcome) -> MarkupCheck {
        #expect(outcome.status == 0, "\(outcome.errors)")
        let page = MarkupCheck(outcome.text)
        #expect(page.faults.isEmpty, "\(page.faults.prefix(5))")
        #expect(MarkupCheck.hidden(in: outcome.text).isEmpty, "\(Set(MarkupCheck.hidden(in: outcome.text)))")
        #expect(outcome.text.utf8.count < 1_500_000)
        return page
    }

    @Test func `there are sixty of them`() {
        #expect(Set(HostileTexts.all).count == 60)
    }

    @Test(arguments: [0..<30, 30..<60])
    func `a text in any field of a record comes out as text`(part: Range<Int>) throws {
        let records = part.map { Self.record(HostileTexts.all[$0], $0) }.joined()
        let page = check(
            try Program.run(["report", "-", "--title", "<script>&\"'\u{202E}"], input: records, directory: folder.path))
        for number in part {
            // As name, as quote, as insight, as id of an entry, as code of a problem, at least.
            #expect(page.text.components(separatedBy: "P\(number)q ").count > 10, "\(number)")
        }
        #expect(page.text.contains("<script>&\"'[U+202E]"))
        #expect(page.tags["blockquote"] == 30 && page.tags["script"] == nil && page.tags["a"] == nil)
        if part.contains(0) { #expect(page.text.contains("P0q <script>alert(1)</script>")) }
        if part.contains(48) {
            for mark in ["[U+202E]evil[U+202C]", "[U+0000]", "a[U+200B]b", "[U+E0001]", "[U+2028]"] {
                #expect(page.text.contains(mark), "\(mark)")
            }
            // A family is one picture, and stays one.
            #expect(page.text.contains("\u{1F469}\u{200D}\u{1F467}"))
            #expect(page.text.contains("&lt;script&gt;"))
        }
    }

    @Test func `a text that went through a store comes out as text, too`() throws {
        var records = ""
        for (number, text) in HostileTexts.all.enumerated() {
            // Some way or other each one is on the page: as urgent, or as an offer.
            let words = number % 2 == 0 ? "I will hurt myself tonight" : "We would love to pay you $5,000 for two reels"
            records +=
                #"{"id":"i\#(number) \#(text)","platform":"\#(text)","sender":{"name":"P\#(number)q \#(text)"},"text":"\#(text) \#(words)","sent_at":"2026-10-01T10:00:00Z"}"#
                + "\n"
        }
        let synced = try Program.run(
            ["sync", "-", "--store", folder.place("inbox.db"), "-q"], input: records, directory: folder.path)
        #expect(synced.status == 0, "\(synced.errors)")
        let page = check(try Program.run(["report", "--store", folder.place("inbox.db")]))
        let shown = HostileTexts.all.indices.filter { page.text.contains("P\($0)q ") }
        // Which of them are urgent, or offers, is the rules' to say.
        #expect(shown.count > 30, "\(shown.count)")
    }

    @Test(arguments: [
        #"{"text":"a","triage":{"schema":1}}"#,
        #"{"text":"a","triage":{"schema":1,"category":"fan","urgency":7,"opportunity":[1],"faq":"x","problems":{"a":1}}}"#,
        #"{"text":"a","triage":{"schema":1,"opportunity":{"score":99999999999999999999,"breakdown":[]}}}"#,
        #"{"text":"a","triage":{"schema":1,"category":{"label":"business"},"opportunity":{"score":1e308,"budget":{"amount":1e308}}}}"#,
        #"{"text":"a","triage":{"schema":1,"category":{"label":"business"},"opportunity":{"score":-5,"budget":{"amount":-1},"deadline":"9999-99-99"}}}"#,
        #"{"text":"a","triage":{"schema":1,"skipped":7,"priority":-1,"urgency":{"urgent":true}}}"#,
        #"{"text":"a","triage":{"schema":1,"x":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}}"#,
        #"{"triage":{"schema":1,"language":{"tag":"en"}},"text":"a","text":"b","sent_at":"0000-01-01T00:00:00+14:00"}"#,
        #"{"\u0074riage":{"schema":1},"text":"\ud800","sent_at":"9999-12-31T23:59:59-14:00"}"#,
    ])
    func `odd answers make a page all the same`(line: String) throws {
        _ = check(try Program.run(["report", "-"], input: line + "\n"))
    }
}
