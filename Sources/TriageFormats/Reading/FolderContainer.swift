import TriageCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder on disk.
final class FolderContainer: Container {
    let name: String
    private let stop: InputStop?
    private let own: OwnFiles
    static let maximumFiles = 100_000

    /// - Parameter own: left out.
    init(name: String, stop: InputStop?, own: OwnFiles = OwnFiles([])) {
        self.name = name
        self.stop = stop
        self.own = own
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
                case S_IFREG: if !own.contains(status) { paths.append(path) }
                case S_IFLNK:
                    if stat(name + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, !own.contains(status)
                    {
                        paths.append(path)
                    }
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
