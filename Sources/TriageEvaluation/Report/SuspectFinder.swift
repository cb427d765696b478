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
