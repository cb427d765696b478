import Synchronization
import Testing
import TriageCore
import TriageLLM

private typealias PlainAsker = Asker<PlainQuestion, String>

@Suite struct `Asking with a deadline` {
    private let asked = (0..<3).map { PlainQuestion(text: "text \($0)", travelsAlone: true) }

    private func soon(_ time: Duration) -> ContinuousClock.Instant { .now + time }

    @Test(.timeLimit(.minutes(1)))
    func `what has come counts, what has not is a deadline, and goes to the cache when it comes`() async {
        let gate = OrderedGate()
        let cache = MemoryCache()
        let model = ScriptedModel { request in
            if request.asked.contains(where: { $0.text.hasSuffix("1") }) { _ = await gate.enter(1) }
            return request.obedience
        }
        let asker = PlainAsker(caller: model, cache: cache, script: PlainScript())
        let results = await asker.ask(asked, until: soon(.milliseconds(700)))
        #expect(
            results == [.success("answer to text 0"), .failure(.deadline), .success("answer to text 2")])
        #expect(cache.content.count == 2)
        gate.leave()
        await asker.late.finish(within: .seconds(30))
        #expect(cache.content.count == 3)
        #expect(model.requests.count == 3)
        // Kept, so it is there at once, whatever the deadline.
        #expect(await asker.ask(asked, until: soon(.seconds(30))).allSatisfy { (try? $0.get()) != nil })
        #expect(model.requests.count == 3)
    }

    @Test(.timeLimit(.minutes(1)))
    func `after the deadline nothing is sent`() async {
        let model = ScriptedModel()
        let asker = PlainAsker(caller: model, cache: nil, script: PlainScript())
        let results = await asker.ask(asked, until: soon(.seconds(-1)))
        #expect(results == asked.map { _ in .failure(.deadline) })
        await asker.late.finish(within: .seconds(30))
        #expect(model.requests.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `what nobody waits for any more ends when the run does`() async {
        let model = ScriptedModel { _ in
            do { try await Task.sleep(for: .seconds(3600)) } catch { return .failure(.cancelled) }
            return .failure(.useless)
        }
        let asker = PlainAsker(caller: model, cache: nil, script: PlainScript())
        let results = await asker.ask(asked, until: soon(.milliseconds(200)))
        #expect(results == asked.map { _ in .failure(.deadline) })
        asker.late.cancel()
        await asker.late.finish(within: .seconds(3600))
        #expect(asker.counts.failures == ["llm.deadline": 3])
    }

    @Test(.timeLimit(.minutes(1)))
    func `a task that is cancelled waits for nothing`() async {
        let model = ScriptedModel { _ in
            do { try await Task.sleep(for: .seconds(3600)) } catch { return .failure(.cancelled) }
            return .failure(.useless)
        }
        let asker = PlainAsker(caller: model, cache: nil, script: PlainScript())
        let (asked, end) = (asked, soon(.seconds(3600)))
        let task = Task { await asker.ask(asked, until: end) }
        while model.requests.count < 3 { await Task.yield() }
        task.cancel()
        #expect(await task.value == asked.map { _ in .failure(.cancelled) })
        asker.late.cancel()
        await asker.late.finish(within: .seconds(3600))
    }
}
