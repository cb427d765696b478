import Platform
import TriageCore

/// Files and folders seen so far, identified by device and inode rather than by name.
struct MetFiles {
    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    private var met: [Identity: String] = [:]

    /// - Returns: the name under which it was seen before; nil: it is new.
    mutating func meet(_ info: stat, as name: String) -> String? {
        let identity = Identity(
            device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(truncatingIfNeeded: info.st_ino))
        if let earlier = met[identity] { return earlier }
        met[identity] = name
        return nil
    }
}

/// A folder on disk.
final class FolderContainer: Container {
    let name: String
    private let stop: InputStop?
    private let own: OwnFiles
    /// Called for each folder in it; returns whether to descend into it.
    private let enters: (stat, String) -> Bool
    /// Called for each file in it.
    private let meets: (stat, String) -> Void
    static let maximumFiles = 100_000

    /// - Parameter own: files to leave out.
    init(
        name: String, stop: InputStop?, own: OwnFiles = OwnFiles([]),
        enters: @escaping (stat, String) -> Bool = { _, _ in true },
        meets: @escaping (stat, String) -> Void = { _, _ in }
    ) {
        self.name = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
        self.stop = stop
        self.own = own
        self.enters = enters
        self.meets = meets
    }

    func list() throws -> Listing {
        var listing = Listing()
        var folders = [""]
        var met = MetFiles()
        var links: [(path: String, info: stat)] = []
        while let folder = folders.popLast() {
            if stop?.isStopped == true { throw CancellationError() }
            let place = folder.isEmpty ? name : name + "/" + folder
            guard let entries = opendir(place) else {
                if folder.isEmpty { throw ByteSource.unreadable(place) }
                listing.left.append(.unreadable(place, String(cString: strerror(errno))))
                continue
            }
            defer { closedir(entries) }
            while let entry = readdir(entries) {
                let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard file != ".", file != ".." else { continue }
                add(folder.isEmpty ? file : folder + "/" + file, to: &listing, &folders, &met, &links)
                if listing.paths.count + folders.count > Self.maximumFiles {
                    throw TriageError(
                        "input.too-many-files", "the folder has more than \(Self.maximumFiles) files", at: name,
                        remedy: "name the export's own folder", exit: .noInput)
                }
            }
        }
        // A link to a file in the same folder is not a second file.
        for (path, info) in links.sorted(by: { $0.path < $1.path }) {
            if let original = met.meet(info, as: name + "/" + path) {
                listing.copies.append((name + "/" + path, original))
            } else {
                take(path, info, &listing)
            }
        }
        // The order of a directory depends on the disk; ours must be the same everywhere.
        listing.paths.sort { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        listing.left.sort { $0.path < $1.path }
        return listing
    }

    private func add(
        _ path: String, to listing: inout Listing, _ folders: inout [String], _ met: inout MetFiles,
        _ links: inout [(path: String, info: stat)]
    ) {
        let place = name + "/" + path
        if ContainerNames.isUnfinished(path) {
            listing.left.append(.unfinished(place))
            return
        }
        guard !ContainerNames.isJunk(path) else { return }
        var status = stat()
        guard lstat(place, &status) == 0 else {
            // Ignore what was deleted since the folder was opened.
            if errno != ENOENT { listing.left.append(.unreadable(place, String(cString: strerror(errno)))) }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: if enters(status, place) { folders.append(path) }
        case S_IFREG:
            _ = met.meet(status, as: place)
            take(path, status, &listing)
        case S_IFLNK:
            guard stat(place, &status) == 0 else {
                listing.left.append(.unreadable(place, "a broken link"))
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: links.append((path, status))
            // Do not follow links to folders: they could form a cycle.
            case S_IFDIR: listing.left.append(.unreadable(place, "a link to a folder, which is not followed"))
            default: listing.left.append(.unreadable(place, "a link to something that is not a file"))
            }
        default: listing.left.append(.unreadable(place, "a pipe, socket or device"))
        }
    }

    private func take(_ path: String, _ status: stat, _ listing: inout Listing) {
        guard !own.contains(status) else { return }
        meets(status, name + "/" + path)
        listing.paths.append(path)
    }

    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws {
        for path in paths {
            // One unreadable file must not stop the others; its visitor reports the reject.
            do {
                let source = Result { try Self.readable { try ByteSource(path: name + "/" + path, stop: stop) } }
                try visit(path) {
                    let source = try source.get()
                    return switch try Self.readable({ try source.next(whenIdle: {}) }) {
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
        do { return try body() } catch is TriageError {
            throw ArchiveFault("input.unreadable", String(cString: strerror(errno)))
        }
    }
}

/// Files that the run itself writes and must never read as input, identified by device and inode, not by name.
///
/// This protects the store: if a program closes a file that SQLite has open in the same process, the system drops all
/// of SQLite's locks on it (https://sqlite.org/howtocorrupt.html, 2.2).
struct OwnFiles {
    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ info: stat) {
            device = UInt64(truncatingIfNeeded: info.st_dev)
            inode = UInt64(truncatingIfNeeded: info.st_ino)
        }
    }

    private var identities: Set<Identity> = []

    /// - Parameter paths: those that do not exist now are ignored.
    init(_ paths: [String]) {
        for path in paths {
            var info = stat()
            if stat(path, &info) == 0 { identities.insert(Identity(info)) }
        }
    }

    func contains(_ info: stat) -> Bool { !identities.isEmpty && identities.contains(Identity(info)) }
}
