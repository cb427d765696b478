internal import Foundation
internal import GRDB
internal import Synchronization
internal import TriageCore

/// The store of a person's messages: which records are known, their answers, people's feedback, and past runs.
///
/// It is one SQLite file, readable by its owner alone. Every call blocks, for up to ``patience`` seconds while another
/// process is writing; never call it where blocking is not allowed. Any number of threads may use it: one writes at a
/// time, and readers see the last commit without waiting.
package final class InboxStore: Sendable {
    package enum Mode: Sendable {
        /// Created if it is missing.
        case readWrite
        /// Must exist, and may be changed.
        case existing
        /// Must exist, and is not changed.
        case readOnly
    }

    package let path: String
    let pool: any DatabaseWriter
    private let file: DatabaseFile
    private let isClosed = Atomic(false)

    /// Seconds to wait for another process that is writing.
    package static let patience = 10

    /// Opens the store; a store of an earlier version is copied (`STORE.v2.bak`) and then migrated.
    ///
    /// In read-only mode the store may lie on a disk or in a folder that cannot be written.
    ///
    /// - Throws: `TriageError`: `store.missing` (66), `store.newer`, `store.foreign`, `store.symlink` (78),
    ///   `store.damaged`, `store.full`, `store.failing` (74), `store.unwritable` (73 while it is created, else 74),
    ///   `store.busy`, `store.no-descriptors` (75).
    package init(path: String, mode: Mode) throws {
        self.path = path
        // From here on the file exists, so a failure is not one of creating it.
        self.file = Self.file(path, isMade: false)
        let file = Self.file(path, isMade: mode == .readWrite && !Self.isThere(path))
        do {
            let state = try file.prepare(isMade: mode == .readWrite, isRead: mode == .readOnly)
            pool = try file.patiently {
                if state == .fresh {
                    guard mode == .readWrite else { throw file.fault(.missing, "the store is empty") }
                    try file.claim(InboxSchema.versions, patience: Double(Self.patience))
                }
                return mode == .readOnly ? try Self.connectToRead(file) : try Self.connect(file)
            }
        } catch {
            throw file.explain(error)
        }
    }

    static func isThere(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    }

    /// Closes the file; afterwards only another `close` may be called.
    ///
    /// All commits are then in the file itself, unless another process is using it: people back up a single file.
    package func close() {
        // A closed pool must not be used again.
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if !pool.configuration.readonly { _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) } }
        // This fails only while the pool is in use; it then closes with its last user.
        try? pool.close()
    }

    /// The configuration of the store's connections.
    static func configuration(isReadOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(patience))
        configuration.maximumReaderCount = 4
        configuration.readonly = isReadOnly
        configuration.label = "store"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // Millions of ids are looked up in an index of hundreds of megabytes.
            try database.execute(sql: "PRAGMA cache_size = -32768")
            guard !database.configuration.readonly else { return }
            // Overwrite deleted content with zeros.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA journal_size_limit = 16777216")
        }
        return configuration
    }

    private static func connect(_ file: DatabaseFile) throws -> any DatabaseWriter {
        let pool = try DatabasePool(path: file.place, configuration: configuration(isReadOnly: false))
        let versions = InboxSchema.versions
        let applied = try pool.read { try versions.applied($0) }
        if versions.isSuperseded(applied) { throw newer(file) }
        // Commits must survive a power cut. Set this here because a pool sets NORMAL when it turns on the log, which
        // leaves a commit unsynced until the next checkpoint.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        if !versions.isComplete(applied) {
            if let version = versions.last(of: applied) { try keep(pool, of: version, file) }
            try pool.write { try versions.complete($0) }
        }
        return pool
    }

    private static func connectToRead(_ file: DatabaseFile) throws -> any DatabaseWriter {
        let versions = InboxSchema.versions
        do {
            let pool = try DatabasePool(path: file.place, configuration: configuration(isReadOnly: true))
            let applied = try pool.read { try versions.applied($0) }
            if versions.isSuperseded(applied) { throw newer(file) }
            if versions.isComplete(applied) { return pool }
            try pool.close()
        } catch let error as DatabaseError where isUnwritable(error) {
            return try UnwritableStore.open(file, configuration(isReadOnly: true))
        }
        do {
            let pool = try connect(file)
            try pool.close()
        } catch let error as DatabaseError where isUnwritable(error) {
            return try UnwritableStore.open(file, configuration(isReadOnly: true))
        }
        return try DatabasePool(path: file.place, configuration: configuration(isReadOnly: true))
    }

    /// Whether SQLite could not create its log beside a store, which it does even for reading.
    static func isUnwritable(_ error: DatabaseError) -> Bool {
        [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(error.resultCode)
    }

    static func newer(_ file: DatabaseFile) -> TriageError {
        file.fault(.newer, "the store was written by a later version of this program")
    }

    /// Copies a store of an earlier version to a file beside it, completely or not at all.
    private static func keep(_ pool: DatabasePool, of version: String, _ file: DatabaseFile) throws {
        let copy = try OutputFile(path: file.place + ".\(version).bak", isNamed: true)
        do {
            guard let name = copy.partName else { throw file.fault(.failing, "the store cannot be copied") }
            try pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [name]) }
            try copy.commit()
        } catch {
            copy.discard()
            throw error
        }
    }

    /// The copies beside a store: from before a migration, and from before a repair.
    package static func copies(beside path: String) -> [String] {
        let names = InboxSchema.versions.all.map(\.name) + ["damaged"] + (2...20).map { "damaged.\($0)" }
        return names.map { "\(path).\($0).bak" }.filter(isThere)
    }

    /// Reads from the store and turns every failure into a `TriageError`.
    func read<R>(_ body: (Database) throws -> R) throws -> R {
        try explained { try pool.read(body) }
    }

    /// Changes the store in one transaction, on disk when this returns, and turns every failure into a `TriageError`.
    func write<R>(_ body: (Database) throws -> R) throws -> R {
        try explained { try pool.write(body) }
    }

    /// Calls `body` and turns every failure into a `TriageError`.
    func explained<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            guard error is DatabaseError || error is DamagedRow || error is RowDecodingError else { throw error }
            throw file.explain(error)
        }
    }

    static func file(_ path: String, isMade: Bool) -> DatabaseFile {
        DatabaseFile(path: path, applicationID: 0x7472_6769 /* "trgi" */, name: "the store") { fault, what in
            let (remedy, exit): (String, ExitStatus) =
                switch fault {
                case .missing:
                    ("name the right one with --store PATH, or create it with: triage sync … --store PATH", .noInput)
                case .symlink: ("give the path of the file that the link points to", .badConfiguration)
                case .foreign: ("name another file with --store PATH", .badConfiguration)
                case .newer: ("use the version of triage that wrote it, or a later one", .badConfiguration)
                case .damaged:
                    (
                        "see what can be saved with: triage store check --store PATH, then triage store repair"
                            + "; or restore a copy",
                        .ioError
                    )
                case .full: ("make room on the disk and run again", .ioError)
                case .failing:
                    ("check the disk and the file size limit (ulimit -f), then run again", .ioError)
                case .exhausted: ("allow more open files (ulimit -n 256), or run again later", .temporary)
                case .busy: ("try again when the other process is done", .temporary)
                case .unwritable:
                    (
                        "check the free disk space and your write permission",
                        isMade ? .cannotCreate : .ioError
                    )
                }
            return TriageError("store.\(fault.rawValue)", what, at: path, remedy: remedy, exit: exit)
        }
    }
}

