internal import Foundation
internal import GRDB

extension InboxStore {
    /// Adds the results of a batch in one transaction: on disk when this returns, unchanged when it throws.
    ///
    /// - Throws: `TriageError`.
    package func commit(_ commit: InboxCommit) throws {
        try write { database in
            // Sort by key, so that each page of the index is touched once.
            for known in commit.known.sorted(by: { $0.identity.key < $1.identity.key }) {
                try Self.add(known, database)
            }
            for message in commit.messages {
                try Self.put(message, run: commit.run?.id, keepsRun: commit.keepsRuns, database)
            }
            for (key, likeness) in commit.likenesses { try Self.put(likeness, of: key, database) }
            // Pair replies after all messages of the batch are stored; the messages they answer were stored before.
            for (key, replyTo) in commit.replies { try Self.pair(key, replyTo, database) }
            for owed in commit.owed { try Self.put(owed, database) }
            for key in commit.settled {
                try database.cachedStatement(sql: "DELETE FROM owed WHERE key = ?")
                    .execute(arguments: [Data(key.bytes)])
            }
            for (key, state) in commit.conversations {
                let sql = "INSERT OR REPLACE INTO conversation (key, state) VALUES (?, ?)"
                try database.cachedStatement(sql: sql).execute(arguments: [Int64(bitPattern: key), Data(state)])
            }
            for output in commit.outputs { try Self.put(output, database) }
            if let run = commit.run {
                try database.cachedStatement(sql: "UPDATE run SET counts = ?2 WHERE id = ?1")
                    .execute(arguments: [run.id, run.counts])
            }
            if let spend = commit.spend {
                try Self.add(spend.amount, day: spend.day, run: commit.run?.id, database)
            }
        }
    }

    private static func add(_ known: InboxCommit.Known, _ database: Database) throws {
        let sql = "INSERT OR REPLACE INTO known (key, digest, revision) VALUES (?, ?, ?)"
        try database.cachedStatement(sql: sql).execute(arguments: [
            Data(known.identity.key.bytes), Int64(bitPattern: known.identity.digest), known.revision,
        ])
    }

