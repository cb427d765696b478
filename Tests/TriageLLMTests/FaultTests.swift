import Testing
import TriageLLM

/// Every fault of `faultd.py` by name, and what must come of it.
@Suite struct `Faults on the wire` {
    enum Outcome: Equatable, CustomStringConvertible {
        /// A complete answer with this status and so many bytes; nil: any number.
        case status(Int, bytes: Int? = nil)
        case fault(TransportFault.Kind, mayBeBilled: Bool)

        var description: String {
            switch self {
            case .status(let status, let bytes): "status \(status), \(bytes.map(String.init) ?? "any") bytes"
            case .fault(let kind, let mayBeBilled): "\(kind.rawValue), \(mayBeBilled ? "maybe" : "not") billed"
            }
        }
    }

    /// The answer of the server when nothing is wrong.
    private static let whole = 265

    static let cases: [(String, Outcome)] = [
        ("ok", .status(200, bytes: whole)),
        ("slow-ok", .status(200, bytes: whole)),
        ("drip-ok", .status(200, bytes: 50)),
        ("interim-then-ok", .status(200, bytes: whole)),
        ("no-content", .status(204, bytes: 0)),
        ("empty-200", .status(200, bytes: 0)),
        ("close-delimited", .status(200, bytes: whole)),
        ("chunked-trailer", .status(200, bytes: whole)),
        ("gzip-ok", .status(200, bytes: whole)),
        ("gzip-chunked", .status(200, bytes: whole)),
        ("gzip-members", .status(200, bytes: whole)),
        ("gzip-empty", .status(200, bytes: 0)),
        ("bom", .status(200, bytes: whole + 3)),
        ("latin1", .status(200)),
        ("nul", .status(200, bytes: whole + 3)),
        ("sse-ok", .status(200)),
        ("sse-cut", .status(200)),
        ("sse-error", .status(200)),
        ("sse-split-utf8", .status(200)),

        ("html-502", .status(502)),
        ("html-200", .status(200)),
        ("error-200", .status(200)),
        ("429-sec", .status(429)),
        ("429-date", .status(429)),
        ("429-huge", .status(429)),
        ("429-neg", .status(429)),
        ("429-quota", .status(429)),
        ("500-plain", .status(500)),
        ("529", .status(529)),
        ("401-plain", .status(401)),
        ("401-basic", .status(401)),
        ("redirect", .status(307, bytes: 0)),
        ("no-such-fault", .status(404)),

        ("rst-before", .fault(.receive, mayBeBilled: true)),
        ("close-before", .fault(.emptyReply, mayBeBilled: true)),
        ("rst-mid", .fault(.receive, mayBeBilled: true)),
        ("short-body", .fault(.partial, mayBeBilled: true)),
        // libcurl drops what is beyond the declared length: the reader of the text finds it cut.
        ("long-body", .status(200, bytes: whole - 5)),
        ("half-header", .fault(.partial, mayBeBilled: true)),
        ("header-without-end", .fault(.partial, mayBeBilled: true)),
        ("interim-only", .fault(.emptyReply, mayBeBilled: true)),
        ("chunk-cut", .fault(.partial, mayBeBilled: true)),
        ("gzip-cut", .fault(.partial, mayBeBilled: true)),
        ("gzip-cut-chunked", .fault(.partial, mayBeBilled: true)),

        ("garbage", .fault(.malformed, mayBeBilled: true)),
        ("chunk-bad", .fault(.receive, mayBeBilled: true)),
        ("gzip-bad", .fault(.malformed, mayBeBilled: true)),
        ("length-negative", .fault(.malformed, mayBeBilled: true)),
        // As if no length were declared.
        ("length-absurd", .status(200, bytes: whole)),
        ("status-absurd", .fault(.malformed, mayBeBilled: true)),

        ("gzip-bomb", .fault(.tooLarge, mayBeBilled: true)),
        ("huge-header", .fault(.tooLarge, mayBeBilled: true)),
        ("many-headers", .fault(.tooLarge, mayBeBilled: true)),
        ("endless", .fault(.tooLarge, mayBeBilled: true)),
        ("endless-interim", .fault(.tooLarge, mayBeBilled: true)),

        ("hang", .fault(.firstByteTimeout, mayBeBilled: true)),
        ("slow-first-byte", .fault(.firstByteTimeout, mayBeBilled: true)),
        ("hang-in-head", .fault(.stallTimeout, mayBeBilled: true)),
        ("hang-after-head", .fault(.stallTimeout, mayBeBilled: true)),
        ("drip-slow", .fault(.totalTimeout, mayBeBilled: true)),
    ]

