import Synchronization
import Testing
import TriageCore
import TriageLLM

private typealias PlainAsker = LLMClient<PlainQuestion, String>

@Suite struct `Asking with a deadline` {
    private let asked = (0..<3).map { PlainQuestion(text: "text \($0)", travelsAlone: true) }
    private let never = ContinuousClock.now + .seconds(86_400)

    /// A model that does not answer until its task is called off.
    private static func silent() -> ScriptedModel {
        ScriptedModel { _ in
            do { try await Task.sleep(for: .seconds(86_400)) } catch { return .failure(.cancelled) }
            return .failure(.useless)
        }
    }

    @Test
    func `what has come counts, what has not is a deadline, and goes to the cache when it comes`() async {
        let gate = OrderedGate()
        let cache = MemoryCache()
        let model = ScriptedModel { request in
            if request.asked.contains(where: { $0.text.hasSuffix("1") }) { _ = await gate.enter(1) }
            return request.obedience
        }
        let asker = PlainAsker(caller: model, cache: cache, script: PlainScript())
        let results = await asker.ask(asked, sendBefore: never) {
            // The deadline comes when two are there and all were sent.
            while cache.content.count < 2 || model.requests.count < 3 { await Task.yield() }
        }
        // Kept is not yet handed out: the last of the two may be too late by a hair.
        #expect(results[1] == .failure(.deadline))
        for (place, result) in results.enumerated() where result != .failure(.deadline) {
            #expect(result == .success("answer to text \(place)"))
        }
        #expect(cache.content.count == 2)
        gate.leave()
        await asker.late.finish(within: .seconds(86_400))
        #expect(cache.content.count == 3)
        // Kept, so nothing is asked again.
        #expect(await asker.ask(asked, until: never) == asked.map { .success("answer to \($0.text)") })
        #expect(model.requests.count == 3)
    }

    @Test
    func `after the deadline nothing is sent`() async {
        let model = ScriptedModel()
        let asker = PlainAsker(caller: model, cache: nil, script: PlainScript())
        #expect(await asker.ask(asked, until: .now - .seconds(1)) == asked.map { _ in .failure(.deadline) })
        await asker.late.finish(within: .seconds(86_400))
        #expect(model.requests.isEmpty)
    }

    @Test
    func `what nobody waits for any more ends when the run does`() async {
        let model = Self.silent()
        let asker = PlainAsker(caller: model, cache: nil, script: PlainScript())
        let results = await asker.ask(asked, sendBefore: never) {
            while model.requests.count < 3 { await Task.yield() }
        }
        #expect(results == asked.map { _ in .failure(.deadline) })
        asker.late.cancel()
        await asker.late.finish(within: .seconds(86_400))
        #expect(asker.counts.failures == ["llm.deadline": 3])
    }

    @Test
    func `a task that is cancelled waits for nothing`() async {
        let model = Self.silent()
        let asker = PlainAsker(caller: model, cache: nil, script: PlainScript())
        let (asked, end) = (asked, never)
        let task = Task { await asker.ask(asked, until: end) }
        while model.requests.count < 3 { await Task.yield() }
        task.cancel()
        #expect(await task.value == asked.map { _ in .failure(.cancelled) })
        asker.late.cancel()
        await asker.late.finish(within: .seconds(86_400))
    }
}
