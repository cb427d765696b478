import Testing
import TriageCore

@testable import TriageLLM

/// Somebody else's judgment of our retries: llmock fails on request, and says what a client did wrong.
@Suite(.serialized, .enabled(if: RealPeers.areUsed, "the servers of .ci/peers are not installed"))
struct `Judged by llmock` {
    let transport = CurlTransport()
    let peer: PeerProcess

    init() async throws { peer = try await RealPeers.llmock() }

    /// What the server says of the client; findings are `error` or `warning` and a name.
    struct Verdict: Equatable {
        var attempts: Int
        var findings: [String]
    }

    private static let kinds: [ProviderKind] = [.openai, .anthropic]

    @Test(
        arguments: kinds,
        [
            (#"{"type":"fail","status":429,"retry_after":0.5,"times":2}"#, 3),
            (#"{"type":"fail","status":429}"#, 2),
            (#"{"type":"fail","status":529,"retry_after":0.3,"times":3}"#, 4),
            (#"{"type":"fail","status":503,"retry_after":0.5}"#, 2),
            (#"{"type":"fail","status":500,"times":3}"#, 4),
            (#"{"type":"fail","status":502}"#, 2),
            (#"{"type":"fail","status":504,"retry_after":0.5}"#, 2),
            (#"{"type":"fail","status":408}"#, 2),
            (#"{"type":"delay","seconds":0.3}"#, 1),
        ])
    func `what heals is waited for and answered`(kind: ProviderKind, fault: (behavior: String, attempts: Int))
        async throws
    {
        try await script(fault.behavior)
        let caller = asking(kind).caller
        _ = try await caller.call(asking(kind).query()).get()
        #expect(caller.report.attempts == fault.attempts)
        #expect(try await verdict() == Verdict(attempts: fault.attempts, findings: []))
    }

    @Test(
        arguments: kinds,
        [
            (400, "llm.configuration"), (401, "llm.authentication"), (402, "llm.quota"), (403, "llm.authentication"),
            (404, "llm.configuration"), (413, "llm.too-long"), (422, "llm.configuration"),
        ])
    func `what never heals is asked once`(kind: ProviderKind, fault: (status: Int, code: String)) async throws {
        try await script(#"{"type":"fail","status":\#(fault.status),"times":null}"#)
        let caller = asking(kind).caller
        guard case .failure(let failure) = await caller.call(asking(kind).query()) else {
            Issue.record("an answer")
            return
        }
        #expect(failure.code == fault.code)
        #expect(try await verdict() == Verdict(attempts: 1, findings: []))
    }

    @Test(arguments: kinds)
    func `a server that stays away gets four attempts and no more`(kind: ProviderKind) async throws {
        try await script(#"{"type":"fail","status":503,"retry_after":0.25,"times":null}"#)
        let caller = asking(kind).caller
        #expect(await caller.call(asking(kind).query()) == .failure(.overloaded(after: .milliseconds(250))))
        #expect(try await verdict() == Verdict(attempts: 4, findings: []))
    }

    @Test(arguments: kinds)
    func `a refusal holds back the whole pool`(kind: ProviderKind) async throws {
        let asking = asking(kind)
        let caller = asking.caller
        try await script(#"{"type":"delay","seconds":0}"#)
        _ = try await caller.call(asking.query("first")).get()
        try await script(#"{"type":"fail","status":429,"retry_after":0.5,"times":4}"#)
        let answered = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask {
                    if case .success = await caller.call(asking.query("number \(number)")) { true } else { false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 12)
        #expect(try await verdict().findings == [])
    }

    /// llmock makes answers that fit a schema for OpenAI's interface, and ignores it on Anthropic's.
    @Test
    func `messages are judged by answers made from our schema`() async throws {
        try await script(#"{"type":"fail","status":500}"#)
        let asking = asking(.openai)
        let asker = MessageAsker(
            caller: asking.caller, cache: nil, script: try PeerPrompts.script(for: asking.endpoint))
        let results = await asker.ask([PeerPrompts.question("I love it!")])
        for result in results {
            if case .failure(let failure) = result { #expect(failure.code == "llm.bad-output") }
        }
        #expect(try await verdict().findings == [])
    }

    @Test
    func `prose instead of an answer is repaired once and then reported`() async throws {
        try await script(#"{"type":"reply","text":"I think that {a: fan} fits.","times":null}"#)
        let asking = asking(.anthropic)
        let asker = MessageAsker(
            caller: asking.caller, cache: nil, script: try PeerPrompts.script(for: asking.endpoint))
        let results = await asker.ask([PeerPrompts.question("I love it!")])
        #expect(results == [.failure(.badOutput(.notJSON))])
        #expect(asker.counts.repairs == 1)
        #expect(try await verdict() == Verdict(attempts: 2, findings: []))
    }

    private func asking(_ kind: ProviderKind) -> PeerAsking {
        let path = kind == .openai ? "/v1" : "/anthropic"
        var asking = PeerAsking(kind, peer.url(path), model: "gpt-4o", key: "any", transport: transport)
        asking.settings.maxConcurrency = 4
        asking.settings.startConcurrency = 4
        return asking
    }

    /// Forgets what was, and does this next.
    private func script(_ behavior: String) async throws {
        _ = try await transport.send(HTTPRequest(.post, peer.url("/_llmock/reset")))
        let body = Array(#"{"behaviors":[\#(behavior)]}"#.utf8)
        let response = try await transport.send(
            HTTPRequest(
                .post, peer.url("/_llmock/scenario"), headers: [HTTPHeader("content-type", "application/json")],
                body: body))
        try #require(response.status == 201)
    }

    private func verdict() async throws -> Verdict {
        let response = try await transport.send(HTTPRequest(.get, peer.url("/_llmock/verdict")))
        let body = try StrictJSON.parse(response.body)
        let findings = (body["findings"]?.array ?? []).map {
            "\($0["severity"]?.string ?? "?") \($0["code"]?.string ?? "?")"
        }
        return Verdict(attempts: try #require(body["attempts"]?.integer), findings: findings)
    }
}
