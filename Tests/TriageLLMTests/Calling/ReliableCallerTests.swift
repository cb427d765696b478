import Testing
import TriageLLM

@Suite struct `Calls` {
    private static let fault = CallFailure.transient(.status(500))

    private func caller(
        _ server: ScriptedServer, _ settings: CallerSettings = CallerSettings(), clock: CallClock
    ) -> ReliableCaller {
        ReliableCaller(transport: server, provider: server, settings: settings, clock: clock, random: { 0.5 })
    }

    private func outcome(_ result: Result<ChatReply, CallFailure>) -> CallFailure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    @Test(
        arguments: [
            ([], nil, 1), ([.fail(fault)], nil, 2), ([.fail(fault), .fail(fault), .fail(fault)], nil, 4),
            ([.fail(fault), .fail(fault), .fail(fault), .fail(fault)], fault, 4), ([.fail(.refused)], .refused, 1),
            ([.fail(.tooLong)], .tooLong, 1), ([.fail(.badOutput(.notJSON))], .badOutput(.notJSON), 1),
            ([.fail(.authentication)], .authentication, 1), ([.fail(.quota)], .quota, 1),
            ([.fail(.configuration(status: 404))], .configuration(status: 404), 1),
            ([.fail(.rateLimited(after: .seconds(5)))], nil, 2),
            ([.fail(.rateLimited(after: .seconds(3600)))], .rateLimited(after: .seconds(3600)), 1),
            ([.fail(.overloaded(after: .seconds(3600)))], .overloaded(after: .seconds(3600)), 1),
            ([.fault(TransportFault(.emptyReply)), .fault(TransportFault(.connect))], nil, 3),
            (
                [.fault(TransportFault(.certificate))],
                .transient(.transport(TransportFault(.certificate))), 1
            ),
            ([.fail(fault, headers: [HTTPHeader("x-should-retry", "false")])], fault, 1),
            ([.fail(.unsupported(.schema)), .fail(.unsupported(.jsonObject))], nil, 3),
            // Servers name the field, and not which of its values they do not know.
            ([.fail(.unsupported(.schema)), .fail(.unsupported(.schema))], nil, 3),
            ([.fail(.unsupported(.completionTokens))], nil, 2),
            (
                [.fail(.unsupported(.completionTokens)), .fail(.unsupported(.completionTokens))],
                .unsupported(.completionTokens), 2
            ),
            (
                [.fail(.unsupported(.seedless)), .fail(.unsupported(.foldedSystem)), .fail(.unsupported(.sampling))],
                nil, 4
            ),
            ([.fault(TransportFault(.totalTimeout, mayBeBilled: true))], nil, 2),
            (
                Array(repeating: .fault(TransportFault(.totalTimeout, mayBeBilled: true)), count: 3),
                .transient(.transport(TransportFault(.totalTimeout, mayBeBilled: true))), 2
            ),
            ([.fail(.unsupported([]))], .unsupported([]), 1),
        ] as [([ScriptedServer.Act], CallFailure?, Int)])
    func `end as they should after as many requests as they should`(
        acts: [ScriptedServer.Act], failure: CallFailure?, requests: Int
    ) async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer(acts, clock: clock)
        let caller = caller(server, clock: clock)
        #expect(outcome(await caller.call(.test())) == failure)
        #expect(server.seen.count == requests)
        #expect(caller.report.attempts == requests)
        #expect(caller.report.endings == [failure?.code ?? "ok": 1])
    }

    @Test func `send the same bytes at each attempt and wait longer each time`() async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer([.fail(Self.fault), .fail(Self.fault), .fail(Self.fault)], clock: clock)
        _ = await caller(server, clock: clock).call(.test())
        #expect(Set(server.seen.map(\.body)).count == 1)
        #expect(server.seen.map(\.moment) == [.zero, .milliseconds(250), .milliseconds(750), .milliseconds(1750)])
    }

    @Test func `ask for less for the rest of the run once a server refused a feature`() async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer([.fail(.unsupported(.schema)), .reply(), .reply()], clock: clock)
        let caller = caller(server, clock: clock)
        for _ in 0..<2 { _ = await caller.call(.test()) }
        #expect(server.seen.map { String(decoding: $0.body, as: UTF8.self) } == ["15 hello", "14 hello", "14 hello"])
        #expect(caller.features == [.jsonObject, .sampling, .completionTokens])
        #expect(caller.report.retries == 0)
    }

    @Test func `are given more time until one has succeeded`() async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer([], clock: clock)
        let caller = caller(server, clock: clock)
        for _ in 0..<2 { _ = await caller.call(.test()) }
        #expect(server.seen.map(\.limits.firstByte) == [.seconds(180), .seconds(120)])
        #expect(server.seen.map(\.limits.total) == [.seconds(180), .seconds(120)])
    }

    @Test(arguments: [CallFailure.authentication, .quota, .configuration(status: 404)])
    func `are not made any more after a failure that is final for the run`(failure: CallFailure) async {
        let server = ScriptedServer([], then: .fail(failure), latency: .milliseconds(5))
        let caller = caller(server, clock: CallClock(ContinuousClock()))
        await withTaskGroup { group in
            for _ in 0..<64 { group.addTask { await caller.call(.test()) } }
            for await result in group { #expect(outcome(result) == failure) }
        }
        #expect(server.seen.count <= 2)
        #expect(caller.finalFailure == failure)
    }

    @Test func `go on when a server chokes on single messages, and end when it chokes on each`() async {
        let clock = CallClock(JumpingClock())
        let choked = ScriptedServer.Act.fail(.configuration(status: 400))
        let server = ScriptedServer([choked, choked, .reply(), choked, choked, choked, .reply()], clock: clock)
        let caller = caller(server, clock: clock)
        for _ in 0..<10 { _ = await caller.call(.test()) }
        #expect(server.seen.count == 6)
        #expect(caller.finalFailure == .configuration(status: 400))
    }

    @Test func `end for the run after 20 replies in a row that were of no use`() async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer([], clock: clock)
        let caller = caller(server, clock: clock)
        for number in 0..<40 {
            _ = await caller.call(.test())
            caller.note(badOutput: number != 10)
        }
        #expect(server.seen.count == 31)
        #expect(outcome(await caller.call(.test())) == .useless)
    }

    @Test func `fall back at once while the breaker is open, and try again after`() async {
        let time = JumpingClock()
        let clock = CallClock(time)
        var settings = CallerSettings()
        settings.patience = .zero
        let server = ScriptedServer([.reply()] + Array(repeating: .fail(Self.fault), count: 5), clock: clock)
        let caller = caller(server, settings, clock: clock)
        #expect(outcome(await caller.call(.test())) == nil)
        #expect(outcome(await caller.call(.test())) == Self.fault)
        #expect(outcome(await caller.call(.test())) == Self.fault)
        #expect(outcome(await caller.call(.test())) == .unavailable)
        #expect(server.seen.count == 6)
        time.advance(by: .seconds(15))
        #expect(outcome(await caller.call(.test())) == nil)
    }

    @Test func `wait for a server that worked and fails for the first time`() async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer([.reply()] + Array(repeating: .fail(Self.fault), count: 5), clock: clock)
        let caller = caller(server, clock: clock)
        for _ in 0..<2 { _ = await caller.call(.test()) }
        #expect(outcome(await caller.call(.test())) == nil)
        #expect(outcome(await caller.call(.test())) == nil)
    }

    @Test func `hold back all others too until a refusing server takes more`() async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer([.reply(), .fail(.rateLimited(after: .seconds(40)))], clock: clock)
        let caller = caller(server, clock: clock)
        _ = await caller.call(.test())
        async let refused = caller.call(.test("refused"))
        // The other one may not be under way yet when the refusal comes.
        while server.seen.count < 2 { await Task.yield() }
        async let other = caller.call(.test("other"))
        _ = await (refused, other)
        #expect(server.seen.dropFirst(2).allSatisfy { $0.moment >= .seconds(40) })
        #expect(server.seen.count == 4)
    }

    @Test func `are cancelled at once, in flight and in the queue, and leave room for others`() async {
        let server = ScriptedServer([.hang, .hang], latency: .milliseconds(1))
        let caller = caller(server, clock: CallClock(ContinuousClock()))
        let tasks = (0..<6).map { _ in Task { await caller.call(.test()) } }
        while server.seen.count < 2 { await Task.yield() }
        for task in tasks.reversed() { task.cancel() }
        for task in tasks { #expect(outcome(await task.value) == .cancelled) }
        #expect(outcome(await caller.call(.test())) == nil)
        #expect(server.seen.count == 3)
        #expect(caller.report.interrupted == 2)
    }

    @Test func `a queue of an hour takes no time of a request and loses no answer`() async {
        let clock = CallClock(JumpingClock())
        var settings = CallerSettings()
        settings.maxConcurrency = 1
        settings.startConcurrency = 1
        let server = ScriptedServer([], clock: clock, work: .seconds(6))
        let caller = caller(server, settings, clock: clock)
        await withTaskGroup { group in
            for number in 0..<600 { group.addTask { await caller.call(.test("\(number)")) } }
            for await result in group { #expect(outcome(result) == nil) }
        }
        #expect(clock.now >= .seconds(3600))
        #expect(server.seen.count == 600)
        #expect(server.seen.allSatisfy { $0.limits.total >= .seconds(120) && $0.limits.firstByte == $0.limits.total })
    }

    @Test(arguments: [120, 121])
    func `a pause that the server asks for is waited for within reason, by all that wait`(seconds: Int) async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer(
            [.reply(), .fail(.rateLimited(after: .seconds(seconds)))], clock: clock, work: .seconds(5))
        var settings = CallerSettings()
        settings.longestPause = .seconds(120)
        settings.startConcurrency = 1
        settings.maxConcurrency = 1
        let caller = caller(server, settings, clock: clock)
        _ = await caller.call(.test())
        let results = await withTaskGroup { group in
            for number in 0..<40 { group.addTask { await caller.call(.test("\(number)")) } }
            return await group.reduce(into: [CallFailure?]()) { $0.append(outcome($1)) }
        }
        // Who was refused asks again only if the pause is shorter than what it waits at most.
        #expect(results.count { $0 == nil } == (seconds > 120 ? 0 : 39))
    }

    @Test func `pacing of our own is waited for, however long it takes`() async {
        let clock = CallClock(JumpingClock())
        var settings = CallerSettings()
        settings.requestsPerMinute = 1
        let server = ScriptedServer([], clock: clock)
        let caller = caller(server, settings, clock: clock)
        for _ in 0..<30 { #expect(outcome(await caller.call(.test())) == nil) }
        #expect(clock.now >= .seconds(29 * 60))
    }

    @Test func `a server that never answers is left alone after the first two`() async {
        let clock = CallClock(JumpingClock())
        let fault = TransportFault(.totalTimeout, mayBeBilled: true)
        let server = ScriptedServer([], then: .fault(fault), clock: clock, work: .seconds(180))
        let caller = caller(server, clock: clock)
        for _ in 0..<20 { #expect(outcome(await caller.call(.test())) != nil) }
        #expect(server.seen.count == 2)
    }

    @Test func `what a server said with a failure is kept once, without what it was sent`() async {
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer([.fail(.quota)], then: .fail(.authentication), clock: clock)
        let caller = caller(server, clock: clock)
        for _ in 0..<3 { _ = await caller.call(.test()) }
        #expect(caller.report.said.mapValues(\.status) == ["llm.quota": 500])
    }

    @Test func `end in the queue when they have waited as long as they may`() async {
        var settings = CallerSettings()
        settings.queueTimeout = .milliseconds(50)
        let server = ScriptedServer([.hang, .hang])
        let caller = caller(server, settings, clock: CallClock(ContinuousClock()))
        let holders = (0..<2).map { _ in Task { await caller.call(.test()) } }
        while server.seen.count < 2 { await Task.yield() }
        #expect(outcome(await caller.call(.test())) == .queueTimeout)
        for holder in holders { holder.cancel() }
    }

    @Test func `keep to the limits of spending to the last request and say what was spent`() async {
        var settings = CallerSettings()
        settings.limits = SpendLimits(requests: 20)
        settings.price = ModelPrice(input: 1, output: 2)
        let acts: [ScriptedServer.Act] = [
            .reply(TokenUsage(input: 100, cachedInput: 40, output: 10)), .fail(Self.fault),
            .fault(TransportFault(.firstByteTimeout, mayBeBilled: true)), .fault(TransportFault(.connect)),
            .fail(.badOutput(.empty)), .fail(.refused, usage: TokenUsage(input: 7, output: 3)),
        ]
        let clock = CallClock(JumpingClock())
        let server = ScriptedServer(acts, clock: clock)
        let caller = caller(server, settings, clock: clock)
        var budgets = 0
        for _ in 0..<30 where outcome(await caller.call(.test("12345678901"))) == .budget { budgets += 1 }
        let report = caller.report
        #expect(report.requests == 20)
        // The one that never reached the server counts as an attempt and as no request.
        #expect(report.attempts == 21)
        #expect(server.seen.count == 21)
        #expect(report.retries == 3)
        #expect(report.isExhausted)
        #expect(report.outcomes.values.reduce(0, +) == 21)
        #expect(report.endings.values.reduce(0, +) == 30)
        #expect(report.endings["llm.budget"] == budgets)
        // 15 replies as scripted, two unknown ones by their estimate.
        #expect(report.usage.input == 100 + 7 + 2 * TokenEstimate.input(of: .test("12345678901")) + 15 * 10)
        #expect(report.usage.cachedInput == 40)
        #expect(report.usage.output == 10 + 3 + 2 * 100 + 15 * 5)
        #expect(report.usage.isEstimated)
        #expect(report.cost == Double(report.usage.input + 2 * report.usage.output) / 1e6)
    }

    @Test(.timeLimit(.minutes(1))) func `fill the slots of a server up to the limit and never pass it`() async {
        var settings = CallerSettings()
        settings.maxConcurrency = 16
        settings.startConcurrency = 16
        let server = ScriptedServer([], gathering: 16)
        let caller = caller(server, settings, clock: CallClock(ContinuousClock()))
        // Until one has succeeded there are never more than two.
        #expect(outcome(await caller.call(.test())) == nil)
        await withTaskGroup { group in
            for _ in 0..<400 { group.addTask { await caller.call(.test()) } }
            for await result in group { #expect(outcome(result) == nil) }
        }
        #expect(server.mostInFlight == 16)
        #expect(caller.report.requests == 401)
    }
}
