import Foundation
import Testing

/// The page of `triage review` in a real browser, over a real server and a store of its own.
@Suite(.serialized)
struct ReviewBrowserTests {
    @Test(
        .enabled(if: BrowserScript.isUsed, BrowserScript.reason),
        arguments: [
            "keyboard", "undo", "kill", "copy", "draft", "faq", "phone", "press", "narrow", "typed", "blanks", "search",
            "ends", "arrivals", "words", "campaigns", "first", "axe", "axe_profile", "axe_states", "hostile",
        ])
    func `a person gets through the inbox in a browser`(check: String) throws {
        let cache = Program.warm["XDG_CACHE_HOME"].map { ["--rule-cache", $0 + "/triage"] } ?? []
        let outcome = try BrowserScript.run(BrowserScript.review, [check, Program.path] + cache)
        #expect(outcome.status == 0, "\(outcome.printed.prefix(3000))")
        #expect(outcome.printed.hasPrefix("ok"))
    }
}
