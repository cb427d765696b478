import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder or an archive: files with names that are read one after the other.
protocol Container: AnyObject {
    /// As the user gave it.
    var name: String { get }

    /// The paths of its files, without junk, and what was refused.
    func list() throws -> (paths: [String], refused: [RejectReason])

    /// Reads some of its files: in the given order, or in that of the archive.
    ///
    /// - Parameter visit: gets the path and a function that gives the next bytes, nil at the end.
    /// - Throws: ``ArchiveFault`` when the rest cannot be read.
    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws
}

/// Names of files that are no part of any export.
enum ContainerNames {
    /// Files that systems leave behind.
    static func isJunk(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return true }
        return parts.contains("__MACOSX") || last.hasPrefix(".") || last == "Thumbs.db" || last == "desktop.ini"
    }

    /// Whether a name would leave the archive's own tree: absolute, with `..`, or with a drive letter.
    static func isUnsafe(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        if bytes.first == 0x2F || bytes.first == 0x5C || bytes.contains(0) { return true }
        if bytes.count >= 2, bytes[1] == 0x3A { return true }
        return path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
    }
}

/// A folder on disk.
final class FolderContainer: Container {
    let name: String
    private let stop: InputStop?
    static let maximumFiles = 100_000

    init(name: String, stop: InputStop?) {
        self.name = name
        self.stop = stop
    }

    func list() throws -> (paths: [String], refused: [RejectReason]) {
        var paths: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            guard let listing = opendir(folder.isEmpty ? name : name + "/" + folder) else {
                throw ByteSource.unreadable(folder.isEmpty ? name : name + "/" + folder)
            }
            defer { closedir(listing) }
            while let entry = readdir(listing) {
                let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard file != ".", file != ".." else { continue }
                let path = folder.isEmpty ? file : folder + "/" + file
                guard !ContainerNames.isJunk(path) else { continue }
                var status = stat()
                // Folders behind links are not followed: they could lead in a circle.
                guard lstat(name + "/" + path, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: folders.append(path)
                case S_IFREG: paths.append(path)
                case S_IFLNK:
                    if stat(name + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { paths.append(path) }
                default: break
                }
                if paths.count + folders.count > Self.maximumFiles {
                    throw TriageError(
                        "input.too-many-files", "the folder has more than \(Self.maximumFiles) files", at: name,
                        remedy: "name the folder of the export itself", exit: .noInput)
                }
            }
        }
        // The order of a folder is that of its disk; ours must be the same everywhere.
        return (paths.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }, [])
    }

    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws {
        for path in paths {
            // One file that cannot be read must not lose the others: its reject is written by who visits it.
            do {
                let source = Result { try ByteSource(path: name + "/" + path, stop: stop) }
                try visit(path) {
                    switch try Self.readable({ try source.get().next(whenIdle: {}) }) {
                    case .bytes(let bytes): bytes
                    case .end: nil
                    case .stopped: throw CancellationError()
                    }
                }
            } catch is ArchiveFault {
                continue
            }
        }
    }
}

extension FolderContainer {
    private static func readable<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as TriageError {
            throw ArchiveFault("input.unreadable", error.what)
        }
    }
}

/// A zip file.
final class ZipContainer: Container {
    let name: String
    private let source: ByteSource
    private let limits: ArchiveReader.Limits

    init(_ source: ByteSource, limits: ArchiveReader.Limits = ArchiveReader.Limits()) {
        name = source.name
        self.source = source
        self.limits = limits
    }

    func list() throws -> (paths: [String], refused: [RejectReason]) {
        var paths: [String] = []
        var refused: [RejectReason] = []
        do {
            try source.rewind()
            let archive = try ArchiveReader(source, kind: .zip, limits: limits)
            while let entry = try archive.nextEntry() {
                guard entry.isFile else { continue }
                if ContainerNames.isUnsafe(entry.path) {
                    refused.append(
                        RejectReason(
                            code: "archive.unsafe-name",
                            reason: "an entry's name leads out of the archive; the entry is left out"))
                } else if !ContainerNames.isJunk(entry.path) {
                    paths.append(entry.path)
                }
            }
        } catch let fault as ArchiveFault where !paths.isEmpty || !refused.isEmpty {
            // The readable part counts; reading it meets the fault again and reports it, unless it is one of listing.
            if fault.reason.code == "archive.too-many-entries" { refused.append(fault.reason) }
        }
        return (paths, refused)
    }

    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws {
        var wanted = Set(paths)
        try source.rewind()
        let archive = try ArchiveReader(source, kind: .zip, limits: limits)
        while !wanted.isEmpty, let entry = try archive.nextEntry() {
            guard entry.isFile, wanted.remove(entry.path) != nil else { continue }
            guard !entry.isEncrypted else {
                throw ArchiveFault("archive.encrypted", "the archive is encrypted; unpack it first")
            }
            try visit(entry.path) { try archive.nextBytes() }
        }
    }
}
