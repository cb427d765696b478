import Testing
import TriageCore
import TriageFormats

struct RunCountsTests {
    private static func batch(_ scores: [Int], sequence: Int = 0) -> Batch {
        AnsweredBatch.make(scores.map { "offer \($0)" }, sequence: sequence) { number, batch in
            AnsweredBatch.set(\.senderName, "Brand \(scores[number])", of: number, in: &batch)
            batch.records[number].category = AnsweredBatch.category(.business)
            batch.records[number].opportunity = AnsweredBatch.opportunity(scores[number])
            batch.records[number].facts.budget = AnsweredBatch.dollars(5000)
            batch.records[number].fields.isSelf = false
        }
    }

    @Test func `counts add up over batches, and the best three offers stay`() {
        var counts = RunCounts()
        counts.merge(RunCounts(Self.batch([10, 95, 40]), rejectsKept: 20))
        counts.merge(RunCounts(Self.batch([90, 70], sequence: 1), rejectsKept: 20))
        #expect(counts.read == 5 && counts.messages == 5)
        #expect(counts.offers.map(\.score) == [95, 90, 70])
        #expect(
            counts.summary() == [
                "5 records read: 0 fan, 5 business, 0 spam, 0 urgent", "best offers:", "   95 gold   Brand 95, $5,000",
                "   90 gold   Brand 90, $5,000", "   70 blue   Brand 70, $5,000",
            ])
    }

    @Test func `who asks again is named once, with the best score`() {
        let scores = [[60, 92, 40], [94, 92, 30]]
        var counts = RunCounts()
        for (sequence, scores) in scores.enumerated() {
            var batch = Self.batch(scores, sequence: sequence)
            for number in 0..<2 { AnsweredBatch.set(\.senderName, "Oak", of: number, in: &batch) }
            counts.merge(RunCounts(batch, rejectsKept: 20))
        }
        #expect(counts.offers.map(\.who) == ["Oak", "Brand 40", "Brand 30"])
        #expect(counts.offers.map(\.score) == [94, 40, 30])
    }

    @Test func `senders without a name are not taken for one`() {
        var batch = Self.batch([80, 70])
        for number in 0..<2 { AnsweredBatch.set(\.senderName, "", of: number, in: &batch) }
        #expect(RunCounts(batch, rejectsKept: 20).offers.map(\.score) == [80, 70])
    }

    @Test func `what is no message is counted apart`() {
        var batch = AnsweredBatch.make(["a", "b", "c", "d", "e"])
        batch.records[0].status = .own
        batch.records[1].status = .notMessage
        batch.records[2].status = .rejected
        batch.records[3].status = .filtered
        batch.report(Problem(stage: "s", code: "c", message: "m"), at: 4)
        batch.records[4].urgency = AnsweredBatch.urgency(true)
        batch.input.lines = (0..<5).map {
            InputLine(span: Span32(start: 0, count: 0), number: $0 + 1, offset: 0, source: 0)
        }
        batch.rejects = [Reject(line: 2, reason: RejectReason(code: "json.syntax", reason: "bad"))]
        let counts = RunCounts(batch, rejectsKept: 20)
        #expect(counts.read == 4 && counts.own == 1 && counts.notMessages == 1 && counts.rejected == 1)
        #expect(counts.messages == 1 && counts.urgent == 1 && counts.withProblems == 1)
        #expect(counts.firstReject?.place(in: ["in.jsonl"]) == "in.jsonl:3")
        #expect(counts.rejectLines(sources: ["in.jsonl"], shownSoFar: 0) == ["in.jsonl:3: rejected: bad [json.syntax]"])
        #expect(counts.rejectLines(sources: ["in.jsonl"], shownSoFar: 20) == [])
        #expect(counts.summary().contains("passed through unchanged: 1 of your own, 1 that is not a message"))
    }

    @Test func `that nobody knows the owner is said where no message is theirs`() {
        var batch = AnsweredBatch.make(["a", "b"])
        #expect(RunCounts(batch, rejectsKept: 20).summary().contains { $0.contains("--me") })
        batch.records[0].status = .own
        #expect(!RunCounts(batch, rejectsKept: 20).summary().contains { $0.contains("--me") })
    }

    @Test func `messages without text are counted apart, so that the figures add up`() {
        let counts = RunCounts(AnsweredBatch.make(["", "a", ""]), rejectsKept: 0)
        #expect(counts.messages == 3 && counts.withoutText == 2)
        var both = counts
        both.merge(counts)
        #expect(both.summary().contains("passed through unchanged: 4 without text"))
    }

    @Test func `nothing read is said`() { #expect(RunCounts().summary() == ["no messages"]) }

    @Test func `names of senders cannot drive the terminal`() {
        var batch = Self.batch([50])
        AnsweredBatch.set(\.senderName, "\u{1B}[2JEvil\u{202E}", of: 0, in: &batch)
        let text = RunCounts(batch, rejectsKept: 0).summary().joined()
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }

    @Test(arguments: [
        (0.0, 0, Int?.none, "5 records, 5 business"), (2.0, 50, 100, "5 records, 2/s, 5 business, 2 s left"),
        (2.0, 100, 100, "5 records, 2/s, 5 business"), (600.0, 1, 100, "5 records, 0/s, 5 business, 17 h left"),
        (2.0, 50, nil, "5 records, 2/s, 5 business"),
    ])
    func `the progress line tells rate, kinds and time left`(
        seconds: Double, done: Int, total: Int?, expected: String
    ) {
        let counts = RunCounts(Self.batch([1, 2, 3, 4, 5]), rejectsKept: 0)
        #expect(ProgressText.line(counts, seconds: seconds, bytesDone: done, bytesTotal: total) == expected)
    }
}
