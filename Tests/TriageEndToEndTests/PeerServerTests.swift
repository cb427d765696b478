import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Servers of the tests do not outlive them, however they end.
struct PeerServerTests {
    /// Whether nobody listens any more, within ten seconds.
    private func isGone(_ port: Int) -> Bool {
        for _ in 0..<100 {
            do {
                _ = try LoopbackSocket.get("/", port: port)
            } catch let failed as LoopbackSocket.Failed where failed.code == ECONNREFUSED {
                return true
            } catch {}
            usleep(100_000)
        }
        return false
    }

    @Test(
        .enabled(if: PeerServer.installed != nil, "llmock is not installed: run .ci/peers"),
        arguments: [SIGTERM, SIGKILL])
    func `llmock ends with the process that started it, whatever ended that`(signal: Int32) throws {
        let python = (PeerServer.installed ?? "") + "/v/bin/python"
        let server = try ChildServer("serve_package.py", ["llmock", "--log-level", "warning"], python: python)
        #expect(kill(server.identifier, signal) == 0)
        #expect(isGone(server.port))
    }

    @Test(arguments: ["batches.py", "scripted_llm.py", "faultd.py", "plain.py"])
    func `a server ends with the process that started it, also while another holds its input open`(
        script: String
    ) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let path = ChildServer.tests.appendingPathComponent("Peers/\(script)").path
        // The shell starts both, and waits for them.
        shell.arguments = ["-c", #"sleep 15 | python3 "$0"; exit"#, path]
        let output = Pipe()
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != 0x0A { line.append(byte) }
        let port = try #require(Int(String(decoding: line, as: UTF8.self)))
        #expect(!String(decoding: line, as: UTF8.self).isEmpty)
        #expect(kill(shell.processIdentifier, SIGKILL) == 0)
        #expect(isGone(port))
    }
}
