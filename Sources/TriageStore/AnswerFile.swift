internal import Foundation
internal import GRDB
internal import TriageCore

/// The file of the answers: made for its owner alone, recognized, and opened.
struct AnswerFile: Sendable {
    let path: String

    /// "trga": says in the file's header whose it is.
    private static let applicationID = 0x7472_6761
    /// How long another process is waited for, in seconds.
    private static let patience = 10.0

    /// Opens the file, and makes it when it is not there; blocks.
    ///
    /// - Throws: `TriageError`, or GRDB's `DatabaseError`, for ``explain(_:)``.
    func open() throws -> DatabasePool {
        try prepare()
        var attempt = 1
        while true {
            do {
                return try connect()
            } catch let error as DatabaseError
                where attempt < 5 && ![.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
            {
                // Two processes that make the file at the same moment meet in ways that no busy handler is asked about.
                attempt += 1
                usleep(50_000)
            }
        }
    }

    private func connect() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.patience)
        configuration.maximumReaderCount = 2
        configuration.label = "answers"
        configuration.prepareDatabase { database in
            // In WAL mode a killed process loses nothing that was committed, for the system has it. NORMAL leaves out the
            // fsync of each commit: after a power cut the file is whole, and at most the last answers are asked for again.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA journal_size_limit = 4194304")
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        let isOurs = try pool.write { database in
            let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            if id == Self.applicationID { return true }
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            guard id == 0, tables == 0 else { return false }
            try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            return true
        }
        guard isOurs else { throw fault("foreign", "the file of cached answers is a database of another program") }
        let migrator = AnswerTable.migrator
        if try pool.read({ try migrator.hasBeenSuperseded($0) }) {
            throw fault("newer", "the file of cached answers was written by a later version of this program")
        }
        try migrator.migrate(pool)
        return pool
    }

    /// Sees to it that there is a regular file of ours that only we can read.
    private func prepare() throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw fault("unwritable", "the file of cached answers has no usable name")
        }
        try makeFolders()
        // Not followed, and not waited for should it be a pipe.
        let descriptor = Foundation.open(
            path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP {
                throw fault("symlink", "the file of cached answers is a symbolic link, which is not followed")
            }
            throw fault("unwritable", "cannot open the file of cached answers: \(String(cString: strerror(errno)))")
        }
        defer { Foundation.close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw fault("foreign", "what stands in place of the file of cached answers is not a regular file")
        }
        guard info.st_uid == geteuid() else {
            throw fault("foreign", "the file of cached answers belongs to another user")
        }
        if info.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 {
            throw fault("unwritable", "the file of cached answers can be read by others, and that cannot be changed")
        }
        try checkHeader(descriptor)
    }

    /// Tells a file of another's before SQLite opens it, which would change it.
    private func checkHeader(_ descriptor: Int32) throws {
        // https://www.sqlite.org/fileformat2.html, section 1.3: a number of four bytes at 40 that changes with the schema,
        // and one at 68 for the program. Ours is set before there is a schema.
        var header = [UInt8](repeating: 0, count: 72)
        let count = read(descriptor, &header, header.count)
        if count == 0 { return }
        guard count == header.count, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw fault("damaged", "the file of cached answers is damaged, or no database")
        }
        func number(at offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard number(at: 68) == Self.applicationID || number(at: 68) == 0 && number(at: 40) == 0 else {
            throw fault("foreign", "the file of cached answers is a database of another program")
        }
    }

    private func makeFolders() throws {
        var end = path.startIndex
        while let slash = path[end...].dropFirst().firstIndex(of: "/") {
            let folder = String(path[..<slash])
            end = slash
            if mkdir(folder, 0o700) != 0, errno != EEXIST, errno != EISDIR {
                // A folder above may be closed to us and yet hold one that is not.
                var info = stat()
                if stat(folder, &info) == 0 { continue }
                throw fault(
                    "unwritable", "cannot make the folder of cached answers: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// What a failure means to people, and what they can do.
    func explain(_ error: any Error) -> TriageError {
        if let error = error as? TriageError { return error }
        guard let error = error as? DatabaseError else {
            return fault("unwritable", "the file of cached answers cannot be used")
        }
        return switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: fault("damaged", "the file of cached answers is damaged, or no database")
        case .SQLITE_BUSY, .SQLITE_LOCKED: fault("busy", "another process keeps the file of cached answers locked")
        case .SQLITE_FULL: fault("unwritable", "there is no room on the disk for cached answers")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            fault("unwritable", "the file of cached answers cannot be written")
        default: fault("unwritable", "the file of cached answers fails with SQLite's code \(error.extendedResultCode)")
        }
    }

    private func fault(_ code: String, _ what: String) -> TriageError {
        TriageError(
            "cache.\(code)", what + "; this run goes on without it", at: path,
            remedy: "move the file away, or name another with --cache PATH, or use --cache off")
    }
}
