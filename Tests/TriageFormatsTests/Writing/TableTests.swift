import Testing
import TriageCore

@testable import TriageFormats

struct TableTests {
    private static func table(_ batches: [Batch], width: Int = 100, color: Bool = false, limit: Int = 100) -> String {
        let encoder = TableRecordEncoder(
            library: FAQLibrary(entries: [FAQEntry(id: "camera", question: "?", answer: "!")]),
            renderer: TableRenderer(width: width, usesColor: color), limit: limit)
        var out = OutputBuffer(capacity: 0)
        for batch in batches {
            var batch = batch
            encoder.encode(&batch, into: &out)
        }
        let count = out.count
        #expect(count == 0)
        return String(decoding: encoder.footer, as: UTF8.self)
    }

    private static func batch(_ priorities: [Int], urgent: Set<Int> = [], sequence: Int = 0) -> Batch {
        AnsweredBatch.make(priorities.map { "message \(sequence)-\($0)" }, sequence: sequence) { number, batch in
            AnsweredBatch.set(\.senderName, "Dana", of: number, in: &batch)
            batch.records[number].category = AnsweredBatch.category(.fan)
            batch.records[number].priority = priorities[number]
            batch.records[number].urgency = AnsweredBatch.urgency(urgent.contains(number))
        }
    }

    @Test func `urgent messages come first, then the higher priority, then the earlier message`() {
        let lines = Self.table([Self.batch([5, 40, 20, 40], urgent: [0])]).split(separator: "\n").dropFirst()
        #expect(lines.map { $0.split(separator: " ").last ?? "" } == ["0-5", "0-40", "0-40", "0-20"])
        #expect(lines.first?.hasPrefix("!") == true)
    }

    @Test func `only the best rows are kept, and the rest is counted`() {
        let table = Self.table([Self.batch(Array(0..<2000))], limit: 3)
        #expect(table.split(separator: "\n").count == 5)
        #expect(table.contains("0-1999\n") && table.contains("0-1997\n") && !table.contains("0-1996\n"))
        #expect(table.hasSuffix("… and 1,997 more.\n"))
    }

    @Test func `batches in another order give the same table`() {
        let batches = (0..<6).map { Self.batch((0..<50).map { ($0 * 37) % 11 }, sequence: $0) }
        #expect(Self.table(batches, limit: 20) == Self.table(batches.reversed(), limit: 20))
    }

    @Test(arguments: [24, 40, 60, 80, 100, 160])
    func `no line is wider than the terminal`(width: Int) {
        let nasty =
            "\u{1B}[31m日本語👩‍👩‍👧‍👦🇩🇪 e\u{301}\u{301}\u{301}\u{301} \u{202E}abc\u{7} 안녕하세요 " + String(repeating: "w", count: 300)
        let batch = AnsweredBatch.make([nasty, "short"]) { number, batch in
            AnsweredBatch.set(\.senderName, nasty, of: number, in: &batch)
            batch.records[number].category = AnsweredBatch.category(.business)
            batch.records[number].priority = 100
            batch.records[number].opportunity = AnsweredBatch.opportunity(95)
            batch.records[number].facts.budget = AnsweredBatch.dollars(1_234_567.5)
            batch.records[number].faq = FAQAnswer(entry: 0, isHigh: false, confidence: 0.5, by: .faqLexical)
        }
        let table = Self.table([batch], width: width)
        for line in table.split(separator: "\n") { #expect(TerminalText.width(String(line)) <= width) }
        #expect(!table.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || $0.value == 0x202E })
    }

    @Test func `colour only where it is asked for`() {
        let batch = Self.batch([1], urgent: [0])
        #expect(!Self.table([batch]).contains("\u{1B}"))
        #expect(Self.table([batch], color: true).contains("\u{1B}[1;31m"))
    }

    @Test func `neutral is not displayed, and no messages give one line`() {
        let batch = AnsweredBatch.make(["x"]) { number, batch in
            batch.records[number].sentiment = SentimentAnswer(
                label: .neutral, confidence: 1, level: .high, intensity: 0, by: .sentimentRules, because: 0..<0)
        }
        #expect(!Self.table([batch]).contains("neutral"))
        #expect(Self.table([]) == "No messages.\n")
    }
}

struct TerminalTextTests {
    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("한국", 4), ("ｱ", 1), ("Ａ", 2), ("🎉", 2), ("🇩🇪", 2), ("❤", 1),
        ("✅", 2), ("", 0), ("नमस्ते", 4), ("ไทย", 3), ("مرحبا", 5),
    ])
    func `width counts terminal columns`(text: String, columns: Int) {
        #expect(TerminalText.width(text) == columns)
    }

    @Test(arguments: [
        ("hello world", 5, "hell…"), ("hello", 5, "hello"), ("日本語", 5, "日本…"), ("日本語", 6, "日本語"), ("日本語", 4, "日…"),
        ("a\n\t b", 9, "a b"), ("\u{1B}[2J", 9, "\u{241B}[2J"), ("x\u{202E}y", 9, "x\u{FFFD}y"),
        ("a\u{200B}b", 9, "ab"),
        ("\u{0}\u{7F}\u{9B}", 9, "\u{2400}\u{2421}\u{FFFD}"), ("e\u{301}\u{301}\u{301}x", 9, "e\u{301}\u{301}x"),
        ("👍🏽", 9, "👍"), ("  a  ", 9, "a"), ("abc", 0, ""), ("abc", 1, "…"), ("word word", 6, "word…"),
    ])
    func `a line is cut to columns and holds nothing that drives a terminal`(
        text: String, columns: Int, expected: String
    ) {
        #expect(TerminalText.line(text, columns: columns) == expected)
    }
}
