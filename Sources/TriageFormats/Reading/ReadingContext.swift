package import TriageCore

/// What a reader gets to work with.
package struct ReadingContext {
    package let assembler: BatchAssembler
    package let options: ReadingOptions
    /// Says something to people, once.
    package let notices: @Sendable (String) -> Void
    /// The folder or archive as people call it; empty for a single file.
    package let container: String
    /// What the claim named, all passes together.
    package let paths: [String]
    /// What belongs to the export besides, such as media; nothing of it is read.
    package let companions: [String]
    /// What tells messages that came from another file; nil: nobody looks.
    package let repeats: RepeatedMessages?
    /// Counts words that nobody can read.
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

/// What decides how inputs are read.
package struct ReadingOptions: Sendable {
    /// Files, folders, archives; `-` is standard input.
    package var paths = ["-"]
    /// Name of the format; nil: found by content.
    package var format: String?
    /// `field=column` each, such as `text=body`.
    package var columns: [String] = []
    /// Bytes of the longest line, row or element that is read.
    package var maximumLine = 16 << 20
    /// Handles or names that are the creator's own.
    package var ownIdentities: [String] = []
    /// Whether blank lines of JSONL are handed on, to be answered in place.
    package var answersBlankLines = false
    /// IANA name of the zone of times that say none; empty: UTC.
    package var timeZone = ""
    /// Order of day, month and year in dates that do not show it.
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
