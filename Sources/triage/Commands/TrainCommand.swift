import ArgumentParser
import TriageConfig
import TriageCore
import TriageLearning
import TriageRun
import TriageStages
import TriageTraining

/// Trains a model from labelled messages.
struct TrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train",
        abstract: "Trains the statistical model on labelled messages.",
        discussion: """
            EXAMPLES
              triage train corrections.jsonl -o mine.model
              triage run export.zip --model mine.model
              triage evaluate gold.jsonl --compare rules,model:mine.model \\
                --profiles creators/

            Records are JSONL with a member "gold": category (or spam), sentiment, urgent,
            injection; each question is learned from the records that label it. Records
            with a 'creator' are messages to creators; other sets are foreign: they
            contribute their words, and together weigh no more than --foreign-share of the
            creators' messages. If no record has a creator, as in your own corrections,
            all are messages to you and count in full.

            Copies made by `triage evaluate --perturb default --write-changed` stay with
            their originals; --agreement teaches that the changes mean nothing.

            EXIT CODES
              0 trained · 64 usage · 65 bad labels · 66 input not readable
              73 output cannot be created · 74 I/O error (disk full)
              75 too many open files: try again · 78 bad configuration
            """)

    @Argument(help: ArgumentHelp("Labelled records: JSONL or JSON, compressed or not.", valueName: "gold"))
    var gold: [String]

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The model, written atomically.", valueName: "file"))
    var output: String

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Folder with creators.json and faq-<id>.json; repeatable.", valueName: "dir"))
    var profiles: [String] = []

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @Option(help: ArgumentHelp("Format of the records; default: detected from the content.", valueName: "format"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Model to build on; default: the shipped one; none: start from scratch.", valueName: "file|none"))
    var base: String?

    @Option(help: ArgumentHelp("With --base none: word buckets, as a power of two.", valueName: "n"))
    var bits: Int = 18

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            """
            Weight of the L2 penalty (default: 0.1); sentiment=0.3 sets it for one question. Repeatable.
            """, valueName: "x"))
    var penalty: [QuestionNumber] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            """
            Maximum weight of a foreign set relative to the creators' messages (default: 0.5); category=0.2 sets it \
            for one question. Repeatable.
            """, valueName: "x"))
    var foreignShare: [QuestionNumber] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            """
            Weight of the squared difference in log-odds between a changed copy and its original (default: 0); \
            sentiment=1 sets it for one question. Repeatable.
            """, valueName: "x"))
    var agreement: [QuestionNumber] = []

    @Option(help: ArgumentHelp("Number of cross-validation folds.", valueName: "n"))
    var folds: Int = 5

    @Option(help: ArgumentHelp("Random seed for assigning groups to folds.", valueName: "n"))
    var seed: UInt64 = 1

    @Flag(name: [.customShort("q"), .long], help: "Print no report.")
    var quiet = false

    mutating func validate() throws {
        guard StatisticalModel.bucketBits.contains(bits) else {
            throw ValidationError("--bits must be from 12 to 22.")
        }
        guard penalty.allSatisfy({ $0.value > 0 }) else { throw ValidationError("--penalty must be above 0.") }
        guard agreement.allSatisfy({ $0.value >= 0 }) else {
            throw ValidationError("--agreement must be 0 or more.")
        }
        guard (2...20).contains(folds) else { throw ValidationError("--folds must be from 2 to 20.") }
    }

    func run() async throws {
        // A base model may be trained further and replaced.
        try OutputPlaces.check(
            output, isNoneOf: gold + configuration.files + ProfileFolder.files(in: profiles, called: output))
        try OutputFile.check(output)
        let method = try ConfiguredMethod(configuration: configuration)
        let profiles = try ProfileFolder(paths: profiles)
        let reader = TrainingReader(method: method, profiles: profiles)
        let base = try baseModel()
        let set = try reader.read(gold, format: from, bits: base?.bits ?? bits)
        guard set.count > 0 else {
            throw TriageError(
                "train.no-records", "no record has text and a label", remedy: "add 'gold' to the records",
                exit: .badData)
        }
        var options = ModelTrainer.Options()
        for number in penalty {
            if let head = number.head { options.penalties[head] = number.value } else { options.penalty = number.value }
        }
        for number in foreignShare {
            if let head = number.head {
                options.foreignShares[head] = number.value
            } else {
                options.foreignShare = number.value
            }
        }
        for number in agreement {
            if let head = number.head {
                options.agreements[head] = number.value
            } else {
                options.agreement = number.value
            }
        }
        options.folds = folds
        options.seed = seed
        let notices = Notices(isQuiet: quiet)
        var notes = try self.notes(set.count, rules: method.loaded.rules.digest, base: base)
        var model = await ModelTrainer(options: options).train(set, base: base) { report in
            notices.say(Self.line(report))
            notes.append(StatisticalModel.TrainingNote(report.head.name, Self.line(report)))
        }
        model.notes = notes
        guard notes.contains(where: { note in ModelHead.allCases.contains { $0.name == note.key } }) else {
            throw TriageError(
                "train.nothing-to-learn", "no question has labels of two classes",
                remedy: "add 'gold' with category, spam, sentiment, urgent or injection to the records",
                exit: .badData)
        }
        try OutputFile.write(model.encoded(), to: output)
    }

    private func baseModel() throws -> StatisticalModel? {
        switch base {
        case nil: try ShippedFiles.model()
        case "none": nil
        case let path?: try ModelFile.read(path)
        }
    }

    /// The notes in the model file about how it was made.
    private func notes(
        _ records: Int, rules: String, base: StatisticalModel?
    ) throws -> [StatisticalModel.TrainingNote] {
        var notes = [
            StatisticalModel.TrainingNote("program", Version.current),
            StatisticalModel.TrainingNote("rules", rules),
            StatisticalModel.TrainingNote("base", base.map(\.digest) ?? "none"),
            StatisticalModel.TrainingNote(
                "options",
                "penalty \(QuestionNumber.text(penalty, default: "0.1")), "
                    + "foreign share \(QuestionNumber.text(foreignShare, default: "0.5")), "
                    + "agreement \(QuestionNumber.text(agreement, default: "0")), "
                    + "folds \(folds), seed \(seed)"),
            StatisticalModel.TrainingNote("records", "\(records)"),
        ]
        for path in gold {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let digest = try FileDigest.sha256(path).map { "\(name) sha256 \($0)" }
            notes.append(StatisticalModel.TrainingNote("data", digest ?? "\(name), which is no file"))
        }
        return notes
    }

    private static func line(_ report: ModelTrainer.HeadReport) -> String {
        func rounded(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
        let name = report.head.lanes.count == 1 ? "F1" : "macro-F1"
        let (f1, error) =
            report.measured > 0 ? (rounded(report.f1), rounded(report.calibrationError)) : ("-", "-")
        // If no creator is named, no record can be foreign.
        let counts =
            report.home > 0 ? "\(report.home) messages (+ \(report.foreign) foreign)" : "\(report.foreign) messages"
        return "\(report.head.name): \(name) \(f1), calibration error \(error) on \(counts); "
            + "temperature \(rounded(Double(report.temperature))), threshold \(rounded(Double(report.threshold)))"
    }
}

/// A number for one question, as in `sentiment=0.3`, or for all questions that are not named.
struct QuestionNumber: ExpressibleByArgument {
    let head: ModelHead?
    /// 0 or more.
    let value: Float
    /// The text as given.
    private let text: String

    init?(argument: String) {
        var number = Substring(argument)
        var head: ModelHead?
        if let sign = argument.firstIndex(of: "=") {
            head = ModelHead.allCases.first { $0.name == argument[..<sign] }
            guard head != nil else { return nil }
            number = argument[argument.index(after: sign)...]
        }
        guard let value = Float(number), value >= 0, value.isFinite else { return nil }
        self.head = head
        self.value = value
        text = argument
    }

    /// All numbers of an option, as given.
    static func text(_ numbers: [QuestionNumber], default standard: String) -> String {
        numbers.isEmpty ? standard : numbers.map(\.text).joined(separator: " ")
    }
}
