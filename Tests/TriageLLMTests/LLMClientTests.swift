import Testing
import TriageCore
import TriageLLM

private typealias PlainAsker = LLMClient<PlainQuestion, String>

private func questions(_ count: Int, prefix: String = "text") -> [PlainQuestion] {
    (0..<count).map { PlainQuestion(text: "\(prefix) \($0)") }
}

private func answers(_ questions: [PlainQuestion]) -> [Result<String, CallFailure>] {
    questions.map { .success("answer to \($0.text)") }
}

private func asker(
    _ model: ScriptedModel, cache: (any AnswerCache)? = nil, limits: LLMLimits = LLMLimits(),
    script: PlainScript = PlainScript()
) -> PlainAsker {
    PlainAsker(caller: model, cache: cache, script: script, limits: limits)
}

/// What a model does with one request, drawn from the request itself, so that every run sees the same.
private func whim(_ request: ScriptedRequest, seed: UInt64) -> Result<ChatReply, CallFailure> {
    var numbers = SeededNumbers(seed: seed)
    let digest = SHA256.hex(Array("\(request.query)".utf8) + [UInt8(truncatingIfNeeded: numbers.next())])
    guard let drawn = UInt64(digest.prefix(16), radix: 16) else { return request.obedience }
    numbers = SeededNumbers(seed: drawn)
    let lines = request.lines
    let place = Int.random(in: 0..<max(1, lines.count), using: &numbers)
    switch Int.random(in: 0..<14, using: &numbers) {
    case 0: return ScriptedRequest.reply(["garbage"])
    case 1: return ScriptedRequest.reply(Array(lines.dropLast()))
    case 2: return ScriptedRequest.reply(lines + [lines[place]])
    case 3: return ScriptedRequest.reply(lines + ["mzzzz=answer to nobody"])
    case 4: return ScriptedRequest.reply(["refused"])
    case 5: return ScriptedRequest.reply([], isTruncated: true)
    case 6: return .failure(.tooLong)
    case 7: return .failure(.badOutput(.truncated))
    case 8: return .failure(.transient(.status(500)))
    case 9: return ScriptedRequest.reply([])
    case 10: return ScriptedRequest.reply(lines.enumerated().filter { $0.offset != place }.map(\.element))
    case 11: return .failure(.badOutput(.leak))
    default: return ScriptedRequest.reply(lines.shuffled(using: &numbers))
    }
}

@Suite struct `Asking about many messages` {
    @Test(arguments: 0..<60)
    func `whatever the model does, every question gets one result, in order, and never another message's`(
        seed: UInt64
    ) async {
        var numbers = SeededNumbers(seed: seed)
        let asked = questions(Int.random(in: 0...60, using: &numbers)).shuffled(using: &numbers)
        let model = ScriptedModel { whim($0, seed: seed) }
        let limits = LLMLimits(inFlight: Int.random(in: 1...20, using: &numbers))
        let results = await asker(model, cache: MemoryCache(), limits: limits).ask(asked)
        #expect(results.count == asked.count)
        for (question, result) in zip(asked, results) {
            guard case .success(let answer) = result else { continue }
            // A clipped question is answered by its beginning.
            #expect("answer to \(question.text)".hasPrefix(answer))
            #expect(answer == "answer to \(question.text)" || answer == "answer to \(question.text.prefix(3))")
        }
        #expect(model.requests.count <= 2 * asked.count + 3 * ((asked.count + 7) / 8))
    }

    @Test
    func `an obedient model is asked once for eight messages`() async {
        let model = ScriptedModel()
        let asked = questions(64)
        let asker = asker(model)
        #expect(await asker.ask(asked) == answers(asked))
        #expect(model.requests.count == 8)
        #expect(asker.counts.packs == 8)
        #expect(asker.counts.requests == 8)
        #expect(asker.counts.failures == [:])
    }

    @Test
    func `nothing asked is nothing sent`() async {
        let model = ScriptedModel()
        #expect(await asker(model).ask([]).isEmpty)
        #expect(model.requests.isEmpty)
    }

    @Test
    func `the order of the questions changes no request`() async {
        var numbers = SeededNumbers(seed: 3)
        let asked = questions(40)
        let (one, other) = (ScriptedModel(), ScriptedModel())
        _ = await asker(one).ask(asked)
        _ = await asker(other).ask(asked.shuffled(using: &numbers))
        #expect(Set(one.requests.map(\.query.user)) == Set(other.requests.map(\.query.user)))
    }

