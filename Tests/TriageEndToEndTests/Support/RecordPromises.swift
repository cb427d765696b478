import Foundation

/// What holds for every annotated message, whatever it says.
enum RecordPromises {
    /// The promises that a record breaks, in words; empty when it keeps them all.
    static func faults(of record: Annotated) -> [String] {
        let text = Array((record.whole["text"] as? String ?? "").utf8)
        var faults: [String] = []
        func expect(_ holds: Bool, _ words: String) {
            if !holds { faults.append(words) }
        }

        for (question, reasons) in allReasons(in: record.triage) {
            expect(reasons.count <= 8, "\(question): at most eight reasons")
            expect(!reasons.isEmpty, "\(question): empty lists are left out")
            let signed = reasons.compactMap { $0["weight"] as? Double }
            expect(signed.count == reasons.count, "\(question): each reason has a weight")
            // The first one supports the answer, if any does; apart from it the strongest comes first.
            let first = signed.first ?? 0
            expect(first >= 0 || signed.allSatisfy { $0 <= 0 }, "\(question): the first reason supports the answer")
            let others = signed.dropFirst(signed.dropFirst().contains { abs($0) > abs(first) } ? 1 : 0).map(abs)
            expect(others == others.sorted(by: >), "\(question): the strongest reason comes first")
            for reason in reasons {
                expect(reason["signal"] is String, "\(question): each reason names its signal")
                guard let quote = reason["quote"] as? String else {
                    expect(reason["start"] == nil && reason["end"] == nil, "\(question): no place without a quote")
                    continue
                }
                guard let start = reason["start"] as? Int, let end = reason["end"] as? Int,
                    (0...text.count).contains(start), (start...max(start, text.count)).contains(end)
                else {
                    faults.append("\(question): a quote's place lies outside of the text")
                    continue
                }
                expect(text[start..<end].elementsEqual(quote.utf8), "\(question): the quote is the bytes at its place")
            }
        }

        let category = record["category", "label"] as? String
        if let scores = record["category", "scores"] as? [String: Double] {
            expect(Set(scores.keys) == ["fan", "business", "spam"], "all categories have a score")
            expect(abs(scores.values.reduce(0, +) - 1) < 1e-9, "scores sum to 1")
            expect(category.flatMap { scores[$0] } == scores.values.max(), "the label has the best score")
            let confidence = record["category", "confidence"] as? Double
            expect(confidence == category.flatMap { scores[$0] }, "the confidence is the score of the label")
        }
        expect(category != nil || text.isEmpty, "a message with text has a category")

        if record["urgency", "urgent"] as? Bool == true {
            let reasons = record["urgency", "because"] as? [[String: Any]] ?? []
            expect(reasons.contains { $0["quote"] is String }, "urgent with a reason that can be quoted")
        }

        let isOffer = record.triage["opportunity"] is [String: Any]
        expect((category == "business") == isOffer, "business has an opportunity, and nothing else has")
        if let score = record["opportunity", "score"] as? Int,
            let breakdown = record["opportunity", "breakdown"] as? [String: [String: Any]]
        {
            let parts = breakdown.values.compactMap { $0["points"] as? Int }
            let maxima = breakdown.values.compactMap { $0["of"] as? Int }
            expect(Set(breakdown.keys) == ["monetary", "brand_fit", "legitimacy", "urgency"], "four parts")
            expect(parts.reduce(0, +) == score, "the parts sum to the score")
            expect(maxima.reduce(0, +) == 100, "the maxima sum to 100")
            expect(zip(parts, maxima).allSatisfy { (0...$1).contains($0) }, "no part is above its maximum")
            let tier = score >= 90 ? "gold" : score >= 70 ? "blue" : score >= 50 ? "gray" : nil
            expect(record["opportunity", "tier"] as? String == tier, "the tier follows from the score")
            let stars = record["opportunity", "stars"] as? Double ?? -1
            expect(abs(stars - Double(score) / 20) <= 0.0501, "stars are a twentieth of the score")
        }

        if category == "spam" { expect(isNull(record.triage["draft"]), "no draft for spam") }
        if let priority = record.triage["priority"] as? Int {
            expect(band(of: record).contains(priority), "priority \(priority) lies in its band \(band(of: record))")
        } else if !text.isEmpty {
            faults.append("a message with text has a priority")
        }
        return faults
    }

    /// The band of priorities that the other answers lead to.
    private static func band(of record: Annotated) -> ClosedRange<Int> {
        func near(_ value: Double, _ low: Int, _ high: Int) -> ClosedRange<Int> {
            // Scores are printed rounded.
            let exact = Int(value.rounded())
            return max(low, min(high, exact - 1))...max(low, min(high, exact + 1))
        }
        let category = record["category", "label"] as? String
        if category == "spam" { return 0...0 }
        if record["urgency", "urgent"] as? Bool == true {
            return near(85 + 15 * (record["urgency", "score"] as? Double ?? 0), 85, 100)
        }
        let intensity = record["sentiment", "intensity"] as? Double ?? 0
        if record["sentiment", "label"] as? String == "negative", intensity >= 0.6 {
            return near(70 + 14 * intensity, 70, 84)
        }
        switch category {
        case "business": return near(0.69 * Double(record["opportunity", "score"] as? Int ?? 0), 0, 69)
        case "fan": return 0...30
        default: return 0...0
        }
    }

    /// The reasons of every question, and of every part of an opportunity.
    private static func allReasons(in triage: [String: Any]) -> [(String, [[String: Any]])] {
        var found: [(String, [[String: Any]])] = []
        for (name, answer) in triage {
            guard let answer = answer as? [String: Any] else { continue }
            if let reasons = answer["because"] as? [[String: Any]] { found.append((name, reasons)) }
            for (part, value) in answer["breakdown"] as? [String: [String: Any]] ?? [:] {
                if let reasons = value["because"] as? [[String: Any]] { found.append(("\(name).\(part)", reasons)) }
            }
        }
        return found
    }
}
