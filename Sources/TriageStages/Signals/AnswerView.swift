internal import TriageCore

/// Pointers to a batch's buffers while its records are answered.
///
/// Arrays check for sharing and bounds at every access; a stage that processes a thousand messages checks once instead.
/// Valid inside ``Batch/withAnswerView(_:)``.
struct AnswerView {
    let records: UnsafeMutableBufferPointer<Record>
    let hits: UnsafeBufferPointer<SignalHit>
    let folded: UnsafeBufferPointer<UInt8>
    let tokens: UnsafeBufferPointer<Token>
    let marks: UnsafeBufferPointer<FoldMark>
    let arena: UnsafeBufferPointer<UInt8>

    /// Calls `body` with each record to be triaged.
    @inline(__always)
    func forEachAsked(_ body: (UnsafeMutablePointer<Record>) -> Void) {
        guard let first = records.baseAddress else { return }
        for index in 0..<records.count where first[index].isAsked { body(first + index) }
    }

    /// Calls `body` with each record to be triaged, and before that `ahead` with the record after it.
    @inline(__always)
    func forEachAsked(
        ahead: (UnsafePointer<Record>) -> Void, _ body: (UnsafeMutablePointer<Record>) -> Void
    ) {
        guard let first = records.baseAddress else { return }
        for index in 0..<records.count where first[index].isAsked {
            // The next record is usually one to be triaged; searching for one that is would cost more than reading one
            // in vain.
            if index &+ 1 < records.count { ahead(first + (index &+ 1)) }
            body(first + index)
        }
    }

    /// Returns the index of a record in the batch.
    func index(of record: UnsafePointer<Record>) -> Int { records.baseAddress.map { record - UnsafePointer($0) } ?? 0 }

    /// Returns the signals that fired in a record.
    @inline(__always)
    func hits(of record: UnsafePointer<Record>) -> UnsafeBufferPointer<SignalHit> {
        UnsafeBufferPointer(rebasing: hits[record.pointee.hits])
    }

    /// Returns the mapping from a record's folded offsets to its text.
    @inline(__always)
    func places(of record: UnsafePointer<Record>) -> MessagePlaces {
        MessagePlaces(
            marks: UnsafeBufferPointer(rebasing: marks[record.pointee.folded.marks]),
            text: UnsafeBufferPointer(rebasing: arena[record.pointee.fields.text.range]))
    }
}

extension Batch {
    /// Calls `body` with a view of the buffers; only the records may be written.
    mutating func withAnswerView(_ body: (AnswerView) -> Void) {
        // These copies share their storage with the batch.
        let (hits, folded, tokens, marks, arena) = (self.hits, self.folded, self.tokens, self.marks, self.arena)
        records.withUnsafeMutableBufferPointer { records in
            hits.withUnsafeBufferPointer { hits in
                folded.withUnsafeBufferPointer { folded in
                    tokens.withUnsafeBufferPointer { tokens in
                        marks.withUnsafeBufferPointer { marks in
                            arena.withUnsafeBufferPointer { arena in
                                body(
                                    AnswerView(
                                        records: records, hits: hits, folded: folded, tokens: tokens, marks: marks,
                                        arena: arena))
                            }
                        }
                    }
                }
            }
        }
    }
}

extension UnsafeBufferPointer<SignalHit> {
    /// Whether a signal among these hits has a weight other than 0, including covered hits.
    @inline(__always)
    func hasWeight(_ weights: UnsafeBufferPointer<Float>) -> Bool {
        var all: UInt32 = 0
        for hit in self { all |= weights[Int(hit.signal)].bitPattern }
        // Shifts out the sign bit, which may be set for zero, too.
        return all &<< 1 != 0
    }
}