    @Test
    func `a message that may contain injection is sent alone`() async {
        let model = ScriptedModel()
        var asked = questions(9)
        // The same text again, this time suspected: it is the same question.
        asked.append(PlainQuestion(text: asked[4].text, travelsAlone: true))
        #expect(await asker(model).ask(asked) == answers(asked))
        #expect(model.requests.map(\.asked.count).sorted() == [1, 8])
        #expect(model.requests.first { $0.asked.count == 1 }?.asked[0].text == asked[4].text)
    }

    @Test
    func `packs keep to their tokens and their size, and a long message goes alone`() async {
        let model = ScriptedModel()
        var asked = (0..<30).map { PlainQuestion(text: String(repeating: "x", count: 20) + "\($0)") }
        asked.append(PlainQuestion(text: String(repeating: "y", count: 500)))
        _ = await asker(model, limits: LLMLimits(packSize: 5, packTokens: 100)).ask(asked)
        for request in model.requests {
            let tokens = request.asked.reduce(0) { $0 + $1.text.utf8.count }
            #expect(request.asked.count == 1 || (request.asked.count <= 5 && tokens <= 100))
        }
        #expect(model.requests.count <= 30 / 4 + 2 + 1)
    }

    @Test
    func `ids differ within a request and say nothing of the text`() async {
        let model = ScriptedModel()
        _ = await asker(model, limits: LLMLimits(packSize: 64)).ask(questions(64))
        let ids = model.requests.flatMap { $0.asked.map(\.id) }
        #expect(Set(ids).count == 64)
        #expect(ids.allSatisfy { $0.hasPrefix("m") && $0.count >= 4 && $0.count <= 6 })
    }

    @Test
    func `no more requests are under way than allowed`() async {
        let model = ScriptedModel { request in
            for _ in 0..<20 { await Task.yield() }
            return request.obedience
        }
        let asked = questions(100)
        #expect(await asker(model, limits: LLMLimits(packSize: 1, inFlight: 7)).ask(asked) == answers(asked))
        #expect(model.most <= 7)
        #expect(model.most > 1)
    }
}

@Suite struct `Answers of no use` {
    @Test
    func `one bad message of eight costs seven requests, and its second chance`() async {
        let model = ScriptedModel { request in
            request.asked.contains { $0.text == "text 3" } ? ScriptedRequest.reply(["garbage"]) : request.obedience
        }
        let asked = questions(8)
        let asker = asker(model)
        var expected = answers(asked)
        expected[3] = .failure(.badOutput(.notJSON))
        #expect(await asker.ask(asked) == expected)
        #expect(model.requests.count == 8)
        #expect(asker.counts.splits == 2)
        #expect(asker.counts.repairs == 1)
        #expect(asker.counts.failures == ["llm.bad-output": 1])
    }

    enum Spoiling: Sendable, CaseIterable { case leftOut, doubled }

    @Test(arguments: Spoiling.allCases)
    func `what a pack's answer spoils is asked again alone, the rest is used`(spoiling: Spoiling) async {
        let model = ScriptedModel { request in
            guard request.asked.count > 1 else { return request.obedience }
            switch spoiling {
            case .leftOut: return ScriptedRequest.reply(Array(request.lines.dropFirst(2)))
            case .doubled: return ScriptedRequest.reply(request.lines + request.lines.prefix(2).map { $0 + "!" })
            }
        }
        let asked = questions(8)
        let asker = asker(model)
        #expect(await asker.ask(asked) == answers(asked))
        #expect(model.requests.map(\.asked.count) == [8, 1, 1])
        #expect(asker.counts.resent == 2)
        #expect(asker.counts.splits == 0)
    }

    @Test
    func `an answer about an id that was not asked about is nobody's`() async {
        let model = ScriptedModel { ScriptedRequest.reply($0.lines + ["mzzzz=answer to all"]) }
        let asked = questions(3)
        #expect(await asker(model).ask(asked) == answers(asked))
        #expect(model.requests.count == 1)
    }

