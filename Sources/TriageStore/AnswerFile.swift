internal import GRDB
internal import TriageCore

/// The file of the answers: opened, with all that may be wrong with it explained.
struct AnswerFile: Sendable {
    private let file: DatabaseFile

    /// How long another process is waited for, in seconds.
    private static let patience = 10.0

    init(path: String) {
        file = DatabaseFile(
            path: path, applicationID: 0x7472_6761 /* "trga" */, name: "the answer cache",
            fault: { fault, what in
                TriageError(
                    "cache.\(fault.rawValue)", what + "; this run continues without it", at: path,
                    remedy: "move the file away, or name another with --cache PATH, or use --cache off")
            })
    }

    /// Opens the file, and makes it when it is not there; blocks.
    ///
    /// - Throws: `TriageError`, or GRDB's `DatabaseError`, for ``explain(_:)``.
    func open() throws -> DatabasePool {
        let state = try file.prepare(isMade: true)
        return try file.patiently {
            if state == .fresh { try file.claim(AnswerTable.versions, patience: Self.patience) }
            return try connect()
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
        let pool = try DatabasePool(path: file.place, configuration: configuration)
        let versions = AnswerTable.versions
        let applied = try pool.read { try versions.applied($0) }
        if versions.isSuperseded(applied) {
            throw file.fault(.newer, "the answer cache was written by a newer version of this program")
        }
        if !versions.isComplete(applied) { try pool.write { try versions.complete($0) } }
        return pool
    }

    /// What a failure means to people, and what they can do.
    func explain(_ error: any Error) -> TriageError { file.explain(error) }
}
