internal import Foundation
internal import GRDB
internal import Synchronization
internal import TriageCore

/// The store of a person's messages: what is known, what was answered, what people said of it, and what was done.
///
/// One SQLite file, for its owner alone. Everything here blocks, for up to ``patience`` seconds where another process is
/// writing; do not call it where blocking is not allowed. May be used from many threads: one writes at a time, readers see
/// what was committed last and wait for nobody.
package final class InboxStore: Sendable {
    package enum Mode: Sendable {
        /// Made when it is not there.
        case readWrite
        /// Has to be there, and may be changed.
        case existing
        /// Has to be there, and is not changed.
        case readOnly
    }

    package let path: String
    let pool: any DatabaseWriter
    private let file: DatabaseFile
    private let isClosed = Atomic(false)

    /// How long another process that writes is waited for, in seconds.
    package static let patience = 10

    /// Opens the store; one of an earlier version is brought up to date, after a copy of it was put beside it
    /// (`STORE.v2.bak`).
    ///
    /// To be looked at it may lie on a disk, or in a folder, that cannot be written.
    ///
    /// - Throws: `TriageError`: `store.missing` (66), `store.newer`, `store.foreign`, `store.symlink` (78),
    ///   `store.damaged`, `store.full`, `store.failing` (74), `store.unwritable` (73 while it is made, else 74),
    ///   `store.busy`, `store.no-descriptors` (75).
    package init(path: String, mode: Mode) throws {
        self.path = path
        // What fails once it is there is no failure to make it.
        self.file = Self.file(path, isMade: false)
        let file = Self.file(path, isMade: mode == .readWrite && !Self.isThere(path))
        do {
            let state = try file.prepare(isMade: mode == .readWrite, isRead: mode == .readOnly)
            pool = try file.patiently {
                if state == .fresh {
                    guard mode == .readWrite else { throw file.fault(.missing, "nothing was ever put into the store") }
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

    /// Closes the file; nothing else may be called afterwards, but this again.
    ///
    /// What was committed is then in the file itself, unless somebody else uses it: people copy one file.
    package func close() {
        // A pool that is closed must not be asked for anything.
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if !pool.configuration.readonly { _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) } }
        // Fails only while it is in use, and then it is closed with the last one that uses it.
        try? pool.close()
    }

    /// How connections are set up.
    static func configuration(isReadOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(patience))
        configuration.maximumReaderCount = 4
        configuration.readonly = isReadOnly
        configuration.label = "store"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // Millions of ids are looked up in a tree of hundreds of megabytes.
            try database.execute(sql: "PRAGMA cache_size = -32768")
            guard !database.configuration.readonly else { return }
            // What is deleted is overwritten.
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
        // What is committed is there after a power cut. Only now: a pool sets NORMAL when it turns the log on, and that
        // leaves a commit to the next checkpoint.
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

    /// Whether SQLite could not put its log beside a store, which it does even to read.
    static func isUnwritable(_ error: DatabaseError) -> Bool {
        [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(error.resultCode)
    }

    static func newer(_ file: DatabaseFile) -> TriageError {
        file.fault(.newer, "the store was written by a later version of this program")
    }

    /// Puts a copy of a store of an earlier version beside it, whole or not at all.
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

    /// The copies that were put beside a store: before it was brought up to date, and of what it was before a repair.
    package static func copies(beside path: String) -> [String] {
        let names = InboxSchema.versions.all.map(\.name) + ["damaged"] + (2...20).map { "damaged.\($0)" }
        return names.map { "\(path).\($0).bak" }.filter(isThere)
    }

    /// Reads, with every failure explained.
    func read<R>(_ body: (Database) throws -> R) throws -> R {
        try explained { try pool.read(body) }
    }

    /// Changes something in one transaction that is on the disk when this returns, with every failure explained.
    func write<R>(_ body: (Database) throws -> R) throws -> R {
        try explained { try pool.write(body) }
    }

    /// What `body` gives, with every failure explained.
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
                    ("name the right one with --store PATH, or make it with: triage sync … --store PATH", .noInput)
                case .symlink: ("name the file itself", .badConfiguration)
                case .foreign: ("name another file with --store PATH", .badConfiguration)
                case .newer: ("use the version of triage that wrote it, or a later one", .badConfiguration)
                case .damaged:
                    (
                        "see what can be saved with: triage store check --store PATH, then triage store repair"
                            + "; or put back a copy of it",
                        .ioError
                    )
                case .full: ("make room on the disk and run again", .ioError)
                case .failing:
                    ("see that the disk is in order, and that files may grow (ulimit -f), and run again", .ioError)
                case .exhausted: ("allow more open files (ulimit -n 256), or run again later", .temporary)
                case .busy: ("try again when the other one is done", .temporary)
                case .unwritable:
                    (
                        "see that there is room on the disk and that you may write there",
                        isMade ? .cannotCreate : .ioError
                    )
                }
            return TriageError("store.\(fault.rawValue)", what, at: path, remedy: remedy, exit: exit)
        }
    }
}

/// Looks at a store where nothing can be written: on a disk that is mounted to be read, or in a folder that is.
///
/// SQLite reads a file with a log only beside files of its own, so it is told that nobody changes this one. What is still
/// in the log is put together in a folder for temporary files, whose names are gone before anything is read from them.
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
        // An earlier version's is brought up to date where that can be done.
        let memory = try DatabaseQueue()
        try queue.backup(to: memory)
        try queue.close()
        try memory.write { try versions.complete($0) }
        return memory
    }

    private static func copy(_ file: DatabaseFile) throws -> DatabaseQueue {
        guard let folder = temporaryFolder() else {
            throw file.fault(
                .unwritable, "the store has a log, and there is no folder for temporary files to read it in (TMPDIR)")
        }
        let place = folder + "/store"
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(place + suffix) }
            rmdir(folder)
        }
        for suffix in ["", "-wal"] { try copy(file.path + suffix, to: place + suffix, file) }
        let queue = try DatabaseQueue(path: place)
        // One file then, of which an open descriptor is enough.
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
        guard to >= 0 else { throw file.fault(.unwritable, "the store's log cannot be copied to be read") }
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
