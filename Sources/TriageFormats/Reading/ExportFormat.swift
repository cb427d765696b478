package import TriageCore

/// One kind of export that can be read.
///
/// A format is a plain value listed in ``ExportFormats/standard``. It judges a file by its first bytes, or a folder or
/// archive by the names in it, and makes a reader that is fed bytes and pushes messages. See the guide
/// *Adding a format*.
package protocol ExportFormat: Sendable {
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
    package func claim(_ paths: [String]) -> Claim? { nil }
    package var sharesNames: Bool { false }
    package var takesAnyText: Bool { false }
    package var readsFilesAlone: Bool { true }
    package func isUnsure(of path: String) -> Bool { sharesNames }
    package func reads(_ other: any ExportFormat) -> Bool { other.name == name }
}

/// What an input was taken for, and why.
package struct Detection: Sendable, Equatable {
    /// Name of the format.
    package var format: String
    /// What was seen that decided; never message text.
    package var reason: String
    /// What such an export usually has and this one lacks, in words that say what follows from it.
    package var missing: [String]
    /// Whether there are messages in it; without, it is a file that belongs to an export (a profile, settings, a list of
    /// members), is passed over and needs no word.
    package var hasMessages: Bool

    package init(format: String, reason: String, missing: [String] = [], hasMessages: Bool = true) {
        self.hasMessages = hasMessages
        self.format = format
        self.reason = reason
        self.missing = missing
    }
}

/// The files of a folder or archive that a format wants, in passes: each pass reads its files in the given order from
/// a folder and in the order of the archive from an archive.
package struct Claim: Sendable {
    package var detection: Detection
    package var passes: [[String]]
    /// Where the export lies, as beginnings of paths.
    ///
    /// They end in `/`, or are empty for everything. What lies there and is in no pass (media, settings, other lists)
    /// belongs to the export and is passed over without a word.
    package var roots: [String]

    package init(detection: Detection, passes: [[String]], roots: [String]) {
        self.detection = detection
        self.passes = passes
        self.roots = roots
    }

    /// Whether a path belongs to the export.
    func covers(_ path: String) -> Bool { roots.contains { path.hasPrefix($0) } }

    /// The paths that belong to the export though nothing else of their folder or archive does: a part of the export
    /// that has media alone lies in the same folders.
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

    /// The folders above the first component of each path that `isInside` says is the export's own, such as `messages`.
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

/// Takes the bytes of an export and pushes its messages into the context's assembler.
///
/// Whatever the bytes are, it must not crash, and its memory must be bounded. What cannot be read becomes a reject with
/// a place. Used by one thread.
package protocol ExportReader: AnyObject {
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
    /// A live input has nothing more for now: what is held only in case more of it comes should go out.
    func idle() throws
}

extension ExportReader {
    package func idle() throws {}
}

/// One file on its way through a reader.
package struct Member: Sendable {
    /// Path inside the container, with `/`; of a single file its name.
    package var path: String
    /// How messages and rejects call it: the path as given, `-`, or `export.zip:path`.
    package var source: String
    /// Which pass of the claim this is, from 0.
    package var pass: Int

    package init(path: String, source: String, pass: Int = 0) {
        self.path = path
        self.source = source
        self.pass = pass
    }
}

/// The first bytes of a file, decoded to UTF-8 and without byte order mark.
package struct Opening: Sendable {
    /// Bytes that are looked at to find the format.
    package static let limit = 256 * 1024

    package var bytes: [UInt8]
    /// Whether this is the whole file.
    package var isWhole: Bool
    /// Bytes of the mark that stood before them.
    package var markLength: Int

    package init(bytes: [UInt8], isWhole: Bool, markLength: Int = 0) {
        self.bytes = bytes
        self.isWhole = isWhole
        self.markLength = markLength
    }

    /// The first byte that is no blank.
    package var firstByte: UInt8? { bytes.first { !Self.isBlank($0) } }

    /// Whether there is nothing but blanks.
    package var isBlank: Bool { firstByte == nil }

    /// The first line that is not blank, without its line break; nil when its end is not in sight.
    package var firstLine: ArraySlice<UInt8>? {
        guard let start = bytes.firstIndex(where: { !Self.isBlank($0) }) else { return nil }
        guard let end = bytes[start...].firstIndex(of: 0x0A) else { return isWhole ? bytes[start...] : nil }
        let line = bytes[start..<end]
        return line.last == 0x0D ? line.dropLast() : line
    }

    /// Whether it has NULs and is no text in which a few of them strayed.
    ///
    /// UTF-16 without a mark has one for every letter, and binary files have other control bytes at their beginning.
    var isBinary: Bool {
        guard let first = bytes.firstIndex(of: 0) else { return false }
        let strays = bytes[first...].reduce(into: 0) { $0 += $1 == 0 ? 1 : 0 }
        guard strays * 8 <= bytes.count, strays <= 16 + bytes.count / 1024 else { return true }
        return bytes.prefix(512).contains { $0 != 0 && $0 < 0x20 && !Self.isBlank($0) }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
