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
