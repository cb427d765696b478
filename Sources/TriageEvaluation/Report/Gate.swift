package import TriageCore

/// What a number must reach, such as `category.macro_f1>=0.90`.
///
/// `[METHOD:]QUESTION.METRIC[@DIMENSION=VALUE](>=|>|<=|<)NUMBER`; without a method the first of the compared ones is meant.
/// Blanks around its parts do not count, unless a slice is called so; those inside a name or a value do.
package struct Gate: Sendable {
    package enum Relation: String, Sendable, CaseIterable {
        // The longer ones first: they begin with the shorter.
        case atLeast = ">="
        case atMost = "<="
        case above = ">"
        case below = "<"
    }

    package let text: String
    let method: String?
    let question: EvaluatedQuestion
    let metric: String
    let slice: (dimension: String, value: String)?
    let relation: Relation
    let bound: Double

    static let dimensions = ["language", "english", "platform", "length", "creator", "source"]

    /// - Throws: ``TriageError`` `evaluate.bad-gate` or `evaluate.unknown-metric` (exit 64).
    package init(_ text: String) throws(TriageError) {
        self.text = text
        guard let (name, relation, number) = Self.split(text), let bound = Double(number), bound.isFinite else {
            throw TriageError(
                "evaluate.bad-gate", "'\(text.prefix(80))' is not a gate",
                remedy: "write it as category.macro_f1>=0.90",
                exit: .usage)
        }
        self.relation = relation
        self.bound = bound
        let target = try Self.target(name, of: text)
        (method, question, metric, slice) = (target.method, target.question, target.metric, target.slice)
    }

    /// What a gate is about.
    private struct Target {
        var method: String?
        var question: EvaluatedQuestion
        var metric: String
        var slice: (dimension: String, value: String)?
    }

    /// Takes the first colon behind which a question stands for that of the method: a method's name and a slice's value
    /// may both hold colons and all the other signs.
    private static func target(_ name: String, of text: String) throws(TriageError) -> Target {
        let path = name[...]
        if let found = try? target(path, of: text) { return found }
        for colon in path.indices where path[colon] == ":" {
            guard var found = try? target(path[path.index(after: colon)...], of: text) else { continue }
            found.method = String(path[..<colon])
            return found
        }
        // Says what is wrong with it, as far as one can tell where its method ends.
        let end = path.firstIndex(of: "@") ?? path.endIndex
        let start = path[..<end].lastIndex(of: ":").map { path.index(after: $0) } ?? path.startIndex
        return try target(path[start...], of: text)
    }

    /// - Parameter path: what stands behind the method.
    private static func target(_ path: Substring, of text: String) throws(TriageError) -> Target {
        let at = path.firstIndex(of: "@")
        var slice: (dimension: String, value: String)?
        if let at {
            let parts = path[path.index(after: at)...].split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, dimensions.contains(trimmed(parts[0])), !parts[1].isEmpty else {
                throw TriageError(
                    "evaluate.bad-gate", "'\(text.prefix(80))' has no valid slice",
                    remedy: "write it as category.macro_f1@language=pt>=0.90; slices: "
                        + dimensions.joined(separator: ", "), exit: .usage)
            }
            slice = (trimmed(parts[0]), String(parts[1]))
        }
        let measure = path[..<(at ?? path.endIndex)]
        let parts = measure.split(separator: ".", maxSplits: 1).map(trimmed)
        guard parts.count == 2, let question = EvaluatedQuestion(rawValue: parts[0]) else {
            throw unknown(trimmed(measure), EvaluatedQuestion.allCases.map { "\($0.rawValue).\($0.headline)" })
        }
        let known = metrics(question, isSlice: slice != nil)
        guard known.contains(parts[1]) else {
            throw unknown(trimmed(measure), known.map { "\(question.rawValue).\($0)" })
        }
        return Target(question: question, metric: parts[1], slice: slice)
    }

    private static func unknown(_ name: String, _ known: [String]) -> TriageError {
        TriageError(
            "evaluate.unknown-metric", "there is no metric '\(name.prefix(80))'",
            remedy: "metrics: \(known.joined(separator: ", "))", exit: .usage)
    }

    private static func split(_ text: String) -> (String, Relation, String)? {
        // From the end: a slice value may hold any of the signs.
        guard let last = text.lastIndex(where: { $0 == ">" || $0 == "<" }) else { return nil }
        for relation in Relation.allCases where text[last...].hasPrefix(relation.rawValue) {
            let number = trimmed(text[last...].dropFirst(relation.rawValue.count))
            let name = String(text[..<last])
            return trimmed(name[...]).isEmpty || number.isEmpty ? nil : (name, relation, number)
        }
        return nil
    }

    /// The place of a name, as it was written or else without the blanks around it.
    private static func place(of name: String, in names: [String]) -> Int? {
        names.firstIndex(of: name) ?? names.firstIndex { trimmed($0[...]) == trimmed(name[...]) }
    }

    private static func trimmed(_ part: Substring) -> String {
        var part = part.drop { $0 == " " }
        while part.last == " " { part.removeLast() }
        return String(part)
    }

    /// Names of the metrics of a question.
    package static func metrics(_ question: EvaluatedQuestion, isSlice: Bool = false) -> [String] {
        let names = QuestionSample(question).statistic.names
        guard !isSlice, question != .opportunity else { return names }
        return names + ["ece", "brier"] + (question == .category ? ["brier_all_classes"] : [])
            + ["aurc", "accuracy_at_50", "accuracy_at_80", "accuracy_at_90"]
    }

    /// Which of the compared methods is meant, by its place among them.
    ///
    /// - Throws: ``TriageError`` `evaluate.unknown-method` (exit 64) when it is none of them.
    @discardableResult
    package func place(among methods: [String]) throws(TriageError) -> Int {
        guard let place = method.map({ Self.place(of: $0, in: methods) }) ?? methods.indices.first else {
            throw TriageError(
                "evaluate.unknown-method", "gate '\(text.prefix(80))' names a method that is not compared",
                remedy: "compared methods: \(methods.joined(separator: ", "))", exit: .usage)
        }
        return place
    }

    /// Whether a report passes.
    ///
    /// - Throws: ``TriageError`` `evaluate.unknown-method` (exit 64) when the gate names one that was not compared.
    package func result(in report: EvaluationReport) throws(TriageError) -> GateResult {
        let found = report.methods[try place(among: report.methods.map(\.name))]
        let value: Double?
        if let slice {
            let slices = found.slices.filter { $0.dimension == slice.dimension && $0.question == question }
            let match = Self.place(of: slice.value, in: slices.map(\.value)).map { slices[$0] }
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
package struct GateResult: Sendable {
    package var text: String
    package var method: String
    /// nil: not defined on these records, which passes no gate.
    package var value: Double?
    package var isPassed: Bool
}
