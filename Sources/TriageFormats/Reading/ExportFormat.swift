public import TriageCore

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

    /// Begins to read; one reader for each file, or for all that a claim names.
    func makeReader(_ context: ReadingContext) -> any ExportReader
}

extension ExportFormat {
    public func claim(_ paths: [String]) -> Claim? { nil }
}

/// Takes the bytes of an export and pushes its messages into the context's assembler.
///
/// Whatever the bytes are, it must not crash, and its memory must be bounded. What cannot be read becomes a reject with
/// a place. Used by one thread.
public protocol ExportReader: AnyObject {
    /// A file begins; its bytes follow, those of the opening included.
    func begin(_ member: Member, opening: Opening) throws
    /// The next bytes.
    ///
    /// - Returns: whether the reader wants more of this file.
    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool
    /// The file ends; `fault` says why it ended early, such as a truncated archive.
    func end(fault: RejectReason?) throws
    /// Everything was read.
    func finish() throws
}

/// What a reader gets to work with.
public struct ReadingContext {
    public let assembler: BatchAssembler
    public let options: InputReader.Options
    /// Says something to people, once.
    public let notices: @Sendable (String) -> Void
    /// The folder or archive as people call it; empty for a single file.
    public let container: String
    /// What the claim named, all passes together.
    public let paths: [String]

    public init(
        assembler: BatchAssembler, options: InputReader.Options,
        notices: @escaping @Sendable (String) -> Void = { _ in }, container: String = "", paths: [String] = []
    ) {
        self.assembler = assembler
        self.options = options
        self.notices = notices
        self.container = container
        self.paths = paths
    }
}

/// One file on its way through a reader.
public struct Member: Sendable {
    /// Path inside the container, with `/`; of a single file its name.
    public var path: String
    /// How messages and rejects call it: the path as given, `-`, or `export.zip:path`.
    public var source: String
    /// Which pass of the claim this is, from 0.
    public var pass: Int

    public init(path: String, source: String, pass: Int = 0) {
        self.path = path
        self.source = source
        self.pass = pass
    }
}

/// The files of a folder or archive that a format wants, in passes: each pass reads its files in the given order from
/// a folder and in the order of the archive from an archive.
public struct Claim: Sendable {
    public var detection: Detection
    public var passes: [[String]]

    public init(detection: Detection, passes: [[String]]) {
        self.detection = detection
        self.passes = passes
    }
}
