import Testing
import TriageCore

@testable import TriageLLM

/// A real model behind the field's most common server: HTTP/2, TLS, connections that end after five requests.
@Suite(
    .enabled(
        if: RealPeers.areUsed && RealPeers.nginxIsUsed, "nginx or the servers of .ci/peers are not installed"))
struct `A model behind nginx` {
    let folder: TemporaryFolder
    let peer: PeerProcess
    let transport: CurlTransport

    init() async throws {
        folder = try TemporaryFolder()
        peer = try PeerProcess("nginx.py", [folder.path, "\(try await RealPeers.llama().port)"])
        var options = CurlTransport.Options()
        options.caFile = folder.path + "/cert.pem"
        transport = CurlTransport(options)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a hundred messages are all answered`() async throws {
        var asking = asking("/model/v1")
        (asking.settings.maxConcurrency, asking.settings.startConcurrency) = (16, 16)
        let (caller, fixed) = (asking.caller, asking)
        let answered = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    if case .success = await caller.call(fixed.query("\(number)", room: 2)) { true } else { false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(answered == 100)
        #expect(caller.report.endings == ["ok": 100])
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            ("/big/v1", CallFailure.tooLong, 1),
            ("/dead/v1", .transient(.status(502)), 4),
            ("/short/v1?x=/hang", .transient(.status(504)), 4),
            ("/limited/v1", .rateLimited(after: nil), 4),
        ])
    func `a refusal has a name and its number of attempts`(path: String, failure: CallFailure, attempts: Int)
        async throws
    {
        var asking = asking(path)
        asking.random = { 0 }
        // One request a minute is let through, to an answer that is no model's.
        if path.hasPrefix("/limited") { _ = try await asking.once(asking.query()) }
        let caller = asking.caller
        let result = await caller.call(asking.query(String(repeating: "text ", count: 400)))
        #expect(result == .failure(failure))
        #expect(caller.report.attempts == attempts)
    }

    @Test
    func `a stream that is dropped is a lost connection`() async throws {
        var asking = asking("/drop/v1")
        asking.random = { 0 }
        let caller = asking.caller
        guard case .failure(let failure) = await caller.call(asking.query()) else {
            Issue.record("an answer")
            return
        }
        #expect(failure.code == "llm.connection")
        #expect(caller.report.attempts == 4)
    }

    @Test
    func `a certificate that is not trusted ends the asking with one attempt`() async throws {
        var asking = asking("/model/v1")
        asking.transport = CurlTransport()
        let caller = asking.caller
        for _ in 0..<2 {
            guard case .failure(.transient(.transport(let fault))) = await caller.call(asking.query()) else {
                Issue.record("no fault of the transport")
                return
            }
            #expect(fault.kind == .certificate)
        }
        #expect(caller.report.attempts == 1)
    }

    private func asking(_ path: String) -> PeerAsking {
        PeerAsking(.openai, "https://localhost:\(peer.port)\(path)", transport: transport)
    }
}
