/// A worker's batch: the input lines, the records made from them, and the flat buffers that their spans point into.
///
/// A worker owns one batch at a time and reuses its memory for the next, so after warm-up no stage allocates. Stages
/// read through the accessors below and write only the fields they declared.
package struct Batch: Sendable {
    package var input = InputBatch(sequence: 0)
    package var records: [Record] = []
    /// Decoded field values (UTF-8); ``RecordFields`` point into it.
    package var arena: [UInt8] = []
    /// Folded texts, each followed by a line break, then 64 bytes of padding; ``FoldedText`` points into it.
    package var folded: [UInt8] = []
    /// Points at which the offsets of folded and decoded text diverge.
    package var marks: [FoldMark] = []
    /// Words of the folded texts.
    package var tokens: [Token] = []
    /// Signals that fired, grouped by record.
    package var hits: [SignalHit] = []
    /// Sketches that are compared with the texts of other senders.
    package var sketches: [TextSketch] = []
    /// What messages mean: vectors of the sentence encoder, each ``sentenceSize`` numbers of length 1.
    package var sentences: [Float] = []
    /// Evidence of answers, grouped by answer.
    package var evidence: [Evidence] = []
    /// Text that stages produced (insights, drafts), UTF-8.
    package var generated: [UInt8] = []
    /// Strings in lists that stages produced, as spans of ``generated``.
    package var generatedSpans: [Span32] = []
    package var rejects: [Reject] = []
    /// Byte ranges of earlier `triage` members in the lines, including the comma that belongs to each.
    package var cuts: [Range<Int>] = []
    /// Facts about offers that a language model read, at most one per record; the rubric uses them.
    package var offerReadings: [OfferReading] = []
    /// Answers of language models, each with the line of its record.
    ///
    /// They are stored with the message, so that it can be scored again without asking.
    private var modelAnswers: [(line: Int, use: ModelUse, answer: [UInt8])] = []
    /// What went wrong with individual messages, each with the line of its record.
    private var problems: [(line: Int, problem: Problem)] = []

    /// Numbers of a vector in ``sentences``.
    package static let sentenceSize = 384

    package init() {}

    /// What a record means; nil where the encoder did not read it.
    package func sentence(of record: Record) -> ArraySlice<Float>? { Self.sentence(record.sentence, of: sentences) }

    /// One of many vectors by its number; nil for −1.
    package static func sentence(_ number: Int32, of sentences: [Float]) -> ArraySlice<Float>? {
        let start = Int(number) * sentenceSize
        return number < 0 ? nil : sentences[start..<start + sentenceSize]
    }

    /// Empties everything but keeps the allocated memory.
    package mutating func reset(to input: InputBatch) {
        self.input = input
        records.removeAll(keepingCapacity: true)
        arena.removeAll(keepingCapacity: true)
        folded.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        tokens.removeAll(keepingCapacity: true)
        hits.removeAll(keepingCapacity: true)
        sketches.removeAll(keepingCapacity: true)
        sentences.removeAll(keepingCapacity: true)
        evidence.removeAll(keepingCapacity: true)
        generated.removeAll(keepingCapacity: true)
        generatedSpans.removeAll(keepingCapacity: true)
        rejects.removeAll(keepingCapacity: true)
        cuts.removeAll(keepingCapacity: true)
        offerReadings.removeAll(keepingCapacity: true)
        modelAnswers.removeAll(keepingCapacity: true)
        problems.removeAll(keepingCapacity: true)
    }

    /// Stores what a language model answered about a record of this batch.
    ///
    /// - Parameters:
    ///   - answer: in the encoding used to keep answers.
    ///   - use: what it is for; a second answer for the same use replaces the first.
    package mutating func note(_ answer: [UInt8], for use: ModelUse, at index: Int) {
        modelAnswers.append((records[index].line, use, answer))
    }

    /// Returns what a language model answered about a record; nil when none did.
    package func modelAnswer(for use: ModelUse, of record: Record) -> [UInt8]? {
        guard record.askedOfModel.contains(use) else { return nil }
        return modelAnswers.last { $0.line == record.line && $0.use == use }?.answer
    }

    /// Reports a problem with a record of this batch.
    package mutating func report(_ problem: Problem, at index: Int) {
        records[index].hasProblems = true
        problems.append((records[index].line, problem))
    }

    /// Returns the problems of a record, in the order they were reported.
    package func problems(of record: Record) -> [Problem] {
        guard record.hasProblems else { return [] }
        return problems.filter { $0.line == record.line }.map(\.problem)
    }

    /// Removes the rejects whose records were filtered out.
    package mutating func dropFilteredRejects() {
        guard !rejects.isEmpty else { return }
        var kept: [Reject] = []
        for index in records.indices where records[index].status == .rejected {
            kept.append(rejects[records[index].reject])
            records[index].reject = kept.count - 1
        }
        rejects = kept
    }

    /// Returns a field's value as a string; for tests and for stages off the hot path.
    package func string(_ span: Span32) -> String? {
        guard span.isPresent else { return nil }
        return String(decoding: arena[span.range], as: UTF8.self)
    }

    /// Appends text to ``generated`` and returns its span.
    package mutating func generate(_ text: some Sequence<UInt8>) -> Span32 {
        let start = generated.count
        generated.append(contentsOf: text)
        return Span32(start: start, count: generated.count - start)
    }
}

