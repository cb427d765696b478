internal import GRDB

extension InboxStore {
    /// Notes that a run has begun.
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

    /// Notes how a run ended: its state, exit status, counts, summary and end; what it spent was added by its commits.
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

    /// Messages that a person should look at, of runs that could tell nobody.
    ///
    /// Looks through all messages where there are such runs, which is seldom.
    ///
    /// - Parameters:
    ///   - run: only of runs before this one, and behind the last that ended in order.
    ///   - score: offers above it.
    ///   - limit: so many at most.
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

    /// A message that a person should look at.
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

    /// What language models were paid on a day, counted in days since 1970.
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

    /// What language models were paid in all.
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

/// One run over a store, for its history.
package struct InboxRun: Sendable, Equatable {
    package enum State: String, Sendable {
        /// Under way, or ended by something that lets nothing be written, such as `kill -9`.
        case running
        case done
        /// Ended by an error.
        case failed
        /// Ended by a signal, in order.
        case stopped
    }

    /// Given by the store when it begins.
    package var id: Int64 = 0
    /// Such as `sync`.
    package var command: String
    /// Seconds since 1970.
    package var started: Int64
    package var ended: Int64?
    package var state = State.running
    /// What the process exited with.
    package var exit: Int32?
    /// Version of the program.
    package var version: String
    /// Digest of the rules.
    package var rules: String
    /// Names of the inputs, a JSON array.
    package var inputs: String
    /// A JSON object.
    package var counts = "{}"
    /// What people are told of it, a JSON object; nil: it has none yet.
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