    @Test
    func `a repair carries what is wrong and no more than two kilobytes of the answer`() async {
        let long = String(repeating: "garbage ", count: 5_000)
        let model = ScriptedModel { $0.isRepair ? $0.obedience : ScriptedRequest.reply([long]) }
        let asked = questions(1)
        #expect(await asker(model).ask(asked) == answers(asked))
        #expect(model.requests.map(\.query.system) == ["ask", "repair 2048 not lines"])
    }

    @Test
    func `a truncated answer about one message gets twice the room once`() async {
        let model = ScriptedModel { _ in ScriptedRequest.reply([], isTruncated: true) }
        let asker = asker(model)
        #expect(await asker.ask(questions(1)) == [.failure(.badOutput(.truncated))])
        let rooms = model.requests.map(\.query.maxOutputTokens)
        #expect(rooms.count == 2)
        #expect(rooms[1] == 2 * rooms[0])
        #expect(asker.counts.widened == 1)
    }

    @Test
    func `an answer that is whole is used even if the server calls it cut`() async {
        let model = ScriptedModel { ScriptedRequest.reply($0.lines, isTruncated: true) }
        let asked = questions(3)
        #expect(await asker(model).ask(asked) == answers(asked))
    }

    @Test
    func `a text too long for the model is cut harder once`() async {
        let model = ScriptedModel { request in
            request.asked.reduce(0) { $0 + $1.text.count } > 60 ? .failure(.tooLong) : request.obedience
        }
        let asked = [100, 200].map { PlainQuestion(text: String(repeating: "z", count: $0)) }
        let results = await asker(model).ask(asked)
        #expect(results == [.success("answer to " + String(repeating: "z", count: 50)), .failure(.tooLong)])
        #expect(model.requests.count == 5)
    }

    @Test(
        arguments: [
            (.refused, 1), (.badOutput(.leak), 1), (.rateLimited(after: nil), 1), (.overloaded(after: nil), 1),
            (.deadline, 1), (.budget, 1), (.unavailable, 1), (.unsupported(.schema), 1), (.transient(.inside), 1),
            (.badOutput(.empty), 2), (.badOutput(.whitespace), 2),
        ] as [(CallFailure, Int)])
    func `a message alone is asked again only where that can help`(failure: CallFailure, requests: Int) async {
        let model = ScriptedModel { _ in .failure(failure) }
        #expect(await asker(model).ask(questions(1)) == [.failure(failure)])
        #expect(model.requests.count == requests)
    }

    @Test(arguments: [.overloaded(after: nil), .deadline, .budget, .unavailable] as [CallFailure])
    func `a pack is not divided for what is not its messages' fault`(failure: CallFailure) async {
        let model = ScriptedModel { _ in .failure(failure) }
        #expect(await asker(model).ask(questions(8)) == Array(repeating: .failure(failure), count: 8))
        #expect(model.requests.count == 1)
    }

    @Test
    func `a refusal in a pack is final for the message that earned it`() async {
        let model = ScriptedModel { request in
            request.asked.contains { $0.text == "text 0" } ? ScriptedRequest.reply(["refused"]) : request.obedience
        }
        let asked = questions(8)
        var expected = answers(asked)
        expected[0] = .failure(.refused)
        #expect(await asker(model).ask(asked) == expected)
        #expect(model.requests.count == 7)
    }

    @Test
    func `a model that is never of use is soon left alone`() async {
        let model = ScriptedModel(patience: 20) { _ in ScriptedRequest.reply(["garbage"]) }
        let asked = questions(2_000)
        let asker = asker(model, limits: LLMLimits(inFlight: 8))
        let failures = Set(await asker.ask(asked).map { "\($0)" })
        #expect(
            failures == [
                "\(Result<String, CallFailure>.failure(.useless))",
                "\(Result<String, CallFailure>.failure(.badOutput(.notJSON)))",
            ])
        #expect(model.requests.count < 150)
        #expect((asker.counts.failures["llm.useless"] ?? 0) > 1_900)
    }

    @Test
    func `a model that fails at packs and is of use for single messages is not left alone`() async {
        let model = ScriptedModel(patience: 3) { request in
            request.asked.count > 1 ? ScriptedRequest.reply([], isTruncated: true) : request.obedience
        }
        let asked = questions(200)
        #expect(await asker(model).ask(asked) == answers(asked))
    }
}

@Suite struct `What is learnt from the first answers` {
    /// Thinks for so many tokens before it answers.
    private static func thinker(_ tokens: Int) -> ScriptedModel {
        ScriptedModel { $0.query.maxOutputTokens > tokens ? $0.obedience : .failure(.badOutput(.thoughtOnly)) }
    }

