/// Everything that an evaluation found, ready to be written in any format.
public struct EvaluationReport: Sendable {
    public var records = 0
    /// Conversations, and records without one.
    public var clusters = 0
    public var resamples = 0
    public var seed: UInt64 = 0
    public var methods: [MethodReport] = []
    public var comparisons: [Comparison] = []
    public var suspects: [Suspect] = []
    /// All suspected errors, of which ``suspects`` holds the surest.
    public var suspectCount = 0
    /// Where there is no gold: what differs between the first run and each other.
    public var changes: [Change] = []
    public var gates: [GateResult] = []
    /// What a lock file has to say; nil without one.
    public var lock: SplitLock.Finding?

    public init() {}
}

/// A number with what it rests on.
public struct Metric: Sendable {
    public var name: String
    /// nil: not defined on these records.
    public var value: Double?
    /// 95 %; nil where none was asked for, or draws were too often undefined.
    public var interval: Interval?
}

/// What one method did.
public struct MethodReport: Sendable {
    public var name: String
    public var questions: [QuestionReport]
    public var slices: [SliceReport]
    /// Per 1,000 messages; nil where unknown.
    public var seconds: Double?
    public var tokens: Double?
    public var cost: Double?

    public func question(_ question: EvaluatedQuestion) -> QuestionReport? {
        questions.first { $0.question == question }
    }
}

/// What one method did with one question.
public struct QuestionReport: Sendable {
    public var question: EvaluatedQuestion
    /// Records whose gold has the label.
    public var count: Int
    public var metrics: [Metric]
    public var confusion: ConfusionMatrix?
    public var calibration: Calibration?
    public var riskCoverage: RiskCoverage?

    public func metric(_ name: String) -> Metric? { metrics.first { $0.name == name } }
}

/// The same, on the records that share a property.
public struct SliceReport: Sendable {
    /// `language`, `english`, `platform`, `length`, `creator` or `source`.
    public var dimension: String
    public var value: String
    public var question: EvaluatedQuestion
    public var count: Int
    public var metrics: [Metric]
}

/// The second method measured against the first, on the same records.
public struct Comparison: Sendable {
    public enum Verdict: String, Sendable {
        case better, worse
        case noDifferenceSeen = "no difference seen"
    }

    public var question: EvaluatedQuestion
    public var first: String
    public var second: String
    public var metric: String
    public var firstValue: Double?
    public var secondValue: Double?
    /// Second minus first, over paired draws.
    public var difference: Double?
    public var interval: Interval?
    /// By the interval: whether the second is better than the first.
    public var verdict: Verdict
    /// What would have been seen in four of five such evaluations.
    public var smallestSeen: Double?
    /// nil where answers are not right or wrong.
    public var mcNemar: ExactMcNemar?
}

/// A record whose label is probably wrong.
public struct Suspect: Sendable {
    public var id: String
    public var question: EvaluatedQuestion
    public var gold: String
    public var answer: String
    /// Of the least sure method; nil where none is known.
    public var confidence: Double?
}

/// What differs between two runs that have no gold.
public struct Change: Sendable {
    public struct Transition: Sendable {
        public var from: String
        public var to: String
        public var count: Int
    }

    public var question: EvaluatedQuestion
    public var first: String
    public var second: String
    public var records: Int
    public var changed: Int
    /// The most frequent first, at most 50.
    public var transitions: [Transition]
    /// Of opportunities: mean |difference| of the points over all records where either run saw an offer.
    public var meanDifference: Double?
    /// The first of the records, at most 20.
    public var examples: [String]
}
