import Testing
import TriageLLM

@Suite struct `Redaction` {
    @Test(arguments: [
        ("write to jo.marsh+x@clay-house.example.", "write to [email 1]."),
        ("jörg.müller@töpfer.example", "[email 1]"),
        ("a@b.example, c@d.example, a@b.example", "[email 1], [email 2], [email 1]"),
        ("dm @mara.makes or @x", "dm [handle 1] or @x"),
        ("call +49 170 1234567 or (030) 901820", "call [phone 1] or [phone 2]"),
        ("06 12 34 56 78", "[phone 1]"), ("612 345 678", "[phone 1]"), ("555-123-4567", "[phone 1]"),
        ("٠٥٠١٢٣٤٥٦٧", "[phone 1]"),
        ("card 4111 1111 1111 1111 ok", "card [card 1] ok"),
        ("DE89 3704 0044 0532 0130 00 please", "[iban 1] please"), ("GB82WEST12345698765432", "[iban 1]"),
        ("order 20261234567", "order [number 1]"),
    ])
    func `takes out what identifies`(text: String, expected: String) {
        #expect(Redactor().redacted(text).text == expected)
    }

    @Test(arguments: [
        "we pay $5,000 or 10.000.000 IDR", "Rp 50 000 000 000", "100 000 000 views", "on 2026-10-03 14:05 or 3.10.2026",
        "budget 8000$ - 20000$", "1 500 000 000 €", "24-70 mm, 64 GB", "30 reels in 12 weeks", "a @ b",
        "version 1.2.3.4",
        "DE00 3704 0044 0532 0130 00 x", "I am 46 years old", "1,000,000 followers",
    ])
    func `leaves amounts, dates and counts`(text: String) {
        let redacted = Redactor().redacted(text)
        #expect(
            redacted.text == text
                || redacted.originals.allSatisfy { $0.placeholder.hasPrefix("[number") && text.hasPrefix("DE00") })
    }

    @Test func `a placeholder that the sender wrote is never taken for one of ours`() {
        let redaction = Redactor().redacted("[email 1] a@b.example [[email 2]")
        #expect(redaction.text == "[email 1] [email 3] [[email 2]")
        #expect(redaction.restored("to [email 3] not [email 1]") == "to a@b.example not [email 1]")
    }

    @Test func `any text comes back as it was`() {
        var seed = TrustSeed(5)
        let parts = [
            "a@b.example", "é@x.example", "e\u{301}", "@someone", "+351 912 345 678", "4111111111111111", "[email 1]",
            "[", "]", "[phone ", "1]",
            " ", "0", "12", "-", ".", "\u{200D}", "٣", "DE89370400440532013000", "text", "\r\n", "email 1", "@", "+",
            "(",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...14, using: &seed)).map { _ in parts.randomElement(using: &seed) ?? "" }
                .joined()
            let redaction = Redactor().redacted(text)
            #expect(
                redaction.restored(redaction.text).unicodeScalars.elementsEqual(text.unicodeScalars),
                "\(text.debugDescription)")
            #expect(Set(redaction.originals.map(\.placeholder)).count == redaction.originals.count)
            #expect(!redaction.text.contains("a@b.example"))
        }
    }
}
