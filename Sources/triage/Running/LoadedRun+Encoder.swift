import TriageCore
import TriageFormats

extension LoadedRun {
    /// What writes the records in the format that was asked for.
    ///
    /// - Parameters:
    ///   - sources: names of the inputs so far, for rejects that are answered in place.
    ///   - color: as asked by flag.
    ///   - toTerminal: whether the output goes to standard output rather than to a file.
    func encoder(
        _ format: OutputFormat, rejects: RejectPolicy, sources: @escaping @Sendable () -> [String], color: ColorChoice,
        toTerminal: Bool
    ) -> any RecordEncoder {
        switch format {
        case .jsonl: JSONLRecordEncoder(object: object, container: .lines, rejects: rejects, sources: sources)
        case .json: JSONLRecordEncoder(object: object, container: .array, rejects: rejects, sources: sources)
        case .csv: CSVRecordEncoder(library: library, questions: settings.questions)
        case .table:
            TableRecordEncoder(
                library: library,
                renderer: TableRenderer(
                    width: toTerminal ? Terminal.width(1) : 100,
                    usesColor: color.isUsed(onTerminal: toTerminal && Terminal.isTerminal(1))))
        }
    }
}

extension ColorChoice {
    /// The flag decides, then `NO_COLOR`, then whether a terminal that can is there.
    func isUsed(onTerminal: Bool) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: onTerminal && Terminal.environment("NO_COLOR") == nil && Terminal.environment("TERM") != "dumb"
        }
    }
}
