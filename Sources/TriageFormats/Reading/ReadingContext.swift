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
    /// Whether the input comes a record at a time and each is wanted at once: what it is, is settled by its first line,
    /// which is a delivery of a webhook or, whatever else it is, a record.
    package var isLive = false
    /// Whether somebody checked the signatures of deliveries before, who saw them come.
    package var trustsDeliveries = false
    /// How long an input may say nothing; nil: for ever.
    ///
    /// Then reading ends with ``TriageError`` `input.idle`.
    package var idleLimit: Duration?
    /// Files that the run writes: left out of folders, and refused where they are named.
    package var ownFiles: [String] = []
    /// Files that the run replaces at its end: left out of folders, for an earlier run made them; one that is named
    /// is read.
    package var replacedFiles: [String] = []
    /// Gets the bytes of plain files and streams as they are read.
    package var observer: (@Sendable (UnsafeBufferPointer<UInt8>) -> Void)?

    package init() {}
}

/// The order of day, month and year in a date of three numbers.
package enum DateOrder: String, Sendable, CaseIterable {
    case dmy, mdy, ymd
}