    @Test
    func `a model that thinks gets more room for all that follows, and each request is sent at most twice`() async {
        let model = Self.thinker(3_000)
        let asked = questions(200)
        let asker = asker(model)
        #expect(await asker.ask(asked) == answers(asked))
        // 25 packs; four were under way when the first showed it.
        #expect(model.requests.count <= 29)
        #expect(asker.counts.splits == 0)
    }

    @Test(arguments: [(1, 2), (8, 4), (16, 8), (24, 10), (800, 14)])
    func `a model that thinks endlessly is soon no longer asked`(count: Int, most: Int) async {
        let model = Self.thinker(.max)
        let asker = asker(model)
        let failures = await asker.ask(questions(count)).compactMap { result -> CallFailure? in
            if case .failure(let failure) = result { failure } else { nil }
        }
        #expect(failures.count == count)
        #expect(failures.allSatisfy { $0 == .overthinking || $0 == .badOutput(.thoughtOnly) })
        #expect(model.requests.count <= most, "\(model.requests.count)")
        if count >= 24 { #expect(failures.contains(.overthinking)) }
    }

    @Test(arguments: [0, 200])
    func `a message that sets the model thinking costs its pack four requests and ends nothing`(before: Int) async {
        let model = ScriptedModel { request in
            request.asked.contains { $0.text.hasPrefix("riddle") }
                ? .failure(.badOutput(.thoughtOnly)) : request.obedience
        }
        let asked = questions(before) + questions(3, prefix: "riddle") + questions(200, prefix: "more")
        let asker = asker(model)
        let results = await asker.ask(asked)
        #expect(results.count { if case .success = $0 { true } else { false } } >= before + 200 - 21)
        #expect(asker.counts.failures["llm.overthinking"] == nil)
        #expect(model.requests.count <= (before + 203 + 7) / 8 + 3 * 3 + 3)
    }

    @Test
    func `a fixed allowance is what every request has`() async {
        let model = Self.thinker(500)
        var limits = LLMLimits()
        limits.fixedOutput = 700
        let asked = questions(20) + [PlainQuestion(text: "alone", travelsAlone: true)]
        #expect(await asker(model, limits: limits).ask(asked) == answers(asked))
        #expect(Set(model.requests.map(\.query.maxOutputTokens)) == [700])
    }

    @Test(arguments: [3_000, 600, 150])
    func `packs that are too long for the model are halved for the rest of the run`(window: Int) async {
        let model = ScriptedModel { request in
            request.asked.reduce(0) { $0 + $1.text.utf8.count } > window ? .failure(.tooLong) : request.obedience
        }
        let asked = (0..<400).map { PlainQuestion(text: "\($0) " + String(repeating: "x", count: 100)) }
        #expect(await asker(model).ask(asked) == answers(asked))
        let least = 400 / min(8, window / 104)
        #expect(model.requests.count <= 2 * least + 24, "\(model.requests.count)")
    }

    @Test(arguments: [20, 400])
    func `messages that are too long alone are not each found to be so`(size: Int) async {
        let model = ScriptedModel { _ in .failure(.tooLong) }
        let asked = (0..<750).map { PlainQuestion(text: "\($0) " + String(repeating: "x", count: size)) }
        #expect(await asker(model).ask(asked).allSatisfy { $0 == .failure(.tooLong) })
        // Short ones show that nothing fits; of long ones each is cut, and asked once.
        #expect(model.requests.count <= (size < 100 ? 40 : 790), "\(model.requests.count)")
    }

    @Test(arguments: [(1, 800), (2, 800), (8, 640), (16, 440), (64, 220)])
    func `refusals never cost more than asking about each message alone, and stop nothing`(every: Int, most: Int) async
    {
        let model = ScriptedModel { request in
            request.asked.contains { $0.text.hasPrefix("bad") } ? .failure(.refused) : request.obedience
        }
        let asked = (0..<750).map { PlainQuestion(text: "\($0 % every == 0 ? "bad" : "good") \($0)") }
        let results = await asker(model).ask(asked)
        for (question, result) in zip(asked, results) {
            #expect(
                result == (question.text.hasPrefix("bad") ? .failure(.refused) : .success("answer to \(question.text)"))
            )
        }
        #expect(model.requests.count <= most, "\(model.requests.count)")
    }
}

