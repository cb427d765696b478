package import TriageCore

/// Everything that a reader needs besides the bytes.
package struct ReadingContext {
    package let assembler: BatchAssembler
    package let options: ReadingOptions
    /// Shows a notice to people, once.
    package let notices: @Sendable (String) -> Void
    /// The name of the folder or archive; empty for a single file.
    package let container: String
    /// The files named by the claim, of all passes.
    package let paths: [String]
    /// Other files of the export, such as media; they are not read.
    package let companions: [String]
    /// Recognizes messages that came from another file; nil: no check.
    package let repeats: RepeatedMessages?
    /// Counts text that cannot be read.
    package let unread: UnreadWords

    package init(
        assembler: BatchAssembler, options: ReadingOptions,
        notices: @escaping @Sendable (String) -> Void = { _ in }, container: String = "", paths: [String] = [],
        companions: [String] = [], repeats: RepeatedMessages? = nil, unread: UnreadWords = UnreadWords()
    ) {
        self.unread = unread
        self.repeats = repeats
        self.assembler = assembler
        self.options = options
        self.notices = notices
        self.container = container
        self.paths = paths
        self.companions = companions
    }

    /// Adds a reject without its bytes.
    func reject(_ reason: RejectReason, in source: String, number: Int, offset: Int) throws {
        assembler.beginSource(source)
        try assembler.append(reject: reason, number: number, offset: offset)
    }
}

/// How to read inputs.
package struct ReadingOptions: Sendable {
    /// Files, folders, archives; `-` is stdin.
    package var paths = ["-"]
    /// Name of the format; nil: detect by content.
    package var format: String?
    /// Column mappings, each `field=column`, such as `text=body`.
    package var columns: [String] = []
    /// Maximum bytes of a line, row or element.
    package var maximumLine = 16 << 20
    /// The creator's own handles or names.
    package var ownIdentities: [String] = []
    /// Whether blank lines of JSONL are passed on, to be answered in place.
    package var answersBlankLines = false
    /// IANA name of the time zone for times without one; empty: UTC.
    package var timeZone = ""
    /// Order of day, month and year in ambiguous dates.
    package var dateOrder: DateOrder?
    /// Whether the input arrives one record at a time and each answer is wanted at once.
    ///
    /// If so, the first line decides the format: a webhook delivery or, in all other cases, one record per line.
    package var isLive = false
    /// Whether the signatures of deliveries were already verified by the receiver.
    package var trustsDeliveries = false
    /// How long an input may be silent; nil: forever.
    ///
    /// After that, reading ends with ``TriageError`` `input.idle`.
    package var idleLimit: Duration?
    /// Files that the run writes: skipped in folders, and refused when named as input.
    package var ownFiles: [String] = []
    /// Files that the run replaces at its end: skipped in folders, because an earlier run made them.
    ///
    /// A file that is named as input is read.
    package var replacedFiles: [String] = []
    /// Receives the bytes of plain files and streams as they are read.
    package var observer: (@Sendable (UnsafeBufferPointer<UInt8>) -> Void)?

    package init() {}
}

/// The order of day, month and year in a date of three numbers.
package enum DateOrder: String, Sendable, CaseIterable {
    case dmy, mdy, ymd
}
