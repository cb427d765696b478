import Testing
import TriageLLM

@Suite struct `TLS` {
    @Test
    func `a certificate that nobody vouches for is refused without its file and taken with it`() async throws {
        let folder = try TemporaryFolder()
        let peer = try PeerProcess("plain.py", ["--tls", folder.path])
        let address = "https://localhost:\(peer.port)/x"
        let refused = await fault { try await CurlTransport().send(HTTPRequest(.get, address)) }
        #expect(refused?.kind == .certificate)
        #expect(refused?.isTransient == false)
        #expect(refused?.mayBeBilled == false)

        var options = CurlTransport.Options()
        options.caFile = folder.path + "/cert.pem"
        #expect(try await CurlTransport(options).send(HTTPRequest(.get, address)).status == 200)
        options.caFile = folder.path + "/none.pem"
        let missing = await fault { try await CurlTransport(options).send(HTTPRequest(.get, address)) }
        #expect(missing?.kind == .unusable)
    }

    @Test
    func `a server that speaks no TLS, or hangs up on it, is a fault of TLS`() async throws {
        let peer = try PeerProcess("plain.py")
        let found = await fault {
            try await CurlTransport().send(HTTPRequest(.get, "https://localhost:\(peer.port)/x"))
        }
        #expect(found?.kind == .tls)
        #expect(found?.mayBeBilled == false)
    }

    @Test
    func `a server that is silent before TLS stands is one that cannot be connected to in time`() async throws {
        let peer = try PeerProcess("plain.py", ["--silent"])
        var request = HTTPRequest(.get, "https://localhost:\(peer.port)/x")
        request.limits.connect = .milliseconds(300)
        let found = await fault { [request] in try await CurlTransport().send(request) }
        #expect(found?.kind == .connectTimeout)
        #expect(found?.mayBeBilled == false)
    }
}
