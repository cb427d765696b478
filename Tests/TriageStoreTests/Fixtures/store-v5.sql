-- A store as version v5 of its tables made it; its rows are invented.
PRAGMA application_id = 1953654633;
PRAGMA journal_mode = WAL;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES ('v1');
INSERT INTO grdb_migrations VALUES ('v2');
INSERT INTO grdb_migrations VALUES ('v3');
INSERT INTO grdb_migrations VALUES ('v4');
INSERT INTO grdb_migrations VALUES ('v5');
CREATE TABLE known (
    key BLOB NOT NULL, digest INTEGER NOT NULL, revision INTEGER NOT NULL,
    PRIMARY KEY (key, digest)
) WITHOUT ROWID, STRICT;
CREATE TABLE message (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE, revision INTEGER NOT NULL, kind INTEGER NOT NULL,
    id TEXT NOT NULL, platform TEXT, conversation TEXT, sender TEXT, sender_id TEXT, handle TEXT,
    sent_at INTEGER, category TEXT, confidence REAL, sentiment TEXT, intensity REAL, urgent INTEGER NOT NULL,
    urgency REAL, score INTEGER, tier TEXT, usd REAL, deadline INTEGER, faq TEXT, faq_match TEXT, language TEXT,
    has_draft INTEGER NOT NULL, injection INTEGER NOT NULL, priority INTEGER,
    text TEXT NOT NULL, record BLOB NOT NULL, facts BLOB, run INTEGER
) STRICT;
CREATE INDEX messageByID ON message (id);
CREATE INDEX messageBySender ON message (sender_id) WHERE sender_id IS NOT NULL;
CREATE INDEX messageByHandle ON message (handle) WHERE handle IS NOT NULL;
CREATE INDEX messageByConversation ON message (conversation, platform, sent_at, seq)
WHERE conversation IS NOT NULL;
CREATE INDEX messageByPriority ON message (priority DESC, seq) WHERE kind = 0;
CREATE INDEX messageToLookAt ON message (priority DESC, seq)
WHERE kind = 0 AND (urgent = 1 OR (sentiment = 'negative' AND intensity >= 0.6));
CREATE INDEX messageBySent ON message (sent_at DESC, seq DESC);
CREATE INDEX messageByCategory ON message (category, sent_at DESC, seq DESC) WHERE kind = 0;
CREATE INDEX messageByScore ON message (score DESC, seq) WHERE score IS NOT NULL;
CREATE INDEX messageByValue ON message (usd DESC, seq) WHERE usd IS NOT NULL;
CREATE TABLE revision (
    key BLOB NOT NULL, revision INTEGER NOT NULL, record BLOB NOT NULL, facts BLOB, run INTEGER,
    PRIMARY KEY (key, revision)
) STRICT;
CREATE TABLE owed (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE, digest INTEGER NOT NULL, revision INTEGER NOT NULL, line BLOB NOT NULL,
    text_key TEXT, context BLOB
) STRICT;
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL, revision INTEGER NOT NULL, at INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL,
    before TEXT, source TEXT NOT NULL, request TEXT UNIQUE, undoes INTEGER
) STRICT;
CREATE INDEX feedbackByKey ON feedback (key, field, id);
CREATE INDEX feedbackUndone ON feedback (undoes) WHERE undoes IS NOT NULL;
CREATE VIRTUAL TABLE search USING fts5 (
    text, sender, content = 'message', content_rowid = 'seq', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE conversation (key INTEGER PRIMARY KEY, state BLOB NOT NULL) STRICT;
CREATE TABLE output (
    role TEXT NOT NULL PRIMARY KEY, path TEXT NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL,
    length INTEGER NOT NULL, changed INTEGER NOT NULL, digest BLOB NOT NULL
) STRICT;
CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    command TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER, state TEXT NOT NULL, exit INTEGER,
    version TEXT NOT NULL, rules TEXT NOT NULL, inputs TEXT NOT NULL, counts TEXT NOT NULL, summary TEXT,
    requests INTEGER NOT NULL DEFAULT 0, input INTEGER NOT NULL DEFAULT 0, output INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL DEFAULT 0, unpriced INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE spend (
    day INTEGER PRIMARY KEY, requests INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
    cost REAL NOT NULL, unpriced INTEGER NOT NULL
) STRICT;
CREATE INDEX messageInBrief ON message (category, sentiment, intensity, urgent, priority, score, usd, sent_at)
WHERE kind = 0;
ALTER TABLE feedback ADD COLUMN note TEXT;
ALTER TABLE feedback ADD COLUMN text TEXT;
CREATE VIRTUAL TABLE search_runs USING fts5 (runs, content = '', tokenize = 'ascii');
CREATE TABLE likeness (
    seq INTEGER PRIMARY KEY, campaign INTEGER NOT NULL, sender INTEGER NOT NULL, sketch BLOB NOT NULL
) STRICT;
CREATE INDEX likenessByCampaign ON likeness (campaign, sender);
CREATE TABLE pair (
    asked INTEGER PRIMARY KEY, answer INTEGER UNIQUE, decision INTEGER, answered TEXT, at INTEGER,
    learned INTEGER NOT NULL DEFAULT 0, id TEXT, intent TEXT, language TEXT, reuse TEXT
) STRICT;
CREATE TABLE voice (one INTEGER PRIMARY KEY CHECK (one = 1), habits BLOB NOT NULL, library TEXT NOT NULL) STRICT;

INSERT INTO known VALUES (x'000102030405060708090a0b0c0d0e01', 11, 1), (x'000102030405060708090a0b0c0d0e02', 12, 1), (x'000102030405060708090a0b0c0d0e02', 13, 2), (x'000102030405060708090a0b0c0d0e03', 14, 1);
INSERT INTO message (seq, key, revision, kind, id, platform, conversation, sender, sender_id, handle, sent_at, category, confidence, sentiment, intensity, urgent, urgency, score, tier, usd, deadline, faq, faq_match, language, has_draft, injection, priority, text, record, run) VALUES
 (1, x'000102030405060708090a0b0c0d0e01', 1, 0, 'm1', 'instagram', 'c1', 'Ida', 'u1', 'ida', 1764547200, 'business', 0.97, 'positive', 0.4, 0, 0.1, 82, 'blue', 500.0, 20790, NULL, NULL, 'en', 1, 0, 57, 'Paid collab, $500 for two reels?', CAST('{"id":"m1","text":"Paid collab, $500 for two reels?","triage":{"schema":1}}' AS BLOB), 1),
 (2, x'000102030405060708090a0b0c0d0e02', 2, 0, 'm2', 'instagram', 'c2', 'ゆき', 'u2', 'yuki', 1764633600, 'fan', 0.99, 'positive', 0.8, 0, 0.0, NULL, NULL, NULL, NULL, 'camera', 'high', 'ja', 1, 0, 12, 'カメラは何ですか', CAST('{"id":"m2","text":"カメラは何ですか","triage":{"schema":1}}' AS BLOB), 1),
 (3, x'000102030405060708090a0b0c0d0e03', 1, 1, 'm3', 'instagram', 'c1', 'Mara', 'me', 'mara', 1764550800, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, 'Thank you', CAST('{"id":"m3","text":"Thank you","triage":{"schema":1,"skipped":"own"}}' AS BLOB), 1);
INSERT INTO search (rowid, text, sender) SELECT seq, text, sender FROM message;
INSERT INTO revision VALUES (x'000102030405060708090a0b0c0d0e02', 1, CAST('{"id":"m2","text":"カメラは","triage":{"schema":1}}' AS BLOB), NULL, 1);
INSERT INTO owed (number, key, digest, revision, line) VALUES (1, x'000102030405060708090a0b0c0d0e01', 11, 1, CAST('{"id":"m1"}' AS BLOB));
INSERT INTO feedback (id, key, revision, at, field, value, before, source, request, undoes) VALUES (1, x'000102030405060708090a0b0c0d0e02', 2, 1764640000, 'faq', 'right', 'camera', 'command', NULL, NULL);
INSERT INTO conversation VALUES (-77, x'0102');
INSERT INTO output VALUES ('output', '/nowhere/out.jsonl', 1, 2, 0, 3, x'');
INSERT INTO run (id, command, started, ended, state, exit, version, rules, inputs, counts, summary) VALUES (1, 'sync', 1764640000, 1764640001, 'done', 0, '0.1.0', 'a1b2', '["in.jsonl"]', '{"read":3}', '{}');
INSERT INTO spend VALUES (20424, 1, 100, 10, 0.001, 0);
INSERT INTO search_runs (rowid, runs) VALUES (2, 'カメ メラ ラは は何 何で です すか か ゆき き ');
INSERT INTO likeness VALUES (1, -5, 7, x'0102'), (2, -5, 8, x'0304');
INSERT INTO pair (asked, answer, learned, id, intent, language, reuse) VALUES (1, 3, 1, 'p1', 'business.offer', 'en', '');
INSERT INTO voice VALUES (1, CAST('{"voice":1,"replies":1}' AS BLOB), 'a1b2');
