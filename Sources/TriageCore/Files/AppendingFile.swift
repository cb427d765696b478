import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that grows from run to run and of which only what is committed counts.
///
/// Whoever writes keeps a ``Commitment`` in a place of its own (a database) and gives it back when the file is opened
/// again: what lies behind the committed length was never promised to anybody and is cut off. A file that was moved
/// away or emptied, as programs that rotate logs do, is gone on with in a new one, and what was left uncommitted in the
/// old one is cut off wherever it lies in the same folder. A file whose committed part is not as it was is refused and left
/// alone. Readable by its owner alone; a symlink is refused. One writer at a time: the file is locked while it is open.
package final class AppendingFile: Sendable {
    /// What is promised of the file: its first ``length`` bytes, by their digest.
    package struct Commitment: Sendable, Equatable {
        /// The file's folder, with all links followed, and its name.
        package var path: String
        package var device: UInt64
        package var inode: UInt64
        /// Bytes from the beginning.
        package var length: Int
        /// The digest of these bytes, in a form that can be continued; see ``SHA256/snapshot``.
        package var digest: [UInt8]
        /// When the file was last changed, in nanoseconds since 1970: nobody touched a file that still says the same.
        package var changed: Int

        package init(path: String, device: UInt64, inode: UInt64, length: Int, digest: [UInt8], changed: Int) {
            self.path = path
            self.device = device
            self.inode = inode
            self.length = length
            self.digest = digest
            self.changed = changed
        }
    }

    private struct State {
        var hash: SHA256
        /// Bytes written.
        var length: Int
        /// What to cut back to.
        var committed: Int
        var isOpen = true
    }

    /// As ``place(of:)`` made it.
    package let path: String
    /// How much was cut off when it was opened, in bytes; of the file that it follows too.
    package let cutOff: Int
    /// Whether what was committed lies in a file that was moved away, or was taken out of this one: this one is new.
    package let isSuccessor: Bool
    private let writer: CheckedWriter
    private let state: Mutex<State>

    /// The file's folder with all links followed, and its name: the same from wherever a run starts.
    ///
    /// - Throws: ``TriageError`` `output.cannot-create` (exit 73) when there is no such folder.
    package static func place(of path: String) throws -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw fault("output.cannot-create", "this is not a file name", path, "name a file", .cannotCreate)
        }
        guard let real = realpath(folder, nil) else {
            throw creating("cannot find the folder of the output", path, "create the folder first")
        }
        defer { free(real) }
        let base = String(cString: real)
        return base == "/" ? "/" + name : base + "/" + name
    }

    /// Opens the file and cuts it back to what is committed; makes it where nothing is committed yet, or nothing is left
    /// of what was.
    ///
    /// - Parameters:
    ///   - path: as ``place(of:)`` makes it.
    ///   - committed: what was promised of it; nil: nothing, and only an empty file or none may be there.
    ///   - adopts: whether another file (moved back, restored from a copy) will do, if its beginning is the same.
    ///   - cutsPredecessor: whether the last writer may have left something uncommitted; else what stands behind the committed
    ///     part of a file that was moved away is somebody else's.
    /// - Throws: ``TriageError``: exit 73 when it cannot be made, 75 when another run writes it, 74 when the
    ///   file is there and its committed part is not as it was, or when the disk fails.
    package init(path: String, committed: Commitment?, adopts: Bool = false, cutsPredecessor: Bool = false) throws {
        self.path = path
        let descriptor = try Self.open(path)
        writer = CheckedWriter(descriptor: descriptor, name: path)
        do {
            var info = stat()
            guard fstat(descriptor, &info) == 0 else { throw Self.ioFault("cannot inspect the output", path) }
            // An empty file where there was none, or whose words were taken away: its beginning is a new one.
            isSuccessor = (committed?.length ?? 0) > 0 && info.st_size == 0
            let start = isSuccessor ? SHA256() : try Self.check(descriptor, info, path, committed, adopts: adopts)
            let length = isSuccessor ? 0 : committed?.length ?? 0
            let uncommitted = Int(info.st_size) - length
            state = Mutex(State(hash: start, length: length, committed: length))
            if uncommitted > 0 {
                try Self.cut(descriptor, to: length, path)
                try writer.synchronize()
            }
            cutOff = uncommitted + (isSuccessor && cutsPredecessor ? committed.map(Self.cutPredecessor) ?? 0 : 0)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
    }

    deinit { close() }

    /// Whether the path leads to another file or to none, or this one was emptied: whoever writes on should open it anew.
    ///
    /// Meaningful while everything that was written is committed.
    package var isRotated: Bool {
        let (length, isOpen) = state.withLock { ($0.length, $0.isOpen) }
        var (own, found) = (stat(), stat())
        guard isOpen, fstat(writer.descriptor, &own) == 0 else { return false }
        guard lstat(path, &found) == 0 else { return errno == ENOENT }
        return own.st_ino != found.st_ino || own.st_dev != found.st_dev || (length > 0 && own.st_size == 0)
    }

    /// Writes at the end, from one thread at a time; what was written is not promised before ``synchronize()`` and ``commit(_:)``.
    ///
    /// - Throws: ``TriageError`` `output.io` (exit 74); then ``cutBack()``.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard !bytes.isEmpty else { return }
        try writer.write(bytes)
        var hash = state.withLock { $0.hash }
        hash.update(bytes.bindMemory(to: UInt8.self))
        state.withLock { state in
            state.hash = hash
            state.length += bytes.count
        }
    }

    /// Has everything that was written on disk.
    ///
    /// - Returns: what to commit.
    /// - Throws: ``TriageError`` `output.io` (exit 74) when the disk fails, or when somebody else wrote as well.
    package func synchronize() throws -> Commitment {
        try state.withLock { state in
            try writer.synchronize()
            var info = stat()
            guard fstat(writer.descriptor, &info) == 0 else { throw Self.ioFault("cannot inspect the output", path) }
            guard Int(info.st_size) == state.length else {
                throw Self.fault(
                    "output.changed", "another program writes to the output at the same time", path,
                    "stop it, and run again: records committed by this run are intact", .ioError)
            }
            return Commitment(
                path: path, device: UInt64(truncatingIfNeeded: info.st_dev),
                inode: UInt64(truncatingIfNeeded: info.st_ino), length: state.length, digest: state.hash.snapshot,
                changed: Self.changed(info))
        }
    }

    /// Notes that `commitment` is kept: ``cutBack()`` leaves it.
    package func commit(_ commitment: Commitment) {
        state.withLock { $0.committed = commitment.length }
    }

    /// Takes away what is not committed, as far as the disk lets it; the next opening does the same.
    package func cutBack() {
        state.withLock { state in
            // A file that somebody emptied meanwhile would grow by being cut.
            guard state.isOpen, size > state.committed else { return }
            try? Self.cut(writer.descriptor, to: state.committed, path)
        }
    }

    /// Ends the writing and gives the file free.
    package func close() {
        state.withLock { state in
            if state.isOpen { closeDescriptor(writer.descriptor) }
            state.isOpen = false
        }
    }

    private var size: Int {
        var info = stat()
        return fstat(writer.descriptor, &info) == 0 ? Int(info.st_size) : 0
    }

    // MARK: - Opening

    private static func open(_ path: String) throws -> Int32 {
        // Not waited for should it be a pipe.
        let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        var descriptor = openDescriptor(path, flags)
        if descriptor < 0, errno == ENOENT {
            descriptor = openDescriptor(path, flags | O_CREAT | O_EXCL)
            if descriptor >= 0, let code = FolderSynchronization.synchronize(folderOf: path) {
                closeDescriptor(descriptor)
                errno = code
                throw ioFault("cannot finish creating the output", path)
            }
        }
        guard descriptor >= 0 else {
            if errno == ELOOP {
                throw fault(
                    "output.symlink", "the output is a symbolic link", path,
                    "name the file itself", .cannotCreate)
            }
            throw creating("cannot open the output", path, "check that the folder exists and is writable")
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            closeDescriptor(descriptor)
            throw fault(
                "output.cannot-create", "the output is not a regular file", path, "name a file", .cannotCreate)
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let isHeld = errno == EWOULDBLOCK
            let failure = isHeld ? nil : ioFault("cannot lock the output", path)
            closeDescriptor(descriptor)
            throw failure
                ?? fault(
                    "output.locked", "another run writes this output", path, "run again when it is done", .temporary)
        }
        return descriptor
    }

    /// Compares what is there with what was promised.
    ///
    /// - Returns: the digest of the committed part, to be continued.
    private static func check(
        _ descriptor: Int32, _ info: stat, _ path: String, _ committed: Commitment?, adopts: Bool
    ) throws -> SHA256 {
        guard let committed, committed.length > 0 else {
            // An empty file may have been made by a run that was killed before it could note it; a part behind nothing
            // is this store's only in the file that it made itself.
            let isOurs = committed.map { UInt64(truncatingIfNeeded: info.st_ino) == $0.inode } ?? false
            if !isOurs, info.st_size > 0 {
                throw fault(
                    "output.foreign", "the output already exists and does not belong to this store", path,
                    "name another file with -o, or move this one away", .cannotCreate)
            }
            return SHA256()
        }
        guard let hash = SHA256(snapshot: committed.digest) else {
            throw fault(
                "output.unknown", "the store's record of the output cannot be read", path,
                "name a new file with -o", .ioError)
        }
        guard Int(info.st_size) >= committed.length else {
            throw fault(
                "output.shorter", "the output is shorter than it was: \(info.st_size) of \(committed.length) bytes",
                path,
                "restore the complete file; or name a new one with -o, which gets new records from now on"
                    + " (`triage export` writes what the store has)", .ioError)
        }
        // The device's number may change when a disk is mounted again; the digest decides then.
        let isSame = UInt64(truncatingIfNeeded: info.st_ino) == committed.inode
        if isSame, Int(info.st_size) == committed.length, changed(info) == committed.changed { return hash }
        guard isSame || adopts else {
            throw fault(
                "output.replaced", "the output is not the file this store wrote", path,
                "put the old file back; or run once with --adopt if this one is a copy of it;"
                    + " or name a new one with -o", .ioError)
        }
        var found = SHA256()
        try read(descriptor, committed.length, path) { found.update($0) }
        guard found.digest() == hash.digest() else {
            throw fault(
                "output.changed",
                "the output was changed by hand: its first \(committed.length) bytes"
                    + " differ", path,
                "put the old file back, or move this one away and name a new one with -o; nothing was changed", .ioError
            )
        }
        return hash
    }

    private static func read(
        _ descriptor: Int32, _ length: Int, _ path: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws {
        var block = [UInt8](repeating: 0, count: 1 << 18)
        var done = 0
        while done < length {
            let count = block.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, min($0.count, length - done), off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ioFault("cannot read the output", path) }
            block.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
            done += count
        }
    }

    /// Cuts off what was written into a file before it was moved away within its folder, and never committed.
    ///
    /// - Returns: how much that was. Nothing where the file is not found or is not as it was: it may be packed by now.
    private static func cutPredecessor(_ committed: Commitment) -> Int {
        let slash = committed.path.lastIndex(of: "/") ?? committed.path.startIndex
        let folder = committed.path[...slash]
        guard let listing = opendir(String(folder)) else { return 0 }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            guard UInt64(truncatingIfNeeded: entry.pointee.d_ino) == committed.inode else { continue }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = String(folder) + name
            guard path != committed.path else { continue }
            let descriptor = openDescriptor(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { return 0 }
            defer { closeDescriptor(descriptor) }
            var info = stat()
            guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
                UInt64(truncatingIfNeeded: info.st_ino) == committed.inode, Int(info.st_size) > committed.length,
                flock(descriptor, LOCK_EX | LOCK_NB) == 0, let hash = SHA256(snapshot: committed.digest)
            else { return 0 }
            var found = SHA256()
            guard (try? read(descriptor, committed.length, path) { found.update($0) }) != nil,
                found.digest() == hash.digest(), (try? cut(descriptor, to: committed.length, path)) != nil
            else { return 0 }
            _ = fsync(descriptor)
            return Int(info.st_size) - committed.length
        }
        return 0
    }

    private static func cut(_ descriptor: Int32, to length: Int, _ path: String) throws {
        while ftruncate(descriptor, off_t(length)) != 0 {
            if errno == EINTR { continue }
            throw ioFault("cannot truncate the output to its committed length", path)
        }
    }

    private static func changed(_ info: stat) -> Int {
        #if canImport(Darwin)
            let time = info.st_ctimespec
        #else
            let time = info.st_ctim
        #endif
        return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
    }

    private static func ioFault(_ what: String, _ path: String) -> TriageError {
        let code = errno
        return TriageError(
            "output.io", "\(what): \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: nil), exit: SystemFault.exit(code, otherwise: .ioError))
    }

    private static func creating(_ what: String, _ path: String, _ remedy: String) -> TriageError {
        let code = errno
        return TriageError(
            "output.cannot-create", "\(what): \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: remedy), exit: SystemFault.exit(code, otherwise: .cannotCreate))
    }

    private static func fault(
        _ code: String, _ what: String, _ path: String, _ remedy: String, _ exit: ExitStatus
    ) -> TriageError {
        TriageError(code, what, at: path, remedy: remedy, exit: exit)
    }
}

// Under names of their own: inside the class `open` and `close` are others.

private func openDescriptor(_ path: String, _ flags: Int32) -> Int32 {
    while true {
        let descriptor = open(path, flags, 0o600)
        if descriptor >= 0 || errno != EINTR { return descriptor }
    }
}

private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
