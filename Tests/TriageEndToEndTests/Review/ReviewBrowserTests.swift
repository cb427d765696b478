import Foundation
import Testing

/// The page of `triage review` in a real browser, over a real server and a store of its own.
///
/// One browser at a time in each half: more on two cores only wait for each other.
private func isDone(in check: String) throws {
    let cache = Program.warm["XDG_CACHE_HOME"].map { ["--rule-cache", $0 + "/triage"] } ?? []
    let outcome = try BrowserScript.run(BrowserScript.review, [check, Program.path] + cache)
    #expect(outcome.status == 0, "\(outcome.printed.prefix(3000))")
    #expect(outcome.printed.hasPrefix("ok"))
}

@Suite(.serialized)
struct ReviewBrowserTests {
    @Test(
        .enabled(if: BrowserScript.isUsed, BrowserScript.reason),
        arguments: [
            "keyboard", "undo", "kill", "copy", "draft", "faq", "typed", "blanks", "search", "ends", "arrivals",
            "words",
            "campaigns", "first",
        ])
    func `a person gets through the inbox in a browser`(check: String) throws { try isDone(in: check) }
}

@Suite(.serialized)
struct ReviewScreenTests {
    @Test(
        .enabled(if: BrowserScript.isUsed, BrowserScript.reason),
        arguments: ["phone", "press", "narrow", "axe", "axe_profile", "axe_states", "hostile"])
    func `the page fits every screen, can be read by everyone and runs no stranger's text`(check: String) throws {
        try isDone(in: check)
    }
}
