import TriageCore

/// The contents of a folder or archive.
struct Listing {
    /// Readable files.
    var paths: [String] = []
    /// Entries of an archive that are refused.
    var refused: [RejectReason] = []
    /// Unreadable files of a folder.
    var left: [LeftOut] = []
    /// Links to files that are listed anyway.
    var copies: [(path: String, original: String)] = []
    /// Whether files in it need a password.
    var isEncrypted = false
}

/// A folder or an archive: named files that are read one after the other.
protocol Container: AnyObject {
    /// The name as the user gave it.
    var name: String { get }

    /// Lists the files, without junk.
    func list() throws -> Listing

    /// Reads some of its files, in the given order or in the archive's.
    ///
    /// - Parameter visit: receives the path and a function that returns the next bytes, nil at the end.
    /// - Throws: ``ArchiveFault`` when the rest cannot be read.
    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws
}

/// Classifies file names that are not part of any export.
enum ContainerNames {
    /// Whether the file is left behind by an operating system, or is incomplete.
    static func isJunk(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return true }
        return last.hasPrefix(".") || last.hasPrefix("~$") || last.hasSuffix(".part") || last.hasSuffix(".lnk")
            || systemNames.contains(last.lowercased()) || parts.contains { systemFolders.contains(String($0)) }
    }

    private static let systemNames: Set<String> = ["thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"]
    private static let systemFolders: Set<String> = [
        "__MACOSX", "@eaDir", "$RECYCLE.BIN", "System Volume Information", "lost+found",
    ]

    /// Whether a browser is still downloading the file, judged by the extension; our own unfinished outputs do not
    /// count.
    static func isUnfinished(_ path: String) -> Bool {
        guard let last = path.split(separator: "/").last, !last.hasPrefix(".") else { return false }
        let parts = last.split(separator: ".")
        guard parts.count > 1, let ending = parts.last?.lowercased() else { return false }
        if ["crdownload", "download", "partial", "opdownload", "filepart"].contains(ending) { return true }
        // `X.1234.part`, possibly with more after the number, is the name of one of our outputs until it is complete.
        return ending == "part" && !(parts.count > 2 && parts[parts.count - 2].allSatisfy { $0.isNumber || $0 == "-" })
    }

    /// Extensions of archives and compressed files.
    static let archiveEndings: Set<String> = [
        "zip", "tar", "tgz", "tbz", "tbz2", "txz", "tzst", "gz", "bz2", "xz", "zst", "lz4", "lz", "z", "7z", "rar",
    ]

    /// Extensions of photos, audio, web pages and similar files, which exports contain beside the messages.
    private static let mediaEndings: Set<String> = [
        "png", "jpg", "jpeg", "jfif", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff", "svg", "ico", "mp4",
        "mov", "m4v", "webm", "mkv", "avi", "3gp", "mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac", "amr",
        "caf", "srt", "vtt", "tgs", "css", "js", "html", "htm", "woff", "woff2", "ttf", "otf", "map", "vcf",
    ]

    static func ending(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    static func isMedia(_ path: String) -> Bool { mediaEndings.contains(ending(of: path)) }

    /// Whether a file could be an archive by its name; extensions of plain text and media are not checked further.
    static func mayBePacked(_ path: String) -> Bool {
        let ending = ending(of: path)
        let plain: Set<String> = [
            "json", "jsonl", "ndjson", "csv", "tsv", "txt", "eml", "mbox", "xml", "md", "log", "pdf",
        ]
        return !plain.contains(ending) && !mediaEndings.contains(ending)
    }

    /// The folder of a path, with a trailing `/`; empty if there is none.
    static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// Whether a name would escape the archive's tree: absolute, with `..`, or with a drive letter.
    static func isUnsafe(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        if bytes.first == 0x2F || bytes.first == 0x5C || bytes.contains(0) { return true }
        if bytes.count >= 2, bytes[1] == 0x3A { return true }
        return path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
    }
}