    private static func put(_ message: InboxMessage, run: Int64?, keepsRun: Bool, _ database: Database) throws {
        let key = Data(message.key.bytes)
        let sql = "SELECT revision, seq, text, sender, run FROM message WHERE key = ?"
        let before = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [key])
        if let before {
            let revision: Int = try before.revision()
            guard revision <= message.revision else { return }
            if revision < message.revision {
                let sql = """
                    INSERT OR REPLACE INTO revision (key, revision, record, facts, run)
                    SELECT key, revision, record, facts, run FROM message WHERE key = ?
                    """
                try database.cachedStatement(sql: sql).execute(arguments: [key])
            }
        }
        let bringer: Int64? = keepsRun ? try before.map { try $0.get("run") as Int64? } ?? run : run
        let values: [(any DatabaseValueConvertible)?] = [
            key, message.revision, message.kind.rawValue, message.id, message.platform, message.conversation,
            message.sender, message.senderID, message.handle, message.sentAt, message.category, message.confidence,
            message.sentiment, message.intensity, message.isUrgent, message.urgency, message.score, message.tier,
            message.usd, message.deadline, message.faq, message.faqMatch, message.language, message.hasDraft,
            message.isInjection, message.priority, message.text, Data(message.record), message.facts.map { Data($0) },
            bringer,
        ]
        try database.cachedStatement(sql: before == nil ? insertion : update).execute(
            arguments: StatementArguments(values))
        guard let before else {
            try SearchIndex.add(database.lastInsertedRowID, message.text, message.sender, database)
            return
        }
        let (number, text, sender): (Int64, String, String?) = try (
            before.get("seq"), before.get("text"), before.get("sender")
        )
        // Compare bytes: Swift treats two encodings of one letter as equal, the index does not.
        if !text.utf8.elementsEqual(message.text.utf8)
            || !(sender ?? "").utf8.elementsEqual((message.sender ?? "").utf8)
        {
            try SearchIndex.remove(number, text, sender, database)
            try SearchIndex.add(number, message.text, message.sender, database)
        }
    }

    private static let columns = [
        "key", "revision", "kind", "id", "platform", "conversation", "sender", "sender_id", "handle", "sent_at",
        "category", "confidence", "sentiment", "intensity", "urgent", "urgency", "score", "tier", "usd", "deadline",
        "faq", "faq_match", "language", "has_draft", "injection", "priority", "text", "record", "facts", "run",
    ]
    private static let insertion =
        "INSERT INTO message (\(columns.joined(separator: ", "))) "
        + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    private static let update =
        "UPDATE message SET "
        + columns.enumerated().dropFirst().map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
        + " WHERE key = ?1"

    private static func put(_ owed: OwedMessage, _ database: Database) throws {
        let sql = """
            INSERT INTO owed (key, digest, revision, line, text_key, context) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, revision = excluded.revision,
            line = excluded.line, text_key = excluded.text_key, context = excluded.context
            """
        try database.cachedStatement(sql: sql).execute(arguments: [
            Data(owed.identity.key.bytes), Int64(bitPattern: owed.identity.digest), owed.revision, Data(owed.line),
            owed.textKey, owed.context.map { Data($0) },
        ])
    }

    private static func put(_ output: OutputState, _ database: Database) throws {
        let sql = """
            INSERT OR REPLACE INTO output (role, path, device, inode, length, changed, digest) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        try database.cachedStatement(sql: sql).execute(arguments: [
            output.role.rawValue, output.path, Int64(bitPattern: output.device), Int64(bitPattern: output.inode),
            output.length, output.changed, Data(output.digestState),
        ])
    }

    static func add(_ spend: InboxSpend, day: Int, run: Int64?, _ database: Database) throws {
        let amounts: [any DatabaseValueConvertible] = [
            spend.requests, spend.inputTokens, spend.outputTokens, spend.cost, spend.unpriced,
        ]
        let sums = ["requests", "input", "output", "cost", "unpriced"].enumerated()
            .map { "\($1) = \($1) + ?\($0 + 2)" }.joined(separator: ", ")
        let daily = """
            INSERT INTO spend (day, requests, input, output, cost, unpriced) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (day) DO UPDATE SET \(sums)
            """
        try database.cachedStatement(sql: daily).execute(arguments: StatementArguments([day] + amounts))
        guard let run else { return }
        try database.cachedStatement(sql: "UPDATE run SET \(sums) WHERE id = ?1")
            .execute(arguments: StatementArguments([run] + amounts))
    }
}

/// Everything that one batch of a run adds to a store, committed as a whole or not at all.
package struct InboxCommit: Sendable {
    /// A record that is done.
    package struct Known: Sendable, Equatable {
        package var identity: RecordIdentity
        /// Starts at 1.
        package var revision: Int

        package init(identity: RecordIdentity, revision: Int = 1) {
            self.identity = identity
            self.revision = revision
        }
    }

    /// Records and rejected lines that never need to be processed again.
    package var known: [Known] = []
    /// New messages, new revisions, and better answers for old messages.
    ///
    /// If the store has the same key with a lower revision, the message replaces it and the old one becomes an earlier
    /// revision. With the same revision it replaces the old one for good. With a higher revision the message is not
    /// written.
    package var messages: [InboxMessage] = []
    /// Sketches for comparing the texts of messages that are stored or part of this commit.
    package var likenesses: [(key: RecordKey, likeness: InboxLikeness)] = []
    /// Own messages of this commit, each with the id of the message it replies to, if it names one.
    ///
    /// Each becomes a pair to learn the voice from.
    package var replies: [(key: RecordKey, replyTo: String?)] = []
    /// Messages still waiting for an answer; one that is already waiting keeps its place in the queue.
    package var owed: [OwedMessage] = []
    /// Messages no longer waiting for an answer.
    package var settled: [RecordKey] = []
    /// The state of conversations, by conversation key.
    package var conversations: [(key: UInt64, state: [UInt8])] = []
    /// How far the files beside the store are committed.
    package var outputs: [OutputState] = []
    /// The run that makes this commit, with its counts so far; nil: none.
    package var run: (id: Int64, counts: String)?
    /// Whether stored messages keep the run that brought them, because only their answers change.
    package var keepsRuns = false
    /// Spending on language models since the last commit, and its day (since 1970).
    package var spend: (day: Int, amount: InboxSpend)?

    package init() {}
}

/// The committed state of a file beside a store.
package struct OutputState: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable {
        case output
        case rejects
    }

    package var role: Role
    /// The absolute path.
    package var path: String
    package var device: UInt64
    package var inode: UInt64
    /// Committed bytes from the beginning of the file.
    package var length: Int64
    /// When the file last changed, in nanoseconds since 1970.
    package var changed: Int64
    /// State of the running digest over the committed bytes.
    package var digestState: [UInt8]

    package init(
        role: Role, path: String, device: UInt64, inode: UInt64, length: Int64, changed: Int64,
        digestState: [UInt8] = []
    ) {
        self.role = role
        self.path = path
        self.device = device
        self.inode = inode
        self.length = length
        self.changed = changed
        self.digestState = digestState
    }
}

/// What language models cost.
package struct InboxSpend: Sendable, Equatable {
    package var requests = 0
    package var inputTokens = 0
    package var outputTokens = 0
    /// US dollars for the requests with a price.
    package var cost = 0.0
    /// Requests without a known price.
    package var unpriced = 0

    package init(requests: Int = 0, inputTokens: Int = 0, outputTokens: Int = 0, cost: Double = 0, unpriced: Int = 0) {
        self.requests = requests
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.cost = cost
        self.unpriced = unpriced
    }

    package static func += (a: inout InboxSpend, b: InboxSpend) {
        a.requests = sum(a.requests, b.requests)
        a.inputTokens = sum(a.inputTokens, b.inputTokens)
        a.outputTokens = sum(a.outputTokens, b.outputTokens)
        a.cost += b.cost
        a.unpriced = sum(a.unpriced, b.unpriced)
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, isTooMuch) = a.addingReportingOverflow(b)
        return isTooMuch ? .max : sum
    }
}
