import Testing

@testable import TriageEvaluation

/// What gates can name.
struct GateTests {
    /// Values that could be taken for a part of a gate.
    static let values = [
        "a:b", "model:category.accuracy", "x@y", "category.accuracy@source=z", "a=b", "p>=1", "p<0.5", " blank ",
        "blank",
        "a. b", "other", "none", "é", ":", "@", ">",
    ]

    /// More creators than are listed, of the values and of nobody.
    private func report() throws -> EvaluationReport {
        let creators = Self.values + (0..<30).map { "c\($0)" }
        var gold: [[UInt8]] = [Array(#"{"id":"nobody","text":"t","gold":{"category":"fan"}}"#.utf8)]
        // Those with the values are the more frequent ones; each has an accuracy of its own.
        for (place, creator) in creators.enumerated() {
            for number in 0..<(place < Self.values.count ? place + 2 : 1) {
                gold.append(
                    Array(
                        #"{"id":"\#(place)-\#(number)","creator":"\#(creator)","text":"t","gold":{"category":"fan"}}"#
                            .utf8)
                )
            }
        }
        let answers = creators.indices.map { place in
            Array(#"{"id":"\#(place)-0","prediction":{"category":"fan"}}"#.utf8)
        }
        let names = ["model", "model:lang", "llm:x@host:1", "old run", "category.x", "a>b"]
        let set = try ExpectedNumbers.set(gold: gold, runs: names.map { ($0, answers) })
        var options = Evaluator.Options()
        options.resamples = 0
        return Evaluator(set, options: options).report()
    }

    @Test func `every slice that a report holds is one that a gate can name, of every method`() throws {
        let report = try report()
        for method in report.methods {
            let slices = method.slices.filter { $0.question == .category }
            #expect(slices.count > 30)
            for slice in slices {
                let value = slice.metrics.first { $0.name == "accuracy" }?.value
                let gate = try Gate("\(method.name):category.accuracy@\(slice.dimension)=\(slice.value)>=0.2")
                let result = try gate.result(in: report)
                #expect(result.method == method.name && result.value == value, "\(gate.text)")
            }
        }
    }

    @Test func `no two slices of a dimension are called the same`() throws {
        let slices = try report().methods[0].slices.filter { $0.question == .category }
        let names = slices.map { "\($0.dimension)=\($0.value)" }
        #expect(Set(names).count == names.count, "\(names)")
    }

    @Test(arguments: [
        ("category.accuracy@creator=a:b>=0.2", "model"), ("model:lang : category.accuracy >= 0.2", "model:lang"),
        ("llm:x@host:1:category.accuracy@creator=x@y>=0.2", "llm:x@host:1"),
    ])
    func `a method is named before the question, and signs in a value are part of it`(
        text: String, method: String
    ) throws {
        #expect(try Gate(text).result(in: try report()).method == method)
    }

    @Test(arguments: [
        ("model:lang:en.category.macro_f1>=0.9", "evaluate.unknown-metric"),
        ("model:category.accuracy@mood=a:b>=0.9", "evaluate.bad-gate"),
        ("model:accuracy>=0.9", "evaluate.unknown-metric"), (":category.accuracy@x>=0.9", "evaluate.bad-gate"),
    ])
    func `what is no gate is refused with the way to write it`(text: String, code: String) {
        let error = #expect(throws: (any Error).self) { try Gate(text) }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.contains("[\(code)]") && words.contains("fix:"), "\(words)")
    }
}

/// Records are told apart by the bytes of their ids.
struct EvaluationSetTests {
    @Test func `ids and conversations that differ in their bytes alone are different ones`() {
        var set = EvaluationSet()
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(set.add(id: composed, Gold()) == 0)
        #expect(set.place(of: decomposed) == nil)
        #expect(set.add(id: decomposed, Gold()) == 1)
        #expect(set.add(id: composed, Gold()) == nil)
        #expect(set.place(of: composed) == 0 && set.place(of: decomposed) == 1)
        #expect(set.cluster(composed) != set.cluster(decomposed))
        #expect(set.cluster(composed) == set.cluster(composed))
    }
}
