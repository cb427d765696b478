import Testing

@testable import TriageLLM

@Suite struct `Sending over libcurl` {
    @Test
    func `method, headers and body arrive as given, and nothing is added that was not asked for`() async throws {
        let peer = try PeerProcess("plain.py")
        var options = CurlTransport.Options()
        options.userAgent = "triage/0.0"
        let transport = CurlTransport(options)
        let request = HTTPRequest(
            .post, peer.url("/v1/x?y=1"),
            headers: [HTTPHeader("Authorization", "Bearer k"), HTTPHeader("X-Empty", "")],
            body: Array(repeating: 7, count: 300_000))
        let seen = try await transport.send(request).text.lowercased()
        for line in [
            "post /v1/x?y=1 http/1.1", "authorization: bearer k", "x-empty: \n", "user-agent: triage/0.0",
            "accept-encoding: gzip", "body: 300000",
        ] {
            #expect(seen.contains(line), "\(line)")
        }
        #expect(!seen.contains("expect:"))
        #expect(!seen.contains("content-type"))
        // The handle is used again: nothing of the request before may be left.
        let second = try await transport.send(HTTPRequest(.get, peer.url("/z"))).text.lowercased()
        #expect(second.contains("get /z http/1.1"))
        #expect(second.contains("body: 0"))
        #expect(!second.contains("authorization"))
        let third = try await transport.send(HTTPRequest(.delete, peer.url("/z"))).text
        #expect(third.hasPrefix("DELETE /z HTTP/1.1"))
        #expect(try await transport.send(HTTPRequest(.post, peer.url("/z"))).text.hasPrefix("POST /z HTTP/1.1"))
    }