/// Opens a store for reading where nothing can be written: on a read-only disk or in a read-only folder.
///
/// SQLite creates files of its own beside a database with a log, so the store is opened as immutable. If there is a
/// log, the store and its log are copied to a temporary folder and merged there; the copies are deleted before anything
/// is read from them.
enum UnwritableStore {
    static func open(_ file: DatabaseFile, _ configuration: Configuration) throws -> any DatabaseWriter {
        let queue =
            file.hasContent("-wal")
            ? try copy(file) : try DatabaseQueue(path: file.immutablePlace, configuration: configuration)
        let versions = InboxSchema.versions
        let applied = try queue.read { try versions.applied($0) }
        if versions.isSuperseded(applied) {
            throw file.fault(.newer, "the store was written by a later version of this program")
        }
        if versions.isComplete(applied) { return queue }
        // Migrate a store of an earlier version in memory.
        let memory = try DatabaseQueue()
        try queue.backup(to: memory)
        try queue.close()
        try memory.write { try versions.complete($0) }
        return memory
    }

    private static func copy(_ file: DatabaseFile) throws -> DatabaseQueue {
        guard let folder = temporaryFolder() else {
            throw file.fault(
                .unwritable, "reading the store's log needs a folder for temporary files (set TMPDIR)")
        }
        let place = folder + "/store"
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(place + suffix) }
            rmdir(folder)
        }
        for suffix in ["", "-wal"] { try copy(file.path + suffix, to: place + suffix, file) }
        let queue = try DatabaseQueue(path: place)
        // Merge into one file: its open descriptor stays usable after the file is deleted.
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            _ = try Row.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
            try database.execute(sql: "PRAGMA query_only = ON")
        }
        return queue
    }

    private static func temporaryFolder() -> String? {
        let named = getenv("TMPDIR").map { String(cString: $0) }
        for parent in [named, "/tmp", "/dev/shm"].compactMap(\.self) where !parent.isEmpty {
            var template = Array((parent + "/triage-XXXXXX").utf8CString)
            if let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) {
                return String(cString: made)
            }
        }
        return nil
    }

    private static func copy(_ source: String, to place: String, _ file: DatabaseFile) throws {
        let from = Foundation.open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard from >= 0 else { throw file.fault(.unwritable, "the store's log cannot be read") }
        defer { Foundation.close(from) }
        let to = Foundation.open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw file.fault(.unwritable, "cannot copy the store's log to a temporary folder") }
        defer { Foundation.close(to) }
        let writer = CheckedWriter(descriptor: to, name: place)
        let code = try DescriptorChunks.forEach(of: from) { chunk throws(any Error) in
            try writer.write(Array(chunk))
            return true
        }
        guard code == 0 else {
            throw file.fault(.failing, "the store cannot be read: \(String(cString: strerror(code)))")
        }
    }
}
