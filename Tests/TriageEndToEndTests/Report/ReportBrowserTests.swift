import Foundation
import Testing

/// Pages as a real browser shows them, opened from disk with the network off.
struct ReportBrowserTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func page(_ name: String, _ records: String, _ further: [String] = []) throws -> String {
        let outcome = try Program.run(
            ["report", "-", "-o", folder.place(name)] + further, input: records, directory: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return folder.place(name)
    }

    @Test(.enabled(if: BrowserScript.isUsed, BrowserScript.reason))
    func `axe finds nothing, no script runs and no request leaves, in both themes and on every screen`() throws {
        let samples = ChildServer.tests.deletingLastPathComponent().appendingPathComponent("Samples").path
        let annotated = try Program.run([
            "run", samples + "/instagram-mara.zip", "--creator", samples + "/creator.yaml", "--faq",
            samples + "/faq.yaml", "-q",
        ])
        let hostile = [0..<30, 30..<60].map { part in
            part.map { ReportAttackTests.record(HostileTexts.all[$0], $0) }.joined()
        }
        let pages = [
            try page("sample.html", annotated.text), try page("empty.html", ""),
            try page("first.html", hostile[0], ["--title", "</title><script>alert(1)</script>"]),
            try page("second.html", hostile[1], ["--no-text"]),
        ]
        let outcome = try BrowserScript.run(BrowserScript.stillPages, pages)
        #expect(outcome.status == 0, "\(outcome.printed.prefix(3000))")
    }
}