    @Test
    func `every fault comes to its named outcome, all at once over one transport`() async throws {
        let peer = try PeerProcess("faultd.py")
        let transport = CurlTransport()
        defer { transport.close() }
        let outcomes = await withTaskGroup(of: (String, Outcome).self) { group in
            for (fault, _) in Self.cases {
                group.addTask { (fault, await outcome(of: peer.url("/" + fault), transport)) }
            }
            return await group.reduce(into: [String: Outcome]()) { $0[$1.0] = $1.1 }
        }
        for (fault, expected) in Self.cases {
            let found = try #require(outcomes[fault])
            if case .status(let status, bytes: nil) = expected, case .status(status, _) = found { continue }
            #expect(found == expected, "\(fault)")
        }
    }

    @Test
    func `no fault of the server is without an expected outcome`() async throws {
        let peer = try PeerProcess("faultd.py")
        let names = try await CurlTransport().send(HTTPRequest(.get, peer.url("/faults"))).body
        let known = Set(String(decoding: names, as: UTF8.self).split(separator: " ").map(String.init))
        #expect(known.subtracting(Self.cases.map(\.0)) == [])
        #expect(known.count > 50)
    }

    @Test
    func `a limit on the first byte is not used up by an answer that drips`() async throws {
        let peer = try PeerProcess("faultd.py")
        var request = HTTPRequest(.post, peer.url("/drip-ok"))
        request.limits.firstByte = .seconds(1)
        #expect(try await CurlTransport().send(request).body.count == 50)
    }

    @Test
    func `a redirect is an answer, and nobody goes there`() async throws {
        let peer = try PeerProcess("faultd.py")
        let transport = CurlTransport()
        let response = try await transport.send(HTTPRequest(.post, peer.url("/redirect")))
        #expect(response.status == 307)
        #expect(response.header("Location") == "/stolen")
        let counts = try await transport.send(HTTPRequest(.get, peer.url("/requests")))
        #expect(String(decoding: counts.body, as: UTF8.self) == #"{"redirect": 1}"#)
    }

    /// - Parameter isFresh: whether on a connection of its own; `faultd.py` closes each after one answer, so that one that is
    ///   used again at once may turn out stale.
    private func outcome(of url: String, _ transport: CurlTransport, isFresh: Bool = false) async -> Outcome {
        var request = HTTPRequest(.post, url, body: Array("{}".utf8))
        // Short only where a limit is what is expected: machines may be slow.
        request.limits.connect = .seconds(30)
        request.limits.firstByte =
            url.hasSuffix("/hang") || url.hasSuffix("/slow-first-byte") ? .seconds(2) : .seconds(30)
        request.limits.stall = url.contains("/hang-") ? .seconds(2) : .seconds(30)
        request.limits.total = url.hasSuffix("/drip-slow") ? .seconds(4) : .seconds(60)
        request.isFresh = isFresh
        do {
            let response = try await transport.send(request)
            return .status(response.status, bytes: response.body.count)
        } catch let fault as TransportFault where fault.kind == .stale && !isFresh {
            return await outcome(of: url, transport, isFresh: true)
        } catch let fault as TransportFault {
            return .fault(fault.kind, mayBeBilled: fault.mayBeBilled)
        } catch {
            return .status(0)
        }
    }
}
