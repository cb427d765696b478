/// Finds labels that are probably wrong.
///
/// All methods give one and the same other answer, and all that say how sure they are are sure (the idea of confident
/// learning, Northcutt et al., JAIR 2021, without its estimate of the noise). Of methods that do not say, it takes two.
struct SuspectFinder {
    let set: EvaluationSet
    let options: Evaluator.Options

    /// The surest, and how many there are.
    func suspects(_ questions: [EvaluatedQuestion]) -> ([Suspect], Int) {
        var found: [(place: Int, question: EvaluatedQuestion, confidence: Double?)] = []
        for question in questions where question != .opportunity {
            for place in set.golds.indices {
                if let confidence = disagreement(question, at: place) { found.append((place, question, confidence)) }
            }
        }
        let words = AnswerText(names: set.names)
        let surest = found.sorted { ($0.confidence ?? 0, $1.place) > ($1.confidence ?? 0, $0.place) }
        let listed = surest.prefix(options.suspectLimit).map { item in
            Suspect(
                id: set.ids[item.place], question: item.question,
                gold: words.gold(item.question, set.golds[item.place]),
                answer: words.answer(item.question, set.runs[0].predictions[item.place]), confidence: item.confidence)
        }
        return (listed, found.count)
    }

    /// How sure the least sure method is; nil when they do not agree against the gold.
    private func disagreement(_ question: EvaluatedQuestion, at place: Int) -> Double?? {
        guard let first = set.runs.first?.predictions[place] else { return nil }
        var least: Double?
        for run in set.runs {
            let prediction = run.predictions[place]
            guard question.isRight(prediction, set.golds[place]) == false else { return nil }
            if question == .faq {
                // That nothing was found says little; only another entry speaks against the label.
                guard prediction.faq != Gold.noEntry, prediction.faqIsHigh, prediction.faq == first.faq else {
                    return nil
                }
            } else {
                guard let label = prediction.label(question), label == first.label(question) else { return nil }
            }
            if let confidence = prediction.confidence(question) { least = min(least ?? 1, confidence) }
        }
        let isSure = least.map { $0 >= options.suspectConfidence } ?? (set.runs.count > 1)
        return isSure ? .some(least) : nil
    }
}

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

/// Answers and labels in words.
struct AnswerText {
    let names: Names

    func gold(_ question: EvaluatedQuestion, _ gold: Gold) -> String {
        if question == .faq { return entry(gold.faq) }
        return gold.label(question).map { question.classes[Int($0)] } ?? "none"
    }

    func answer(_ question: EvaluatedQuestion, _ prediction: Prediction) -> String {
        switch question {
        case .faq: return entry(prediction.faq)
        case .opportunity: return prediction.opportunity.map { "\(Int($0.total.rounded()))" } ?? "none"
        default:
            guard let label = prediction.label(question), question.classes.indices.contains(Int(label)) else {
                return "none"
            }
            return question.classes[Int(label)]
        }
    }

    private func entry(_ number: UInt32) -> String {
        names.texts.indices.contains(Int(number)) ? names.texts[Int(number)] : "none"
    }
}
