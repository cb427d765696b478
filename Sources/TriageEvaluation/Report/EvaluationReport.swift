/// Everything that an evaluation found, ready to be written in any format.
package struct EvaluationReport: Sendable {
    package var records = 0
    /// Conversations, and records without one.
    package var clusters = 0
    package var resamples = 0
    package var seed: UInt64 = 0
    package var methods: [MethodReport] = []
    package var comparisons: [Comparison] = []
    package var suspects: [Suspect] = []
    /// All suspected errors, of which ``suspects`` holds the surest.
    package var suspectCount = 0
    /// Where there is no gold: what differs between the first run and each other.
    package var changes: [Change] = []
    package var gates: [GateResult] = []
    /// What a lock file has to say; nil without one.
    package var lock: SplitLock.Finding?

    package init() {}
}

/// A number with what it rests on.
package struct Metric: Sendable {
    package var name: String
    /// nil: not defined on these records.
    package var value: Double?
    /// 95 %; nil where none was asked for, or draws were too often undefined.
    package var interval: Interval?
}

/// What one method did.
package struct MethodReport: Sendable {
    package var name: String
    package var questions: [QuestionReport]
    package var slices: [SliceReport]
    /// Per 1,000 messages; nil where unknown.
    package var seconds: Double?
    package var tokens: Double?
    package var cost: Double?

    package func question(_ question: EvaluatedQuestion) -> QuestionReport? {
        questions.first { $0.question == question }
    }
}

/// What one method did with one question.
package struct QuestionReport: Sendable {
    package var question: EvaluatedQuestion
    /// Records whose gold has the label.
    package var count: Int
    package var metrics: [Metric]
    package var confusion: ConfusionMatrix?
    package var calibration: Calibration?
    package var riskCoverage: RiskCoverage?

    package func metric(_ name: String) -> Metric? { metrics.first { $0.name == name } }
}

/// The same, on the records that share a property.
package struct SliceReport: Sendable {
    /// `language`, `english`, `platform`, `length`, `creator` or `source`.
    package var dimension: String
    package var value: String
    package var question: EvaluatedQuestion
    package var count: Int
    package var metrics: [Metric]
}

/// The second method measured against the first, on the same records.
package struct Comparison: Sendable {
    package enum Verdict: String, Sendable {
        case better, worse
        case noDifferenceSeen = "no difference seen"
    }

    package var question: EvaluatedQuestion
    package var first: String
    package var second: String
    package var metric: String
    package var firstValue: Double?
    package var secondValue: Double?
    /// Second minus first, over paired draws.
    package var difference: Double?
    package var interval: Interval?
    /// By the interval: whether the second is better than the first.
    package var verdict: Verdict
    /// What would have been seen in four of five such evaluations.
    package var smallestSeen: Double?
    /// nil where answers are not right or wrong.
    package var mcNemar: ExactMcNemar?
}

/// A record whose label is probably wrong.
package struct Suspect: Sendable {
    package var id: String
    package var question: EvaluatedQuestion
    package var gold: String
    package var answer: String
    /// Of the least sure method; nil where none is known.
    package var confidence: Double?
}

/// What differs between two runs that have no gold.
package struct Change: Sendable {
    package struct Transition: Sendable {
        package var from: String
        package var to: String
        package var count: Int
    }

    package var question: EvaluatedQuestion
    package var first: String
    package var second: String
    package var records: Int
    package var changed: Int
    /// The most frequent first, at most 50.
    package var transitions: [Transition]
    /// Of opportunities: mean |difference| of the points over all records where either run saw an offer.
    package var meanDifference: Double?
    /// The first of the records, at most 20.
    package var examples: [String]
}
