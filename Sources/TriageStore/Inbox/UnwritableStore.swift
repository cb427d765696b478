internal import Foundation
internal import GRDB
internal import TriageCore

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
