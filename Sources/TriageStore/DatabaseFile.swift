internal import Foundation
internal import GRDB
internal import TriageCore

/// A file with a database of ours: made for its owner alone, and told from what others put in its place.
struct DatabaseFile: Sendable {
    /// Why a file is of no use.
    enum Fault: String, Sendable {
        case missing, unwritable, symlink, foreign, damaged, newer, busy
    }

    let path: String
    /// Says in the file's header whose it is.
    let applicationID: Int
    /// What it is called, with its article, such as `the store`.
    let name: String
    /// Makes the error of a fault; given the fault and what was found.
    let fault: @Sendable (Fault, String) -> TriageError

    /// Sees to it that there is a regular file of ours that only we can read.
    ///
    /// - Parameter isMade: whether it is made, with its folders, when it is not there.
    /// - Throws: `TriageError`.
    func prepare(isMade: Bool) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw fault(.unwritable, "\(name) has no usable name") }
        if isMade { try makeFolders() }
        // Not followed, and not waited for should it be a pipe.
        let flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let descriptor =
            isMade ? Foundation.open(path, O_RDWR | O_CREAT | flags, 0o600) : Foundation.open(path, O_RDONLY | flags)
        guard descriptor >= 0 else {
            switch errno {
            case ELOOP: throw fault(.symlink, "\(name) is a symbolic link, which is not followed")
            case ENOENT: throw fault(.missing, "\(name) is not there")
            default: throw fault(.unwritable, "cannot open \(name): \(String(cString: strerror(errno)))")
            }
        }
        defer { Foundation.close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw fault(.foreign, "what stands in place of \(name) is not a regular file")
        }
        guard info.st_uid == geteuid() else { throw fault(.foreign, "\(name) belongs to another user") }
        // First: a file of another program's stays as readable as it is.
        try checkHeader(descriptor, mayBeEmpty: isMade)
        if info.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 {
            throw fault(.unwritable, "\(name) can be read by others, and that cannot be changed")
        }
    }

    /// Tells a file of another's before SQLite opens it, which would change it.
    private func checkHeader(_ descriptor: Int32, mayBeEmpty: Bool) throws {
        // https://www.sqlite.org/fileformat2.html, section 1.3: a number of four bytes at 40 that changes with the schema,
        // and one at 68 for the program. Ours is set before there is a schema.
        var header = [UInt8](repeating: 0, count: 72)
        let count = read(descriptor, &header, header.count)
        // What was made a moment ago is still in the log beside it.
        if count == 0, mayBeEmpty || hasLog { return }
        let magic = Array("SQLite format 3\0".utf8)
        // Most often a wrong name: whoever gave it need not fear for what is in the right one.
        if count > 0, !magic.starts(with: header.prefix(min(count, magic.count))) {
            throw fault(.foreign, "what stands in place of \(name) is no SQLite database")
        }
        guard count == header.count else {
            throw fault(.damaged, "\(name) is damaged, or no database")
        }
        func number(at offset: Int) -> Int { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard number(at: 68) == applicationID || number(at: 68) == 0 && number(at: 40) == 0 else {
            throw fault(.foreign, "\(name) is a database of another program")
        }
    }

    private var hasLog: Bool {
        var info = stat()
        return lstat(path + "-wal", &info) == 0 && info.st_size > 0
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
                throw fault(.unwritable, "cannot make the folder of \(name): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Writes our mark into a fresh database.
    ///
    /// - Throws: a `TriageError` when it is that of another program; GRDB's errors.
    func claim(_ database: Database) throws {
        let id = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        if id == applicationID { return }
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard id == 0, tables == 0 else { throw fault(.foreign, "\(name) is a database of another program") }
        try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    /// Calls `body`, again when two processes that make the file at the same moment met in ways that no busy handler is
    /// asked about; blocks.
    func patiently<R>(_ body: () throws -> R) throws -> R {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let error as DatabaseError
                where attempt < 5 && ![.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
            {
                attempt += 1
                usleep(50_000)
            }
        }
    }

    /// What a failure means to people, and what they can do.
    func explain(_ error: any Error) -> TriageError {
        if let error = error as? TriageError { return error }
        guard let error = error as? DatabaseError else { return fault(.unwritable, "\(name) cannot be used") }
        return switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: fault(.damaged, "\(name) is damaged, or no database")
        case .SQLITE_BUSY, .SQLITE_LOCKED: fault(.busy, "another process keeps \(name) locked")
        case .SQLITE_FULL: fault(.unwritable, "there is no room on the disk for \(name)")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: fault(.unwritable, "\(name) cannot be written")
        default: fault(.unwritable, "\(name) fails with SQLite's code \(error.extendedResultCode)")
        }
    }
}
