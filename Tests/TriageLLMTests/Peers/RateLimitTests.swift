import Testing
import TriageCore

@testable import TriageLLM

/// Servers that count, each in its own words: what they tell is enough to stay within their limits.
@Suite(.enabled(if: RealPeers.areUsed, "the servers of .ci/peers are not installed"))
struct `Within the limits of a server` {
    let transport = CurlTransport()

    // 30 requests at once and one each two seconds, by llmock: `x-ratelimit-…` with Go durations for the one kind,
    // `anthropic-ratelimit-…` with moments for the other.
    @Test(.timeLimit(.minutes(10)), arguments: [(ProviderKind.openai, "/v1"), (.anthropic, "/anthropic")])
    func `a run is paced by what the headers tell`(kind: ProviderKind, path: String) async throws {
        let peer = try await RealPeers.llmock("--rpm", "30")
        let asking = PeerAsking(kind, peer.url(path), model: "gpt-4o", key: "any", transport: transport)
        let caller = asking.caller
        #expect(await answered(34, caller, asking) == 34)
        #expect(caller.report.outcomes["llm.rate-limited", default: 0] <= 1)
    }

    // 5 requests at once and two a second, by mocklimit; a key has its own bucket.
    @Test(.timeLimit(.minutes(10)))
    func `a bucket of few requests is emptied and waited for`() async throws {
        let asking = try await limited(key: "requests")
        let caller = asking.caller
        #expect(await answered(14, caller, asking) == 14)
        #expect(caller.report.outcomes["llm.rate-limited", default: 0] <= 2)
    }

    // 2,000 tokens at once and as many a second; each request is counted as some 1,100.
    @Test(.timeLimit(.minutes(10)))
    func `a bucket of few tokens is emptied and waited for`() async throws {
        let asking = try await limited(key: "tokens")
        let caller = asking.caller
        #expect(await answered(8, caller, asking, text: String(repeating: "word ", count: 800)) == 8)
        #expect(caller.report.outcomes["llm.rate-limited", default: 0] <= 3)
    }

    @Test
    func `the milliseconds that a refusal asks for are waited`() async throws {
        var asking = try await limited(key: "refused")
        // No wait of our own: without the server's an attempt would follow at once, and the last be refused as well.
        asking.random = { 0 }
        asking.settings.retryBudget = RetryBudget(capacity: 100)
        let request = asking.provider.request(asking.query(), features: asking.endpoint.features)
        var refusal: HTTPResponse?
        for _ in 0..<60 where refusal == nil {
            let response = try await transport.send(request)
            if response.status == 429 { refusal = response }
        }
        let refused = try #require(refusal)
        let wait = try #require(RateHeaders(refused).retryAfter)
        #expect(wait > .zero && wait <= .seconds(1))
        let caller = asking.caller
        _ = try await caller.call(asking.query()).get()
        #expect(caller.report.attempts <= 2)
    }

    private func limited(key: String) async throws -> PeerAsking {
        let peer = try await RealPeers.mocklimit()
        return PeerAsking(.openai, peer.url("/v1"), model: "m", key: key, transport: transport)
    }

    private func answered(_ count: Int, _ caller: ReliableCaller, _ asking: PeerAsking, text: String = "") async -> Int
    {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    if case .success = await caller.call(asking.query("\(number) \(text)")) { true } else { false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
