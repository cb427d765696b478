/// Makes the report of an evaluation.
package struct Evaluator {
    /// How it is computed.
    package struct Options: Sendable {
        /// Draws of the bootstrap; 0: no intervals.
        package var resamples = 1000
        package var seed: UInt64 = 20_261_001
        /// Suspected gold errors that are listed.
        package var suspectLimit = 100
        /// How sure an answer must be to speak against the gold.
        package var suspectConfidence = 0.8

        package init() {}
    }

    let set: EvaluationSet
    let options: Options
    /// Questions that at least one label asks.
    private let questions: [EvaluatedQuestion]

    package init(_ set: EvaluationSet, options: Options = Options()) {
        self.set = set
        self.options = options
        questions = EvaluatedQuestion.allCases.filter { question in
            set.golds.contains { gold in
                switch question {
                case .opportunity: gold.opportunity != nil
                case .faq: gold.hasFAQ
                default: gold.label(question) != nil
                }
            }
        }
    }

    /// Everything but gates and lock.
    package func report() -> EvaluationReport {
        var report = EvaluationReport()
        report.records = set.golds.count
        report.clusters = set.clusterCount
        report.resamples = options.resamples
        report.seed = options.seed
        guard set.isLabelled else {
            report.methods = set.runs.map { method($0, questions: [], slices: []) }
            report.changes = ChangeFinder(set: set).changes()
            return report
        }
        let samples = set.runs.map { run in questions.map { sample($0, of: run) } }
        let bootstrap = ClusterBootstrap(
            clusterCount: set.clusterCount, resamples: options.resamples, seed: options.seed)
        let draws = bootstrap.run(samples.flatMap { $0.map(\.statistic) })
        for (place, run) in set.runs.enumerated() {
            let reports = questions.indices.map { index in
                question(samples[place][index], of: run, draws: draws[place * questions.count + index])
            }
            report.methods.append(method(run, questions: reports, slices: slices(of: run)))
        }
        for other in set.runs.indices.dropFirst() {
            for index in questions.indices {
                report.comparisons.append(
                    comparison(
                        questions[index], report.methods[0], report.methods[other], other,
                        draws[index], draws[other * questions.count + index]))
            }
        }
        (report.suspects, report.suspectCount) = SuspectFinder(set: set, options: options).suspects(questions)
        return report
    }

    private func method(_ run: MethodRun, questions: [QuestionReport], slices: [SliceReport]) -> MethodReport {
        let thousands = Double(max(1, set.golds.count)) / 1000
        return MethodReport(
            name: run.name, questions: questions, slices: slices, seconds: run.seconds.map { $0 / thousands },
            tokens: run.tokens.map { $0 / thousands }, cost: run.cost.map { $0 / thousands })
    }

    private func sample(_ question: EvaluatedQuestion, of run: MethodRun) -> QuestionSample {
        var sample = QuestionSample(question)
        for (gold, prediction) in zip(set.golds, run.predictions) { sample.add(gold, prediction) }
        sample.finish()
        return sample
    }

    static func metrics(_ statistic: any Statistic, draws: [[Double]]) -> [Metric] {
        let values = statistic.values(weights: nil)
        return zip(statistic.names, values).enumerated().map { index, pair in
            var metric = Metric(name: pair.0, value: pair.1)
            // Draws that never vary (no error in any of few records) show how little is known, not how sure it is.
            if pair.1 != nil, draws.indices.contains(index), let interval = Interval(draws[index]),
                interval.low < interval.high
            {
                metric.interval = interval
            }
            return metric
        }
    }

    private func question(_ sample: QuestionSample, of run: MethodRun, draws: [[Double]]) -> QuestionReport {
        var report = QuestionReport(
            question: sample.question, count: sample.count, metrics: Self.metrics(sample.statistic, draws: draws),
            confusion: sample.confusion)
        calibrate(&report, run)
        return report
    }

    /// Adds what probabilities are worth, where the method states any.
    private func calibrate(_ report: inout QuestionReport, _ run: MethodRun) {
        let question = report.question
        guard question != .opportunity else { return }
        var stated: [(probability: Double, cameTrue: Bool)] = []
        var sure: [(confidence: Double, isRight: Bool)] = []
        var (squares, scored) = (0.0, 0)
        for (gold, prediction) in zip(set.golds, run.predictions) {
            guard let isRight = question.isRight(prediction, gold) else { continue }
            // Of the FAQ only answers that were given state anything.
            if question == .faq, prediction.faq == Gold.noEntry { continue }
            if let probability = prediction.probability(question) {
                stated.append((probability, question.isBinary ? gold.label(question) == 1 : isRight))
            }
            if let confidence = prediction.confidence(question) { sure.append((confidence, isRight)) }
            if question == .category, let scores = prediction.categoryScores {
                for label in 0..<3 {
                    let miss = Double(scores[label]) - (Int(gold.category) == label ? 1 : 0)
                    squares += miss * miss
                }
                scored += 1
            }
        }
        guard !stated.isEmpty else { return }
        let calibration = Calibration(stated)
        let curve = RiskCoverage(sure)
        report.calibration = calibration
        report.riskCoverage = curve
        report.metrics += [
            Metric(name: "ece", value: calibration.ece), Metric(name: "brier", value: calibration.brier),
        ]
        if question == .category {
            report.metrics.append(Metric(name: "brier_all_classes", value: ratio(squares, Double(scored))))
        }
        report.metrics += [
            Metric(name: "aurc", value: curve.aurc), Metric(name: "accuracy_at_50", value: curve.accuracy(at: 0.5)),
            Metric(name: "accuracy_at_80", value: curve.accuracy(at: 0.8)),
            Metric(name: "accuracy_at_90", value: curve.accuracy(at: 0.9)),
        ]
    }

    // MARK: Slices

    /// Values of a dimension that are listed; the rarer ones are taken together as `other`.
    private static let valueLimit = 30

    private func slices(of run: MethodRun) -> [SliceReport] {
        var reports: [SliceReport] = []
        var samples: [QuestionSample] = []
        // English or not: single other languages are often too few to say anything.
        let english = Set(
            set.names.texts.indices.lazy.filter { Self.isEnglish(set.names.texts[$0]) }.map { UInt32($0) })
        var dimensions = Self.dimensions
        dimensions.append(Dimension(name: "english") { english.contains($0.language) ? 0 : 1 })
        for (dimension, key) in dimensions.map({ ($0.name, $0.key) }) {
            var counts: [UInt32: Int] = [:]
            for gold in set.golds { counts[key(gold), default: 0] += 1 }
            guard counts.count > 1 || dimension == "length" else { continue }
            let kept = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.valueLimit).map(\.key)
            let isKept = Set(kept)
            let isCut = counts.count > kept.count
            // Records may say `other` or `none` themselves.
            let isNamed = dimension != "english" && dimension != "length"
            let said = Set(isNamed ? kept.filter { $0 != 0 }.map { set.names.texts[Int($0)] } : [])
            func free(_ word: String) -> String { said.contains(word) ? free("(\(word))") : word }
            func name(_ value: UInt32) -> String { self.name(value, in: dimension, none: free("none")) }
            let order = kept.sorted { dimension == "length" ? $0 < $1 : name($0) < name($1) }
            for question in questions {
                var grouped: [UInt32: QuestionSample] = [:]
                for (gold, prediction) in zip(set.golds, run.predictions) {
                    let value = key(gold)
                    grouped[isKept.contains(value) ? value : .max, default: QuestionSample(question)]
                        .add(gold, prediction)
                }
                for value in order + (isCut ? [.max] : []) {
                    guard var sample = grouped[value], sample.count > 0 else { continue }
                    sample.finish()
                    samples.append(sample)
                    reports.append(
                        SliceReport(
                            dimension: dimension, value: value == .max ? free("other") : name(value),
                            question: question, count: sample.count, metrics: []))
                }
            }
        }
        // Slices take as long as the whole for each dimension: large sets, whose intervals are narrow, get fewer draws.
        let draws = ClusterBootstrap(
            clusterCount: set.clusterCount,
            resamples: min(options.resamples, max(100, 20_000_000 / max(1, set.golds.count))), seed: options.seed
        ).run(samples.map(\.statistic))
        for index in reports.indices {
            reports[index].metrics = Self.metrics(samples[index].statistic, draws: draws[index])
        }
        return reports
    }

    /// What records are grouped by.
    private struct Dimension: Sendable {
        let name: String
        let key: @Sendable (Gold) -> UInt32
    }

    private static let dimensions = [
        Dimension(name: "language") { $0.language }, Dimension(name: "platform") { $0.platform },
        Dimension(name: "length") { UInt32($0.length) }, Dimension(name: "creator") { $0.creator },
        Dimension(name: "source") { $0.source },
    ]

    private static func isEnglish(_ tag: String) -> Bool { tag == "en" || tag.hasPrefix("en-") }

    private func name(_ value: UInt32, in dimension: String, none: String) -> String {
        if dimension == "english" { return value == 0 ? "yes" : "no" }
        if dimension == "length" { return LengthBucket.names[min(Int(value), LengthBucket.names.count - 1)] }
        return value == 0 ? none : set.names.texts[Int(value)]
    }

    // MARK: Comparison

    private func comparison(
        _ question: EvaluatedQuestion, _ first: MethodReport, _ second: MethodReport, _ other: Int,
        _ firstDraws: [[Double]], _ secondDraws: [[Double]]
    ) -> Comparison {
        let metric = question.headline
        let (a, b) = (first.question(question)?.metric(metric), second.question(question)?.metric(metric))
        // The headline of every statistic is its first number.
        let draws = zip(firstDraws.first ?? [], secondDraws.first ?? []).map { $1 - $0 }
        let interval = a?.value == nil || b?.value == nil ? nil : Interval(draws)
        var verdict = Comparison.Verdict.noDifferenceSeen
        if let interval, interval.low > 0 || interval.high < 0 {
            // Of an error less is better.
            verdict = (interval.low > 0) == (metric != "mae") ? .better : .worse
        }
        var result = Comparison(
            question: question, first: first.name, second: second.name, metric: metric, firstValue: a?.value,
            secondValue: b?.value, interval: interval, verdict: verdict)
        if let x = a?.value, let y = b?.value { result.difference = y - x }
        // Two-sided test at 5 % with a power of 80 %: (z.975 + z.80) standard errors (Cohen 1988, chapter 2).
        result.smallestSeen = interval.map { (1.959963984540054 + 0.8416212335729143) * $0.standardError }
        guard question != .opportunity else { return result }
        var test = ExactMcNemar(onlyFirst: 0, onlySecond: 0)
        for (place, gold) in set.golds.enumerated() {
            guard let x = question.isRight(set.runs[0].predictions[place], gold),
                let y = question.isRight(set.runs[other].predictions[place], gold), x != y
            else { continue }
            if x { test.onlyFirst += 1 } else { test.onlySecond += 1 }
        }
        result.mcNemar = test
        return result
    }
}
