import Foundation
import Testing
import TriageLLM

/// HTTP/2 and refusals as the field's most common server has them.
@Suite(.enabled(if: RealPeers.nginxIsUsed, "nginx is not installed: HTTP/2 is not tested")) struct `Behind nginx` {
    let folder: TemporaryFolder
    let peer: PeerProcess
    let options: CurlTransport.Options

    init() throws {
        folder = try TemporaryFolder()
        peer = try PeerProcess("nginx.py", [folder.path])
        var options = CurlTransport.Options()
        options.caFile = folder.path + "/cert.pem"
        self.options = options
    }

    @Test
    func `a hundred requests come through connections that end after five`() async throws {
        let transport = CurlTransport(options)
        let answers = try await all(100, transport)
        #expect(answers.count == 100)
        #expect(answers.allSatisfy { $0.status == 200 && $0.header("x-protocol") == "HTTP/2.0" })
        #expect(Set(answers.compactMap { $0.header("x-connection") }).count >= 100 / 6)
    }

    @Test
    func `HTTP/2 can be switched off`() async throws {
        var options = options
        options.isHTTP1Only = true
        options.maxConnectionsPerHost = 4
        let answers = try await all(20, CurlTransport(options))
        #expect(answers.allSatisfy { $0.status == 200 && $0.header("x-protocol") == "HTTP/1.1" })
    }

    @Test(arguments: [(["/limited", "/limited"], 429), (["/dead"], 502), (["/short/hang"], 504), (["/big"], 413)])
    func `refusals come as statuses`(paths: [String], status: Int) async throws {
        let transport = CurlTransport(options)
        var last = 0
        // On a machine that is busy for minutes a second request is not too soon; some later one is.
        for _ in 0..<10 where last != status {
            for path in paths {
                let request = HTTPRequest(.post, url(path), body: Array(repeating: 32, count: 2_000))
                last = try await transport.send(request).status
            }
        }
        #expect(last == status)
    }

    @Test
    func `a stream that is dropped is a fault`() async {
        let found = await fault { try await CurlTransport(options).send(HTTPRequest(.post, url("/drop"))) }
        #expect(found?.isTransient == true)
        #expect(found?.mayBeBilled == true)
    }

    /// Sends `count` requests, 32 at a time; one that was lost with its connection goes again, as callers do.
    private func all(_ count: Int, _ transport: CurlTransport) async throws -> [HTTPResponse] {
        let request = HTTPRequest(.post, url("/x"), body: Array("{}".utf8))
        return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            var answers: [HTTPResponse] = []
            for index in 0..<count {
                if index >= 32, let answer = try await group.next() { answers.append(answer) }
                group.addTask {
                    for _ in 0..<3 {
                        do { return try await transport.send(request) } catch let fault as TransportFault {
                            #expect(fault.isTransient)
                        }
                    }
                    return try await transport.send(request)
                }
            }
            for try await answer in group { answers.append(answer) }
            return answers
        }
    }

    private func url(_ path: String) -> String { "https://localhost:\(peer.port)\(path)" }
}
