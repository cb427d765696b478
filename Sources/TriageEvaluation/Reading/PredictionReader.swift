package import TriageCore

/// Reads what a method answered for a record, from a file.
///
/// Two shapes are read: the `triage` member that `triage run` writes, and a `prediction` member as other programs may
/// write it, in which each question is a label as in `gold`, or an object:
///
/// ```json
/// {"id":"m1","prediction":{"category":{"label":"fan","scores":{"fan":0.9,"business":0.1,"spam":0}},
///   "sentiment":"positive","urgent":{"label":false,"score":0.02},"injection":false,
///   "opportunity":null,"faq_id":"camera","faq_candidates":["camera","lens"],
///   "usage":{"tokens":812,"cost":0.0004,"seconds":1.2}}}
/// ```
///
/// What is missing or of another type is an answer without label, which counts as wrong.
package struct PredictionReader {
    /// What an answer took, where the record says.
    package struct Usage: Sendable {
        package var tokens: Double?
        package var cost: Double?
        package var seconds: Double?
    }

    package init() {}

    /// Whether a line holds answers in one of the two shapes.
    package func isPrediction(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let record = JSONView(line)
        return record["triage"]?.isObject == true || record["prediction"]?.isObject == true
    }

    /// Whether a record's answers name an entry of the library; nil when it was not asked.
    package func namesEntry(_ line: UnsafeBufferPointer<UInt8>) -> Bool? {
        let record = JSONView(line)
        guard let answers = record["triage"].flatMap({ $0.isObject ? $0 : nil }) ?? record["prediction"] else {
            return nil
        }
        if let faq = answers["faq"] { return faq.isObject }
        return answers["faq_id"].map { $0.string?.isEmpty == false }
    }

    /// The id that `triage run` made for a record without one; nil when it made none.
    ///
    /// Records that are alike in all that it is made of share it.
    package func madeID(_ line: UnsafeBufferPointer<UInt8>) -> String? { JSONView(line)["triage"]?["id"]?.string }

    /// Digest of the text the answer is for; nil when the line holds none.
    package func textDigest(_ line: UnsafeBufferPointer<UInt8>) -> UInt64? {
        JSONView(line)["text"]?.string.map { TextDigest.of($0) }
    }

    /// Whether the line says that its record was refused, so that it holds no answers.
    package func isRejected(_ line: UnsafeBufferPointer<UInt8>) -> Bool { JSONView(line)["triage"]?["rejected"] != nil }

    /// The answers.
    ///
    /// - Parameters:
    ///   - gold: the labels of the same record, for the rank of the right FAQ entry.
    ///   - names: gives FAQ entries their numbers.
    package func prediction(
        _ line: UnsafeBufferPointer<UInt8>, gold: Gold, names: inout Names
    ) -> (Prediction, Usage) {
        let record = JSONView(line)
        var prediction = Prediction()
        var usage = Usage()
        guard let answers = record["triage"].flatMap({ $0.isObject ? $0 : nil }) ?? record["prediction"] else {
            return (prediction, usage)
        }
        readCategory(answers["category"], into: &prediction)
        if let sentiment = answers["sentiment"] {
            prediction.sentiment = Self.label(sentiment, .sentiment)
            prediction.sentimentConfidence = sentiment["confidence"]?.share
        }
        let urgency = answers["urgency"] ?? answers["urgent"]
        prediction.urgent = Self.flag(urgency, "urgent")
        prediction.urgentScore = urgency?["score"]?.share
        let injection = answers["injection"]
        prediction.injection = Self.flag(injection, "suspected")
        prediction.injectionScore = injection?["score"]?.share
        prediction.opportunity = Self.points(answers["opportunity"])
        readFAQ(answers, gold, into: &prediction, &names)
        let used = answers["usage"] ?? record["usage"]
        usage.tokens =
            used?["tokens"]?.number ?? Self.sum(used?["input_tokens"]?.number, used?["output_tokens"]?.number)
        usage.cost = used?["cost"]?.number
        usage.seconds = used?["seconds"]?.number
        return (prediction, usage)
    }

    private func readCategory(_ value: JSONView?, into prediction: inout Prediction) {
        guard let value else { return }
        prediction.category = Self.label(value, .category)
        prediction.categoryConfidence = value["confidence"]?.share
        guard let scores = value["scores"], scores.isObject else { return }
        var all = SIMD4<Float>()
        for (index, name) in EvaluatedQuestion.category.classes.enumerated() {
            all[index] = scores[name]?.share ?? 0
        }
        prediction.categoryScores = all
        if prediction.categoryConfidence == nil, prediction.category != Prediction.none {
            prediction.categoryConfidence = all[Int(prediction.category)]
        }
    }

    private func readFAQ(_ answers: JSONView, _ gold: Gold, into prediction: inout Prediction, _ names: inout Names) {
        let faq = answers["faq"]
        if let id = faq?["id"]?.string ?? answers["faq_id"]?.string, !id.isEmpty {
            prediction.faq = names.number(id)
            // An answer that says no more was meant as one.
            prediction.faqIsHigh = faq?["match"]?.string.map { $0 == "high" } ?? true
            prediction.faqConfidence = (faq?["confidence"] ?? answers["faq_confidence"])?.share
        }
        guard let candidates = faq?["candidates"] ?? answers["faq_candidates"] else { return }
        let ranked = candidates.strings
        let wanted = gold.faq == Gold.noEntry ? nil : names.texts[Int(gold.faq)]
        prediction.faqRank = wanted.flatMap { ranked.firstIndex(of: $0) }.map { UInt16(min($0 + 1, 65_535)) } ?? 0
    }

    private static func label(_ value: JSONView, _ question: EvaluatedQuestion) -> UInt8 {
        let name = value.isObject ? value["label"]?.string : value.string
        return name.flatMap { question.classes.firstIndex(of: $0) }.map { UInt8($0) } ?? Prediction.none
    }

    private static func flag(_ value: JSONView?, _ key: String) -> UInt8 {
        guard let value else { return Prediction.none }
        let isSet = value.isObject ? value[key]?.bool ?? value["label"]?.bool : value.bool
        return isSet.map { $0 ? 1 : 0 } ?? Prediction.none
    }

    /// Points of the parts, on the default maxima whatever the run's were.
    private static func points(_ value: JSONView?) -> OpportunityPoints? {
        guard let value, value.isObject else { return nil }
        let defaults = [40.0, 30, 20, 10]
        var parts = SIMD4<Float>()
        for (place, name) in OpportunityPoints.parts.enumerated() {
            if let part = value["breakdown"]?[name] {
                let maximum = part["of"]?.number ?? defaults[place]
                let points = part["points"]?.number ?? 0
                parts[place] = maximum > 0 ? Self.bounded(points / maximum * defaults[place]) : 0
            } else {
                parts[place] = Self.bounded(value[name]?.number ?? 0)
            }
        }
        return OpportunityPoints(monetary: parts[0], brandFit: parts[1], legitimacy: parts[2], urgency: parts[3])
    }

    private static func bounded(_ points: Double) -> Float { points.isNaN ? 0 : Float(max(0, min(100, points))) }

    private static func sum(_ a: Double?, _ b: Double?) -> Double? {
        a == nil && b == nil ? nil : (a ?? 0) + (b ?? 0)
    }
}

