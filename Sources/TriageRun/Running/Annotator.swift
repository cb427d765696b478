import Synchronization
import TriageConfig
import TriageCore
import TriageFormats
import TriageMatching
import TriageStages

/// Annotates records in process, as `triage run --offline` does: the public API of the library product `Triage`.
///
/// It sends nothing and writes nothing. It reads only the files that are named, and ignores `triage.yaml`, environment
/// variables and the rule cache. Like one long run, an annotator remembers conversations and repeated texts from call
/// to call, so use one per inbox. It is safe to call from several threads; the calls wait for each other.
public final class Annotator: Sendable {
    private let pipeline: Mutex<Pipeline<RunCounts>>
    private let encoder: JSONLRecordEncoder

    /// - Parameters:
    ///   - creator: path of the creator's profile (`creator.yaml`); nil: no profile.
    ///   - faq: path of the FAQ (`faq.yaml`); nil: no FAQ.
    ///   - rules: path of the creator's own rules (`rules.yaml`); nil: only the shipped rules.
    /// - Throws: ``TriageErrors`` with every fault of every file.
    public init(creator: String? = nil, faq: String? = nil, rules: String? = nil) throws {
        var request = ConfigurationRequest(creator: creator, faq: faq, rules: rules)
        request.findsConfig = false
        let loaded = try LoadedConfiguration.load(request, shipped: ShippedFiles.rules)
        let settings = loaded.settings
        let model = try ShippedFiles.model()
        let plan = try StandardPlan.make(
            rules: loaded.rules, database: try PatternDatabase(rules: loaded.rules),
            languages: try ShippedFiles.languageModel(), profile: loaded.creator, library: loaded.faq,
            settings: settings, model: model)
        let reader = RecordReader(ownIdentities: settings.ownIdentities, ownHandles: loaded.creator.handles)
        pipeline = Mutex(
            Pipeline(
                plan: plan, jobs: 1, read: { reader.read(&$0) },
                encode: {
                    BatchResult(sequence: $0.input.sequence, output: ByteBlock([]), rejects: [], tally: RunCounts())
                }))
        encoder = JSONLRecordEncoder(
            object: TriageObjectEncoder(
                signals: SignalNames(rules: loaded.rules), library: loaded.faq, questions: [],
                version: Version.current, rulesDigest: loaded.rules.digest,
                modelDigest: settings.modelHeads.isEmpty ? nil : model.digest),
            rejects: .pass)
    }

    /// Adds the member `triage` to each record.
    ///
    /// - Parameter lines: one JSON record per line, in the order in which the messages were sent.
    /// - Returns: one line, with a line break, for each line that is not blank, in the same order. The line for a
    ///   record that cannot be read gives the reason.
    public func annotate(_ lines: String) -> String {
        var output: [UInt8] = []
        pipeline.withLock { locked in
            let pipeline = locked
            let assembler = BatchAssembler { input in
                var batch = pipeline.annotate(input)
                var out = OutputBuffer(capacity: input.bytes.count + input.lines.count * 2048)
                self.encoder.encode(&batch, into: &out)
                out.finish().withUnsafeBytes { output.append(contentsOf: $0) }
            }
            // The assembler only throws what `deliver` throws, which is nothing.
            try? Self.split(lines, into: assembler)
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func split(_ lines: String, into assembler: BatchAssembler) throws {
        assembler.beginSource("-")
        var offset = 0
        for (index, line) in lines.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            var bytes = Array(line)
            let next = offset + bytes.count + 1
            if bytes.last == 0x0D { bytes.removeLast() }
            if bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) {
                try bytes.withUnsafeBufferPointer { try assembler.append(line: $0, number: index + 1, offset: offset) }
            }
            offset = next
        }
        try assembler.flush()
    }
}
