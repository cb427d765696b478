import Testing

@testable import TriageStages

struct SentenceTextTests {
    @Test(arguments: [
        ("love this", "love this"),
        ("love  this\n\nso much", "love this so much"),
        ("@mara love this #sourdough https://shop.example/x?y=1", "love this"),
        ("(www.shop.example) love this", "love this"),
        ("love this shop.example/sale", "love this"),
        ("love this and/or that, 3/4 of it", "love this and/or that, 3/4 of it"),
        ("write to me@shop.example", "write to me@shop.example"),
        ("we are # 1 @ 5 pm", "we are # 1 @ 5 pm"),
        ("see shop.example", "see shop.example"),
        ("#müsli @ömer ok", "ok"),
        ("https://a.example", "https://a.example"),
        ("", ""),
    ])
    func `links, mentions and hashtags are left out, and nothing else`(text: String, plain: String) {
        #expect(String(decoding: SentenceText.plain(text.utf8), as: UTF8.self) == plain)
    }
}
