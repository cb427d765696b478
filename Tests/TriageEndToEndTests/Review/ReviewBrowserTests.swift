import Foundation
import Testing

/// The page of `triage review` in a real browser, over a real server and a store of its own.
@Suite(.serialized)
struct ReviewBrowserTests {
    private static let script = ChildServer.tests.appendingPathComponent("Browser/review_page.py").path

    /// A Python that has selenium and axe-core, beside a Chromium; nil where there is none.
    private static let python: String? = {
        let peers =
            ProcessInfo.processInfo.environment["TRIAGE_PEERS"]
            ?? ChildServer.tests.deletingLastPathComponent().appendingPathComponent(".build/peers").path
        return [peers + "/v/bin/python", "python3"].first {
            (try? Tool.run([$0, script, "--ready"], seconds: 60).status) == 0
        }
    }()

    /// Where the parts of tests are promised to be there, a missing one is a fault and nothing to pass over.
    private static let isRequired = ProcessInfo.processInfo.environment["TRIAGE_PEERS_REQUIRED"] != nil

    @Test(
        .enabled(if: python != nil || isRequired, "no Chromium with selenium and axe-core here: run .ci/peers"),
        arguments: ["keyboard", "undo", "kill", "copy", "faq", "axe", "hostile"])
    func `a person gets through the inbox in a browser`(check: String) throws {
        let cache = Program.warm["XDG_CACHE_HOME"].map { ["--rule-cache", $0 + "/triage"] } ?? []
        let python = try #require(Self.python)
        let outcome = try Tool.run(
            [python, Self.script, check, Program.path] + cache, mixesErrors: true, seconds: 240)
        #expect(outcome.status == 0, "\(outcome.printed.prefix(3000))")
        #expect(outcome.printed.hasPrefix("ok"))
    }
}
