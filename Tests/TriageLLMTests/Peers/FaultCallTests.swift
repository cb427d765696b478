import Testing
import TriageCore

@testable import TriageLLM

/// Every fault of `faultd.py` by way of the caller, in the words of every kind of provider.
///
/// Ollama's kind is among them with the answers that its documentation gives; a real Ollama is not to be had here.
@Suite struct `Faults of a server, as calls end` {
    /// What a call ends as, and how often it was sent.
    struct End: Equatable, CustomStringConvertible {
        var code: String
        var attempts: Int

        init(_ code: String, _ attempts: Int) {
            self.code = code
            self.attempts = attempts
        }

        var description: String { "\(code) after \(attempts)" }
    }

    private static let ok = End("ok", 1)
    /// What may heal is sent four times.
    private static let lost = End("llm.connection", 4)
    private static let broken = End("llm.server-error", 4)
    private static let tooLarge = End("llm.connection", 1)
    /// Whoever hangs is given one more chance.
    private static let late = End("llm.timeout", 2)

    static let ends: [(String, End)] = [
        ("ok", ok), ("slow-ok", ok), ("interim-then-ok", ok), ("close-delimited", ok), ("chunked-trailer", ok),
        ("gzip-ok", ok), ("gzip-chunked", ok), ("gzip-members", ok), ("length-absurd", ok),

        ("drip-ok", broken), ("no-content", broken), ("empty-200", broken), ("gzip-empty", broken), ("bom", broken),
        ("nul", broken), ("long-body", broken), ("error-200", broken), ("html-502", broken), ("500-plain", broken),
        ("latin1", End("llm.bad-output", 1)),

        // A server that streams whatever it is asked, or a page in place of an answer.
        ("sse-ok", End("llm.configuration", 1)), ("sse-cut", End("llm.configuration", 1)),
        ("sse-error", End("llm.configuration", 1)), ("sse-split-utf8", End("llm.configuration", 1)),
        ("html-200", End("llm.configuration", 1)), ("redirect", End("llm.configuration", 1)),
        ("no-such-fault", End("llm.configuration", 1)),

        // Two seconds each time.
        ("429-sec", End("llm.rate-limited", 4)), ("429-huge", End("llm.rate-limited", 1)),
        // A date counts only beside the answer's own.
        ("429-date", End("llm.rate-limited", 4)), ("429-neg", End("llm.rate-limited", 4)),
        ("429-quota", End("llm.quota", 1)), ("529", End("llm.overloaded", 4)),
        ("401-plain", End("llm.authentication", 1)), ("401-basic", End("llm.authentication", 1)),

        ("rst-before", lost), ("close-before", lost), ("rst-mid", lost), ("short-body", lost), ("half-header", lost),
        ("header-without-end", lost), ("interim-only", lost), ("chunk-cut", lost), ("gzip-cut", lost),
        ("gzip-cut-chunked", lost), ("garbage", lost), ("chunk-bad", lost), ("gzip-bad", lost),
        ("length-negative", lost), ("status-absurd", lost),

        ("gzip-bomb", tooLarge), ("huge-header", tooLarge), ("many-headers", tooLarge), ("endless", tooLarge),
        ("endless-interim", tooLarge),

        ("hang", late), ("slow-first-byte", late), ("hang-in-head", late), ("hang-after-head", late),
        ("drip-slow", late),
    ]

    private static let paths: [ProviderKind: String] = [
        .openai: "/chat/completions", .anthropic: "/v1/messages", .ollama: "/api/chat",
    ]

    @Test(.timeLimit(.minutes(10)), arguments: [ProviderKind.openai, .anthropic, .ollama])
    func `each is a named end within its deadline, and the server saw what was counted`(kind: ProviderKind) async throws
    {
        let peer = try PeerProcess("faultd.py")
        let transport = CurlTransport()
        defer { transport.close() }
        let reports = await withTaskGroup(of: (String, SpendReport).self) { group in
            for (fault, end) in Self.ends {
                group.addTask {
                    var asking = PeerAsking(kind, peer.url("/" + fault), transport: transport)
                    asking.random = { 0 }
                    // Short only where the deadline is what is expected: machines may be slow.
                    asking.settings.requestTimeout = .seconds(end == Self.late ? 1 : 60)
                    asking.settings.firstCallTimeout = .zero
                    let caller = asking.caller
                    _ = await caller.call(asking.query())
                    return (fault, caller.report)
                }
            }
            return await group.reduce(into: [String: SpendReport]()) { $0[$1.0] = $1.1 }
        }
        let counts = try StrictJSON.parse(try await transport.send(HTTPRequest(.get, peer.url("/requests"))).body)
        for (fault, end) in Self.ends {
            let report = try #require(reports[fault])
            #expect(report.endings == [end.code: 1], "\(fault)")
            #expect(report.attempts == end.attempts, "\(fault)")
            #expect(report.requests == report.attempts, "\(fault)")
            let path = fault + (Self.paths[kind] ?? "")
            #expect(counts[path]?.integer == report.attempts, "\(fault) as the server counts")
        }
    }

    @Test
    func `no fault of the server is without an expected end`() async throws {
        let peer = try PeerProcess("faultd.py")
        let names = try await CurlTransport().send(HTTPRequest(.get, peer.url("/faults"))).body
        let known = Set(String(decoding: names, as: UTF8.self).split(separator: " ").map(String.init))
        #expect(known.subtracting(Self.ends.map(\.0)) == [])
    }
}
