/// Finds what differs between two runs over the same records, where nobody said what is right.
struct ChangeFinder {
    let set: EvaluationSet

    func changes() -> [Change] {
        guard let first = set.runs.first else { return [] }
        return set.runs.dropFirst().flatMap { other in
            // Spam or not is part of the category.
            EvaluatedQuestion.allCases.filter { $0 != .spam }.map { change($0, first, other) }
        }
    }

    private func change(_ question: EvaluatedQuestion, _ first: MethodRun, _ second: MethodRun) -> Change {
        let words = AnswerText(names: set.names)
        var change = Change(
            question: question, first: first.name, second: second.name, records: set.golds.count, changed: 0,
            transitions: [], examples: [])
        var counts: [String: (transition: Change.Transition, count: Int)] = [:]
        var (difference, offers) = (0.0, 0)
        for place in set.golds.indices {
            let (a, b) = (first.predictions[place], second.predictions[place])
            if question == .opportunity, a.opportunity != nil || b.opportunity != nil {
                offers += 1
                difference += abs((a.opportunity ?? .none).total - (b.opportunity ?? .none).total)
            }
            guard Self.differs(question, a, b) else { continue }
            change.changed += 1
            if change.examples.count < 20 { change.examples.append(set.ids[place]) }
            guard question != .opportunity else { continue }
            let (from, to) = (words.answer(question, a), words.answer(question, b))
            counts["\(from)\u{0}\(to)", default: (Change.Transition(from: from, to: to, count: 0), 0)].count += 1
        }
        change.transitions = counts.values.map {
            Change.Transition(from: $0.transition.from, to: $0.transition.to, count: $0.count)
        }.sorted { ($0.count, $1.from, $1.to) > ($1.count, $0.from, $0.to) }
        if change.transitions.count > 50 { change.transitions.removeLast(change.transitions.count - 50) }
        if question == .opportunity { change.meanDifference = ratio(difference, Double(offers)) }
        return change
    }

    private static func differs(_ question: EvaluatedQuestion, _ a: Prediction, _ b: Prediction) -> Bool {
        switch question {
        case .faq: a.faq != b.faq
        case .opportunity: a.opportunity != b.opportunity
        default: a.label(question) != b.label(question)
        }
    }
}
