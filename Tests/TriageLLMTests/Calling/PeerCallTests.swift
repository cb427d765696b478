import Foundation
import Testing
import TriageLLM

@Suite struct `Calls over a socket` {
    private struct Counts: Decodable {
        var requests: Int
        var most: Int
        var input: Int
        var output: Int
    }

    private func counts(_ peer: PeerProcess) async throws -> Counts {
        let response = try await CurlTransport().send(HTTPRequest(.get, peer.url("/counts")))
        return try JSONDecoder().decode(Counts.self, from: Data(response.body))
    }

    /// The deadline is out of reach: all calls begin at once, and how long the last one waits depends on the machine.
    private func caller(_ peer: PeerProcess, _ settings: CallerSettings) -> ReliableCaller {
        var settings = settings
        settings.requestTimeout = .seconds(3600)
        let endpoint = Endpoint(kind: .openai, baseURL: peer.url("/v1"), model: "scripted")
        return ReliableCaller(
            transport: CurlTransport(), provider: ProviderKind.provider(endpoint), settings: settings,
            random: { 0.1 })
    }

    @Test func `are counted as the server counts them, whatever fails`() async throws {
        let peer = try PeerProcess("scripted_llm.py", ["--faults", "0.4", "--seed", "7"])
        var settings = CallerSettings()
        settings.breaker.threshold = 1000
        let caller = caller(peer, settings)
        await withTaskGroup { group in
            for number in 0..<200 { group.addTask { await caller.call(.test("question \(number)")) } }
            for await _ in group {}
        }
        let report = caller.report
        let counts = try await counts(peer)
        #expect(report.requests == counts.requests)
        #expect(report.attempts + report.resent == counts.requests)
        #expect(report.endings.values.reduce(0, +) == 200)
        #expect(report.outcomes.values.reduce(0, +) == report.attempts)
        #expect(report.retries == report.attempts - 200)
        #expect(report.retries > 10)
        #expect(report.outcomes.keys.count > 4)
        // What was lost on the way is counted by its estimate, which is more; nothing is counted as less.
        #expect(report.usage.input >= counts.input)
        #expect(report.usage.output >= counts.output)
    }

    /// How far the limit climbs depends on how busy the machine is; that it fills 32 slots is shown with a clock of its own
    /// in the tests of the limit.
    @Test func `climb towards the slots of a server and never above them`() async throws {
        let peer = try PeerProcess("scripted_llm.py", ["--latency", "200", "--slots", "32"])
        var settings = CallerSettings()
        settings.maxConcurrency = 32
        let caller = caller(peer, settings)
        await withTaskGroup { group in
            for number in 0..<640 { group.addTask { await caller.call(.test("question \(number)")) } }
            for await _ in group {}
        }
        #expect(caller.report.outcomes == ["ok": 640])
        #expect((5...32).contains(caller.concurrency))
        let most = try await counts(peer).most
        #expect((5...32).contains(most))
    }
}
