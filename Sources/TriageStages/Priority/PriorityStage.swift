package import TriageCore

/// Computes the order in which a person should look at the messages, 0–100, in bands.
///
/// Urgent: 85 + 15·score; else negative with intensity ≥ 0.6: 70 + 14·intensity; else business: 0.69·score; else fan:
/// up to 30 (a question, no FAQ match, verified); spam: 0. The result is rounded and capped to its band. A message with
/// somebody in danger gets at least 90, whatever its category, and no cap lowers it.
package struct PriorityStage: LocalStage {
    package let name = "priority.rules"
    package let reads: Set<Field> = [
        .fields, .folded, .category, .sentiment, .urgency, .opportunity, .faq, .secondOpinion,
    ]
    package let writes: Set<Field> = [.priority]

    /// Minimum priority if somebody is in danger.
    private static let leastInDanger = 90
    private let questions = QuestionOpening()

    package init() {}

    package func annotate(_ batch: inout Batch) {
        batch.withAnswerView { view in
            view.forEachAsked { record in
                if let urgency = record.pointee.urgency, urgency.isDanger {
                    record.pointee.priority = Self.urgent(urgency, from: Self.leastInDanger)
                } else {
                    record.pointee.priority = min(priority(of: record, view), Int(record.pointee.priorityCap))
                }
            }
        }
    }

    private static func urgent(_ urgency: UrgencyAnswer, from least: Int) -> Int {
        min(100, max(least, Int((85 + 15 * urgency.score).rounded())))
    }

    /// Returns the priority of one annotated record without danger.
    private func priority(of record: UnsafePointer<Record>, _ view: AnswerView) -> Int {
        let label = record.pointee.category?.label
        if label == .spam { return 0 }
        if let urgency = record.pointee.urgency, urgency.isUrgent { return Self.urgent(urgency, from: 85) }
        if let sentiment = record.pointee.sentiment, sentiment.label == .negative {
            // Rounded as printed, so that a reader of the record computes the same band.
            let percent = Int(Double(sentiment.intensity * 100) + 0.5)
            if percent >= 60 { return min(84, max(70, (7000 + 14 * percent + 50) / 100)) }
        }
        if label == .business {
            // In integers, so that .5 rounds up exactly.
            let score = record.pointee.opportunity?.score ?? 0
            return min(69, (score * 69 + 50) / 100)
        }
        guard label == .fan else { return 0 }
        var points = 5
        if questions.asks(record, view) { points += 10 }
        if record.pointee.faq == nil { points += 5 }
        if record.pointee.fields.isVerified == true { points += 10 }
        return min(30, points)
    }
}
