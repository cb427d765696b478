import TriageCore

/// What changes did to the answers of every method, ready to be written in any format.
package struct ChangeReport: Sendable {
    /// One measure of one change, or of all changes together.
    package struct Line: Sendable {
        package var measure: ChangeMeasure
        /// Whether answers were to stay as they are; false: to become one.
        package var isSame: Bool
        /// What a direction wants; nil where answers were to stay.
        package var wanted: String?
        package var count: ChangeTally.Count
        /// nil: held against none.
        package var bound: Double?

        package var share: Double? { ratio(count.moved, count.records) }
        package var interval: WilsonInterval? { WilsonInterval(count.moved, of: count.records) }
        /// Whether more moved than may; what no record measured breaks nothing.
        package var isBroken: Bool {
            guard let bound, let share else { return false }
            return share > bound
        }
    }

    /// One change.
    package struct Entry: Sendable {
        package var id: String
        package var why: String
        package var lines: [Line]
    }

    /// One method.
    package struct Method: Sendable {
        package var name: String
        /// In the order of the file; those that applied to no record too.
        package var entries: [Entry]
        /// All changes by which an answer must stay, together; not held against a bound.
        package var total: [Line]
    }

    /// Records that were read.
    package var records: Int
    package var methods: [Method]

    /// - Parameter tallies: of each method, by the place of the change in the list.
    package init(records: Int, list: ChangeList, tallies: [(method: String, changes: [ChangeTally])]) {
        self.records = records
        methods = tallies.map { method, tallies in
            var total: [ChangeMeasure: ChangeTally.Count] = [:]
            let entries = zip(list.changes, tallies).map { change, tally in
                let lines = Self.lines(change, tally)
                for line in lines where line.isSame {
                    total[line.measure, default: ChangeTally.Count()].records += line.count.records
                    total[line.measure, default: ChangeTally.Count()].moved += line.count.moved
                }
                return Entry(id: change.id, why: change.why, lines: lines)
            }
            return Method(
                name: method, entries: entries,
                total: ChangeMeasure.allCases.compactMap { measure in
                    total[measure].map { Line(measure: measure, isSame: true, wanted: nil, count: $0, bound: nil) }
                })
        }
    }

    private static func lines(_ change: TextChange, _ tally: ChangeTally) -> [Line] {
        ChangeMeasure.allCases.compactMap { measure in
            let count = tally.counts[measure]
            var wanted: String?
            if let question = measure.question {
                switch change.expected[question] {
                case nil: return nil
                case .same: break
                case .label(let label): wanted = question.classes[Int(label)]
                }
            } else if count == nil {
                return nil
            }
            return Line(
                measure: measure, isSame: wanted == nil, wanted: wanted, count: count ?? ChangeTally.Count(),
                bound: change.bounds[measure])
        }
    }

    /// Bounds that were broken, of all methods.
    package var brokenCount: Int {
        methods.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.lines.count { $0.isBroken } } }
    }

    /// Changes that applied to no record.
    package var unused: [String] {
        (methods.first?.entries ?? []).filter { $0.lines.allSatisfy { $0.count.records == 0 } }.map(\.id)
    }
}

/// Counts what a change did to the answers of one method.
package struct ChangeTally: Sendable {
    /// One measure.
    package struct Count: Sendable, Equatable {
        /// Records that it could have moved.
        package var records = 0
        /// Answers that moved, or of a direction those that did not move as wanted.
        package var moved = 0
        /// Ids of the first of them, at most ``shown``.
        package var examples: [String] = []

        package init() {}

        mutating func add(_ id: String, isMoved: Bool) {
            records += 1
            guard isMoved else { return }
            moved += 1
            if examples.count < ChangeTally.shown { examples.append(EvaluationSet.key(id)) }
        }
    }

    package static let shown = 5

    package private(set) var counts: [ChangeMeasure: Count] = [:]

    package init() {}

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - before: the answers to it as it is.
    ///   - after: those to it changed.
    package mutating func add(_ change: TextChange, id: String, gold: Gold, before: Prediction, after: Prediction) {
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