    @Test
    func `a connection is used again`() async throws {
        let peer = try PeerProcess("plain.py")
        let transport = CurlTransport()
        var ports: Set<String> = []
        for _ in 0..<20 {
            let text = try await transport.send(HTTPRequest(.get, peer.url("/"))).text
            ports.insert(String(try #require(text.split(separator: "\n").last)))
        }
        // On a machine at its limit a connection may grow too old between two requests.
        #expect(ports.count < 10)
    }

    @Test
    func `a hundred requests share eight connections, and waiting for one is no failure to connect`() async throws {
        let peer = try PeerProcess("plain.py")
        var options = CurlTransport.Options()
        options.maxConnectionsPerHost = 8
        let transport = CurlTransport(options)
        var request = HTTPRequest(.post, peer.url("/slow"), body: Array("{}".utf8))
        // The last waits some two seconds.
        request.limits.connect = .milliseconds(1_500)
        request.limits.firstByte = .milliseconds(1_500)
        let answers = try await withThrowingTaskGroup(of: HTTPResponse.self) { [request] group in
            for _ in 0..<100 { group.addTask { try await transport.send(request) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 100)
        #expect(answers.allSatisfy { $0.status == 200 && $0.elapsed >= .milliseconds(150) })
        #expect(Set(answers.map { $0.text.split(separator: "\n").last }).count <= 8)
    }

    @Test(arguments: ["/hang", "/hang-after-head", "/drip-slow"])
    func `a cancelled request ends at once, and its connection serves nobody else`(path: String) async throws {
        let peer = try PeerProcess("faultd.py")
        var options = CurlTransport.Options()
        options.maxConnectionsPerHost = 1
        let transport = CurlTransport(options)
        let waiting = Task { try await transport.send(HTTPRequest(.post, peer.url(path))) }
        try await serverHas(peer, "{\"\(path.dropFirst())\": 1}")
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        // The server goes on for longer than this.
        var next = HTTPRequest(.post, peer.url("/ok"))
        next.limits.total = .seconds(15)
        #expect(try await transport.send(next).status == 200)
    }

    @Test
    func `what is cancelled before it is sent never goes out`() async throws {
        let peer = try PeerProcess("faultd.py")
        let transport = CurlTransport()
        for _ in 0..<50 {
            let task = Task { try await transport.send(HTTPRequest(.post, peer.url("/ok"))) }
            task.cancel()
            _ = await task.result
        }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(HTTPRequest(.post, peer.url("/redirect")))
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let counts = try await transport.send(HTTPRequest(.get, peer.url("/requests"))).text
        #expect(!counts.contains("redirect"))
    }

    @Test
    func `closing ends all that wait and all that comes later, and tells whether they may be billed`() async throws {
        let peer = try PeerProcess("faultd.py")
        var options = CurlTransport.Options()
        options.maxConnectionsPerHost = 4
        let transport = CurlTransport(options)
        let waiting = (0..<10).map { _ in
            Task { await fault { try await transport.send(HTTPRequest(.post, peer.url("/hang"))) } }
        }
        try await serverHas(peer, #"{"hang": 4}"#)
        transport.close()
        var faults: [TransportFault?] = []
        for task in waiting { faults.append(await task.value) }
        #expect(faults.allSatisfy { $0?.kind == .unusable })
        // Four were on the wire, six waited for a connection.
        #expect(faults.count { $0?.mayBeBilled == true } == 4)
        let later = await fault { try await transport.send(HTTPRequest(.post, peer.url("/ok"))) }
        #expect(later?.kind == .unusable)
        transport.close()
    }

    @Test
    func `a transport that nobody holds any more leaves no thread`() async throws {
        let peer = try PeerProcess("faultd.py")
        // The thread holds the loop as long as it runs.
        weak var loop: CurlLoop?
        do {
            let transport = CurlTransport()
            loop = transport.loop
            _ = try await transport.send(HTTPRequest(.post, peer.url("/ok")))
        }
        for _ in 0..<1_000 where loop != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(loop == nil)
        CurlTransport().close()
    }

    @Test
    func `connections that the server closes without a word cost no request, and none goes out twice`() async throws {
        let peer = try PeerProcess("faultd.py")
        let transport = CurlTransport()
        for _ in 0..<30 {
            var request = HTTPRequest(.post, peer.url("/ok"), body: [123, 125])
            do {
                #expect(try await transport.send(request).status == 200)
            } catch let fault as TransportFault {
                // The close crossed the request on its way.
                #expect(fault.kind == .stale)
                request.isFresh = true
                #expect(try await transport.send(request).status == 200)
            }
        }
        let counts = try await transport.send(HTTPRequest(.get, peer.url("/requests"))).text
        #expect(counts == #"{"ok": 30}"#)
    }

    @Test
    func `a request that was lost with a kept connection does not go out again unseen`() async throws {
        let peer = try PeerProcess("plain.py")
        let transport = CurlTransport()
        var request = HTTPRequest(.post, peer.url("/drop"), body: [123, 125])
        var found: TransportFault?
        var sent = 0
        // On a machine that is busy for seconds between the two the connection is too old to be used again.
        while found?.kind != .stale, sent < 10 {
            #expect(try await transport.send(HTTPRequest(.post, peer.url("/first"))).status == 200)
            found = await fault { [request] in try await transport.send(request) }
            sent += 1
        }
        #expect(found?.kind == .stale)
        #expect(found?.mayBeBilled == true)
        #expect(try await transport.send(HTTPRequest(.get, peer.url("/drops"))).text.contains("drops: \(sent)\n"))
        request.isFresh = true
        let second = await fault { [request] in try await transport.send(request) }
        #expect(second?.kind == .emptyReply)
        #expect(try await transport.send(HTTPRequest(.get, peer.url("/drops"))).text.contains("drops: \(sent + 1)\n"))
    }

    @Test
    func `an inflated answer is cut off at the limit, and so is a plain one`() async throws {
        let peer = try PeerProcess("faultd.py")
        let transport = CurlTransport()
        for (path, limit, isRefused) in [
            ("/gzip-bomb", 1 << 20, true), ("/endless", 1 << 20, true), ("/ok", 264, true), ("/ok", 265, false),
            ("/gzip-ok", 264, true), ("/gzip-ok", 265, false), ("/ok", 0, true), ("/ok", -5, true),
            ("/empty-200", 0, false), ("/ok", .max, false),
        ] {
            var request = HTTPRequest(.post, peer.url(path))
            request.limits.bodyBytes = limit
            let found = await fault { [request] in try await transport.send(request) }
            #expect(found?.kind == (isRefused ? .tooLarge : nil), "\(path) \(limit)")
        }
    }

    @Test(arguments: [
        "", "x", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://[::1", "http://127.0.0.1:99999/",
        "http://127.0.0.1:1/a b", "http://127.0.0.1:1/a\nb", "http://127.0.0.1:1/\u{0}", "https:/x",
    ])
    func `an address of no use is said to be, and nothing is sent`(address: String) async {
        let found = await fault { try await CurlTransport().send(HTTPRequest(.post, address)) }
        #expect(found?.kind == .unusable)
        #expect(found?.mayBeBilled == false)
    }

    @Test(arguments: [
        HTTPHeader("", "x"), HTTPHeader("a b", "x"), HTTPHeader("a:", "x"), HTTPHeader("a", "x\r\nEvil: 1"),
        HTTPHeader("a", "x\ny"), HTTPHeader("a", "\u{0}"), HTTPHeader("a\r\nEvil", "x"), HTTPHeader("a", " "),
    ])
    func `a header that would begin another one is not sent`(header: HTTPHeader) async {
        let request = HTTPRequest(.post, "http://127.0.0.1:9/", headers: [header])
        #expect(await fault { try await CurlTransport().send(request) }?.kind == .unusable)
    }

    @Test
    func `nothing that listens, and no such name, are told apart and cost nothing`() async {
        let transport = CurlTransport()
        let refused = await fault { try await transport.send(HTTPRequest(.post, "http://127.0.0.1:1/")) }
        #expect(refused?.kind == .connect)
        #expect(refused?.mayBeBilled == false)
        let unknown = await fault { try await transport.send(HTTPRequest(.post, "http://model.invalid/")) }
        #expect(unknown?.kind == .resolve)
        #expect(unknown?.mayBeBilled == false)
    }

    @Test
    func `limits of no time, and of all time, end as they say`() async throws {
        let peer = try PeerProcess("faultd.py")
        let transport = CurlTransport()
        for none in [Duration.zero, .seconds(-5), .seconds(Int64.min)] {
            var request = HTTPRequest(.post, peer.url("/ok"))
            request.limits.total = none
            let found = await fault { [request] in try await transport.send(request) }
            #expect(found?.kind == .totalTimeout)
        }
        var request = HTTPRequest(.post, peer.url("/ok"))
        request.limits.total = .seconds(Int64.max)
        request.limits.connect = .seconds(Int64.max)
        request.limits.stall = .seconds(Int64.max)
        request.limits.firstByte = .seconds(Int64.max)
        #expect(try await transport.send(request).status == 200)
    }

    @Test
    func `no fault holds the key, the address or the text`() async throws {
        let peer = try PeerProcess("faultd.py")
        for path in ["/rst-before", "/gzip-bad", "/garbage"] {
            let request = HTTPRequest(
                .post, peer.url(path) + "/hush?hush", headers: [HTTPHeader("authorization", "Bearer hush")],
                body: Array("hush".utf8))
            let found = await fault { try await CurlTransport().send(request) }
            let said = String(reflecting: try #require(found))
            #expect(!said.contains("hush"))
            #expect(!said.contains("127"))
        }
    }
}

/// Waits until a server of faults has read these requests, and no others.
private func serverHas(_ peer: PeerProcess, _ requests: String) async throws {
    let watcher = CurlTransport()
    while try await watcher.send(HTTPRequest(.get, peer.url("/requests"))).text != requests {
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// What `work` fails with; nil: it does not.
func fault(_ work: () async throws -> HTTPResponse) async -> TransportFault? {
    do {
        _ = try await work()
        return nil
    } catch {
        return error as? TransportFault ?? TransportFault(.send, code: -1)
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self).replacing("\r\n", with: "\n") }
}
