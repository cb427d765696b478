import Testing
import TriageCore

@testable import TriageStages

struct TextReferenceTests {
    /// A text and what the model reads of it: words, and signs with what they stand for.
    private static func read(_ text: String) -> [String] {
        var batch = TextBatch.make([text], languages: ["en"])
        var found: [(place: Int, what: String)] = []
        batch.withAnswerView { view in
            let folded = view.records[0].folded
            let bytes = UnsafeBufferPointer(rebasing: view.folded[folded.span.range])
            func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
            var walk = TextWalk(text: bytes, tokens: UnsafeBufferPointer(rebasing: view.tokens[folded.tokens]))
            walk.run(
                word: { token, _ in
                    let start = Int(token.start)
                    found.append((start, string(start..<start + Int(token.count))))
                },
                sign: { feature, range in
                    let kinds: [(TextReference, String)] = [(.link, "LINK"), (.mail, "MAIL"), (.mention, "NAME")]
                    let kind = kinds.first { TextFeature.word($0.0.hash) == feature }?.1
                    found.append((range.lowerBound, kind ?? string(range)))
                })
        }
        return found.map(\.what)
    }

    @Test(arguments: [
        ("see https://shop.example.com/a?b=c#d now", ["see", "LINK", "now"]),
        ("http://x.y", ["LINK"]), ("www.maker-tools.com/partners, thanks", ["LINK", "thanks"]),
        ("maker-tools.com is ours", ["LINK", "is", "ours"]),
        ("write to ana.b@maker.co.uk today", ["write", "to", "MAIL", "today"]),
        ("ana@maker.com", ["MAIL"]), ("@tom_hills hi", ["@", "NAME", "hi"]),
        ("hi @jo.smith!", ["hi", "@", "NAME", "!"]), ("linktr.ee/ana", ["LINK"]),
        // A missing blank, a time, a price, a word with a colon.
        ("love it.see you", ["love", "it", ".", "see", "you"]),
        ("at 10:30 or 5.50", ["at", "10", ":", "30", "or", "5", ".", "50"]),
        ("an e-club, well-known", ["an", "e", "-", "club", ",", "well", "-", "known"]),
        ("note: two", ["note", ":", "two"]), ("meet @ 5", ["meet", "@", "5"]),
        ("no.it works", ["no", ".", "it", "works"]),
    ])
    func `a link, an address and a mention count as such, however they are spelled`(text: String, wanted: [String]) {
        #expect(Self.read(text) == wanted)
    }

    @Test(arguments: [
        "https://", "http://\u{0}", "@", "a@", "@@@@", "www.", "a.b@", "://x", "https://é", "a@b@c.com", "x.com.",
    ])
    func `what only begins like one is read to its end`(text: String) { _ = Self.read(text + " end") }

    @Test func `another link, address or name in its place changes nothing that the model reads`() {
        let texts = ["https://a.example/x", "https://company-partners.io", "www.other.net/abc?d=1"].map {
            "we love it " + $0
        }
        #expect(Set(texts.map(Self.read)).count == 1)
    }
}
