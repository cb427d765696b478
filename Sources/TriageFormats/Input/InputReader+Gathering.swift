import Platform
import TriageCore

/// An input, in the order of reading.
enum GatheredInput {
    /// All folders and archives, including archives in folders.
    case containers([any Container])
    /// A single file or stream.
    case file(String)
}

extension InputReader {
    /// What one of the options' paths leads to.
    private enum Place {
        case stream
        case container(any Container)
        /// A single file or folder.
        case file(stat)
        case archive(ArchiveKind, stat)
    }

    /// Examines all paths, and searches folders for archives.
    ///
    /// - Throws: ``TriageError`` `input.unreadable` (66) for a path that is not there, `input.own-file` (64).
    func gather(_ log: ReadingLog) throws -> [GatheredInput] {
        let own = OwnFiles(options.ownFiles)
        let leftOut = OwnFiles(options.ownFiles + options.replacedFiles)
        let met = Meeting()
        var places: [(path: String, place: Place)] = []
        for path in options.paths {
            guard let place = try place(of: path, own: own, log) else { continue }
            places.append((path, place))
        }
        // Folders first: a file in a named folder belongs to it, even if the file is also named earlier in the list.
        var folders: [String: FolderContainer] = [:]
        for (path, place) in places {
            guard case .file(let info) = place, info.st_mode & S_IFMT == S_IFDIR else { continue }
            if let earlier = met.folders.meet(info, as: path) {
                log.skipCopy(path, of: earlier)
                continue
            }
            folders[path] = FolderContainer(
                name: path, stop: stop, own: leftOut,
                enters: { met.folders.meet($0, as: $1) == nil },
                // Only needed for comparison with the other named paths.
                meets: { info, name in if places.count > 1 { _ = met.files.meet(info, as: name) } })
        }
        var listed: [String: [any Container]] = [:]
        for (path, _) in places {
            guard let folder = folders[path], listed[path] == nil else { continue }
            listed[path] = try containers(in: folder, log)
        }
        var inputs: [GatheredInput] = []
        var containers: [any Container] = []
        var placeOfContainers: Int?
        func add(_ more: [any Container]) {
            if placeOfContainers == nil {
                placeOfContainers = inputs.count
                inputs.append(.containers([]))
            }
            containers += more
        }
        for (path, place) in places {
            switch place {
            case .stream: inputs.append(.file(path))
            case .container(let container): add([container])
            case .archive(let kind, let info):
                if let earlier = met.files.meet(info, as: path) {
                    log.skipCopy(path, of: earlier)
                } else {
                    add([ArchiveContainer(path: path, kind: kind, limits: limits, stop: stop)])
                }
            case .file(let info):
                if info.st_mode & S_IFMT == S_IFDIR {
                    if let found = listed.removeValue(forKey: path) { add(found) }
                } else if info.st_mode & S_IFMT == S_IFREG, let earlier = met.files.meet(info, as: path) {
                    log.skipCopy(path, of: earlier)
                } else {
                    inputs.append(.file(path))
                }
            }
        }
        if let placeOfContainers {
            inputs[placeOfContainers] = .containers(try withoutCopies(containers, log))
        }
        return inputs
    }

    private final class Meeting {
        var folders = MetFiles()
        var files = MetFiles()
    }

    /// - Returns: nil when it is left out.
    private func place(of path: String, own: OwnFiles, _ log: ReadingLog) throws -> Place? {
        var info = stat()
        let isAlone = options.paths.count == 1
        if path == "-" {
            if fstat(0, &info) == 0, own.contains(info) { throw Self.isOwn("standard input") }
            // `triage < export.zip` can be read like a file; a pipe cannot.
            let source = try ByteSource(path: path, stop: stop)
            guard let kind = source.archiveKind, try isArchive(kind, { source }) else { return .stream }
            return .container(ArchiveContainer(source, kind: kind, limits: limits))
        }
        guard stat(path, &info) == 0 else {
            let error = ByteSource.unreadable(path)
            let reason = String(cString: strerror(errno))
            // A path that does not exist at all is a typo.
            if isAlone || lstat(path, &info) != 0 && errno == ENOENT { throw error }
            let isLink = info.st_mode & S_IFMT == S_IFLNK
            log.leave(.unreadable(path, isLink ? "a broken link" : reason))
            return nil
        }
        guard info.st_mode & S_IFMT == S_IFREG else {
            if info.st_mode & S_IFMT == S_IFDIR || info.st_mode & S_IFMT != S_IFSOCK { return .file(info) }
            log.leave(.unreadable(path, "a socket"))
            return nil
        }
        if own.contains(info) { throw Self.isOwn(path) }
        if !isAlone {
            if ContainerNames.isUnfinished(path) {
                log.leave(.unfinished(path))
                return nil
            }
            // Skip junk as in a folder: `exports/*` names the same files.
            if ContainerNames.isJunk(path.split(separator: "/").last.map(String.init) ?? path) { return nil }
        }
        do {
            if let kind = try archiveKind(ofFile: path) { return .archive(kind, info) }
        } catch let error as TriageError {
            if isAlone { throw error }
            log.leave(LeftOut(path: path, reason: error.what, error: error))
            return nil
        }
        if info.st_size == 0, ContainerNames.archiveEndings.contains(ContainerNames.ending(of: path)) {
            log.leave(.empty(path))
            return nil
        }
        return .file(info)
    }

