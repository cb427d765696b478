package import TriageCore

/// A kind of export that can be read.
///
/// A format is a plain value listed in ``ExportFormats/standard``. It recognizes a file by its first bytes, or a folder
/// or archive by the file names in it. It makes a reader, which receives bytes and emits messages. See the guide
/// *Adding a format*.
package protocol ExportFormat: Sendable {
    /// The name that `--from` accepts: `platform-container`.
    var name: String { get }
    /// A one-line description for lists.
    var summary: String { get }

    /// Recognizes a file by its opening; nil if it is something else.
    func detect(_ opening: Opening) -> Detection?

    /// Recognizes a folder or archive by its paths; nil if it is something else, or not read as a whole.
    func claim(_ paths: [String]) -> Claim?

    /// Whether other exports have files of the same names, such as `messages.csv`.
    ///
    /// If so, folders and archives claimed by only one other such format are left to that format, and every claimed
    /// file is checked again by its content. The first pass of such a format only gathers information.
    var sharesNames: Bool { get }

    /// Whether each file can be read on its own, once and in any order.
    ///
    /// If not (because another file has the owner or the names), a zip from a pipe cannot be read: files further back
    /// are not available first.
    var readsFilesAlone: Bool { get }

    /// Whether a claimed file with this path may turn out to be of another format by its content.
    func isUnsure(of path: String) -> Bool

    /// Whether the format accepts any file with a text; known non-messages are kept away from it.
    var takesAnyText: Bool { get }

    /// Whether the reader of a claim also reads files of another format.
    func reads(_ other: any ExportFormat) -> Bool

    /// Makes a reader for one file, or for all files of a claim.
    func makeReader(_ context: ReadingContext) -> any ExportReader
}

extension ExportFormat {
    package func claim(_ paths: [String]) -> Claim? { nil }
    package var sharesNames: Bool { false }
    package var takesAnyText: Bool { false }
    package var readsFilesAlone: Bool { true }
    package func isUnsure(of path: String) -> Bool { sharesNames }
    package func reads(_ other: any ExportFormat) -> Bool { other.name == name }
}

/// The format that an input was identified as, and why.
package struct Detection: Sendable, Equatable {
    /// Name of the format.
    package var format: String
    /// The evidence that decided; never message text.
    package var reason: String
    /// What such an export usually has and this one lacks, with the consequences, as text for people.
    package var missing: [String] = []
    /// Whether it contains messages.
    ///
    /// A file without messages belongs to an export (a profile, settings, a list of members) and is skipped silently.
    package var hasMessages = true
}

/// The files of a folder or archive that a format wants to read, in passes.
///
/// In each pass, a folder's files are read in the given order, and an archive's in the order of the archive.
package struct Claim: Sendable {
    package var detection: Detection
    package var passes: [[String]]
    /// The export's locations, as path prefixes.
    ///
    /// They end in `/`, or are empty for everything. Files there that are in no pass (media, settings, other lists)
    /// belong to the export and are skipped silently.
    package var roots: [String]

    /// Whether a path belongs to the export.
    func covers(_ path: String) -> Bool { roots.contains { path.hasPrefix($0) } }

    /// The paths that belong to the export in a folder or archive that contains nothing else of it.
    ///
    /// A part of an export that has only media uses the same folders as the rest.
    func coveredApart(in paths: [String]) -> [String] {
        var folders = Set<String>()
        for path in passes.joined() {
            for root in roots where path.hasPrefix(root) {
                let rest = path.dropFirst(root.count)
                if let slash = rest.firstIndex(of: "/") { folders.insert(root + rest[...slash]) }
            }
        }
        return paths.filter { path in folders.contains { path.hasPrefix($0) } }
    }

    /// The parent folders of the first path component that `isInside` recognizes as the export's own, such as
    /// `messages`.
    ///
    /// `one/two/messages/inbox/x.json` gives `one/two/`.
    static func roots(of paths: [String], isInside: (Substring) -> Bool) -> [String] {
        var roots = Set<String>()
        for path in paths {
            var root = ""
            for part in path.split(separator: "/").dropLast() {
                if isInside(part) { break }
                root += part + "/"
            }
            roots.insert(root)
        }
        return roots.sorted()
    }
}

/// Receives the bytes of an export and adds its messages to the context's assembler.
///
/// It must not crash on any input, and its memory must be bounded. Unreadable data becomes a reject with its position.
/// A reader is used by one thread.
package protocol ExportReader: AnyObject {
    /// Starts a file; its bytes follow, including those of the opening.
    func begin(_ member: Member, opening: Opening) throws
    /// Processes the next bytes.
    ///
    /// - Returns: whether the reader wants more of this file.
    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool
    /// Ends the file; `fault` says why it ended early, such as a truncated archive.
    func end(fault: RejectReason?) throws
    /// Called after all files were read.
    func finish() throws
    /// Called when a live input is idle: emit what is held back only in case more of it arrives.
    func idle() throws
}

extension ExportReader {
    package func idle() throws {}
}

/// One file passed to a reader.
package struct Member: Sendable {
    /// Path within the container, separated by `/`; for a single file, its name.
    package var path: String
    /// Name of the file in messages and rejects: the path as given, `-`, or `export.zip:path`.
    package var source: String
    /// The pass of the claim, from 0.
    package var pass: Int

    package init(path: String, source: String, pass: Int = 0) {
        self.path = path
        self.source = source
        self.pass = pass
    }
}

/// The first bytes of a file, decoded to UTF-8 and without a byte order mark.
package struct Opening: Sendable {
    /// Maximum number of bytes examined to detect the format.
    package static let limit = 256 * 1024

    package var bytes: [UInt8]
    /// Whether this is the whole file.
    package var isWhole: Bool
    /// Length of the byte order mark before the bytes.
    package var markLength: Int

    package init(bytes: [UInt8], isWhole: Bool, markLength: Int = 0) {
        self.bytes = bytes
        self.isWhole = isWhole
        self.markLength = markLength
    }

    /// The first byte that is not whitespace.
    package var firstByte: UInt8? { bytes.first { !Self.isBlank($0) } }

    /// Whether there is only whitespace.
    package var isBlank: Bool { firstByte == nil }

    /// The first line that is not blank, without its line break; nil when its end is not in sight.
    package var firstLine: ArraySlice<UInt8>? {
        guard let start = bytes.firstIndex(where: { !Self.isBlank($0) }) else { return nil }
        guard let end = bytes[start...].firstIndex(of: 0x0A) else { return isWhole ? bytes[start...] : nil }
        let line = bytes[start..<end]
        return line.last == 0x0D ? line.dropLast() : line
    }

    /// Whether it contains NUL bytes and is not merely text with a few stray ones.
    ///
    /// UTF-16 without a byte order mark has one per letter, and binary files have other control bytes at the beginning.
    var isBinary: Bool {
        guard let first = bytes.firstIndex(of: 0) else { return false }
        let strays = bytes[first...].reduce(into: 0) { $0 += $1 == 0 ? 1 : 0 }
        guard strays * 8 <= bytes.count, strays <= 16 + bytes.count / 1024 else { return true }
        return bytes.prefix(512).contains { $0 != 0 && $0 < 0x20 && !Self.isBlank($0) }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
