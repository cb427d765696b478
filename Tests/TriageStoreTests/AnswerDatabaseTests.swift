import Synchronization
import Testing
import TriageStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct `Answers in a file` {
    let scratch = Scratch()
    let notices = Notices()

    private func database(_ name: String = "cache/triage/llm.db", limit: Int = 256 << 20, now: Int = 1_000_000)
        -> AnswerDatabase
    {
        AnswerDatabase(path: scratch.path(name), sizeLimit: limit, now: { now }, notice: notices.add)
    }

    @Test func `what was kept is found, by this handle, by another one, and by the next run`() async {
        let first = database()
        let second = database()
        #expect(await first.answer(for: digest(1)) == nil)
        await first.keep(Array("one".utf8), for: digest(1))
        #expect(await first.answer(for: digest(1)) == Array("one".utf8))
        #expect(await second.answer(for: digest(1)) == Array("one".utf8))
        #expect(await second.answer(for: digest(1).uppercased()) == Array("one".utf8))
        await second.keep(Array("uno".utf8), for: digest(1))
        await second.keep([], for: digest(2))
        await first.close()
        await second.close()
        let next = database()
        #expect(await next.answer(for: digest(1)) == Array("uno".utf8))
        #expect(await next.answer(for: digest(2)) == [])
        #expect(await first.answer(for: digest(1)) == nil)
        #expect(notices.codes == [])
    }

    @Test(arguments: ["", "abc", String(repeating: "g", count: 64), String(repeating: "a", count: 65)])
    func `a key that is no digest is neither found nor kept`(key: String) async {
        let database = database()
        await database.keep([1], for: key)
        #expect(await database.answer(for: key) == nil)
        #expect(notices.codes == [])
    }

    @Test func `it is said how many of several answers are not kept`() async {
        let database = database(limit: 1 << 20)
        let large = [UInt8](repeating: 65, count: 1 << 17)
        #expect(await database.keep([digest(1): [1], digest(2): large, digest(3): [3], "no digest": [4]]) == 2)
        #expect(await database.answers(for: [digest(1), digest(2), digest(3)]) == [digest(1): [1], digest(3): [3]])
        #expect(await database.keep([:]) == 0)
        await database.close()
    }

    @Test func `nothing is touched before the first use`() {
        _ = database()
        #expect(Scratch.mode(scratch.path("cache")) == nil)
    }

    @Test func `files are for their owner alone, also one that was not, and so are the folders`() async {
        let old = umask(0)
        defer { umask(old) }
        let database = database()
        await database.keep([1], for: digest(1))
        #expect(Scratch.mode(scratch.path("cache")) == 0o700)
        #expect(Scratch.mode(scratch.path("cache/triage")) == 0o700)
        for suffix in ["", "-wal", "-shm"] {
            #expect(Scratch.mode(scratch.path("cache/triage/llm.db" + suffix)) == 0o600, "\(suffix)")
        }
        await database.close()
        chmod(scratch.path("cache/triage/llm.db"), 0o644)
        let again = self.database()
        #expect(await again.answer(for: digest(1)) == [1])
        #expect(Scratch.mode(scratch.path("cache/triage/llm.db")) == 0o600)
    }

    @Test func `a symbolic link is refused and what it points to stays as it is`() async {
        Scratch.write(Array("mine".utf8), to: scratch.path("target"))
        symlink(scratch.path("target"), scratch.path("link.db"))
        await expectOff("link.db", "cache.symlink")
        #expect(Scratch.read(scratch.path("target")) == Array("mine".utf8))
    }

    @Test(arguments: [1, 71, 100, 5000])
    func `bytes that are no database are left as they are`(count: Int) async {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        Scratch.write(bytes, to: scratch.path("noise.db"))
        await expectOff("noise.db", "cache.foreign")
        #expect(Scratch.read(scratch.path("noise.db")) == bytes)
    }

    @Test func `a database of another program is left as it is`() async {
        python(
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('create table t (a)'); c.commit(); c.close()",
            scratch.path("other.db"))
        let before = Scratch.read(scratch.path("other.db"))
        await expectOff("other.db", "cache.foreign")
        #expect(before != nil)
        #expect(Scratch.read(scratch.path("other.db")) == before)
        #expect(Scratch.mode(scratch.path("other.db-wal")) == nil)
    }

    @Test func `a file of a later version is not written to`() async {
        let first = database()
        await first.keep([1], for: digest(1))
        await first.close()
        python(
            """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1]); c.execute("insert into grdb_migrations values ('v999')"); c.commit()
            """, scratch.path("cache/triage/llm.db"))
        await expectOff("cache/triage/llm.db", "cache.newer")
    }

    @Test func `a folder in its place, a pipe, and a folder that cannot be made are one notice each`() async {
        mkdir(scratch.path("folder.db"), 0o700)
        await expectOff("folder.db", nil)
        mkfifo(scratch.path("pipe.db"), 0o600)
        await expectOff("pipe.db", "cache.foreign")
        Scratch.write([], to: scratch.path("file"))
        await expectOff("file/below/llm.db", "cache.unwritable")
    }

    @Test func `a file that is damaged in the middle of a run ends the keeping, not the run`() async {
        let database = database()
        for number in 0..<200 { await database.keep([UInt8](repeating: 65, count: 3000), for: digest(number)) }
        await database.close()
        let path = scratch.path("cache/triage/llm.db")
        var bytes = Scratch.read(path) ?? []
        #expect(bytes.count > 100_000)
        for place in 4096..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 131) }
        Scratch.write(bytes, to: path)
        let again = self.database()
        for number in 0..<200 {
            _ = await again.answer(for: digest(number))
            await again.keep([1], for: digest(number))
        }
        #expect(notices.codes == ["cache.damaged"])
    }

    /// Whether a file is of no use, says so once, and is in nobody's way.
    private func expectOff(_ name: String, _ code: String?) async {
        let notices = Notices()
        let database = AnswerDatabase(path: scratch.path(name), notice: notices.add)
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    await database.keep([1], for: digest(number))
                    return await database.answer(for: digest(number))
                }
            }
            for await answer in group { #expect(answer == nil) }
        }
        #expect(await database.keep([digest(1): [1], digest(2): [2]]) == 2)
        #expect(notices.codes.count == 1)
        if let code { #expect(notices.codes.first == code) }
        await database.close()
    }
}

/// Runs a script that does what another program would.
func python(_ script: String, _ argument: String) {
    var process = pid_t()
    let words: [String] = ["python3", "-c", script, argument]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for case let argument? in arguments { free(argument) } }
    guard posix_spawnp(&process, "python3", nil, nil, arguments, nil) == 0 else {
        Issue.record("python3 cannot be started")
        return
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    #expect(status == 0)
}
