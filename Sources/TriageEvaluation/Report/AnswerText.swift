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
