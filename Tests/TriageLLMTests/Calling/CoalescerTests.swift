import Synchronization
import Testing
import TriageLLM

@Suite struct `The same work at the same time` {
    /// Work that ends when it is told to, or cancelled.
    final class Work: Sendable {
        private let counts = Mutex((started: 0, cancelled: 0, isOpen: false))

        var started: Int { counts.withLock { $0.started } }
        var cancelled: Int { counts.withLock { $0.cancelled } }

        func open() { counts.withLock { $0.isOpen = true } }

        func run() async -> Int {
            let number = counts.withLock { counts in
                counts.started += 1
                return counts.started
            }
            while !(counts.withLock { $0.isOpen }) {
                if Task.isCancelled {
                    counts.withLock { $0.cancelled += 1 }
                    return -1
                }
                await Task.yield()
            }
            return number
        }
    }

    let coalescer = Coalescer<String, Int>()
    let work = Work()

    private func start(_ key: String = "a") -> Task<Int?, Never> {
        Task { try? await coalescer.value(for: key) { [work] in await work.run() } }
    }

    @Test func `is done once for all, and anew for who comes later`() async {
        let tasks = (0..<20).map { _ in start() }
        while work.started < 1 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        work.open()
        for task in tasks { #expect(await task.value == 1) }
        #expect(await start().value == 2)
        #expect(coalescer.count == 0)
    }

    @Test func `goes on for the others when one is cancelled`() async {
        let first = start()
        while work.started < 1 { await Task.yield() }
        let second = start()
        for _ in 0..<100 { await Task.yield() }
        first.cancel()
        #expect(await first.value == nil)
        work.open()
        #expect(await second.value == 1)
        #expect(work.cancelled == 0)
    }

    @Test func `is cancelled with the last of them, and who comes then begins anew`() async {
        let tasks = [start(), start()]
        while work.started < 1 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == nil) }
        while work.cancelled < 1 { await Task.yield() }
        let next = start()
        while work.started < 2 { await Task.yield() }
        work.open()
        #expect(await next.value == 2)
    }

    @Test func `of another key is other work`() async {
        let tasks = [start("a"), start("b")]
        while work.started < 2 { await Task.yield() }
        work.open()
        var results: Set<Int?> = []
        for task in tasks { results.insert(await task.value) }
        #expect(results == [1, 2])
    }
}
