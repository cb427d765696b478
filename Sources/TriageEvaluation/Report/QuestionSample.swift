/// One question of one method: what is counted, and what is plotted.
struct QuestionSample {
    enum Kind {
        case classes(ClassSample)
        case faq(FAQSample)
        case opportunity(OpportunitySample)
        /// While the sample is being added to: two copies of it would make every record a copy of all.
        case taken
    }

    let question: EvaluatedQuestion
    private(set) var kind: Kind

    init(_ question: EvaluatedQuestion) {
        self.question = question
        kind =
            switch question {
            case .faq: .faq(FAQSample())
            case .opportunity: .opportunity(OpportunitySample())
            default: .classes(ClassSample(question))
            }
    }

    var count: Int {
        switch kind {
        case .classes(let sample): sample.count
        case .faq(let sample): sample.count
        case .opportunity(let sample): sample.count
        case .taken: 0
        }
    }

    var statistic: any Statistic {
        switch kind {
        case .classes(let sample): sample
        case .faq(let sample): sample
        case .opportunity(let sample): sample
        case .taken: OpportunitySample()
        }
    }

    /// Adds a record if its gold has the label.
    mutating func add(_ gold: Gold, _ prediction: Prediction) {
        switch kind {
        case .classes(var sample):
            guard let label = gold.label(question) else { return }
            kind = .taken
            sample.add(gold: label, predicted: prediction.label(question), cluster: gold.cluster)
            kind = .classes(sample)
        case .faq(var sample):
            guard gold.hasFAQ else { return }
            kind = .taken
            sample.add(gold: gold.faq, prediction: prediction, cluster: gold.cluster)
            kind = .faq(sample)
        case .opportunity(var sample):
            guard let points = gold.opportunity else { return }
            kind = .taken
            sample.add(gold: points, predicted: prediction.opportunity, cluster: gold.cluster)
            kind = .opportunity(sample)
        case .taken: break
        }
    }

    /// To be called once behind the last record.
    mutating func finish() {
        guard case .opportunity(var sample) = kind else { return }
        sample.finish()
        kind = .opportunity(sample)
    }

    var confusion: ConfusionMatrix? {
        if case .classes(let sample) = kind { sample.matrix(weights: nil) } else { nil }
    }
}

extension EvaluatedQuestion {
    /// Whether an answer is right; nil where the gold does not have the label or answers are not right or wrong.
    func isRight(_ prediction: Prediction, _ gold: Gold) -> Bool? {
        switch self {
        case .opportunity: nil
        case .faq: gold.hasFAQ ? prediction.faq == gold.faq : nil
        default: gold.label(self).map { $0 == prediction.label(self) }
        }
    }
}
