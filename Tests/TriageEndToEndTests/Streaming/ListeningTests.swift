import Foundation
import Testing

/// `triage stream --listen`, as a script sees it that posts what Meta posts, and what others might.
struct ListeningTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Peers/webhook_checks.py")

    @Test(arguments: ["handshake", "stored_first", "forged", "framing", "slow", "again", "start", "kill"])
    func `webhooks are taken in as the guide says`(check: String) throws {
        let cache = Program.warm["XDG_CACHE_HOME"].map { ["--rule-cache", $0 + "/triage"] } ?? []
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", Self.script.path, "--only", check, "--", Program.path] + cache
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
        #expect(said.hasPrefix("ok"))
    }
}