/// A rejected record, with what `--rejects` writes.
package struct Reject: Sendable {
    /// Index into the batch's input lines.
    package var line: Int
    package var reason: RejectReason

    package init(line: Int, reason: RejectReason) {
        self.line = line
        self.reason = reason
    }
}

extension Batch {
    @inline(__always)
    private func decodedOffset(_ folded: Int, marks range: Range<Int>) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if Int(marks[middle].folded) <= folded { low = middle + 1 } else { high = middle }
        }
        return low == range.lowerBound ? folded : folded + Int(marks[low - 1].delta)
    }

    /// Maps a folded range to a decoded range, widened to whole scalars and without hidden characters at its end.
    package func decodedRange(_ start: UInt32, _ end: UInt32, of record: Record) -> Range<Int> {
        decodedRange(start, end, marks: record.folded.marks, field: record.fields.text)
    }

    private func decodedRange(_ start: UInt32, _ end: UInt32, marks: Range<Int>, field: Span32) -> Range<Int> {
        guard end > start else {
            let at = decodedOffset(Int(start), marks: marks)
            return at..<at
        }
        // A byte-based pattern may begin or end inside a scalar, even where folding changed nothing.
        var from = decodedOffset(Int(start), marks: marks)
        // The scalar of the last byte ends where the next mark or byte begins.
        var to = decodedOffset(Int(end) - 1, marks: marks) + 1
        let base = Int(field.start)
        let count = Int(field.count)
        while from > 0, arena[base + from] & 0xC0 == 0x80 { from -= 1 }
        while to < count, arena[base + to] & 0xC0 == 0x80 { to += 1 }
        return from..<max(from, min(to, count))
    }
}

/// Lines as a reader delivered them, each one JSON record, ready for a worker.
package struct InputBatch: Sendable {
    /// Position in the run, from 0 without gaps; batches come out in this order.
    package var sequence: Int
    /// The lines one after another, followed by at least ``padding`` bytes.
    package var bytes: [UInt8]
    package var lines: [InputLine]
    /// Name of the JSON member that holds the message text; nil: `text`.
    package var textKey: String?
    /// The time by which answers are needed; nil: no limit.
    ///
    /// Model answers that arrive later are left out.
    package var deadline: AnswerDeadline?

    /// Number of bytes that a SIMD scanner may read beyond a line.
    package static let padding = 64

    package init(sequence: Int, bytes: [UInt8] = [], lines: [InputLine] = []) {
        self.sequence = sequence
        self.bytes = bytes
        self.lines = lines
    }
}

/// One line of input.
package struct InputLine: Sendable {
    /// Where it lies in ``InputBatch/bytes``, without its line break (LF or CR LF).
    package var span: Span32
    /// Line number in its source, from 1; for exports, the position of the message.
    package var number: Int
    /// Byte offset of its first byte in its source; −1 when the source has no offsets.
    package var offset: Int
    /// Index into the run's list of sources.
    package var source: UInt16
    /// Set when the reader already knows that this line cannot become a record.
    package var reject: RejectReason?
    /// Whether an export reader produced the JSON of this record (so it is trusted to be well-formed).
    package var isMade: Bool

    package init(
        span: Span32, number: Int, offset: Int, source: UInt16, reject: RejectReason? = nil, isMade: Bool = false
    ) {
        self.span = span
        self.number = number
        self.offset = offset
        self.source = source
        self.reject = reject
        self.isMade = isMade
    }
}

/// Why a record was rejected: a stable code, an explanation without message text, and the position in the line.
package struct RejectReason: Sendable, Equatable {
    /// Stable, such as `json.syntax`, `json.depth`, `input.no-text`, `input.line-too-long`.
    package var code: String
    /// What was wrong and what was expected, in words; never message text.
    package var reason: String
    /// Byte offset in the line, from 0.
    package var offset: Int

    package init(code: String, reason: String, offset: Int = 0) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }
}

/// The latest time at which an answer is still useful.
package struct AnswerDeadline: Sendable, Equatable {
    // An `Instant` itself has no fixed layout, which would cost a batch time at each access.
    private let sinceStart: Duration

    private static let start = ContinuousClock.now

    /// A deadline that is this long from now.
    package init(after time: Duration) { sinceStart = Self.start.duration(to: .now) + time }

    /// The deadline as an instant of the continuous clock.
    package var instant: ContinuousClock.Instant { Self.start + sinceStart }
}

/// What happens to rejected records.
package enum RejectPolicy: String, Sendable, CaseIterable {
    /// An answer with the reason is written in their place in the output.
    case pass
    /// They are left out of the output and written to the rejects.
    case skip
    /// The first one ends the run with exit 65.
    case fail
}
