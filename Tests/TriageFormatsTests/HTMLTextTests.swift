import Testing

@testable import TriageFormats

/// HTML as people's mails and exports have it.
struct HTMLTextTests {
    @Test(arguments: [
        ("", ""),
        ("just words", "just words"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("<div>one</div><div><br></div><div>two</div>", "one\n\ntwo"),
        ("<div>one<br></div><div>two</div>", "one\ntwo"),
        ("a<br><br><br><br>b", "a\n\nb"),
        ("  much \n\t blank&nbsp;&nbsp; here ", "much blank here"),
        ("<b>b</b>old, <i>i</i>t", "bold, it"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<ul><li>x<li>y</ul>z", "x\ny\nz"),
        ("&lt;tag&gt; &amp; &euro; &#8364; &#x1F600; &nosuch; &amp;amp;", "<tag> & € € 😀 &nosuch; &amp;"),
        ("<a href=\"https://shop.example/x?a=1&amp;b=2\">the shop</a>", "the shop"),
        ("<a href=\"https://shop.example/x?a=1&amp;b=2\"><img src=\"cid:1\"></a>", "https://shop.example/x?a=1&b=2"),
        ("<a href=\"mailto:ada@x.example?subject=hi\"> </a>", "ada@x.example"),
        ("<a href=\"javascript:alert(1)\"></a>.", "."),
        ("<html><head><title>t</title><style>p{}</style></head><body>b<script>if (a<b) {}</script></body></html>", "b"),
        ("<div style=\"DISPLAY: none; color:red\">preview</div>text", "text"),
        ("<div style=\"max-height:0px;overflow:hidden\">preview</div><p hidden>no</p>text", "text"),
        ("<div style=\"max-height:0.5em\">seen</div>", "seen"),
        ("<span style=\"display:none-such\">seen</span>", "seen"),
        ("<div style=\"display:none\">never closed", "never closed"),
        ("hi <img alt=\"😀\" src=\"https://t.example/p.gif\"><img alt=\"logo\" src=\"x\">you", "hi 😀you"),
        ("<pre>one\n two</pre>", "one\ntwo"),
        ("<div style=\"white-space: pre-wrap\">one\ntwo</div>", "one\ntwo"),
        ("so\u{AD}ft ze\u{200B}ro می\u{200C}خواهم", "soft zero می\u{200C}خواهم"),
        ("<!-- <p>not</p> --><![if !mso]>kept<![endif]>", "kept"),
        ("a<!-->b<!--->c<!-- <a href=\" --!>d<!-- - -- > -->e<!-->f", "abcdef"),
        ("a<!-x>b<!->c<!>d</b \">e", "abcde"),
        ("<SCRIPT>a < b </scrip> <!-- </p> x</Script >b<style/>c<script x='>'>no</script>d", "bcd"),
        ("a<script>never closed <p>b</p>", "a"),
        ("a < b and 3 > 2", "a < b and 3 > 2"),
        ("<p title=\"a>b\">c", "c"),
        ("<font color=red>unclosed <b>all", "unclosed all"),
        ("<!DOCTYPE html [<!ENTITY x SYSTEM \"file:///etc/passwd\"><!ENTITY y \"boom\">]>&x;&y;", "]>&x;&y;"),
        ("<meta charset=\"iso-8859-1\"><p>für dich</p>", "für dich"),
    ])
    func `a page becomes the text one sees`(html: String, text: String) {
        #expect(HTMLText.plain(html) == text)
    }

    /// Events as words, with neighboring texts as one.
    private func events(_ bytes: [UInt8], pieces: Int) -> [String] {
        var out: [String] = []
        var text: [UInt8] = []
        func take(_ event: HTMLEvent) {
            if event.kind == .text {
                text += event.bytes
                return
            }
            if !text.isEmpty { out.append("'" + String(decoding: text, as: UTF8.self) + "'") }
            text = []
            out.append((event.kind == .start ? "+" : "-") + event.string)
            if let value = event.attribute("class") { out.append("." + value) }
        }
        let scanner = HTMLScanner()
        var at = 0
        while at < bytes.count {
            let end = min(at + pieces, bytes.count)
            bytes[at..<end].withUnsafeBufferPointer { scanner.feed($0, take) }
            at = end
        }
        scanner.finish(take)
        if !text.isEmpty { out.append("'" + String(decoding: text, as: UTF8.self) + "'") }
        return out
    }

    @Test func `events do not depend on how the bytes are cut`() {
        let page = "<div class='a _b'><p>Grüße &amp; <b>mehr</b> 😀<br></p>\n<a href=x>l</a></div>"
        let bad: [UInt8] = [0xF0, 0x9F, 0x98, 0x3C, 0xE2, 0x82, 0x20, 0xFF, 0x00, 0xC3]
        let bytes = Array((0..<1500).flatMap { Array(page.utf8) + ($0 % 7 == 0 ? bad : []) })
        let whole = events(bytes, pieces: bytes.count)
        #expect(whole.count > 10_000)
        for pieces in [1, 2, 3, 1000, 16_384, 16_385] { #expect(events(bytes, pieces: pieces) == whole) }
    }

    /// What the parser keeps to itself until the end would be the whole page.
    @Test(arguments: [1000, 16_384])
    func `a long page is handed on as it goes`(pieces: Int) {
        let entry =
            "<div class=\"pam _a6-g noborder\"><h2 class='_a6-h'>Zoë</h2><!-- \" --><p>it's 3 > 2</p><br></div>"
            + "<script>if (a < b) { c = \"</p>\" }</script><style>p > q { x: '<' }</style>"
        let bytes = Array(String(repeating: entry, count: 8000).utf8)
        let scanner = HTMLScanner()
        var count = 0
        var starts = 0
        for at in stride(from: 0, to: bytes.count, by: pieces) {
            let before = starts
            bytes[at..<min(at + pieces, bytes.count)].withUnsafeBufferPointer { piece in
                scanner.feed(piece) { if $0.kind == .start { starts += 1 } }
            }
            count = max(count, starts - before)
        }
        #expect(starts > 8000 * 6 - 2000 && count < 2000)
        scanner.finish { if $0.kind == .start { starts += 1 } }
        #expect(starts == 8000 * 6)
    }

    @Test func `tags have names in lower case, attributes and classes`() {
        var seen: [String] = []
        let scanner = HTMLScanner()
        let html = Array("<DIV CLASS=\"_a6-g  uiBox\tx\" data-id='7' hidden>t</DIV>".utf8)
        html.withUnsafeBufferPointer {
            scanner.feed($0) { _ in }
            scanner.finish { event in
                guard event.kind == .start, event.isTag("div") else { return }
                seen.append(event.attribute("data-id") ?? "-")
                #expect(event.hasClass("_a6-g") && event.hasClass("uiBox") && event.hasClass("x"))
                #expect(!event.hasClass("_a6") && !event.hasClass("uiBox x") && !event.hasClass(""))
                #expect(event.attribute("hidden") != nil && event.attribute("title") == nil)
            }
        }
        #expect(seen == ["7"])
    }

    @Test(arguments: [
        ("<div>", "</span>"), ("<b>", "</i>"), ("<p ", ">"), ("<a href=\"", "\">"), ("<table><tr><td>", "x"),
        ("<!--", "-"), ("&amp", ";"), ("<a b=c d=e ", "f "), ("<![CDATA[", "]"), ("<script>", "<"), ("<a a0=\"", "\""),
        ("</p>", "<br>"), ("<<<", ">"), ("<li>", "</ul>"), ("<option><select>", "</p>"),
    ])
    func `hostile pages come to an end`(opening: String, closing: String) {
        let html = String(repeating: opening, count: 60_000) + String(repeating: closing, count: 60_000) + "<p>end"
        let text = HTMLText.plain(html)
        #expect(text.utf8.count <= HTMLText.limit)
    }

    @Test func `what stands deeper than any page goes is still read`() {
        let depth = 5000
        let html =
            "<p>top</p>" + (0..<depth).map { "<div class=\"c\($0)\">t\($0) " }.joined()
            + String(repeating: "</div>", count: depth) + "<p>end</p>"
        let text = HTMLText.plain(html)
        for i in [0, 997, 998, 999, 1000, 1001, 2500, 4999] { #expect(text.contains("t\(i)"), "\(i)") }
        #expect(text.hasPrefix("top\nt0\n") && text.hasSuffix("end"))
    }

    @Test func `a tag with too many attributes loses those, and nothing else`() {
        let html = "<p>a</p><p " + (0..<50_000).map { "a\($0)=\"\($0)\" " }.joined() + ">b</p><p>c"
        #expect(HTMLText.plain(html) == "a\nb\nc")
    }
}
