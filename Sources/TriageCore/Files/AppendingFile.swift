import Platform
import Synchronization

/// A file that grows from run to run, in which only committed bytes count.
///
/// The writer keeps a ``Commitment`` somewhere else (in a database) and passes it in when it opens the file again.
/// Bytes beyond the committed length were never promised to anybody and are cut off. If the file was moved away or
/// emptied, as log rotation does, writing continues in a new file; uncommitted bytes in the old one are cut off if it
/// is still in the same folder. If the committed part has changed, the file is refused and left alone.
///
/// Only its owner can read the file, and a symlink is refused. There is one writer at a time: the file is locked while
/// it is open.
package final class AppendingFile: Sendable {
    /// What is promised about the file: its first ``length`` bytes, identified by their digest.
    package struct Commitment: Sendable, Equatable {
        /// The path: the file's folder with all links resolved, and its name.
        package var path: String
        package var device: UInt64
        package var inode: UInt64
        /// Number of committed bytes, from the beginning.
        package var length: Int
        /// The digest of these bytes, in a form that can be continued; see ``SHA256/snapshot``.
        package var digest: [UInt8]
        /// When the file was last changed (ctime), in nanoseconds since 1970; if it is unchanged, nobody touched the
        /// file.
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
        /// The length to cut back to.
        var committed: Int
        var isOpen = true
    }

    /// As returned by ``place(of:)``.
    package let path: String
    /// How many bytes were cut off on opening, including those cut off the file that this one succeeds.
    package let cutOff: Int
    /// Whether this file starts anew because the committed bytes are in a file that was moved away, or this one was
    /// emptied.
    package let isSuccessor: Bool
    private let writer: CheckedWriter
    private let state: Mutex<State>

    /// Returns the file's folder with all links resolved, plus its name: the same from whatever folder a run starts.
    ///
    /// - Throws: ``TriageError`` `output.cannot-create` (exit 73) when there is no such folder.
    package static func place(of path: String) throws -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw fault(
                "output.cannot-create", "this is not a file name", path, "give the path of a regular file",
                .cannotCreate)
        }
        guard let real = realpath(folder, nil) else {
            throw creating("cannot find the folder of the output", path, "create the folder first")
        }
        defer { free(real) }
        let base = String(cString: real)
        return base == "/" ? "/" + name : base + "/" + name
    }

    /// Opens the file and cuts it back to its committed part; creates it if nothing was committed or nothing of it is
    /// left.
    ///
    /// - Parameters:
    ///   - path: as returned by ``place(of:)``.
    ///   - committed: what was promised about the file; nil: nothing, so the file must be empty or absent.
    ///   - adopts: whether another file (moved back, restored from a copy) is accepted if its beginning is the same.
    ///   - cutsPredecessor: whether the last writer may have left something uncommitted. If not, bytes behind the
    ///     committed part of a file that was moved away belong to somebody else.
    /// - Throws: ``TriageError``: exit 73 when it cannot be created, 75 when another run is writing it, 74 when the
    ///   file exists and its committed part has changed, or when the disk fails.
    package init(path: String, committed: Commitment?, adopts: Bool = false, cutsPredecessor: Bool = false) throws {
        self.path = path
        let descriptor = try Self.open(path)
        writer = CheckedWriter(descriptor: descriptor, name: path)
        do {
            var info = stat()
            guard fstat(descriptor, &info) == 0 else { throw Self.ioFault("cannot inspect the output", path) }
            // The file is empty, because it is new or was emptied: start from the beginning.
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

    /// Whether the path now leads to another file or to none, or this file was emptied; a writer should then open it
    /// anew.
    ///
    /// Only meaningful while everything written is committed.
    package var isRotated: Bool {
        let (length, isOpen) = state.withLock { ($0.length, $0.isOpen) }
        var (own, found) = (stat(), stat())
        guard isOpen, fstat(writer.descriptor, &own) == 0 else { return false }
        guard lstat(path, &found) == 0 else { return errno == ENOENT }
        return own.st_ino != found.st_ino || own.st_dev != found.st_dev || (length > 0 && own.st_size == 0)
    }

    /// Appends bytes, from one thread at a time; they are not promised before ``synchronize()`` and ``commit(_:)``.
    ///
    /// - Throws: ``TriageError`` `output.io` (exit 74); call ``cutBack()`` afterwards.
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

    /// Flushes everything written to disk.
    ///
    /// - Returns: what to commit.
    /// - Throws: ``TriageError`` `output.io` (exit 74) when the disk fails, or when somebody else wrote to the file as
    ///   well.
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

    /// Records that `commitment` was stored, so ``cutBack()`` keeps these bytes.
    package func commit(_ commitment: Commitment) {
        state.withLock { $0.committed = commitment.length }
    }

    /// Cuts off uncommitted bytes if the disk allows it; the next opening does the same.
    package func cutBack() {
        state.withLock { state in
            // If somebody emptied the file meanwhile, truncating it to the committed length would make it grow.
            guard state.isOpen, size > state.committed else { return }
            try? Self.cut(writer.descriptor, to: state.committed, path)
        }
    }

    /// Ends writing and releases the file.
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
        // `O_NONBLOCK`: do not wait if the path is a pipe.
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
                    "give the path of the file that the link points to", .cannotCreate)
            }
            throw creating("cannot open the output", path, "check that the folder exists and is writable")
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            closeDescriptor(descriptor)
            throw fault(
                "output.cannot-create", "the output is not a regular file", path, "give the path of a regular file",
                .cannotCreate)
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let isHeld = errno == EWOULDBLOCK
            let failure = isHeld ? nil : ioFault("cannot lock the output", path)
            closeDescriptor(descriptor)
            throw failure
                ?? fault(
                    "output.locked", "another run is writing to this output", path,
                    "wait until it has finished, then run again", .temporary)
        }
        return descriptor
    }

    /// Compares the file's content with the commitment.
    ///
    /// - Returns: the digest of the committed part, ready to be continued.
    private static func check(
        _ descriptor: Int32, _ info: stat, _ path: String, _ committed: Commitment?, adopts: Bool
    ) throws -> SHA256 {
        guard let committed, committed.length > 0 else {
            // A run that was killed before it could note the file may have left an empty one. With nothing committed,
            // bytes in the file are this store's only if it is the file that the store created.
            let isOurs = committed.map { UInt64(truncatingIfNeeded: info.st_ino) == $0.inode } ?? false
            if !isOurs, info.st_size > 0 {
                throw fault(
                    "output.foreign", "the output already exists and does not belong to this store", path,
                    "choose another file with -o, or move this one away", .cannotCreate)
            }
            return SHA256()
        }
        guard let hash = SHA256(snapshot: committed.digest) else {
            throw fault(
                "output.unknown", "the store's record of the output cannot be read", path,
                "choose a new file with -o", .ioError)
        }
        guard Int(info.st_size) >= committed.length else {
            throw fault(
                "output.shorter", "the output was truncated: it has \(info.st_size) of \(committed.length) bytes",
                path,
                "restore the complete file, or choose a new one with -o: it gets only new records"
                    + " (`triage export` writes all that the store has)", .ioError)
        }
        // The device number may change when a disk is mounted again; the digest decides then.
        let isSame = UInt64(truncatingIfNeeded: info.st_ino) == committed.inode
        if isSame, Int(info.st_size) == committed.length, changed(info) == committed.changed { return hash }
        guard isSame || adopts else {
            throw fault(
                "output.replaced", "the output is a different file from the one this store wrote", path,
                "put the old file back; or run once with --adopt if this one is a copy of it;"
                    + " or choose a new one with -o", .ioError)
        }
        var found = SHA256()
        try read(descriptor, committed.length, path) { found.update($0) }
        guard found.digest() == hash.digest() else {
            throw fault(
                "output.changed",
                "the output was changed outside of triage: its first \(committed.length) bytes"
                    + " differ", path,
                "put the old file back, or move this one away and choose a new one with -o; nothing was changed",
                .ioError
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

    /// Cuts uncommitted bytes off a file that was moved away within its folder.
    ///
    /// - Returns: how many bytes were cut off; 0 when the file is not found or has changed, as it may be compressed by
    ///   now.
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

// Under different names, because `open` and `close` mean something else inside the class.

private func openDescriptor(_ path: String, _ flags: Int32) -> Int32 {
    while true {
        let descriptor = open(path, flags, 0o600)
        if descriptor >= 0 || errno != EINTR { return descriptor }
    }
}

private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
