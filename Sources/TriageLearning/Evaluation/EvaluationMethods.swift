import Platform
import TriageConfig
package import TriageCore
package import TriageEvaluation
package import TriageRun

/// Answers the messages of one creator for an evaluation.
package protocol EvaluationLane: AnyObject {
    /// Gives one answer per line, in order.
    func answer(_ input: InputBatch, names: inout Names) -> [LaneAnswer]
}

/// The result for one line.
package enum LaneAnswer {
    case answered(Prediction)
    /// The line is not a record.
    case refused(RejectReason)
}

/// A method that is run, as opposed to a file with answers of one.
package protocol EvaluationMethod: AnyObject {
    /// - Parameters:
    ///   - profile: the profile of the creator who got the messages; nil: the configured one.
    ///   - library: the same for the FAQ library.
    func lane(for profile: CreatorProfile?, library: FAQLibrary?) throws -> any EvaluationLane

    /// Tokens of prompts and answers, and dollars if the price is known; nil: no language model is asked.
    var usage: (tokens: Double, cost: Double?)? { get }

    /// Called once all messages are answered.
    func close()
}

/// The list of all methods that `--compare` knows by name, one per line.
package enum EvaluationMethods {
    package struct Entry: Sendable {
        package let name: String
        package let summary: String
        package let make: @Sendable (ConfigurationOptions, LLMOptions) throws -> any EvaluationMethod
    }

    package static let standard: [Entry] = [
        Entry(name: "rules", summary: "the shipped rules, with what --rules and --config add") {
            configuration, _ in try ConfiguredMethod(configuration: configuration)
        },
        Entry(name: "model", summary: "the shipped model, or the one of --model; model:FILE selects another") {
            configuration, _ in
            try ConfiguredMethod(configuration: configuration, model: try configuration.statisticalModel())
        },
        Entry(name: "cascade", summary: "the offline answers, and the LLM of --config where they are unsure") {
            try ConfiguredMethod(
                configuration: $0, model: try $0.statisticalModel(),
                asking: ConfiguredMethod.LLMMethod(options: $1))
        },
        Entry(name: "llm", summary: "the LLM of --config for every message; llm:NAME selects another model there") {
            try ConfiguredMethod(
                configuration: $0, model: try $0.statisticalModel(),
                asking: ConfiguredMethod.LLMMethod(options: $1, asksAll: true))
        },
    ]

    /// One of the compared methods.
    package enum Compared {
        case method(name: String, any EvaluationMethod)
        case predictions(name: String, path: String)

        package var name: String {
            switch self {
            case .method(let name, _), .predictions(let name, _): name
            }
        }
    }

    /// The methods that `--compare` names, in order; `LABEL=` before a name sets its name in the report.
    ///
    /// - Throws: ``TriageError`` `evaluate.unknown-method`, `evaluate.same-name` (exit 64); faults of a configuration.
    package static func compared(
        _ words: [String], configuration: ConfigurationOptions, asking: LLMOptions
    ) throws -> [Compared] {
        var found: [Compared] = []
        for word in words {
            var (label, target) = (String?.none, word)
            // A file name may contain `=` too.
            if let sign = word.firstIndex(of: "="), sign != word.startIndex, !ConfigurationFile.exists(word) {
                (label, target) = (String(word[..<sign]), String(word[word.index(after: sign)...]))
            }
            let compared = try one(target, label: label, configuration, asking)
            guard !found.contains(where: { $0.name == compared.name }) else {
                throw TriageError(
                    "evaluate.same-name", "two compared methods are both named '\(compared.name)'",
                    remedy: "rename one: --compare old=\(target),…", exit: .usage)
            }
            found.append(compared)
        }
        return found
    }

    private static func one(
        _ target: String, label: String?, _ configuration: ConfigurationOptions, _ asking: LLMOptions
    ) throws -> Compared {
        if let entry = standard.first(where: { $0.name == target }) {
            return .method(name: label ?? target, try entry.make(configuration, asking))
        }
        if target.hasPrefix("model:") {
            let model = try ModelFile.read(String(target.dropFirst("model:".count)))
            return .method(name: label ?? target, try ConfiguredMethod(configuration: configuration, model: model))
        }
        if target.hasPrefix("llm:") {
            let method = ConfiguredMethod.LLMMethod(
                options: asking, asksAll: true, model: String(target.dropFirst("llm:".count)))
            return .method(
                name: label ?? target,
                try ConfiguredMethod(
                    configuration: configuration, model: try configuration.statisticalModel(), asking: method))
        }
        var info = stat()
        guard stat(target, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            let names = standard.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ")
            throw TriageError(
                "evaluate.unknown-method", "there is no method or file named '\(target.prefix(100))'",
                remedy: "methods: \(names); or name a configuration (.yaml) or a prediction file (.jsonl)",
                exit: .usage)
        }
        let name = label ?? String(target.split(separator: "/").last ?? Substring(target))
        if target.hasSuffix(".yaml") || target.hasSuffix(".yml") {
            return .method(name: name, try configured(target, configuration, asking))
        }
        if try PredictionFile(path: target).isPredictions { return .predictions(name: name, path: target) }
        guard target.hasSuffix(".json") else {
            throw TriageError(
                "evaluate.no-predictions", "the first line has no answers", at: target,
                remedy:
                    "each line must have an id and a 'triage' or 'prediction' member; `triage run` writes such files",
                exit: .badData)
        }
        return .method(name: name, try configured(target, configuration, asking))
    }

    private static func configured(
        _ path: String, _ options: ConfigurationOptions, _ asking: LLMOptions
    ) throws -> any EvaluationMethod {
        var configuration = options
        configuration.config = path
        let method = try ConfiguredMethod(configuration: configuration, model: try options.statisticalModel())
        guard method.loaded.models.llm != nil else { return method }
        return try ConfiguredMethod(
            configuration: configuration, model: try options.statisticalModel(),
            asking: ConfiguredMethod.LLMMethod(options: asking))
    }
}
