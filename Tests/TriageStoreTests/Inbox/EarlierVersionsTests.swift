import Foundation
import Testing
import TriageCore
import TriageStore

/// Stores of every version that was ever written open, and are brought up to date or stay as they are.
@Suite struct `Stores of earlier versions` {
    let scratch = Scratch()
    var path: String { scratch.path("inbox.db") }

    /// A store as it was made when its version was new.
    private func make(_ version: Int, _ more: String = "") throws {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let sql = try String(
            contentsOf: fixtures.appendingPathComponent("Fixtures/store-v\(version).sql"), encoding: .utf8)
        Scratch.write(Array((sql + more).utf8), to: path + ".sql")
        python("import sqlite3,sys; p=sys.argv[1]; sqlite3.connect(p).executescript(open(p + '.sql').read())", path)
        unlink(path + ".sql")
    }

    /// What was put beside the store, finished or not.
    private var copies: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: scratch.folder)) ?? []
        return names.filter { $0.hasSuffix(".bak") || $0.hasSuffix(".part") }.sorted()
    }

    static let modes: [InboxStore.Mode] = [.readWrite, .existing, .readOnly]

    @Test(arguments: [1, 2, 3, 4, 5], modes)
    func `open with all that is in them, and an older one is kept beside`(version: Int, mode: InboxStore.Mode) throws {
        try make(version)
        let store = try InboxStore(path: path, mode: mode)
        #expect(try store.entries(after: 0, limit: 9).map(\.message.id) == ["m1", "m2", "m3"])
        #expect(try store.search("カメラ", limit: 9).map(\.number) == [2])
        #expect(try store.search("reels", limit: 9).map(\.number) == [1])
        #expect(try store.outline().briefs.count == 2)
        #expect(try store.statistics().agreement[.faq]?.agreed == 1)
        #expect(try store.feedback(limit: 9).map(\.feedback.value) == ["right"])
        #expect(try store.owedCount() == 1 && store.runs(limit: 9).count == 1)
        // What texts are compared by is there from the fourth version on.
        #expect(try store.likenesses(limit: 9).map(\.senders) == (version < 4 ? [] : [2, 2]))
        // What answers what is told from the messages of every version, and nothing is learned of it before the next sync.
        let pairs = try store.pairs(limit: 9)
        #expect(pairs.map(\.number) == [1] && pairs.map(\.answered) == ["Thank you"])
        #expect(pairs.map(\.lesson?.id) == (version < 5 ? [nil] : ["p1"]))
        #expect(try store.voice()?.library == (version < 5 ? nil : "a1b2"))
        store.close()
        let copy = path + ".v\(version).bak"
        #expect(copies == (version < 5 ? ["inbox.db.v\(version).bak"] : []))
        #expect(InboxStore.copies(beside: path) == (version < 5 ? [copy] : []))
        guard version < 5 else { return }
        #expect(Scratch.mode(copy) == 0o600)
        // The copy is a store of the old version, and opens like one.
        #expect(try InboxStore.examine(copy).version == "v\(version)")
        #expect(try InboxStore.examine(copy).problems == [])
        #expect(try InboxStore.examine(path).version == "v5")
    }

    @Test(arguments: [1, 2, 3, 4])
    func `stay as they were when they cannot be brought up to date`(version: Int) throws {
        // Something is in the way of the last step, when the first ones are done.
        try make(version, "CREATE TABLE \(["search_runs", "search_runs", "likeness", "pair"][version - 1]) (a);")
        for mode in Self.modes {
            let error = #expect(throws: TriageError.self) { _ = try InboxStore(path: path, mode: mode) }
            #expect(error?.code == "store.damaged" && error?.exit == .ioError)
            #expect(try InboxStore.examine(path).version == "v\(version)")
        }
    }

    @Test func `of a later version are left alone`() throws {
        try make(5, "INSERT INTO grdb_migrations VALUES ('v6');")
        let before = try InboxStore.examine(path)
        for mode in Self.modes {
            let error = #expect(throws: TriageError.self) { _ = try InboxStore(path: path, mode: mode) }
            #expect(error?.code == "store.newer" && error?.exit == .badConfiguration)
        }
        let health = try InboxStore.examine(path)
        #expect(health.counts.map(\.rows) == before.counts.map(\.rows) && health.problems == before.problems)
        #expect(health.problems.count == 1)
        #expect(copies == [])
    }
}

