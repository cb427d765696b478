internal import Foundation
internal import GRDB
internal import TriageCore

/// A database file of this program, readable by its owner alone and distinguished from foreign files at its path.
struct DatabaseFile: Sendable {
    /// Why a file cannot be used.
    enum Fault: String, Sendable {
        case missing, unwritable, symlink, foreign, damaged, newer, busy, full, failing
        case exhausted = "no-descriptors"
    }

    /// What a file is; found out without changing it.
    enum State: Sendable {
        /// Missing or empty, or left by a first opening that was interrupted: may be claimed.
        case fresh
        /// A database of this program.
        case ours
    }

    let path: String
    /// The `application_id` in the file's header that marks it as ours.
    let applicationID: Int
    /// What errors call the file, with its article, such as `the store`.
    let name: String
    /// Makes the error for a fault; the string describes what was found.
    let fault: @Sendable (Fault, String) -> TriageError

    /// The path as passed to SQLite, which would read a leading `file:` as a URI.
    var place: String { path.hasPrefix("file:") ? "./" + path : path }

    /// Makes sure that the path is a regular file of ours that only its owner can read.
    ///
    /// - Parameters:
    ///   - isMade: whether a missing file is created, with its folders.
    ///   - isRead: whether the file is only read; then a read-only disk is acceptable.
    /// - Throws: `TriageError`.
    func prepare(isMade: Bool, isRead: Bool = false) throws -> State {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw fault(.unwritable, "\(name) has no valid name") }
        if isMade { try makeFolders() }
        // Never follow a symbolic link, and never block if it is a pipe.
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let descriptor =
            isMade ? Foundation.open(path, O_RDWR | O_CREAT | flags, 0o600) : Foundation.open(path, O_RDONLY | flags)
        guard descriptor >= 0 else {
            switch errno {
            case ELOOP: throw fault(.symlink, "\(name) is a symbolic link")
            case ENOENT: throw fault(.missing, "\(name) does not exist")
            default: throw failed("cannot open \(name)", errno)
            }
        }
        defer { Foundation.close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw fault(.foreign, "\(name) is not a regular file")
        }
        guard info.st_uid == geteuid() else { throw fault(.foreign, "\(name) belongs to another user") }
        // Check this before changing the mode: another program's file must stay as readable as it is.
        let state = try look(descriptor)
        if info.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0, !(isRead && errno == EROFS) {
            throw fault(.unwritable, "other users can read \(name), and its permissions cannot be changed")
        }
        return state
    }

    /// The error for a failed system call.
    private func failed(_ what: String, _ code: Int32) -> TriageError {
        let words = "\(what): \(String(cString: strerror(code)))"
        return switch SystemFault.exit(code, otherwise: .cannotCreate) {
        case .ioError: fault(code == EIO ? .failing : .full, words)
        case .temporary: fault(.exhausted, words)
        default: fault(.unwritable, words)
        }
    }

    /// Recognizes foreign files before SQLite opens them for writing, which would change them.
    private func look(_ descriptor: Int32) throws -> State {
        // https://www.sqlite.org/fileformat2.html, section 1.3: the application id is a four-byte number at offset 68.
        // Ours is set in the transaction that creates the schema.
        var header = [UInt8](repeating: 0, count: 72)
        let count = read(descriptor, &header, header.count)
        // An earlier version that was interrupted may have left its transaction in the log beside the file.
        if count == 0 { return hasContent("-wal") ? try ask() : .fresh }
        // While the journal of the first transaction exists, the file's content does not count.
        if isFirstJournal { return .fresh }
        let magic = Array("SQLite format 3\0".utf8)
        // Most often the path is a typo; the file itself need not be damaged.
        if count > 0, !magic.starts(with: header.prefix(min(count, magic.count))) {
            throw fault(.foreign, "\(name) is not a SQLite database")
        }
        guard count == header.count else {
            throw fault(.damaged, "\(name) is damaged, or not a database")
        }
        func number(at offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        if number(at: 68) == applicationID { return .ours }
        guard number(at: 68) == 0 else { throw fault(.foreign, "\(name) is another program's database") }
        // A database without an owner is ours to claim if it has no tables: earlier versions left one when they were
        // stopped.
        return try ask()
    }

    /// Asks SQLite about the file without changing it.
    private func ask() throws -> State {
        do {
            guard try ask(isAlone: true) != nil else { throw foreign }
        } catch is DatabaseError {
            // Reported below, unless the log repairs it.
        }
        do {
            // The log may hold what the file itself does not.
            guard let state = try ask(isAlone: !hasContent("-wal")) else { throw foreign }
            return state
        } catch let error as DatabaseError {
            throw explain(error)
        }
    }

    private var foreign: TriageError { fault(.foreign, "\(name) is another program's database") }

    /// Whose database this is; nil: another program's.
    ///
    /// - Parameter isAlone: whether only the file itself is read, so that SQLite creates no files beside it.
    private func ask(isAlone: Bool) throws -> State? {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: isAlone ? immutablePlace : place, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            if id == applicationID { return .ours }
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            return id == 0 && tables == 0 ? .fresh : nil
        }
    }

    /// A URI that opens the file as immutable, so that SQLite creates no files beside it.
    var immutablePlace: String {
        var address = path.hasPrefix("/") ? "file://" : "file:"
        for byte in path.utf8 {
            switch byte {
            case 0x2F, 0x2D...0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A:
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default: address += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return address + "?immutable=1"
    }

    /// Whether a file beside this one, such as the log, is not empty.
    func hasContent(_ suffix: String) -> Bool {
        var info = stat()
        return lstat(path + suffix, &info) == 0 && info.st_size > 0
    }

    /// Whether there is a journal of a transaction that started on an empty file.
    private var isFirstJournal: Bool {
        // https://www.sqlite.org/fileformat2.html, section 3: a journal starts with eight magic bytes; the number of
        // pages before the transaction is at offset 16.
        let descriptor = Foundation.open(path + "-journal", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { Foundation.close(descriptor) }
        var head = [UInt8](repeating: 0, count: 20)
        return read(descriptor, &head, head.count) == head.count
            && head.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]) && head[16...].allSatisfy { $0 == 0 }
    }

    private func makeFolders() throws {
        var end = path.startIndex
        while let slash = path[end...].dropFirst().firstIndex(of: "/") {
            let folder = String(path[..<slash])
            end = slash
            if mkdir(folder, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                let code = errno
                // A parent folder may be inaccessible to us while the folder inside it is accessible.
                var info = stat()
                if stat(folder, &info) == 0 { continue }
                throw failed("cannot create the folder of \(name)", code)
            }
        }
    }

    /// Makes a fresh file ours and creates its tables in one transaction; on failure the file stays fresh.
    ///
    /// If two processes do this at the same time, the second finds it done.
    ///
    /// - Throws: a `TriageError` when the file belongs to another program; GRDB's errors.
    func claim(_ versions: SchemaVersions, patience: Double) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.label = "claim"
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        let queue = try DatabaseQueue(path: place, configuration: configuration)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                if id == applicationID { return .commit }
                let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
                guard id == 0, tables == 0 else { throw foreign }
                try database.execute(sql: "PRAGMA application_id = \(applicationID)")
                try versions.complete(database)
                return .commit
            }
        }
    }

    /// Calls `body`, and retries when two processes creating the file at once collide.
    ///
    /// SQLite calls no busy handler for these collisions. Blocks.
    func patiently<R>(_ body: () throws -> R) throws -> R {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let error as DatabaseError
                where attempt < 5 && ![.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FULL].contains(error.resultCode)
            {
                // SQLite has already retried this one for ten seconds.
                if error.resultCode == .SQLITE_PROTOCOL, reason != nil { throw error }
                attempt += 1
                usleep(50_000)
            }
        }
    }

    /// The error to show for a failure, with its remedy; never quotes the file's content.
    func explain(_ error: any Error) -> TriageError {
        if let error = error as? TriageError { return error }
        if error is DamagedRow || error is RowDecodingError { return fault(.damaged, "\(name) is damaged") }
        guard let error = error as? DatabaseError else { return fault(.unwritable, "\(name) cannot be used") }
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: return fault(.damaged, "\(name) is damaged, or not a database")
        case .SQLITE_PROTOCOL:
            // SQLite reports this code when it gives up on its write-ahead log: another process uses it, or the disk is
            // unwritable.
            if let code = reason { return failed("\(name) cannot be written", code) }
            return fault(.busy, "another process has \(name) locked")
        case .SQLITE_BUSY, .SQLITE_LOCKED: return fault(.busy, "another process has \(name) locked")
        case .SQLITE_FULL: return fault(.full, "the disk is full: cannot write \(name)")
        case .SQLITE_NOMEM: return fault(.exhausted, "not enough memory for \(name)")
        case .SQLITE_ERROR where error.message?.hasPrefix("could not activate WAL") == true:
            return fault(.unwritable, "this file system does not support the log file of \(name)")
        // Our statements are known to be correct, so tables are missing or not as they were created.
        case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE:
            return fault(.damaged, "\(name) is damaged")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_IOERR:
            // SQLite does not say why; find out.
            if let code = reason { return failed("\(name) cannot be written", code) }
            return error.resultCode == .SQLITE_IOERR
                ? fault(.failing, "disk error in \(name) (SQLite code \(error.extendedResultCode))")
                : fault(.unwritable, "\(name) cannot be written")
        default: return fault(.unwritable, "\(name) failed with SQLite code \(error.extendedResultCode)")
        }
    }

    /// The `errno` that prevents writing beside the file, found by trying; nil: writing works.
    private var reason: Int32? {
        // Take as many descriptors as SQLite wants at a time, because it has released its own by now.
        var taken: [Int32] = []
        defer { for descriptor in taken { Foundation.close(descriptor) } }
        for _ in 0..<6 {
            let descriptor = Foundation.open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if descriptor < 0 { return errno }
            taken.append(descriptor)
        }
        let place = "\(path).\(getpid()).part"
        let descriptor = Foundation.open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno == EEXIST ? nil : errno }
        defer {
            Foundation.close(descriptor)
            unlink(place)
        }
        let page = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.write(descriptor, page, page.count)
        return count == page.count ? nil : count < 0 ? errno : ENOSPC
    }
}

