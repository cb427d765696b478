internal import Foundation
internal import GRDB
internal import TriageCore

/// A file with a database of ours: made for its owner alone, and told from what others put in its place.
struct DatabaseFile: Sendable {
    /// Why a file is of no use.
    enum Fault: String, Sendable {
        case missing, unwritable, symlink, foreign, damaged, newer, busy, full, failing
        case exhausted = "no-descriptors"
    }

    /// What a file is, told without changing it.
    enum State: Sendable {
        /// Nothing, or what an interrupted first opening left: to be claimed.
        case fresh
        /// A database of ours.
        case ours
    }

    let path: String
    /// Says in the file's header whose it is.
    let applicationID: Int
    /// What it is called, with its article, such as `the store`.
    let name: String
    /// Makes the error of a fault; given the fault and what was found.
    let fault: @Sendable (Fault, String) -> TriageError

    /// The path as SQLite is given it, which takes `file:` for the beginning of an address.
    var place: String { path.hasPrefix("file:") ? "./" + path : path }

    /// Sees to it that there is a regular file of ours that only we can read.
    ///
    /// - Parameters:
    ///   - isMade: whether it is made, with its folders, when it is not there.
    ///   - isRead: whether it is only looked at: then a disk that cannot be written will do.
    /// - Throws: `TriageError`.
    func prepare(isMade: Bool, isRead: Bool = false) throws -> State {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw fault(.unwritable, "\(name) has no valid name") }
        if isMade { try makeFolders() }
        // Not followed, and not waited for should it be a pipe.
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
        // First: a file of another program's stays as readable as it is.
        let state = try look(descriptor)
        if info.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0, !(isRead && errno == EROFS) {
            throw fault(.unwritable, "other users can read \(name), and its permissions cannot be changed")
        }
        return state
    }

    /// The error of a failed call of the system.
    private func failed(_ what: String, _ code: Int32) -> TriageError {
        let words = "\(what): \(String(cString: strerror(code)))"
        return switch SystemFault.exit(code, otherwise: .cannotCreate) {
        case .ioError: fault(code == EIO ? .failing : .full, words)
        case .temporary: fault(.exhausted, words)
        default: fault(.unwritable, words)
        }
    }

    /// Tells a file of another's before SQLite opens it for writing, which would change it.
    private func look(_ descriptor: Int32) throws -> State {
        // https://www.sqlite.org/fileformat2.html, section 1.3: a number of four bytes at 40 that changes with the schema,
        // and one at 68 for the program. Ours is set in the transaction that makes the schema.
        var header = [UInt8](repeating: 0, count: 72)
        let count = read(descriptor, &header, header.count)
        // What an earlier version made and did not end is in the log beside it.
        if count == 0 { return hasContent("-wal") ? try ask() : .fresh }
        // Whatever stands in it, of an empty file that was to be filled nothing counts before its journal is gone.
        if isFirstJournal { return .fresh }
        let magic = Array("SQLite format 3\0".utf8)
        // Most often a wrong name: whoever gave it need not fear for what is in the right one.
        if count > 0, !magic.starts(with: header.prefix(min(count, magic.count))) {
            throw fault(.foreign, "\(name) is not a SQLite database")
        }
        guard count == header.count else {
            throw fault(.damaged, "\(name) is damaged, or not a database")
        }
        func number(at offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        if number(at: 68) == applicationID { return .ours }
        guard number(at: 68) == 0 else { throw fault(.foreign, "\(name) is another program's database") }
        // A database of nobody's: empty as long as it has no tables, as earlier versions left one when they were stopped.
        return try ask()
    }

    /// Asks SQLite, which does not change the file for that.
    private func ask() throws -> State {
        do {
            guard try ask(isAlone: true) != nil else { throw foreign }
        } catch is DatabaseError {
            // Told below, unless its log repairs it.
        }
        do {
            // What the file itself does not say may be said by its log.
            guard let state = try ask(isAlone: !hasContent("-wal")) else { throw foreign }
            return state
        } catch let error as DatabaseError {
            throw explain(error)
        }
    }

    private var foreign: TriageError { fault(.foreign, "\(name) is another program's database") }

    /// Whose the database is; nil: another's.
    ///
    /// - Parameter isAlone: whether nothing but the file itself is looked at, and nothing is put beside it.
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

    /// The file as one that nobody changes, so that nothing has to be written beside it.
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

    /// Whether a file beside this one, such as the log, holds anything.
    func hasContent(_ suffix: String) -> Bool {
        var info = stat()
        return lstat(path + suffix, &info) == 0 && info.st_size > 0
    }

    /// Whether there is the journal of a transaction that began with an empty file.
    private var isFirstJournal: Bool {
        // https://www.sqlite.org/fileformat2.html, section 3: eight bytes that tell a journal; at 16, how many pages there
        // were before.
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
                // A folder above may be closed to us and yet hold one that is not.
                var info = stat()
                if stat(folder, &info) == 0 { continue }
                throw failed("cannot create the folder of \(name)", code)
            }
        }
    }

    /// Makes a fresh file ours, with its tables, in one transaction: killed, or without room, it is as fresh as it was.
    ///
    /// Of two processes that do it at the same moment the second finds it done.
    ///
    /// - Throws: a `TriageError` when it is that of another program; GRDB's errors.
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

    /// Calls `body`, again when two processes that make the file at the same moment met in ways that no busy handler is
    /// asked about; blocks.
    func patiently<R>(_ body: () throws -> R) throws -> R {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let error as DatabaseError
                where attempt < 5 && ![.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FULL].contains(error.resultCode)
            {
                // SQLite has tried this one for ten seconds already.
                if error.resultCode == .SQLITE_PROTOCOL, reason != nil { throw error }
                attempt += 1
                usleep(50_000)
            }
        }
    }

    /// What a failure means to people, and what they can do; nothing of what the file holds.
    func explain(_ error: any Error) -> TriageError {
        if let error = error as? TriageError { return error }
        if error is DamagedRow || error is RowDecodingError { return fault(.damaged, "\(name) is damaged") }
        guard let error = error as? DatabaseError else { return fault(.unwritable, "\(name) cannot be used") }
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: return fault(.damaged, "\(name) is damaged, or not a database")
        case .SQLITE_PROTOCOL:
            // SQLite gives up on its write-ahead log with this code: another process uses it, or nothing can be written.
            if let code = reason { return failed("\(name) cannot be written", code) }
            return fault(.busy, "another process has \(name) locked")
        case .SQLITE_BUSY, .SQLITE_LOCKED: return fault(.busy, "another process has \(name) locked")
        case .SQLITE_FULL: return fault(.full, "the disk is full: cannot write \(name)")
        case .SQLITE_NOMEM: return fault(.exhausted, "not enough memory for \(name)")
        case .SQLITE_ERROR where error.message?.hasPrefix("could not activate WAL") == true:
            return fault(.unwritable, "this file system does not support the log file of \(name)")
        // All that is asked is known to be right, so what is asked is not there, or not as it was made.
        case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE:
            return fault(.damaged, "\(name) is damaged")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_IOERR:
            // SQLite does not say why.
            if let code = reason { return failed("\(name) cannot be written", code) }
            return error.resultCode == .SQLITE_IOERR
                ? fault(.failing, "the disk of \(name) failed with SQLite code \(error.extendedResultCode)")
                : fault(.unwritable, "\(name) cannot be written")
        default: return fault(.unwritable, "\(name) failed with SQLite code \(error.extendedResultCode)")
        }
    }

    /// Why nothing can be written beside the file, found out by trying; nil: it can.
    private var reason: Int32? {
        // As many as SQLite wants at a time: it gave back what it had.
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

/// The versions of a database's tables, from the first on, and how one becomes the next.
///
/// Which of them a file has been through stands in the file, in a table of its own. All that are missing are made in one
/// transaction: killed in the middle, a file is what it was before.
struct SchemaVersions: Sendable {
    struct Version: Sendable {
        let name: String
        let make: @Sendable (Database) throws -> Void
    }

    let all: [Version]

    init(_ all: [Version]) { self.all = all }

    /// The name of the latest.
    var latest: String { all.last?.name ?? "" }

    /// What a file has been through; empty: it has no tables yet.
    func applied(_ database: Database) throws -> Set<String> {
        guard try database.tableExists("grdb_migrations") else { return [] }
        return try Set(Row.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations").map { try $0.get(0) })
    }

    /// Whether a later version of the program was there.
    func isSuperseded(_ applied: Set<String>) -> Bool { !applied.isSubset(of: all.map(\.name)) }

    func isComplete(_ applied: Set<String>) -> Bool { applied.isSuperset(of: all.map(\.name)) }

    /// The name of the last one that a file has been through; nil: of none.
    func last(of applied: Set<String>) -> String? { all.last { applied.contains($0.name) }?.name }

    /// Makes what is missing, within a transaction of the caller's.
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

/// A row holds what its column may not hold, as nothing but a damaged file does.
///
/// Says nothing of what it holds.
struct DamagedRow: Error {}

extension Row {
    /// The value of a column; of an optional kind where it may be empty.
    ///
    /// The library's own subscripts end the process where a value is of another kind, with the whole row in their last words.
    ///
    /// - Throws: ``DamagedRow``.
    func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        do { return try decode(Value.self, forColumn: column) } catch { throw DamagedRow() }
    }

    /// The value of a column by its place, from 0.
    ///
    /// - Throws: ``DamagedRow``.
    func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ place: Int) throws -> Value {
        guard place < count else { throw DamagedRow() }
        do { return try decode(Value.self, atIndex: place) } catch { throw DamagedRow() }
    }

    /// The key in a column.
    ///
    /// - Throws: ``DamagedRow``.
    func key(_ column: String) throws -> RecordKey {
        guard let key = RecordKey(try get(column) as Data) else { throw DamagedRow() }
        return key
    }

    /// The number of a revision: from 1, and no more than anybody ever makes, so that there is always a next one.
    ///
    /// - Throws: ``DamagedRow``.
    func revision(_ column: String = "revision") throws -> Int {
        let revision: Int = try get(column)
        guard (1...Int(Int32.max)).contains(revision) else { throw DamagedRow() }
        return revision
    }

    /// A sum that the database made with `total`.
    ///
    /// - Throws: ``DamagedRow`` for one that no count of messages reaches.
    func count(_ column: String) throws -> Int {
        guard let count = Int(exactly: (try get(column) as Double).rounded()) else { throw DamagedRow() }
        return count
    }
}
