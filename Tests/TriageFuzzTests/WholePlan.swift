import TriageConfig
import TriageCore
import TriageFormats
import TriageMatching

@testable import TriageRun

/// The stages of a run with the shipped rules, put together by the program's own wiring.
struct WholePlan {
    let pipeline: Pipeline<NoTally>
    let object: TriageObjectEncoder
    /// Makes records of lines.
    let read: @Sendable (inout Batch) -> Void
    /// Id of an entry of the library.
    let entry: String

    /// - Parameter asking: makes the stages that ask a language model; ``annotate(_:)`` leaves them out.
    init(
        profile: CreatorProfile, library: FAQLibrary, settings: Settings = Settings(),
        asking: ((RuleSet, FAQLibrary) throws -> LLMStages)? = nil
    ) throws {
        let rules = try RuleFileLoader.load(shipped: ShippedFiles.rules, user: nil)
        let plan = try StandardPlan.make(
            rules: rules, database: try PatternDatabase(rules: rules), languages: try ShippedFiles.languageModel(),
            profile: profile, library: library, settings: settings, model: try ShippedFiles.model(),
            asking: try asking?(rules, library))
        object = TriageObjectEncoder(
            signals: SignalNames(rules: rules), library: library, questions: [], version: "0", rulesDigest: rules.digest
        )
        entry = library.entries.first?.id ?? ""
        let reader = RecordReader(ownIdentities: profile.handles)
        read = { reader.read(&$0) }
        pipeline = Pipeline(
            plan: plan, jobs: 1, read: read,
            encode: { BatchResult(sequence: $0.input.sequence, output: ByteBlock([]), rejects: [], tally: NoTally()) })
    }

    /// Annotates messages as one batch of a run.
    func annotate(_ messages: [Message]) throws -> Batch {
        try input(messages).map { pipeline.annotate($0) } ?? Batch()
    }

    /// Messages as one batch of lines; nil without messages.
    func input(_ messages: [Message], sequence: Int = 0) throws -> InputBatch? {
        var batch: InputBatch?
        let assembler = BatchAssembler(maximumLines: messages.count + 1, maximumBytes: .max / 2) { batch = $0 }
        for (number, message) in messages.enumerated() { try assembler.append(message, number: number + 1) }
        try assembler.flush()
        batch?.sequence = sequence
        return batch
    }

    /// The records as JSON lines.
    func encode(_ batch: inout Batch) -> [UInt8] {
        var out = OutputBuffer(capacity: 0)
        JSONLRecordEncoder(object: object).encode(&batch, into: &out)
        return out.finish().array
    }

    struct NoTally: Sendable {}
}