    private static func isOwn(_ path: String) -> TriageError {
        TriageError(
            "input.own-file", "this run writes this file, so it cannot read it", at: path,
            remedy: "name the export itself", exit: .usage)
    }

    /// The kind of an archive with several files; nil for other files and for a single compressed file.
    private func archiveKind(ofFile path: String) throws -> ArchiveKind? {
        let source = try ByteSource(path: path, stop: nil)
        guard let kind = source.archiveKind, try isArchive(kind, { source }) else { return nil }
        return kind
    }

    private func isArchive(_ kind: ArchiveKind, _ source: () throws -> ByteSource) throws -> Bool {
        guard case .packed = kind else { return true }
        let source = try source()
        defer { try? source.rewind() }
        // Damage is reported when it is read.
        guard let archive = try? ArchiveReader(source, kind: kind, limits: limits),
            (try? archive.nextEntry()) != nil
        else { return false }
        return archive.isTar
    }

    /// A folder and the archives in it.
    ///
    /// Archives inside an export's folder are not included: they are attachments that somebody sent.
    private func containers(in folder: FolderContainer, _ log: ReadingLog) throws -> [any Container] {
        let listing = try folder.list()
        for left in listing.left { log.leave(left) }
        for (path, original) in listing.copies { log.skipCopy(path, of: original) }
        let packed = listing.paths.filter(ContainerNames.mayBePacked)
        guard !packed.isEmpty else { return [ListedContainer(folder, listing)] }
        let claims = formats.compactMap { $0.claim(listing.paths) }
        var found: [any Container] = []
        var taken = Set<String>()
        for path in packed {
            if stop?.isStopped == true { throw CancellationError() }
            let isSent = claims.contains { claim in
                claim.roots.contains { path.hasPrefix($0) && path.dropFirst($0.count).contains("/") }
            }
            guard !isSent else { continue }
            let place = folder.name + "/" + path
            guard let source = try? ByteSource(path: place, stop: nil) else { continue }
            if let kind = source.archiveKind {
                taken.insert(path)
                found.append(ArchiveContainer(path: place, kind: kind, limits: limits, stop: stop))
            } else if source.size == 0, ContainerNames.archiveEndings.contains(ContainerNames.ending(of: path)) {
                taken.insert(path)
                log.leave(.empty(place))
            }
        }
        var rest = listing
        rest.paths.removeAll { taken.contains($0) }
        return [ListedContainer(folder, rest)] + found
    }

    /// Removes archives that are byte-for-byte copies of an earlier one.
    private func withoutCopies(_ containers: [any Container], _ log: ReadingLog) throws -> [any Container] {
        var bySize: [Int: [String]] = [:]
        var kept: [any Container] = []
        for container in containers {
            var info = stat()
            guard let archive = container as? ArchiveContainer, archive.name != "-", stat(archive.name, &info) == 0
            else {
                kept.append(container)
                continue
            }
            if let original = try bySize[Int(info.st_size), default: []].first(where: { try isSame($0, archive.name) })
            {
                log.skipCopy(archive.name, of: original)
                continue
            }
            bySize[Int(info.st_size), default: []].append(archive.name)
            kept.append(container)
        }
        return kept
    }

    private func isSame(_ one: String, _ other: String) throws -> Bool {
        guard let a = try? ByteSource(path: one, stop: stop), let b = try? ByteSource(path: other, stop: stop) else {
            return false
        }
        var done = 0
        var (x, y) = ([UInt8](repeating: 0, count: 1 << 18), [UInt8](repeating: 0, count: 1 << 18))
        while true {
            if stop?.isStopped == true { throw CancellationError() }
            let (m, n) = (pread(a.descriptor, &x, x.count, off_t(done)), pread(b.descriptor, &y, y.count, off_t(done)))
            guard m == n, m >= 0, memcmp(x, y, m) == 0 else { return false }
            if m == 0 { return true }
            done += m
        }
    }
}

/// A folder with a listing made earlier.
final class ListedContainer: Container {
    private let folder: FolderContainer
    private let listing: Listing
    var name: String { folder.name }

    init(_ folder: FolderContainer, _ listing: Listing) {
        self.folder = folder
        self.listing = listing
    }

    func list() -> Listing { listing }

    func read(_ paths: [String], visit: (String, () throws -> UnsafeBufferPointer<UInt8>?) throws -> Void) throws {
        try folder.read(paths, visit: visit)
    }
}
