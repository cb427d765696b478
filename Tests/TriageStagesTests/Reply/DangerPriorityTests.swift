import Testing
import TriageCore

@testable import TriageStages

struct DangerPriorityTests {
    /// The priority of one message; nil category: none was found.
    private static func priority(
        _ category: TriageCore.Category?, score: Float, isDanger: Bool, cap: UInt8
    ) -> Int? {
        var batch = TextBatch.make(["..."])
        batch.records[0].category = CategoryAnswer(
            label: category, scores: [0, 0, 1, 0], level: .high, by: .categoryRules, because: 0..<0)
        batch.records[0].urgency = UrgencyAnswer(
            isUrgent: true, score: score, kind: .selfHarm, by: .urgencyRules, because: 0..<0, isDanger: isDanger)
        batch.records[0].priorityCap = cap
        PriorityStage().annotate(&batch)
        return batch.records[0].priority
    }

    @Test(arguments: [TriageCore.Category.spam, .fan, .business, nil], [Float(0), 0.1, 0.5, 1])
    func `who is in danger has ninety or more, whatever the category and whatever holds others down`(
        category: TriageCore.Category?, score: Float
    ) throws {
        for cap in [UInt8(0), 30, 100] {
            let priority = try #require(Self.priority(category, score: score, isDanger: true, cap: cap))
            #expect(priority >= 90)
            #expect(priority == max(90, Int((85 + 15 * score).rounded())))
        }
    }

    @Test func `what is urgent and no danger keeps its band and its cap`() {
        #expect(Self.priority(.fan, score: 0.2, isDanger: false, cap: 100) == 88)
        #expect(Self.priority(.fan, score: 1, isDanger: false, cap: 69) == 69)
        #expect(Self.priority(.spam, score: 1, isDanger: false, cap: 100) == 0)
    }
}
