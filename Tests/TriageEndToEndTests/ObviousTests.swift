import Foundation
import Testing

/// What needs no second look is seen for what it is, in every language that the rules know.
struct ObviousTests {
    static let languages = [
        "en", "es", "pt", "fr", "de", "it", "nl", "pl", "tr", "ru", "id", "hi", "hi-Latn", "ar", "ja", "ko", "zh",
    ]

    /// Found among those that the labels name.
    private struct Share: CustomStringConvertible {
        var found = 0
        var all = 0
        var value: Double { all == 0 ? 1 : Double(found) / Double(all) }
        var description: String { "\(found) of \(all)" }

        mutating func count(_ isFound: Bool) {
            all += 1
            found += isFound ? 1 : 0
        }
    }

    @Test("business, fans, spam and what is urgent are found in every language", arguments: languages)
    func obvious(_ language: String) throws {
        let file = ChildServer.tests.appendingPathComponent("Data/obvious/\(language).jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let gold = try lines.map { line in
            let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return try #require(record["gold"] as? [String: Any])
        }
        let outcome = try Program.run(["run", "--quiet", file.path], directory: file.deletingLastPathComponent().path)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let answers = outcome.records.compactMap { $0.map { DangerAnswer($0.triage) } }
        try #require(answers.count == gold.count)
        var shares: [String: Share] = [:]
        var falseAlarms = 0
        for (gold, answer) in zip(gold, answers) {
            let category = try #require(gold["category"] as? String)
            shares[category, default: Share()].count(answer.category == category)
            if gold["urgent"] as? Bool == true {
                shares["urgent", default: Share()].count(answer.isUrgent)
            } else if answer.isUrgent {
                falseAlarms += 1
            }
        }
        for (name, bound) in [("business", 0.85), ("fan", 0.9), ("spam", 0.85), ("urgent", 0.85)] {
            let share = try #require(shares[name])
            #expect(share.value >= bound, "\(language) \(name): \(share)")
        }
        #expect(falseAlarms <= 1, "\(language)")
    }
}
