import Foundation
import Testing

/// `triage stream --listen`, as a script sees it that posts what Meta posts, and what others might.
struct ListeningTests {
    @Test(arguments: ["handshake", "stored_first", "forged", "framing", "slow", "again", "start", "kill"])
    func `webhooks are taken in as the guide says`(check: String) throws {
        let cache = Program.warm["XDG_CACHE_HOME"].map { ["--rule-cache", $0 + "/triage"] } ?? []
        let script = ChildServer.tests.appendingPathComponent("Peers/webhook_checks.py").path
        let checked = try Tool.run(["python3", script, "--only", check, "--", Program.path] + cache)
        #expect(checked.status == 0, "\(checked.printed)")
        #expect(checked.printed.hasPrefix("ok"))
    }
}