@Suite struct `The end of asking` {
    @Test(arguments: [.authentication, .quota, .configuration(status: 404)] as [CallFailure])
    func `what is final for the run fails all that wait, unsent, and all that come later`(failure: CallFailure) async {
        let model = ScriptedModel { $0.number == 0 ? .failure(failure) : .failure(.unavailable) }
        let asker = asker(model, limits: LLMLimits(inFlight: 2))
        #expect(await asker.ask(questions(400)).filter { $0 != .failure(failure) }.count <= 8)
        let sent = model.requests.count
        #expect(sent <= 3)
        #expect(await asker.ask(questions(5, prefix: "later")) == Array(repeating: .failure(failure), count: 5))
        #expect(model.requests.count == sent)
    }

    @Test
    func `askers that share a stop end together`() async {
        let stop = LLMStop()
        let model = ScriptedModel { _ in .failure(.quota) }
        let one = PlainAsker(caller: model, cache: nil, script: PlainScript(), stop: stop)
        let other = PlainAsker(caller: model, cache: nil, script: PlainScript(), stop: stop)
        _ = await one.ask(questions(1))
        #expect(await other.ask(questions(1)) == [.failure(.quota)])
        #expect(model.requests.count == 1)
        #expect(stop.failure == .quota)
    }

    @Test
    func `cancelling keeps what is done and sends nothing more`() async {
        let gate = Gate()
        let cache = MemoryCache()
        let model = ScriptedModel { request in
            if request.number < 3 { return request.obedience }
            await gate.pass()
            return .failure(.cancelled)
        }
        let asker = asker(model, cache: cache, limits: LLMLimits(inFlight: 4))
        let asked = questions(400)
        let task = Task { await asker.ask(asked) }
        while model.requests.count < 7 || cache.content.count < 24 { await Task.yield() }
        task.cancel()
        let results = await task.value
        #expect(results.filter { if case .success = $0 { true } else { false } }.count == 24)
        #expect(results.filter { $0 == .failure(.cancelled) }.count == 376)
        #expect(cache.content.count == 24)
        #expect(model.requests.count == 7)
    }

    @Test
    func `an answer that comes while the task is cancelled is kept`() async {
        let gate = Gate()
        let cache = MemoryCache()
        let model = ScriptedModel { request in
            await gate.pass()
            return request.obedience
        }
        let asked = questions(3)
        let asker = asker(model, cache: cache)
        let task = Task { await asker.ask(asked) }
        while model.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == answers(asked))
        #expect(cache.content.count == 3)
    }
}

@Suite struct `Answers that are not paid for again` {
    @Test
    func `a kept answer is used, without a request`() async {
        let (model, cache, asked) = (ScriptedModel(), MemoryCache(), questions(20))
        _ = await asker(model, cache: cache).ask(asked)
        let again = asker(model, cache: cache)
        #expect(await again.ask(asked.reversed()) == answers(asked.reversed()))
        #expect(model.requests.count == 3)
        #expect(again.counts.fromCache == 20)
        #expect(again.counts.requests == 0)
    }

    @Test
    func `a damaged or foreign cache entry is requested again and replaced`() async {
        let (model, cache, asked) = (ScriptedModel(), MemoryCache(), questions(1))
        _ = await asker(model, cache: cache).ask(asked)
        let damaged = MemoryCache(cache.content.mapValues { Array($0.dropFirst(4)) })
        #expect(await asker(model, cache: damaged).ask(asked) == answers(asked))
        #expect(model.requests.count == 2)
        #expect(damaged.content == cache.content)
    }

    @Test
    func `another prompt or model has answers of its own`() async {
        let (model, cache, asked) = (ScriptedModel(), MemoryCache(), questions(1))
        for name in ["plain/v1", "plain/v2"] {
            _ = await asker(model, cache: cache, script: PlainScript(identity: [Array(name.utf8)])).ask(asked)
        }
        #expect(model.requests.count == 2)
        #expect(cache.content.count == 2)
    }

    @Test
    func `parts that would read alike one after the other have keys of their own`() async {
        let (model, cache) = (ScriptedModel(), MemoryCache())
        for names in [["ab", "c"], ["a", "bc"]] {
            let script = PlainScript(identity: names.map { Array($0.utf8) })
            _ = await asker(model, cache: cache, script: script).ask(questions(1))
        }
        #expect(cache.content.count == 2)
    }

