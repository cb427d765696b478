internal import GRDB

/// The tables of a store.
enum InboxSchema {
    /// Every schema version ever released, up to the current one.
    static let versions = SchemaVersions([
        SchemaVersions.Version(name: "v1") { database in
            for sql in records + search + surroundings { try database.execute(sql: sql) }
        },
        SchemaVersions.Version(name: "v2") { database in
            for sql in brief { try database.execute(sql: sql) }
        },
        SchemaVersions.Version(name: "v3") { database in
            for sql in remarks + runs { try database.execute(sql: sql) }
            let rows = try Row.fetchCursor(database, sql: "SELECT seq, text, sender FROM message")
            while let row = try rows.next() {
                try SearchIndex.addRuns(row.get("seq"), row.get("text"), row.get("sender"), database)
            }
        },
        SchemaVersions.Version(name: "v4") { database in
            for sql in likeness { try database.execute(sql: sql) }
        },
        SchemaVersions.Version(name: "v5") { database in
            for sql in voice { try database.execute(sql: sql) }
            try InboxStore.pairAll(database)
        },
    ])

    private static let records = [
        // One row per id, as small as possible: there may be tens of millions.
        """
        CREATE TABLE known (
            key BLOB NOT NULL, digest INTEGER NOT NULL, revision INTEGER NOT NULL,
            PRIMARY KEY (key, digest)
        ) WITHOUT ROWID, STRICT
        """,
        """
        CREATE TABLE message (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL UNIQUE, revision INTEGER NOT NULL, kind INTEGER NOT NULL,
            id TEXT NOT NULL, platform TEXT, conversation TEXT, sender TEXT, sender_id TEXT, handle TEXT,
            sent_at INTEGER, category TEXT, confidence REAL, sentiment TEXT, intensity REAL, urgent INTEGER NOT NULL,
            urgency REAL, score INTEGER, tier TEXT, usd REAL, deadline INTEGER, faq TEXT, faq_match TEXT, language TEXT,
            has_draft INTEGER NOT NULL, injection INTEGER NOT NULL, priority INTEGER,
            text TEXT NOT NULL, record BLOB NOT NULL, facts BLOB, run INTEGER
        ) STRICT
        """,
        "CREATE INDEX messageByID ON message (id)",
        "CREATE INDEX messageBySender ON message (sender_id) WHERE sender_id IS NOT NULL",
        "CREATE INDEX messageByHandle ON message (handle) WHERE handle IS NOT NULL",
        """
        CREATE INDEX messageByConversation ON message (conversation, platform, sent_at, seq)
        WHERE conversation IS NOT NULL
        """,
        "CREATE INDEX messageByPriority ON message (priority DESC, seq) WHERE kind = 0",
        """
        CREATE INDEX messageToLookAt ON message (priority DESC, seq)
        WHERE kind = 0 AND (urgent = 1 OR (sentiment = 'negative' AND intensity >= 0.6))
        """,
        "CREATE INDEX messageBySent ON message (sent_at DESC, seq DESC)",
        "CREATE INDEX messageByCategory ON message (category, sent_at DESC, seq DESC) WHERE kind = 0",
        "CREATE INDEX messageByScore ON message (score DESC, seq) WHERE score IS NOT NULL",
        "CREATE INDEX messageByValue ON message (usd DESC, seq) WHERE usd IS NOT NULL",
        """
        CREATE TABLE revision (
            key BLOB NOT NULL, revision INTEGER NOT NULL, record BLOB NOT NULL, facts BLOB, run INTEGER,
            PRIMARY KEY (key, revision)
        ) STRICT
        """,
        """
        CREATE TABLE owed (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL UNIQUE, digest INTEGER NOT NULL, revision INTEGER NOT NULL, line BLOB NOT NULL,
            text_key TEXT, context BLOB
        ) STRICT
        """,
        """
        CREATE TABLE feedback (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL, revision INTEGER NOT NULL, at INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL,
            before TEXT, source TEXT NOT NULL, request TEXT UNIQUE, undoes INTEGER
        ) STRICT
        """,
        "CREATE INDEX feedbackByKey ON feedback (key, field, id)",
        "CREATE INDEX feedbackUndone ON feedback (undoes) WHERE undoes IS NOT NULL",
    ]

    // Filled by ``SearchIndex``, not by a trigger: SQLite forbids that because the file's schema is not trusted.
    private static let search = [
        """
        CREATE VIRTUAL TABLE search USING fts5 (
            text, sender, content = 'message', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
        )
        """
    ]

    // A covering index for everything that a page sorts by, because whole messages are fifty times as large.
    private static let brief = [
        """
        CREATE INDEX messageInBrief ON message (category, sentiment, intensity, urgent, priority, score, usd, sent_at)
        WHERE kind = 0
        """
    ]

    private static let remarks = [
        "ALTER TABLE feedback ADD COLUMN note TEXT", "ALTER TABLE feedback ADD COLUMN text TEXT",
    ]

    // A second index for scripts written without spaces: see ``ScriptRuns``. The `ascii` tokenizer treats every
    // character beyond ASCII as part of a word.
    private static let runs = [
        "CREATE VIRTUAL TABLE search_runs USING fts5 (runs, content = '', tokenize = 'ascii')"
    ]

    // The sketch that a text is compared with other senders' texts by, and the first text among those that nearly match
    // it. Messages of earlier versions have no row until they are scored again.
    private static let likeness = [
        """
        CREATE TABLE likeness (
            seq INTEGER PRIMARY KEY, campaign INTEGER NOT NULL, sender INTEGER NOT NULL, sketch BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX likenessByCampaign ON likeness (campaign, sender)",
    ]

    // A message and its answer: an own message, or the person's version of the draft, which is stored only here. The
    // other columns hold what was learned: whether the pair has been learned from, and the text that can be reused. A
    // pair without `reuse` is not part of the voice.
    private static let voice = [
        """
        CREATE TABLE pair (
            asked INTEGER PRIMARY KEY, answer INTEGER UNIQUE, decision INTEGER, answered TEXT, at INTEGER,
            learned INTEGER NOT NULL DEFAULT 0, id TEXT, intent TEXT, language TEXT, reuse TEXT
        ) STRICT
        """,
        "CREATE TABLE voice (one INTEGER PRIMARY KEY CHECK (one = 1), habits BLOB NOT NULL, library TEXT NOT NULL) STRICT",
    ]

    private static let surroundings = [
        "CREATE TABLE conversation (key INTEGER PRIMARY KEY, state BLOB NOT NULL) STRICT",
        """
        CREATE TABLE output (
            role TEXT NOT NULL PRIMARY KEY, path TEXT NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL,
            length INTEGER NOT NULL, changed INTEGER NOT NULL, digest BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            command TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER, state TEXT NOT NULL, exit INTEGER,
            version TEXT NOT NULL, rules TEXT NOT NULL, inputs TEXT NOT NULL, counts TEXT NOT NULL, summary TEXT,
            requests INTEGER NOT NULL DEFAULT 0, input INTEGER NOT NULL DEFAULT 0, output INTEGER NOT NULL DEFAULT 0,
            cost REAL NOT NULL DEFAULT 0, unpriced INTEGER NOT NULL DEFAULT 0
        ) STRICT
        """,
        """
        CREATE TABLE spend (
            day INTEGER PRIMARY KEY, requests INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
            cost REAL NOT NULL, unpriced INTEGER NOT NULL
        ) STRICT
        """,
    ]
}
