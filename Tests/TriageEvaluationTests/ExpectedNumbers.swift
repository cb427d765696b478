import Foundation
import TriageCore

@testable import TriageEvaluation

/// What other programs computed, and the records that they computed it from.
struct ExpectedNumbers {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Data/evaluation")

    let root: [String: Any]

    init() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "expected.json"))
        root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    static func lines(_ name: String) throws -> [[UInt8]] {
        Array(try Data(contentsOf: folder.appending(path: name))).split(separator: 0x0A).map(Array.init)
    }

    /// A set with both of its runs.
    static func set(_ name: String) throws -> EvaluationSet {
        try set(
            gold: lines("\(name)-gold.jsonl"),
            runs: [("first", lines("\(name)-first.jsonl")), ("second", lines("\(name)-second.jsonl"))])
    }

    static func set(gold: [[UInt8]], runs: [(name: String, lines: [[UInt8]])]) throws -> EvaluationSet {
        var set = EvaluationSet()
        let reader = GoldReader()
        for line in gold {
            try line.withUnsafeBufferPointer { bytes in
                let gold = try reader.gold(bytes, in: &set)
                _ = set.add(id: reader.id(bytes) ?? "?", gold)
            }
        }
        for run in runs {
            var answers = MethodRun(
                name: run.name, predictions: Array(repeating: Prediction(), count: set.golds.count))
            var names = set.names
            for line in run.lines {
                line.withUnsafeBufferPointer { bytes in
                    guard let place = set.place(of: reader.id(bytes) ?? "?") else { return }
                    answers.predictions[place] =
                        PredictionReader().prediction(bytes, gold: set.golds[place], names: &names).0
                }
            }
            set.names = names
            set.runs.append(answers)
        }
        return set
    }
}

/// Whether two numbers are the same to 1e-9, or both are none.
func isSame(_ number: Double?, _ expected: Any?) -> Bool {
    guard let wanted = expected as? Double else { return number == nil }
    guard let number else { return false }
    return abs(number - wanted) <= 1e-9 * max(1, abs(wanted))
}
