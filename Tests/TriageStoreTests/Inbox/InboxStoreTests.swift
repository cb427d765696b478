import Testing
import TriageCore
import TriageStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct `A store of messages` {
    let scratch = Scratch()

    private func store(_ mode: InboxStore.Mode = .readWrite) throws -> InboxStore {
        try InboxStore(path: scratch.path("box/inbox.db"), mode: mode)
    }

    @Test func `is made for its owner alone`() throws {
        let old = umask(0)
        defer { umask(old) }
        let store = try store()
        try store.commit(InboxCommit())
        #expect(Scratch.mode(scratch.path("box")) == 0o700)
        for suffix in ["", "-wal", "-shm"] {
            #expect(Scratch.mode(scratch.path("box/inbox.db" + suffix)) == 0o600, "\(suffix)")
        }
    }

    @Test func `knows what was committed, and tells an edit from it, also after an older export`() throws {
        let first = try store()
        #expect(try first.acquaintance(with: []) == [])
        #expect(try first.acquaintance(with: [identity(1), identity(2), identity(1)]) == [.new, .new, .new])
        var commit = InboxCommit()
        commit.known = [.init(identity: identity(2)), .init(identity: identity(1))]
        try first.commit(commit)
        first.close()

        let second = try store()
        let mixed = [identity(3), identity(2), identity(1, content: 9), identity(1)]
        #expect(try second.acquaintance(with: mixed) == [.new, .known, .edited(revision: 2), .known])
        commit.known = [.init(identity: identity(1, content: 9), revision: 2)]
        try second.commit(commit)
        #expect(
            try second.acquaintance(with: [identity(1), identity(1, content: 9), identity(1, content: .max)])
                == [.known, .known, .edited(revision: 3)])
    }

    @Test func `a key keeps its 16 bytes and their order`() throws {
        let bytes = [UInt8](0..<20)
        let key = try #require(RecordKey(bytes))
        #expect(key.bytes == Array(bytes.prefix(16)))
        #expect(key.hex == "000102030405060708090a0b0c0d0e0f")
        #expect(RecordKey(bytes.prefix(15)) == nil)
        let keys = (0..<100).map(TriageStoreTests.key)
        #expect(keys.sorted().map(\.bytes) == keys.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `a commit is all or nothing`() throws {
        let store = try store()
        // A run that is not there is no error; a file that cannot be written is.
        let other = try self.store()
        var commit = InboxCommit()
        commit.known = [.init(identity: identity(1))]
        commit.messages = [message(1, "hello")]
        commit.conversations = [(7, [1, 2]), (.max, [3])]
        commit.owed = [OwedMessage(identity: identity(1), revision: 1, line: Array("{}".utf8), textKey: "body")]
        commit.outputs = [
            OutputState(
                role: .output, path: "/x", device: .max, inode: 3, length: 4, changed: 5, digestState: [6])
        ]
        try store.commit(commit)
        #expect(try other.acquaintance(with: [identity(1)]) == [.known])
        #expect(try other.conversationStates([7, 8, .max]) == [7: [1, 2], .max: [3]])
        #expect(try other.outputs() == commit.outputs)
        let owed = try other.owed(limit: 9)
        #expect(owed.map(\.line) == [Array("{}".utf8)])
        #expect(owed.first?.textKey == "body")
        #expect(try other.owed(after: owed.first?.number ?? 0, limit: 9) == [])

        commit = InboxCommit()
        commit.settled = [key(1)]
        commit.conversations = [(7, [9])]
        try store.commit(commit)
        #expect(try other.owedCount() == 0)
        #expect(try other.conversationStates([7]) == [7: [9]])
    }

    @Test func `owed messages keep their place in the queue`() throws {
        let store = try store()
        for round in 0..<2 {
            var commit = InboxCommit()
            commit.owed = [3, 1, 2].map {
                OwedMessage(identity: identity($0, content: UInt64(round)), revision: round + 1, line: [])
            }
            try store.commit(commit)
        }
        let owed = try store.owed(limit: 2)
        #expect(owed.map(\.identity) == [identity(3, content: 1), identity(1, content: 1)])
        #expect(owed.map(\.revision) == [2, 2])
        #expect(try store.owed(after: owed[1].number, limit: 2).map(\.identity.key) == [key(2)])
    }

    @Test func `runs and what they spent add up`() throws {
        let store = try store()
        var run = InboxRun(command: "sync", started: 5, version: "1", rules: "r", inputs: "[\"a\"]")
        run.id = try store.begin(run)
        var commit = InboxCommit()
        commit.run = (run.id, "{\"read\":1}")
        commit.spend = (20_000, InboxSpend(requests: 1, inputTokens: 2, outputTokens: 3, cost: 0.5))
        try store.commit(commit)
        try store.commit(commit)
        #expect(try store.run(run.id)?.state == .running)
        #expect(try store.run(run.id)?.counts == "{\"read\":1}")
        run.state = .done
        run.exit = 0
        run.ended = 9
        run.counts = "{\"read\":2}"
        run.summary = "{}"
        try store.end(run)
        run.spend = InboxSpend(requests: 2, inputTokens: 4, outputTokens: 6, cost: 1)
        let second = try store.begin(run)
        #expect(try store.run(run.id) == run)
        #expect(try store.runs(limit: 1).map(\.id) == [second])
        #expect(try store.runs(limit: 9).map(\.id) == [second, run.id])
        #expect(try store.spent(day: 20_000) == run.spend)
        #expect(try store.spent(day: 20_001) == InboxSpend())
        #expect(try store.spent() == run.spend)
        #expect(try store.run(99) == nil)
    }

    @Test func `one that is not there is missing to those who only look`() {
        for mode in [InboxStore.Mode.readOnly, .existing] { expect("store.missing", .noInput, mode) }
        #expect(Scratch.mode(scratch.path("box")) == nil)
    }

    @Test func `what others put in its place is told apart and left alone`() throws {
        mkdir(scratch.path("box"), 0o700)
        let path = scratch.path("box/inbox.db")
        Scratch.write(Array("mine".utf8), to: scratch.path("target"))
        symlink(scratch.path("target"), path)
        expect("store.symlink", .badConfiguration)
        #expect(Scratch.read(scratch.path("target")) == Array("mine".utf8))
        unlink(path)
        Scratch.write([UInt8](repeating: 7, count: 5000), to: path)
        expect("store.foreign", .badConfiguration)
        unlink(path)
        Scratch.write(Array("SQLite format 3\0".utf8) + [16, 0], to: path)
        expect("store.damaged", .ioError)
        unlink(path)
        python(
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('create table t (a)'); c.commit()", path)
        let before = Scratch.read(path)
        expect("store.foreign", .badConfiguration)
        #expect(Scratch.read(path) == before)
        unlink(path)
        mkfifo(path, 0o600)
        expect("store.foreign", .badConfiguration)
        unlink(path)
        mkdir(path, 0o700)
        expect("store.unwritable", .cannotCreate)
        rmdir(path)
    }

    @Test(arguments: [InboxStore.Mode.readWrite, .existing, .readOnly])
    func `a file of another's stays as readable as it is`(mode: InboxStore.Mode) throws {
        let path = scratch.path("notes.txt")
        Scratch.write(Array(repeating: 0x61, count: 200), to: path, mode: 0o644)
        #expect(throws: TriageError.self) { try InboxStore(path: path, mode: mode) }
        #expect(Scratch.mode(path) == 0o644)
    }

    @Test func `the file of cached answers is not a store`() async {
        mkdir(scratch.path("box"), 0o700)
        let cache = AnswerDatabase(path: scratch.path("box/inbox.db"))
        await cache.keep([1], for: digest(1))
        await cache.close()
        expect("store.foreign", .badConfiguration)
    }

    @Test func `one of a later version is not opened`() throws {
        try store().close()
        python(
            """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1]); c.execute("insert into grdb_migrations values ('v999')"); c.commit()
            """, scratch.path("box/inbox.db"))
        for mode in [InboxStore.Mode.readWrite, .existing, .readOnly] {
            expect("store.newer", .badConfiguration, mode)
        }
    }

    @Test func `readers see what is committed while others write, and change nothing`() throws {
        let writer = try store()
        let readers = [try store(.readOnly), try store(.readOnly)]
        for number in 0..<50 {
            var commit = InboxCommit()
            commit.known = [.init(identity: identity(number))]
            commit.messages = [message(number, "text \(number)")]
            try writer.commit(commit)
            for reader in readers { #expect(try reader.acquaintance(with: [identity(number)]) == [.known]) }
        }
        var commit = InboxCommit()
        commit.settled = [key(1)]
        #expect(throws: TriageError.self) { try readers[0].commit(commit) }
    }

    private func expect(_ code: String, _ exit: TriageCore.ExitStatus, _ mode: InboxStore.Mode = .readWrite) {
        do {
            _ = try store(mode)
            Issue.record("it was opened; expected \(code)")
        } catch let error as TriageError {
            #expect(error.code == code)
            #expect(error.exit == exit)
            #expect(error.remedy != nil)
        } catch {
            Issue.record("\(error)")
        }
    }
}