extension Prediction {
    /// What the stages answered for a record.
    ///
    /// - Parameter entries: numbers of the library's entries in the run's ``Names``.
    package init(_ record: Record, entries: [UInt32]) {
        self.init()
        if let answer = record.category {
            category = answer.label?.rawValue ?? Self.none
            categoryScores = answer.scores
            categoryConfidence = answer.confidence
        }
        if let answer = record.sentiment {
            sentiment = answer.label?.rawValue ?? Self.none
            sentimentConfidence = answer.label == nil ? 0 : answer.confidence
        }
        if let answer = record.urgency {
            urgent = answer.isUrgent ? 1 : 0
            urgentScore = answer.score
        }
        if let answer = record.injection {
            injection = answer.isSuspected ? 1 : 0
            injectionScore = answer.score
        }
        if let answer = record.opportunity {
            func points(_ part: OpportunityAnswer.Part, of standard: Int) -> Float {
                part.maximum > 0 ? Float(part.points) * Float(standard) / Float(part.maximum) : 0
            }
            let standard = OpportunityMaxima()
            opportunity = OpportunityPoints(
                monetary: points(answer.monetary, of: standard.monetary),
                brandFit: points(answer.brandFit, of: standard.brandFit),
                legitimacy: points(answer.legitimacy, of: standard.legitimacy),
                urgency: points(answer.urgency, of: standard.urgency))
        }
        if let answer = record.faq, entries.indices.contains(answer.entry) {
            faq = entries[answer.entry]
            faqIsHigh = answer.isHigh
            faqConfidence = answer.confidence
        }
    }
}
