/// Lines as they came from a reader, each one JSON record, ready for a worker.
package struct InputBatch: Sendable {
    /// Position in the run, from 0 without gaps: the order in which batches come out.
    package var sequence: Int
    /// The lines back to back, and at least ``padding`` bytes behind the last one.
    package var bytes: [UInt8]
    package var lines: [InputLine]
    /// Name of the member that holds the message text in these lines; nil: `text`.
    package var textKey: String?
    /// When answers are wanted at the latest; nil: no limit.
    ///
    /// What a model has not said by then is left out.
    package var deadline: AnswerDeadline?

    /// Bytes a SIMD scanner may read behind a line.
    package static let padding = 64

    package init(sequence: Int, bytes: [UInt8] = [], lines: [InputLine] = []) {
        self.sequence = sequence
        self.bytes = bytes
        self.lines = lines
    }
}

/// One line of input.
package struct InputLine: Sendable {
    /// Where it lies in ``InputBatch/bytes``, without line break (and without one CR before it).
    package var span: Span32
    /// Line number in its source, from 1; for exports the ordinal of the message.
    package var number: Int
    /// Byte offset of its first byte in its source; −1 when the source has no such offsets.
    package var offset: Int
    /// Index into the run's list of sources.
    package var source: UInt16
    /// Set when the reader already knows that this cannot become a record.
    package var reject: RejectReason?
    /// Whether the record was made by a reader of exports (its JSON is ours) instead of read as JSON.
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

/// Why a record was rejected: a stable code, words without any message text, and the place in the line.
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

/// The moment at which an answer is wanted at the latest.
package struct AnswerDeadline: Sendable, Equatable {
    // An instant itself has no fixed layout, which a batch would pay for at each look.
    private let sinceStart: Duration

    private static let start = ContinuousClock.now

    /// A moment so long from now.
    package init(after time: Duration) { sinceStart = Self.start.duration(to: .now) + time }

    /// The moment on the clock.
    package var instant: ContinuousClock.Instant { Self.start + sinceStart }
}

/// What happens to records that are rejected.
package enum RejectPolicy: String, Sendable, CaseIterable {
    /// Answered in place in the output.
    case pass
    /// Left out of the output, written to the rejects.
    case skip
    /// The first one ends the run with exit 65.
    case fail
}
