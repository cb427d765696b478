import Foundation
import Testing

/// The scripts of `Tests/Browser`, run where there is a Chromium with selenium and axe-core.
enum BrowserScript {
    /// Pages that stand alone, as a real browser shows them.
    static let stillPages = path("still_pages.py")
    /// The page of `triage review`.
    static let review = path("review_page.py")

    static let reason: Comment = "no Chromium with selenium and axe-core here: run .ci/peers"

    /// Whether tests of pages run.
    ///
    /// Where the parts of tests are promised to be there, a missing one is a fault and nothing to pass over.
    static let isUsed = python != nil || ProcessInfo.processInfo.environment["TRIAGE_PEERS_REQUIRED"] != nil

    private static let python: String? = {
        let peers =
            ProcessInfo.processInfo.environment["TRIAGE_PEERS"]
            ?? ChildServer.tests.deletingLastPathComponent().appendingPathComponent(".build/peers").path
        return [peers + "/v/bin/python", "python3"].first {
            (try? Tool.run([$0, stillPages, "--ready"], seconds: 60).status) == 0
        }
    }()

    /// Runs one to its end.
    static func run(_ script: String, _ arguments: [String]) throws -> (status: Int32, printed: String) {
        try Tool.run([#require(python), script] + arguments, mixesErrors: true, seconds: 240)
    }

    private static func path(_ name: String) -> String {
        ChildServer.tests.appendingPathComponent("Browser/" + name).path
    }
}
