package import TriageCore

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
