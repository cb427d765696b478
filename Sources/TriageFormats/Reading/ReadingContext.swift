public import TriageCore

/// What a reader gets to work with.
public struct ReadingContext {
    public let assembler: BatchAssembler
    public let options: ReadingOptions
    /// Says something to people, once.
    public let notices: @Sendable (String) -> Void
    /// The folder or archive as people call it; empty for a single file.
    public let container: String
    /// What the claim named, all passes together.
    public let paths: [String]
    /// What belongs to the export besides, such as media; nothing of it is read.
    public let companions: [String]
    /// What tells messages that came from another file; nil: nobody looks.
    public let repeats: RepeatedMessages?
    /// Counts words that nobody can read.
    public let unread: UnreadWords

    public init(
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
public struct ReadingOptions: Sendable {
    /// Files, folders, archives; `-` is standard input.
    public var paths = ["-"]
    /// Name of the format; nil: found by content.
    public var format: String?
    /// `field=column` each, such as `text=body`.
    public var columns: [String] = []
    /// Bytes of the longest line, row or element that is read.
    public var maximumLine = 16 << 20
    /// Handles or names that are the creator's own.
    public var ownIdentities: [String] = []
    /// Whether blank lines of JSONL are handed on, to be answered in place.
    public var answersBlankLines = false
    /// IANA name of the zone of times that say none; empty: UTC.
    public var timeZone = ""
    /// Order of day, month and year in dates that do not show it.
    public var dateOrder: DateOrder?
    /// Whether the input comes a record at a time and each is wanted at once: what it is, is settled by its first line,
    /// which is a delivery of a webhook or, whatever else it is, a record.
    public var isLive = false
    /// Whether somebody checked the signatures of deliveries before, who saw them come.
    public var trustsDeliveries = false
    /// How long an input may say nothing; nil: for ever.
    ///
    /// Then reading ends with ``TriageError`` `input.idle`.
    public var idleLimit: Duration?
    /// Files that the run writes: left out of folders, and refused where they are named.
    public var ownFiles: [String] = []
    /// Files that the run replaces at its end: left out of folders, for an earlier run made them; one that is named
    /// is read.
    public var replacedFiles: [String] = []
    /// Gets the bytes of plain files and streams as they are read.
    public var observer: (@Sendable (UnsafeBufferPointer<UInt8>) -> Void)?

    public init() {}
}

/// The order of day, month and year in a date of three numbers.
public enum DateOrder: String, Sendable, CaseIterable {
    case dmy, mdy, ymd
}
