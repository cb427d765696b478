internal import GRDB

extension InboxStore {
    /// Records that a run has begun.
    ///
    /// - Returns: its id.
    /// - Throws: `TriageError`.
    package func begin(_ run: InboxRun) throws -> Int64 {
        try write { database in
            let sql = """
                INSERT INTO run (command, started, state, version, rules, inputs, counts) VALUES (?, ?, ?, ?, ?, ?, ?)
                """
            try database.execute(
                sql: sql,
                arguments: [
                    run.command, run.started, run.state.rawValue, run.version, run.rules, run.inputs, run.counts,
                ])
            return database.lastInsertedRowID
        }
    }

    /// Records how a run ended: its state, exit status, counts, summary and end time.
    ///
    /// Its spending was already added by its commits.
    ///
    /// - Throws: `TriageError`.
    package func end(_ run: InboxRun) throws {
        try write { database in
            try database.execute(
                sql: "UPDATE run SET ended = ?2, state = ?3, exit = ?4, counts = ?5, summary = ?6 WHERE id = ?1",
                arguments: [run.id, run.ended, run.state.rawValue, run.exit, run.counts, run.summary])
        }
    }

    /// The latest runs, the newest first.
    ///
    /// - Throws: `TriageError`.
    package func runs(limit: Int) throws -> [InboxRun] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM run ORDER BY id DESC LIMIT ?", arguments: [max(0, limit)])
                .map { try Self.run($0) }
        }
    }

    /// Messages for a person to look at, from earlier runs that ended before they could report them.
    ///
    /// This scans all messages if there are such runs, which is rare.
    ///
    /// - Parameters:
    ///   - run: only runs before this one, and after the last one that ended properly.
    ///   - score: only offers above this score.
    ///   - limit: the maximum number returned.
    /// - Throws: `TriageError`.
    package func untold(before run: Int64, above score: Int, limit: Int) throws -> [Untold] {
        try read { database in
            let last = try Int64.fetchOne(
                database, sql: "SELECT max(id) FROM run WHERE command = 'sync' AND ended IS NOT NULL AND id < ?",
                arguments: [run])
            let first = (last ?? 0) + 1
            guard first < run else { return [] }
            let sql = """
                SELECT id, platform, conversation, urgent, score FROM message
                WHERE run >= ? AND run < ? AND kind = 0 AND (urgent OR score > ?) ORDER BY seq LIMIT ?
                """
            return try Row.fetchAll(database, sql: sql, arguments: [first, run, score, max(0, limit)]).map { row in
                try Untold(
                    id: row.get("id"), platform: row.get("platform"), conversation: row.get("conversation"),
                    isUrgent: row.get("urgent"), score: row.get("score"))
            }
        }
    }

    /// A message that a person should look at and that no summary has named yet.
    package struct Untold: Sendable, Equatable {
        package var id: String
        package var platform: String?
        package var conversation: String?
        package var isUrgent: Bool
        /// 0–100, of an offer.
        package var score: Int?
    }

    /// The run with this id; nil when there is none.
    ///
    /// - Throws: `TriageError`.
    package func run(_ id: Int64) throws -> InboxRun? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM run WHERE id = ?", arguments: [id]).map { try Self.run($0) }
        }
    }

    private static func run(_ row: Row) throws -> InboxRun {
        var run = try InboxRun(
            command: row.get("command"), started: row.get("started"), version: row.get("version"),
            rules: row.get("rules"), inputs: row.get("inputs"))
        run.id = try row.get("id")
        run.ended = try row.get("ended")
        run.state = InboxRun.State(rawValue: try row.get("state")) ?? .failed
        run.exit = try row.get("exit")
        run.counts = try row.get("counts")
        run.summary = try row.get("summary")
        run.spend = try spend(row)
        return run
    }

    private static func spend(_ row: Row) throws -> InboxSpend {
        try InboxSpend(
            requests: row.get("requests"), inputTokens: row.get("input"), outputTokens: row.get("output"),
            cost: row.get("cost"), unpriced: row.get("unpriced"))
    }

    /// Spending on language models on a day, counted in days since 1970.
    ///
    /// - Throws: `TriageError`.
    package func spent(day: Int) throws -> InboxSpend {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM spend WHERE day = ?", arguments: [day]).map {
                try Self.spend($0)
            }
                ?? InboxSpend()
        }
    }

    /// Total spending on language models.
    ///
    /// - Throws: `TriageError`.
    package func spent() throws -> InboxSpend {
        try read { database in
            var sum = InboxSpend()
            for row in try Row.fetchAll(database, sql: "SELECT * FROM spend ORDER BY day") {
                sum += try Self.spend(row)
            }
            return sum
        }
    }
}

/// One run on a store, for its history.
package struct InboxRun: Sendable, Equatable {
    package enum State: String, Sendable {
        /// In progress, or ended without a chance to write, such as by `kill -9`.
        case running
        case done
        /// Ended by an error.
        case failed
        /// Ended properly by a signal.
        case stopped
    }

    /// Assigned by the store at the start.
    package var id: Int64 = 0
    /// The command, such as `sync`.
    package var command: String
    /// Seconds since 1970.
    package var started: Int64
    package var ended: Int64?
    package var state = State.running
    /// The exit status of the process.
    package var exit: Int32?
    /// The program's version.
    package var version: String
    /// Digest of the rules.
    package var rules: String
    /// Names of the inputs, a JSON array.
    package var inputs: String
    /// A JSON object.
    package var counts = "{}"
    /// The summary for people, a JSON object; nil: there is none yet.
    package var summary: String?
    package var spend = InboxSpend()

    package init(command: String, started: Int64, version: String, rules: String, inputs: String) {
        self.command = command
        self.started = started
        self.version = version
        self.rules = rules
        self.inputs = inputs
    }
}
