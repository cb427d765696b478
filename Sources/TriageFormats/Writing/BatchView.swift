import TriageCore

/// A batch's buffers while they are borrowed: reading them neither retains nor checks for unique owners.
struct BatchView {
    let records: UnsafeBufferPointer<Record>
    let input: UnsafeBufferPointer<UInt8>
    let lines: UnsafeBufferPointer<InputLine>
    let arena: UnsafeBufferPointer<UInt8>
    let evidence: UnsafeBufferPointer<Evidence>
    let generated: UnsafeBufferPointer<UInt8>
    let generatedSpans: UnsafeBufferPointer<Span32>
    let cuts: UnsafeBufferPointer<Range<Int>>

    /// Calls `body` with a view of a batch, which is good until it returns.
    static func with(_ batch: borrowing Batch, _ body: (BatchView) -> Void) {
        batch.records.withUnsafeBufferPointer { records in
            batch.input.bytes.withUnsafeBufferPointer { input in
                batch.input.lines.withUnsafeBufferPointer { lines in
                    batch.arena.withUnsafeBufferPointer { arena in
                        batch.evidence.withUnsafeBufferPointer { evidence in
                            batch.generated.withUnsafeBufferPointer { generated in
                                batch.generatedSpans.withUnsafeBufferPointer { spans in
                                    batch.cuts.withUnsafeBufferPointer { cuts in
                                        body(
                                            BatchView(
                                                records: records, input: input, lines: lines, arena: arena,
                                                evidence: evidence, generated: generated, generatedSpans: spans,
                                                cuts: cuts))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
