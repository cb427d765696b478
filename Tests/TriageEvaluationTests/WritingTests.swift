import Testing
import TriageCore

@testable import TriageEvaluation

/// What reports look like, whatever stands in ids and names.
struct WritingTests {
    @Test(
        arguments: [
            (1.0, 3, "1.000"), (0.9995, 3, "1.000"), (-0.0004, 3, "0.000"), (-0.0005, 3, "-0.001"), (12.345, 1, "12.3"),
            (2.5, 0, "3"), (0.05, 2, "0.05"), (Double.nan, 3, "-"), (Double.infinity, 3, "-"), (1e300, 3, "-"),
        ] as [(Double, Int, String)])
    func `numbers are rounded half away from zero and never written as minus zero`(
        value: Double, places: Int, text: String
    ) {
        #expect(NumberText.fixed(value, places: places) == text)
    }

    @Test(arguments: [
        ("plain", "plain"), ("=1+1", "'=1+1"), ("@x", "'@x"), ("-1", "'-1"), ("a,b", "\"a,b\""),
        ("say \"x\"", "\"say \"\"x\"\"\""), ("=a,b", "\"'=a,b\""),
    ])
    func `no cell is a formula`(text: String, cell: String) {
        #expect(ReportCSV.cell(text) == cell)
    }

    @Test(arguments: [
        ("<a href='x'>&\"", "&lt;a href=&#39;x&#39;&gt;&amp;&quot;"), ("a\u{0}b\u{1B}", "a\u{FFFD}b\u{FFFD}"),
        ("\u{202E}x\u{200B}", "\u{FFFD}x\u{FFFD}"), ("é😀", "é😀"),
    ])
    func `markup and hidden characters come out harmless`(text: String, escaped: String) {
        #expect(MarkupText.escaped(text) == escaped)
    }

    @Test(arguments: [
        ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="), ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
    ])
    func `the policy names the style by its digest`(text: String, digest: String) {
        #expect(SHA256.base64(text) == digest)
    }

    @Test func `no name or id passes for a line of the table`() throws {
        let forged = #"x\ngates\n  passed"#
        let gold = [1, 2].map {
            Array(
                #"{"id":"\#(forged)\#($0)","platform":"\#(forged)\#($0)","text":"t","gold":{"category":"fan"}}"#.utf8)
        }
        let answers = [1, 2].map {
            Array(#"{"id":"\#(forged)\#($0)","prediction":{"category":{"label":"spam","confidence":0.9}}}"#.utf8)
        }
        let set = try ExpectedNumbers.set(gold: gold, runs: [("one", answers), ("two", answers)])
        var options = Evaluator.Options()
        options.resamples = 0
        var report = Evaluator(set, options: options).report()
        report.lock = SplitLock().finding(set)
        let lines = ReportTable.text(report).split(separator: "\n")
        #expect(report.suspectCount > 0)
        #expect(!lines.contains { $0.hasPrefix("gates") || $0.hasPrefix("  passed") })
    }

    /// A report in which every name is hostile.
    private func report() throws -> EvaluationReport {
        let hostile = #"<x a=\"1\">&\n]]>"#
        let gold = (0..<6).map { place in
            Array(
                #"{"id":"\#(hostile)\#(place)","lang":"\#(hostile)","platform":"p\#(place % 2)","text":"t","gold":{"category":"fan","faq_id":"\#(hostile)"}}"#
                    .utf8)
        }
        let answers = (0..<6).map { place in
            Array(
                #"{"id":"\#(hostile)\#(place)","prediction":{"category":{"label":"spam","confidence":0.9},"faq_id":"=\#(hostile)"}}"#
                    .utf8)
        }
        let set = try ExpectedNumbers.set(gold: gold, runs: [("<one>", answers), ("=two", answers)])
        var options = Evaluator.Options()
        options.resamples = 10
        var report = Evaluator(set, options: options).report()
        report.gates = [try Gate("category.macro_f1>=0.5").result(in: report)]
        report.lock = SplitLock().finding(set)
        return report
    }

    /// Names of elements that stand open at the end, or an element that closes what is not open.
    private func unbalanced(_ markup: String, void: Set<String>) -> [String] {
        var open: [String] = []
        for part in markup.split(separator: "<").dropFirst() {
            guard let end = part.firstIndex(of: ">") else { return ["no end: \(part.prefix(20))"] }
            let tag = part[..<end]
            let name = String(tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber })
            if tag.hasPrefix("?") || tag.hasPrefix("!") || tag.hasSuffix("/") || void.contains(name) { continue }
            if tag.hasPrefix("/") {
                guard open.popLast() == name else { return ["closes \(name)"] }
            } else {
                open.append(name)
            }
        }
        return open
    }

    @Test func `pages and build reports stay well-formed with hostile names`() throws {
        let report = try report()
        #expect(unbalanced(ReportHTML.text(report), void: ["meta"]).isEmpty)
        let junit = ReportJUnit.text(report)
        #expect(unbalanced(junit, void: []).isEmpty)
        #expect(junit.contains("failures=\"2\""))
        #expect(junit.contains("<failure message=\"is 0.0\"/>"))
    }

    @Test func `a table has no line that begins with what records say`() throws {
        let text = ReportTable.text(try report())
        #expect(text.contains("labels that are probably wrong: 12"))
        #expect(text.contains("missed"))
    }

    @Test func `every row of numbers has the columns of its head`() throws {
        let rows = ReportCSV.text(try report()).split(separator: "\n")
        #expect(rows.count > 20)
        for row in rows where !row.contains("\"") { #expect(row.count { $0 == "," } == 8, "\(row)") }
    }

    @Test(arguments: EvaluatedQuestion.allCases)
    func `every metric that a report can hold is one that a gate can name`(question: EvaluatedQuestion) throws {
        for name in Gate.metrics(question) { _ = try Gate("\(question.rawValue).\(name)>=0") }
        for method in try report().methods {
            for metric in method.question(question)?.metrics ?? [] {
                #expect(Gate.metrics(question).contains(metric.name), "\(metric.name)")
            }
        }
    }
}