/// What an interrupted first opening leaves is opened by the next run.
@Suite struct `A first opening that was interrupted` {
    let scratch = Scratch()
    var path: String { scratch.path("inbox.db") }

    /// What may lie there: nothing but names, a log without a file, a database of nobody's, with and without a log; a
    /// page that was half written before its journal was gone.
    static let leftovers: [(name: String, script: String)] = [
        ("an empty file", "open(p, 'w')"),
        ("an empty log", "open(p, 'w'); open(p + '-wal', 'w'); open(p + '-shm', 'w')"),
        (
            "the head of a log",
            "open(p, 'w'); open(p + '-wal', 'wb').write(bytes.fromhex('377f0682002de218000010000000000000000001' + '00' * 12))"
        ),
        (
            "a page of nobody's",
            "c.execute('PRAGMA journal_mode = WAL'); c.execute('create table t (a)'); c.execute('drop table t')"
        ),
        (
            "a page of nobody's in the log",
            """
            c.execute('PRAGMA journal_mode = WAL'); c.execute('create table t (a)'); c.execute('drop table t')
            import shutil
            for s in ('', '-wal'): shutil.copy(p + s, p + s + '.copy')
            c.close()
            for s in ('', '-wal'): os.replace(p + s + '.copy', p + s)
            os._exit(0)
            """
        ),
        (
            "half a page, and the journal of an empty file",
            """
            open(p, 'wb').write(b'SQLite format 3\\0' + bytes(30))
            j = bytes.fromhex('d9d505f920a163d7000000000000000100000000') + (512).to_bytes(4, 'big') + (4096).to_bytes(4, 'big')
            open(p + '-journal', 'wb').write(j + bytes(512 - len(j)))
            """
        ),
    ]

    @Test(arguments: leftovers)
    func `leaves nothing that stops the next one`(name: String, script: String) throws {
        python(
            "import sqlite3,sys,os\np=sys.argv[1]\nc=sqlite3.connect(p, isolation_level=None)\n" + script, path)
        for mode in [InboxStore.Mode.readOnly, .existing] {
            let error = #expect(throws: TriageError.self) { _ = try InboxStore(path: path, mode: mode) }
            #expect(error?.code == "store.missing", "\(name)")
        }
        let store = try InboxStore(path: path, mode: .readWrite)
        #expect(try store.statistics().all.messages == 0)
        store.close()
        #expect(try InboxStore.examine(path).problems == [], "\(name)")
    }

    @Test(arguments: leftovers)
    func `of the file of answers neither`(name: String, script: String) async {
        python(
            "import sqlite3,sys,os\np=sys.argv[1]\nc=sqlite3.connect(p, isolation_level=None)\n" + script, path)
        let notices = Notices()
        let answers = AnswerDatabase(path: path, notice: notices.add)
        await answers.keep([7], for: digest(1))
        #expect(await answers.answer(for: digest(1)) == [7], "\(name)")
        #expect(notices.codes == [])
        await answers.close()
    }

    @Test func `an empty database that another program marked as its own is left alone`() throws {
        python(
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA application_id = 5'); c.execute('VACUUM')",
            path)
        let before = Scratch.read(path)
        let error = #expect(throws: TriageError.self) { _ = try InboxStore(path: path, mode: .readWrite) }
        #expect(error?.code == "store.foreign")
        #expect(Scratch.read(path) == before)
    }
}
