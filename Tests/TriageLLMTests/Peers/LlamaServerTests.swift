import Testing
import TriageCore

@testable import TriageLLM

/// Limits and refusals of a real server, by way of everything that the program calls it with.
@Suite(.enabled(if: RealPeers.areUsed, "the servers of .ci/peers are not installed"))
struct `Against llama.cpp's server` {
    let transport = CurlTransport()
    let peer: PeerProcess

    init() async throws { peer = try await RealPeers.llama() }

    private var asking: PeerAsking { PeerAsking(.openai, peer.url("/v1"), transport: transport) }

    @Test
    func `an answer that the allowance cuts is said to be cut`() async throws {
        let script = try PeerPrompts.script(for: asking.endpoint)
        let exchange = script.exchange(about: PeerPrompts.asked(["hello"]), maxOutputTokens: 15)
        let reply = try await asking.caller.call(exchange.query).get()
        #expect(reply.isTruncated)
        #expect(reply.usage.output == 15)
        #expect(exchange.read(reply).answers.isEmpty)
    }

    @Test
    func `a message whose answer was cut is asked about again with twice the room`() async throws {
        var limits = LLMLimits()
        (limits.packSize, limits.outputBase, limits.outputTokens) = (1, 0, 80)
        let caller = asking.caller
        let asker = MessageAsker(
            caller: caller, cache: nil, script: try PeerPrompts.script(for: asking.endpoint), limits: limits)
        // No entry takes fewer than 90 characters, and most take fewer than 160.
        let results = await asker.ask((0..<6).map { PeerPrompts.question("hello number \($0)") })
        #expect(asker.counts.singles == 6)
        #expect(asker.counts.widened == 6)
        #expect(caller.report.endings == ["ok": 12])
        for result in results {
            if case .failure(let failure) = result { #expect(failure.code == "llm.bad-output") }
        }
        #expect(results.contains { if case .success = $0 { true } else { false } })
    }

    @Test
    func `a text that does not fit into the window is clipped and answered`() async throws {
        let locked = try await RealPeers.lockedLlama(key: "sesame")
        let asking = PeerAsking(.openai, locked.url("/v1"), key: "sesame", transport: transport)
        let script = try PeerPrompts.script(for: asking.endpoint)
        // Each character is a token, and the window holds 7,168: of a text 4,000 are sent at first, then 2,000.
        let instructions = try PeerPrompts.session().system.utf8.count
        try #require((3_300...4_700).contains(instructions))
        let caller = asking.caller
        let asker = MessageAsker(caller: caller, cache: nil, script: script)
        let text = String(repeating: "We would like to work with you. ", count: 200)
        let result = await asker.ask([PeerPrompts.question(text)])[0]
        #expect(asker.counts.clipped == 1)
        #expect(caller.report.outcomes == ["llm.too-long": 1, "ok": 1])
        if case .failure(let failure) = result { #expect(failure.code == "llm.bad-output") }
    }

    @Test(arguments: [ProviderKind.openai, .anthropic], [nil, "wrong"])
    func `a wrong key ends the asking after two requests at most`(kind: ProviderKind, key: String?) async throws {
        let locked = try await RealPeers.lockedLlama(key: "sesame")
        let asking = PeerAsking(kind, locked.url("/v1"), key: key, transport: transport)
        let caller = asking.caller
        let results = await withTaskGroup(of: CallFailure?.self) { group in
            for number in 0..<12 {
                group.addTask {
                    guard case .failure(let failure) = await caller.call(asking.query("\(number)")) else { return nil }
                    return failure
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: .authentication, count: 12))
        #expect(caller.finalFailure == .authentication)
        #expect(caller.report.attempts <= 2)
    }

    @Test(arguments: [(ProviderKind.openai, false), (.anthropic, false), (.anthropic, true)])
    func `the right key opens, in either header`(kind: ProviderKind, usesBearer: Bool) async throws {
        let locked = try await RealPeers.lockedLlama(key: "sesame")
        var asking = PeerAsking(kind, locked.url("/v1"), key: "sesame", transport: transport)
        asking.endpoint.settings.usesBearer = usesBearer
        let reply = try await asking.caller.call(asking.query()).get()
        #expect(reply.usage.input > 0 && !reply.usage.isEstimated)
        #expect(reply.model == "tiny-random")
    }

    @Test
    func `a connection that the server closed while it was idle costs nothing`() async throws {
        let caller = asking.caller
        _ = try await caller.call(asking.query("one")).get()
        // The server closes connections that were idle for five seconds.
        try await Task.sleep(for: .seconds(6))
        _ = try await caller.call(asking.query("two")).get()
        #expect(caller.report.attempts == 2)
    }

    @Test
    func `more requests than a connection bears are all answered`() async throws {
        let caller = asking.caller
        // The server closes a connection after a hundred; lists of models do not wait for a slot.
        let list = ModelListProvider(asking.endpoint)
        for _ in 0..<95 { _ = try list.read(try await transport.send(list.request())).get() }
        for number in 0..<25 { _ = try await caller.call(asking.query("number \(number)", room: 1)).get() }
        #expect(caller.report.endings == ["ok": 25])
        #expect(caller.report.attempts == 25)
    }

    @Test
    func `eight requests at a time on two slots are all answered`() async throws {
        var asking = asking
        (asking.settings.maxConcurrency, asking.settings.startConcurrency) = (8, 8)
        let (caller, fixed) = (asking.caller, asking)
        let outputs = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask { try await caller.call(fixed.query("number \(number)", room: 200)).get().usage.output }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outputs.count == 8)
        #expect(caller.report.requests == 8)
        #expect(caller.report.usage.output == outputs.reduce(0, +))
    }

    /// The server reads a schema there and ignores it, so what a random model says is of no use: each message comes to a
    /// failure of its own.
    @Test
    func `on Anthropic's interface every message comes to a named end`() async throws {
        let asking = PeerAsking(.anthropic, peer.url(), transport: transport)
        let caller = asking.caller
        var limits = LLMLimits()
        (limits.packSize, limits.outputTokens) = (2, 32)
        let asker = MessageAsker(
            caller: caller, cache: nil, script: try PeerPrompts.script(for: asking.endpoint), limits: limits)
        let results = await asker.ask(["one", "two", "three"].map(PeerPrompts.question))
        for result in results {
            guard case .failure(let failure) = result else { continue }
            #expect(failure.code == "llm.bad-output")
        }
        #expect(caller.report.usage.input > 0 && !caller.report.usage.isEstimated)
        #expect(caller.report.outcomes.keys.allSatisfy { ["ok", "llm.bad-output"].contains($0) })
    }

    @Test(arguments: [ProviderKind.openai, .anthropic])
    func `the server's models are listed`(kind: ProviderKind) async throws {
        let provider = ModelListProvider(PeerAsking(kind, peer.url("/v1"), transport: transport).endpoint)
        let names = try provider.read(try await transport.send(provider.request())).get()
        #expect(names == ["tiny-random"])
    }

    @Test
    func `an address that the server does not know is the configuration's fault`() async throws {
        let asking = PeerAsking(.openai, peer.url("/nothing"), transport: transport)
        let caller = asking.caller
        let result = await caller.call(asking.query())
        #expect(result == .failure(.configuration(status: 404)))
        #expect(caller.report.attempts == 1)
    }

    @Test
    func `vectors of a server that has none are a named failure`() async throws {
        let provider = try #require(EmbeddingsProvider(asking.endpoint))
        let response = try await transport.send(provider.request(["hello"]))
        #expect(provider.read(response, to: ["hello"]) == .failure(.configuration(status: 501)))
    }
}
