import Testing
import TriageCore
import TriageMatching

struct PatternScanTests {
    /// Quotes of what fires, in the sender's own bytes.
    private static func quotes(_ patterns: [(Pattern.Kind, String)], in texts: [String]) throws -> [[String]] {
        try ScannedTexts(texts, patterns: patterns.map { ($0.0, $0.1) }).quotes
    }

    @Test(arguments: [
        ("free", "Get it FREE now", ["FREE"]),
        ("free", "freedom is not", []),
        ("free", "carefree", []),
        ("free", "free🔥", ["free"]),
        ("free", "ＦＲＥＥ!", ["ＦＲＥＥ"]),
        ("free", "無料free贈呈", ["free"]),
        ("win", "w\u{200B}in", ["w\u{200B}in"]),
        ("colaboração", "uma COLABORACAO e uma colaboração", ["COLABORACAO", "colaboração"]),
        ("double your money", "double\n  your   MONEY.", ["double\n  your   MONEY"]),
        ("straße", "die Strasse, die Straße", ["Strasse", "Straße"]),
        ("прайс", "скину ПРАЙС", ["ПРАЙС"]),
        ("прайс", "прайсы", []),
    ])
    func `a word matches whole words only, whatever its case, marks and widths`(
        word: String, text: String, expected: [String]
    ) throws {
        #expect(try Self.quotes([(.word, word)], in: [text]) == [expected])
    }

    @Test func `texts of a batch do not run into each other`() throws {
        let found = try Self.quotes(
            [(.word, "one two"), (.literal, "two"), (.regex, "n[a-z]+ t")], in: ["one", "two", "", "one two"])
        #expect(found.map { Set($0) } == [[], ["two"], [], ["one two", "two", "ne t"]])
    }

    @Test func `the longest end of a regex wins`() throws {
        #expect(try Self.quotes([(.regex, "lo{1,3}ng")], in: ["loong"]) == [["loong"]])
        #expect(try Self.quotes([(.regex, "x[0-9]{1,4}")], in: ["x123"]) == [["x123"]])
    }

    @Test(arguments: [
        ("[a-z0-9]{2,20}-[a-z0-9]{2,20}\\.[a-z]{2,8}", "verify here: fund-give.example", "fund-give.example"),
        ("-[a-z]{2}", "here: fund-give", "-gi"), ("\\.[a-z]{2,8}", "see fund.example", ".example"),
        ("[a-z]{4}\\.[a-z]", "my fund.e", "fund.e"), ("[0-9]{1,3} ?%", "earn 20 %", "20 %"),
        ("(^|[^a-z])mark( |$)", "mark", "mark"), ("give$", "fund and give", "give"), ("^fund", "fund it", "fund"),
    ])
    func `a regex finds the same wherever the text lies`(regex: String, text: String, quote: String) throws {
        for length in [0, 1, 7, 30, 64, 100] {
            let padded = String(repeating: "é ", count: length) + text
            let texts = (0..<64).map { String(repeating: "z", count: $0) }.flatMap { [$0, text, padded] }
            let found = try Self.quotes([(.regex, regex), (.literal, "never")], in: texts)
            for (index, hits) in found.enumerated() where index % 3 > 0 {
                let isStart = regex.hasPrefix("^") || regex.hasPrefix("(^")
                let expected = index % 3 == 2 && length > 0 && isStart ? [] : [quote]
                #expect(hits == expected || hits == [" " + quote], "\(index), \(length)")
            }
        }
    }

    @Test(arguments: [
        ("\\{\\{[a-z]+", "Hi ｛｛name"), ("a/c", "the ℀ of"), ("5-6", "５–６"), ("\\$[0-9]", "＄5"), ("[?!]{2}", "what？！"),
    ])
    func `a regex finds signs that stand there only after folding`(regex: String, text: String) throws {
        #expect(try Self.quotes([(.regex, regex)], in: [text])[0].count == 1)
    }

    @Test func `a bad regex is refused with its file and line, all at once`() {
        let error = #expect(throws: TriageErrors.self) {
            try PatternDatabase(
                rules: ScannedTexts.rules([(.regex, "(a"), (.word, "fine"), (.regex, "(?=x)y"), (.regex, "ok+")]))
        }
        #expect(error?.all.map(\.at) == ["rules.yaml:1", "rules.yaml:3"])
    }

    @Test func `a hostile text costs a bounded number of matches`() throws {
        let text = String(repeating: "free ", count: 100_000)
        let found = try Self.quotes([(.word, "free")], in: [text, "free"])
        #expect(found[0].count == Int(PatternScanStage.limitPerText))
        #expect(found[1] == ["free"])
    }
}
