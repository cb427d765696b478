package import TriageCore
package import TriageEvaluation
import TriageFormats

/// Reads gold files batch by batch; of each record, only a digest of its id is kept.
package struct GoldLines {
    /// A record; its bytes are valid only while `body` looks at it.
    package struct Record {
        package let line: UnsafeBufferPointer<UInt8>
        /// The line as it was read, with its position in its file.
        package let input: InputLine
        /// nil: `text`.
        package let textKey: String?
        package let id: String
        package let gold: Gold
        package let creator: String?
        /// `file:line`.
        package let mark: String

        package var subject: ChangeSubject { ChangeSubject(line, id: id, textKey: textKey ?? "text", gold: gold) }
    }

    package let paths: [String]
    package let format: String?

    package init(paths: [String], format: String?) {
        self.paths = paths
        self.format = format
    }

    /// Calls `body` with each record, in order.
    ///
    /// - Returns: the number of records.
    /// - Throws: ``TriageError`` for faults of the files (the same as in `triage evaluate`), or when they hold no
    ///   record; what `body` throws.
    package func forEach(_ body: @escaping (Record) throws -> Void) throws -> Int {
        var sources: [String] = []
        var known: Set<UInt64> = []
        var options = InputReader.Options()
        options.paths = paths
        options.format = format
        let assembler = BatchAssembler(
            beginSource: { sources.append($0) },
            deliver: { batch in
                try Self.check(batch, sources)
                // One set per batch is enough: names and conversations of other batches are not needed here.
                var set = EvaluationSet()
                try batch.bytes.withUnsafeBufferPointer { bytes in
                    for line in batch.lines {
                        let mark = Self.mark(line, sources)
                        let record = try Self.record(
                            UnsafeBufferPointer(rebasing: bytes[line.span.range]), line, batch.textKey, &set, at: mark)
                        guard known.insert(TextDigest.of(record.id)).inserted else {
                            throw TriageError(
                                "evaluate.same-id", "the id of this record is a duplicate", at: mark,
                                remedy: "give every record a unique id", exit: .badData)
                        }
                        try body(record)
                    }
                }
            })
        try InputReader(options: options).read(into: assembler)
        try assembler.flush()
        guard !known.isEmpty else {
            throw TriageError(
                "evaluate.no-records", "there are no records to evaluate", remedy: "check the gold files",
                exit: .badData)
        }
        return known.count
    }

    private static func mark(_ line: InputLine, _ sources: [String]) -> String {
        "\(sources.indices.contains(Int(line.source)) ? sources[Int(line.source)] : "-"):\(line.number)"
    }

    /// Parses the records as a run would, because looking up single members does not notice faults after them.
    private static func check(_ input: InputBatch, _ sources: [String]) throws {
        var batch = Batch()
        batch.reset(to: input)
        RecordReader(ownIdentities: [], ownHandles: []).read(&batch)
        for (line, record) in zip(input.lines, batch.records) where record.status == .rejected {
            guard batch.rejects.indices.contains(record.reject) else { continue }
            throw unreadable(batch.rejects[record.reject].reason, at: mark(line, sources))
        }
    }

    private static func record(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: InputLine, _ textKey: String?, _ set: inout EvaluationSet,
        at mark: String
    ) throws -> Record {
        let reader = GoldReader()
        guard let id = reader.id(bytes) else {
            throw TriageError(
                "evaluate.no-id", "the record has no id", at: mark, remedy: "give every record a unique id",
                exit: .badData)
        }
        do {
            return Record(
                line: bytes, input: line, textKey: textKey, id: id, gold: try reader.gold(bytes, in: &set),
                creator: reader.creator(bytes), mark: mark)
        } catch var error {
            error.at = mark
            throw error
        }
    }

    package static func unreadable(_ reason: RejectReason, at mark: String) -> TriageError {
        TriageError(reason.code, reason.reason, at: mark, remedy: "fix the record", exit: .badData)
    }
}
