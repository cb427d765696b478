internal import Foundation
internal import GRDB
internal import Synchronization
internal import TriageCore

/// The store of a person's messages: what is known, what was answered, what people said of it, and what was done.
///
/// One SQLite file, for its owner alone. Everything here blocks, for up to ``patience`` seconds where another process is
/// writing; do not call it where blocking is not allowed. May be used from many threads: one writes at a time, readers see
/// what was committed last and wait for nobody.
public final class InboxStore: Sendable {
    public enum Mode: Sendable {
        /// Made when it is not there.
        case readWrite
        /// Has to be there, and may be changed.
        case existing
        /// Has to be there, and is not changed.
        case readOnly
    }

    public let path: String
    let pool: DatabasePool
    private let file: DatabaseFile
    private let isClosed = Atomic(false)

    /// How long another process that writes is waited for, in seconds.
    public static let patience = 10

    /// Opens the store.
    ///
    /// - Throws: `TriageError`: `store.missing` (66), `store.newer`, `store.foreign`, `store.symlink` (78),
    ///   `store.damaged` (74), `store.unwritable` (73 while it is made, else 74), `store.busy` (75).
    public init(path: String, mode: Mode) throws {
        self.path = path
        // What fails once it is there is no failure to make it.
        self.file = Self.file(path, isMade: false)
        let file = Self.file(path, isMade: mode == .readWrite && !Self.isThere(path))
        do {
            try file.prepare(isMade: mode == .readWrite)
            pool = try file.patiently { try Self.connect(file, mode) }
        } catch {
            throw file.explain(error)
        }
    }

    private static func isThere(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    }

    /// Closes the file; nothing else may be called afterwards, but this again.
    ///
    /// What was committed is then in the file itself, unless somebody else uses it: people copy one file.
    public func close() {
        // A pool that is closed must not be asked for anything.
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if !pool.configuration.readonly { _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) } }
        // Fails only while it is in use, and then it is closed with the last one that uses it.
        try? pool.close()
    }

    private static func connect(_ file: DatabaseFile, _ mode: Mode) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(patience))
        configuration.maximumReaderCount = 4
        configuration.readonly = mode == .readOnly
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
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        let migrator = InboxSchema.migrator
        if try pool.read({ try migrator.hasBeenSuperseded($0) }) {
            throw file.fault(.newer, "the store was written by a later version of this program")
        }
        guard mode != .readOnly else {
            if try pool.read({ try migrator.hasCompletedMigrations($0) }) { return pool }
            try pool.close()
            // Made a moment ago, or by an earlier version.
            _ = try connect(file, .existing)
            return try connect(file, .readOnly)
        }
        // What is committed is there after a power cut. Only now: a pool sets NORMAL when it turns the log on, and that
        // leaves a commit to the next checkpoint.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try pool.write { try file.claim($0) }
        try migrator.migrate(pool)
        return pool
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
        do { return try body() } catch let error as DatabaseError { throw file.explain(error) }
    }

    private static func file(_ path: String, isMade: Bool) -> DatabaseFile {
        DatabaseFile(path: path, applicationID: 0x7472_6769 /* "trgi" */, name: "the store") { fault, what in
            let (remedy, exit): (String, ExitStatus) =
                switch fault {
                case .missing:
                    ("name the right one with --store PATH, or make it with: triage sync … --store PATH", .noInput)
                case .symlink: ("name the file itself", .badConfiguration)
                case .foreign: ("name another file with --store PATH", .badConfiguration)
                case .newer: ("use the version of triage that wrote it, or a later one", .badConfiguration)
                case .damaged: ("put back a copy of it, or move it away and have everything read again", .ioError)
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
