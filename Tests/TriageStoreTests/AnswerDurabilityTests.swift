import Testing
import TriageStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct `Answers at once and under fire` {
    let scratch = Scratch()
    let notices = Notices()

    private func database(_ name: String = "llm.db", limit: Int = 256 << 20, now: Int = 1_000_000) -> AnswerDatabase {
        AnswerDatabase(path: scratch.path(name), sizeLimit: limit, now: { now }, notice: notices.add)
    }

    @Test func `what keep has returned for is in a copy of the files that is taken at any moment`() async throws {
        let database = database()
        await database.keep([0], for: digest(0))
        let kept = Kept()
        await withTaskGroup { group in
            for worker in 0..<8 {
                group.addTask {
                    for step in 0..<60 {
                        let number = 1 + worker * 60 + step
                        await database.keep(Array("answer \(number)".utf8), for: digest(number))
                        kept.insert(number)
                    }
                }
            }
            // As a `kill -9` leaves them: the log may hold transactions that are not whole yet.
            for copy in 0..<6 {
                try? await Task.sleep(for: .milliseconds(15))
                let promised = kept.all
                let name = "copy\(copy).db"
                Scratch.write(Scratch.read(scratch.path("llm.db")) ?? [], to: scratch.path(name))
                Scratch.write(Scratch.read(scratch.path("llm.db-wal")) ?? [], to: scratch.path(name + "-wal"))
                let reopened = self.database(name)
                for number in promised {
                    #expect(await reopened.answer(for: digest(number)) != nil, "copy \(copy) of \(promised.count)")
                }
            }
        }
        #expect(notices.codes == [])
    }

    @Test func `many answers are kept and found at once, and what is not there is left out`() async {
        let answers = Dictionary(
            uniqueKeysWithValues: (0..<500).map { (digest($0), [UInt8](repeating: 65, count: $0)) })
        let database = database()
        #expect(await database.keep(answers) == 0)
        let asked = (0..<1_000).map { digest($0) } + ["no digest"]
        #expect(await database.answers(for: asked) == answers)
        await database.close()
        #expect(await self.database().answers(for: asked) == answers)
        #expect(notices.codes == [])
    }

    @Test func `two handles that make and write one file at once lose nothing and damage nothing`() async {
        let handles = (0..<4).map { _ in database("new/llm.db") }
        await withTaskGroup { group in
            for (place, handle) in handles.enumerated() {
                for number in 0..<50 {
                    group.addTask { await handle.keep([UInt8(place)], for: digest(place * 50 + number)) }
                }
            }
        }
        for number in 0..<200 {
            for handle in handles { #expect(await handle.answer(for: digest(number)) == [UInt8(number / 50)]) }
        }
        #expect(notices.codes == [])
    }

    @Test func `a writer of another process is waited for`() async {
        let database = database()
        await database.keep([0], for: digest(0))
        async let other: Void = Task.detached { [scratch] in
            python(
                """
                import sqlite3, sys, time
                c = sqlite3.connect(sys.argv[1], isolation_level=None)
                c.execute('begin immediate'); time.sleep(0.5); c.execute('commit')
                """, scratch.path("llm.db"))
        }.value
        for number in 1..<100 {
            await database.keep([1], for: digest(number))
            if number % 10 == 0 { try? await Task.sleep(for: .milliseconds(20)) }
        }
        await other
        #expect(await database.answer(for: digest(99)) == [1])
        #expect(notices.codes == [])
    }

    @Test func `an answer is kept although the task that asks for it is cancelled`() async {
        let database = database()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await database.keep([7], for: digest(7))
            return await database.answer(for: digest(7))
        }
        _ = await task.value
        #expect(await database.answer(for: digest(7)) == [7])
        #expect(notices.codes == [])
    }

    @Test func `what was not used for longest goes first when the file is full`() async {
        let body = [UInt8](repeating: 66, count: 10_000)
        let old = database(limit: 1 << 20, now: 1_000_000)
        for number in 0..<40 { await old.keep(body, for: digest(number)) }
        await old.close()
        let reader = database(limit: 1 << 20, now: 2_000_000)
        for number in 0..<10 { #expect(await reader.answer(for: digest(number)) == body) }
        await reader.close()
        let writer = database(limit: 1 << 20, now: 3_000_000)
        for number in 100..<160 { await writer.keep(body, for: digest(number)) }
        for number in 100..<160 { #expect(await writer.answer(for: digest(number)) == body) }
        var left = 0
        for number in 0..<40 {
            let isThere = await writer.answer(for: digest(number)) != nil
            if number < 10 { #expect(isThere) } else { left += isThere ? 1 : 0 }
        }
        #expect(left < 30)
        await writer.keep([UInt8](repeating: 1, count: 100_000), for: digest(999))
        #expect(await writer.answer(for: digest(999)) == nil)
        await writer.close()
        #expect((Scratch.read(scratch.path("llm.db"))?.count ?? .max) < 1_400_000)
    }

    @Test(
        arguments: [
            (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x/triage/llm.db"), (["HOME": "/h"], "/h/.cache/triage/llm.db"),
            (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache/triage/llm.db"),
            (["XDG_CACHE_HOME": "", "HOME": ""], nil), ([:], nil),
        ] as [([String: String], String?)])
    func `the standard place follows the environment`(environment: [String: String], path: String?) {
        #expect(AnswerDatabase.standardPath(environment: environment) == path)
    }
}
