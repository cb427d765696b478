/// One kind of export that can be read.
///
/// A format is a plain value listed in ``ExportFormats/standard``. It judges a file by its first bytes, or a folder or
/// archive by the names in it, and makes a reader that is fed bytes and pushes messages. See the guide
/// *Adding a format*.
public protocol ExportFormat: Sendable {
    /// `platform-container`, as `--from` takes it.
    var name: String { get }
    /// What it is, for lists, in one line.
    var summary: String { get }

    /// Judges one file by its opening; nil when it is something else.
    func detect(_ opening: Opening) -> Detection?

    /// Judges a folder or archive by the paths in it; nil when it is something else, or not read as a whole.
    func claim(_ paths: [String]) -> Claim?

    /// Whether other exports have files of the same names, such as `messages.csv`.
    ///
    /// Then folders and archives that only another such format claims are left to that one, and each file that is claimed
    /// is judged by its content once more. The first pass of such a format only looks round.
    var sharesNames: Bool { get }

    /// Whether a look at each file on its own, once and in any order, finds what there is in an export.
    ///
    /// If not (the owner or the names stand in another file), a zip that comes through a pipe is not read: what lies
    /// behind cannot be looked at first.
    var readsFilesAlone: Bool { get }

    /// Whether a file of this path, though claimed, may be one of another format by its content.
    func isUnsure(of path: String) -> Bool

    /// Whether it takes any file in which it finds a text; what is known to be no messages is kept from it.
    var takesAnyText: Bool { get }

    /// Whether the reader of a claim reads files of this format too.
    func reads(_ other: any ExportFormat) -> Bool

    /// Begins to read; one reader for each file, or for all that a claim names.
    func makeReader(_ context: ReadingContext) -> any ExportReader
}

extension ExportFormat {
    public func claim(_ paths: [String]) -> Claim? { nil }
    public var sharesNames: Bool { false }
    public var takesAnyText: Bool { false }
    public var readsFilesAlone: Bool { true }
    public func isUnsure(of path: String) -> Bool { sharesNames }
    public func reads(_ other: any ExportFormat) -> Bool { other.name == name }
}
