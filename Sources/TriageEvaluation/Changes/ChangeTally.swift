import TriageCore

/// Counts what a change did to the answers of one method.
public struct ChangeTally: Sendable {
    /// One measure.
    public struct Count: Sendable, Equatable {
        /// Records that it could have moved.
        public var records = 0
        /// Answers that moved, or of a direction those that did not move as wanted.
        public var moved = 0
        /// Ids of the first of them, at most ``shown``.
        public var examples: [String] = []

        public init() {}

        mutating func add(_ id: String, isMoved: Bool) {
            records += 1
            guard isMoved else { return }
            moved += 1
            if examples.count < ChangeTally.shown { examples.append(EvaluationSet.key(id)) }
        }
    }

    public static let shown = 5

    public private(set) var counts: [ChangeMeasure: Count] = [:]

    public init() {}

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - before: the answers to it as it is.
    ///   - after: those to it changed.
    public mutating func add(_ change: TextChange, id: String, gold: Gold, before: Prediction, after: Prediction) {
        for measure in ChangeMeasure.allCases {
            guard let question = measure.question else { continue }
            switch change.expected[question] {
            case nil: break
            case .same:
                counts[measure, default: Count()].add(
                    id, isMoved: before.label(question) != after.label(question))
            case .label(let wanted):
                counts[measure, default: Count()].add(id, isMoved: after.label(question) != wanted)
            }
        }
        guard change.expected[.category] == .same, before.label(.spam) == 0 else { return }
        let measure: ChangeMeasure
        switch gold.category {
        case Category.fan.rawValue: measure = .fanToSpam
        case Category.business.rawValue: measure = .offerToSpam
        default: return
        }
        counts[measure, default: Count()].add(id, isMoved: after.label(.spam) == 1)
    }
}
