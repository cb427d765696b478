import Testing

@testable import TriageStages

struct FAQSpansTests {
    private func spans(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return FAQSpans(bytes).ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("", [""]),
            ("  Which camera?  \n", ["Which camera?"]),
            (
                "Love it! Which camera is it? Bye now.",
                ["Love it! Which camera is it? Bye now.", "Which camera is it?"]
            ),
            (
                "First sentence. Second one here! Third…  ok",
                ["First sentence. Second one here! Third…  ok", "First sentence.", "Second one here!", "Third…"]
            ),
            ("one line here\nanother line", ["one line here\nanother line", "one line here", "another line"]),
            ("v1.2.3 of a.b.c is out", ["v1.2.3 of a.b.c is out"]),
            ("すごい動画です。カメラは何ですか？", ["すごい動画です。カメラは何ですか？", "カメラは何ですか？"]),
            ("مرحبا بك دائما. ما هي الكاميرا؟ شكرا", ["مرحبا بك دائما. ما هي الكاميرا؟ شكرا", "ما هي الكاميرا؟"]),
        ] as [(String, [String])])
    func `a message is read whole and by the sentences that ask, or by all if none does`(
        text: String, expected: [String]
    ) {
        #expect(spans(text) == expected)
    }

    @Test func `long messages are cut between characters and give four sentences`() {
        let found = spans(String(repeating: "Wie schön ist das größte Boot hier? ", count: 100))
        #expect(found.count == 5)
        #expect(found[0].utf8.count <= FAQSpans.longest)
        #expect(!found[0].unicodeScalars.contains("\u{FFFD}"))
    }

    @Test(arguments: [[0xD8], [0xE2, 0x80], [0xEF, 0xBC], [0x3F, 0x80, 0x80], [0xFF]] as [[UInt8]])
    func `broken characters at the end are read as they are`(bytes: [UInt8]) {
        #expect(
            FAQSpans(bytes).ranges.allSatisfy { bytes.indices.contains($0.lowerBound) && $0.upperBound <= bytes.count })
    }
}
