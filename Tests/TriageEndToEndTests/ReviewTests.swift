import Foundation
import Testing

/// `triage review`, as a browser sees it, and as others might who would like to.
struct ReviewTests {
    @Test(arguments: [
        "strangers", "links", "paths", "bodies", "slow", "headers", "hostile", "decisions", "reasons", "killed",
        "together", "events", "windows", "library", "profile", "starts",
    ])
    func `the page's server keeps what it promises`(check: String) throws {
        let cache = Program.warm["XDG_CACHE_HOME"].map { ["--rule-cache", $0 + "/triage"] } ?? []
        let script = ChildServer.tests.appendingPathComponent("Peers/review_checks.py").path
        let checked = try Tool.run(["python3", script, "--only", check, "--", Program.path] + cache)
        #expect(checked.status == 0, "\(checked.printed)")
        #expect(checked.printed.hasPrefix("ok"))
    }
}