/// The schema versions of a database, from the first on, and how each becomes the next.
///
/// A table in the file lists the versions it has been through. All missing ones are applied in one transaction: if the
/// process is killed in the middle, the file is unchanged.
struct SchemaVersions: Sendable {
    struct Version: Sendable {
        let name: String
        let make: @Sendable (Database) throws -> Void
    }

    let all: [Version]

    init(_ all: [Version]) { self.all = all }

    /// The name of the latest version.
    var latest: String { all.last?.name ?? "" }

    /// The versions applied to a file; empty: it has no tables yet.
    func applied(_ database: Database) throws -> Set<String> {
        guard try database.tableExists("grdb_migrations") else { return [] }
        return try Set(Row.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations").map { try $0.get(0) })
    }

    /// Whether a later version of the program has changed the file.
    func isSuperseded(_ applied: Set<String>) -> Bool { !applied.isSubset(of: all.map(\.name)) }

    func isComplete(_ applied: Set<String>) -> Bool { applied.isSuperset(of: all.map(\.name)) }

    /// The name of the last known version applied to a file; nil: none.
    func last(of applied: Set<String>) -> String? { all.last { applied.contains($0.name) }?.name }

    /// Applies the missing versions within the caller's transaction.
    func complete(_ database: Database) throws {
        let applied = try applied(database)
        if applied.isEmpty {
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        for version in all where !applied.contains(version.name) {
            try version.make(database)
            try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [version.name])
        }
    }
}

/// A row has a value that its column cannot have, which only happens in a damaged file.
///
/// The error carries nothing of the row's content.
struct DamagedRow: Error {}

extension Row {
    /// The value of a column; use an optional type where it may be NULL.
    ///
    /// GRDB's own subscripts trap on a value of another type and print the whole row.
    ///
    /// - Throws: ``DamagedRow``.
    func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        do { return try decode(Value.self, forColumn: column) } catch { throw DamagedRow() }
    }

    /// The value of a column by its index, from 0.
    ///
    /// - Throws: ``DamagedRow``.
    func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ place: Int) throws -> Value {
        guard place < count else { throw DamagedRow() }
        do { return try decode(Value.self, atIndex: place) } catch { throw DamagedRow() }
    }

    /// The record key in a column.
    ///
    /// - Throws: ``DamagedRow``.
    func key(_ column: String) throws -> RecordKey {
        guard let key = RecordKey(try get(column) as Data) else { throw DamagedRow() }
        return key
    }

    /// The number of a revision: at least 1, and low enough that there is always a next one.
    ///
    /// - Throws: ``DamagedRow``.
    func revision(_ column: String = "revision") throws -> Int {
        let revision: Int = try get(column)
        guard (1...Int(Int32.max)).contains(revision) else { throw DamagedRow() }
        return revision
    }

    /// A sum that SQL's `total` computed.
    ///
    /// - Throws: ``DamagedRow`` for a value that no count of messages reaches.
    func count(_ column: String) throws -> Int {
        guard let count = Int(exactly: (try get(column) as Double).rounded()) else { throw DamagedRow() }
        return count
    }
}
