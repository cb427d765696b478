public import TriageCore

/// What a number must reach, such as `category.macro_f1>=0.90`.
///
/// `[METHOD:]QUESTION.METRIC[@DIMENSION=VALUE](>=|>|<=|<)NUMBER`; without a method the first of the compared ones is meant.
/// Blanks around its parts do not count; those inside a name or a value do.
public struct Gate: Sendable {
    public enum Relation: String, Sendable, CaseIterable {
        // The longer ones first: they begin with the shorter.
        case atLeast = ">="
        case atMost = "<="
        case above = ">"
        case below = "<"
    }

    public let text: String
    let method: String?
    let question: EvaluatedQuestion
    let metric: String
    let slice: (dimension: String, value: String)?
    let relation: Relation
    let bound: Double

    static let dimensions = ["language", "english", "platform", "length", "creator", "source"]

    /// - Throws: ``TriageError`` `evaluate.bad-gate` or `evaluate.unknown-metric` (exit 64).
    public init(_ text: String) throws(TriageError) {
        self.text = text
        guard let (name, relation, number) = Self.split(text), let bound = Double(number), bound.isFinite else {
            throw TriageError(
                "evaluate.bad-gate", "'\(text.prefix(80))' is no gate", remedy: "write it as category.macro_f1>=0.90",
                exit: .usage)
        }
        self.relation = relation
        self.bound = bound
        var path = Substring(name)
        if let colon = path.lastIndex(of: ":"), !path[..<colon].contains("@") {
            method = Self.trimmed(path[..<colon])
            path = path[path.index(after: colon)...]
        } else {
            method = nil
        }
        if let at = path.firstIndex(of: "@") {
            let parts = path[path.index(after: at)...].split(separator: "=", maxSplits: 1).map(Self.trimmed)
            guard parts.count == 2, Self.dimensions.contains(parts[0]) else {
                throw TriageError(
                    "evaluate.bad-gate", "'\(text.prefix(80))' names no slice",
                    remedy: "write it as category.macro_f1@language=pt>=0.90; there are "
                        + Self.dimensions.joined(separator: ", "), exit: .usage)
            }
            slice = (parts[0], parts[1])
            path = path[..<at]
        } else {
            slice = nil
        }
        let parts = path.split(separator: ".", maxSplits: 1).map(Self.trimmed)
        guard parts.count == 2, let question = EvaluatedQuestion(rawValue: parts[0]) else {
            throw Self.unknown(String(path), EvaluatedQuestion.allCases.map { "\($0.rawValue).\($0.headline)" })
        }
        let known = Self.metrics(question, isSlice: slice != nil)
        guard known.contains(parts[1]) else {
            throw Self.unknown(String(path), known.map { "\(question.rawValue).\($0)" })
        }
        self.question = question
        metric = parts[1]
    }

    private static func unknown(_ name: String, _ known: [String]) -> TriageError {
        TriageError(
            "evaluate.unknown-metric", "no metric is called '\(name.prefix(80))'",
            remedy: "there are \(known.joined(separator: ", "))", exit: .usage)
    }

    private static func split(_ text: String) -> (String, Relation, String)? {
        // From the end: a slice value may hold any of the signs.
        guard let last = text.lastIndex(where: { $0 == ">" || $0 == "<" }) else { return nil }
        for relation in Relation.allCases where text[last...].hasPrefix(relation.rawValue) {
            let number = trimmed(text[last...].dropFirst(relation.rawValue.count))
            let name = trimmed(text[..<last])
            return name.isEmpty || number.isEmpty ? nil : (name, relation, number)
        }
        return nil
    }

    private static func trimmed(_ part: Substring) -> String {
        var part = part.drop { $0 == " " }
        while part.last == " " { part.removeLast() }
        return String(part)
    }

    /// Names of the metrics of a question.
    public static func metrics(_ question: EvaluatedQuestion, isSlice: Bool = false) -> [String] {
        let names = QuestionSample(question).statistic.names
        guard !isSlice, question != .opportunity else { return names }
        return names + ["ece", "brier"] + (question == .category ? ["brier_all_classes"] : [])
            + ["aurc", "accuracy_at_50", "accuracy_at_80", "accuracy_at_90"]
    }

    /// Which of the compared methods is meant, by its place among them.
    ///
    /// - Throws: ``TriageError`` `evaluate.unknown-method` (exit 64) when it is none of them.
    @discardableResult
    public func place(among methods: [String]) throws(TriageError) -> Int {
        guard let place = method == nil ? methods.indices.first : methods.firstIndex(where: { $0 == method }) else {
            throw TriageError(
                "evaluate.unknown-method", "gate '\(text.prefix(80))' names a method that is not compared",
                remedy: "compared are \(methods.joined(separator: ", "))", exit: .usage)
        }
        return place
    }

    /// Whether a report passes.
    ///
    /// - Throws: ``TriageError`` `evaluate.unknown-method` (exit 64) when the gate names one that was not compared.
    public func result(in report: EvaluationReport) throws(TriageError) -> GateResult {
        let found = report.methods[try place(among: report.methods.map(\.name))]
        let value: Double?
        if let slice {
            let match = found.slices.first {
                $0.dimension == slice.dimension && $0.value == slice.value && $0.question == question
            }
            value = match?.metrics.first { $0.name == metric }?.value
        } else {
            value = found.question(question)?.metric(metric)?.value
        }
        let isPassed =
            value.map { value in
                switch relation {
                case .atLeast: value >= bound
                case .above: value > bound
                case .atMost: value <= bound
                case .below: value < bound
                }
            } ?? false
        return GateResult(text: text, method: found.name, value: value, isPassed: isPassed)
    }
}

/// What became of a gate.
public struct GateResult: Sendable {
    public var text: String
    public var method: String
    /// nil: not defined on these records, which passes no gate.
    public var value: Double?
    public var isPassed: Bool
}