    @Test
    func `the same question twice is one`() async {
        let model = ScriptedModel()
        let asked = questions(3) + questions(3) + questions(1)
        let asker = asker(model)
        #expect(await asker.ask(asked) == answers(asked))
        #expect(model.requests.flatMap(\.asked).count == 3)
        #expect(asker.counts.asked == 7)
        #expect(asker.counts.coalesced == 4)
    }

    @Test
    func `what is under way elsewhere is not asked for again`() async {
        let gate = Gate()
        let model = ScriptedModel { request in
            await gate.pass()
            return request.obedience
        }
        let asker = asker(model, cache: MemoryCache())
        let asked = questions(10)
        async let one = asker.ask(asked)
        async let other = asker.ask(asked.reversed())
        while asker.counts.asked < 20 { await Task.yield() }
        gate.open()
        #expect(await one == answers(asked))
        #expect(await other == answers(asked.reversed()))
        #expect(model.requests.flatMap(\.asked).count == 10)
    }

    @Test
    func `who waits for a call that is called off asks itself`() async {
        let gate = Gate()
        let model = ScriptedModel { request in
            if request.number > 0 { return request.obedience }
            await gate.pass()
            return .failure(.cancelled)
        }
        let asker = asker(model)
        let asked = questions(2)
        let first = Task { await asker.ask(asked) }
        while model.requests.isEmpty { await Task.yield() }
        async let second = asker.ask(asked)
        while asker.counts.asked < 4 { await Task.yield() }
        first.cancel()
        #expect(await first.value == Array(repeating: .failure(.cancelled), count: 2))
        #expect(await second == answers(asked))
        // Each is asked once more; in one call or in two, as they hear of it.
        #expect(model.requests.flatMap(\.asked).count == 4)
    }

    @Test
    func `who stops waiting disturbs nobody`() async {
        let gate = Gate()
        let model = ScriptedModel { request in
            await gate.pass()
            return request.obedience
        }
        let asker = asker(model)
        let asked = questions(2)
        async let first = asker.ask(asked)
        while model.requests.isEmpty { await Task.yield() }
        let second = Task { await asker.ask(asked) }
        while asker.counts.asked < 4 { await Task.yield() }
        second.cancel()
        #expect(await second.value == Array(repeating: .failure(.cancelled), count: 2))
        gate.open()
        #expect(await first == answers(asked))
        #expect(model.requests.count == 1)
    }

    @Test
    func `an answer is kept before anybody sees it`() async {
        let log = EventLog()
        let gate = Gate()
        let cache = MemoryCache(log: log) { await gate.pass() }
        let model = ScriptedModel { request in
            log.add("answered")
            return request.obedience
        }
        let asker = asker(model, cache: cache)
        async let one: Void = {
            _ = await asker.ask(questions(1)); log.add("seen")
        }()
        async let other: Void = {
            _ = await asker.ask(questions(1)); log.add("seen")
        }()
        while asker.counts.asked < 2 || log.events.isEmpty { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        gate.open()
        _ = await (one, other)
        #expect(log.events == ["answered", "kept", "seen", "seen"])
    }

    @Test
    func `an answer that the cache does not take is used and counted`() async {
        let asked = questions(5)
        let asker = asker(ScriptedModel(), cache: MemoryCache(isFull: true))
        #expect(await asker.ask(asked) == answers(asked))
        #expect(asker.counts.notKept == 5)
    }

    @Test
    func `keys and failures hold no text of a message`() async {
        let cache = MemoryCache()
        let model = ScriptedModel { request in
            request.asked.contains { $0.text.hasSuffix("secret 1") }
                ? ScriptedRequest.reply(["garbage secret"]) : request.obedience
        }
        let asker = asker(model, cache: cache)
        let results = await asker.ask(questions(4, prefix: "secret"))
        #expect(results[1] == .failure(.badOutput(.notJSON)))
        #expect(!"\(results[1]) \(asker.counts)".contains("secret"))
        let digits = Set("0123456789abcdef")
        #expect(cache.content.count == 3)
        #expect(cache.content.keys.allSatisfy { $0.count == 64 && $0.allSatisfy(digits.contains) })
    }
}
