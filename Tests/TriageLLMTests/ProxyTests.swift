import Testing

@testable import TriageLLM

@Suite struct `Proxies` {
    @Test
    func `the variables are read as curl reads them`() {
        #expect(ProxySettings(environment: [:]) == .none)
        #expect(
            ProxySettings(environment: ["http_proxy": "a", "HTTPS_PROXY": "b", "NO_PROXY": "c"])
                == ProxySettings(http: "a", https: "b", exceptions: "c"))
        #expect(
            ProxySettings(environment: ["https_proxy": "a", "HTTPS_PROXY": "b", "no_proxy": "c", "NO_PROXY": "d"])
                == ProxySettings(https: "a", exceptions: "c"))
        #expect(
            ProxySettings(environment: ["ALL_PROXY": "a", "https_proxy": ""]) == ProxySettings(http: "a", https: "a"))
        #expect(ProxySettings(environment: ["HTTP_PROXY": "a"]) == .none)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/v1", true), ("http://127.9.9.9", true), ("https://LOCALHOST/x", true),
        ("http://localhost.:1/", true), ("http://a.localhost/", true), ("http://[::1]:80/", true),
        ("http://[::ffff:127.0.0.1]/", true), ("http://127.0.0.1.evil.com/", false),
        ("http://localhost.evil.com/", false), ("http://notlocalhost/", false), ("http://127.0.0.1@evil.com/", false),
        ("http://evil.com/127.0.0.1", false), ("http://evil.com#@localhost", false), ("http://[::2]/", false),
        ("http://10.0.0.1/", false), ("http://0.0.0.0/", false), ("localhost", false), ("", false),
        ("http://evil.com\\@localhost/", false),
    ])
    func `this machine is known by the host that would be asked`(address: String, isHere: Bool) {
        #expect(CurlTransport.isLoopback(address) == isHere)
    }

    @Test
    func `a proxy is asked for other hosts, not for exceptions, and never for this machine`() async throws {
        let proxy = try PeerProcess("plain.py"), server = try PeerProcess("plain.py")
        var options = CurlTransport.Options()
        options.proxy = ProxySettings(http: proxy.url(), https: proxy.url(), exceptions: "direct.invalid")
        let transport = CurlTransport(options)
        let seen = try await transport.send(HTTPRequest(.get, "http://model.invalid/v1")).text
        #expect(seen.hasPrefix("GET http://model.invalid/v1 HTTP/1.1"))
        let direct = await fault { try await transport.send(HTTPRequest(.get, "http://direct.invalid/v1")) }
        #expect(direct?.kind == .resolve)
        for host in ["127.0.0.1", "localhost"] {
            let text = try await transport.send(HTTPRequest(.get, "http://\(host):\(server.port)/x")).text
            #expect(text.hasPrefix("GET /x HTTP/1.1"))
        }
        // The proxy refuses to pass TLS on: nothing went out.
        let refused = await fault { try await transport.send(HTTPRequest(.get, "https://model.invalid/v1")) }
        #expect(refused?.kind == .connect)
        #expect(refused?.mayBeBilled == false)
    }
}
