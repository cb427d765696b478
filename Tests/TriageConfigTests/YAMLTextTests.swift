import Testing
import TriageConfig
import TriageCore

struct YAMLTextTests {
    @Test(arguments: [
        ("Which camera do you use?", "Which camera do you use?"), ("a: b", "\"a: b\""), ("a:b", "a:b"),
        ("ends:", "\"ends:\""), ("x #y", "\"x #y\""), ("#y", "\"#y\""), ("", "\"\""), (" x", "\" x\""),
        ("yes", "\"yes\""), ("null", "\"null\""), ("12", "\"12\""), ("1e5", "\"1e5\""),
        ("2026-10-01", "\"2026-10-01\""),
        ("12:30", "\"12:30\""), ("- x", "\"- x\""), ("say \"hi\"", "say \"hi\""), ("\"hi\"", "\"\\\"hi\\\"\""),
        ("a\tb", "\"a\\tb\""), ("¿Qué cámara? 📷", "¿Qué cámara? 📷"), ("a\u{0}b\u{7F}", "\"a\\u0000b\\u007F\""),
        ("a\u{85}b\u{2028}c", "\"a\\u0085b\\u2028c\""), ("@me", "\"@me\""), ("*x*", "\"*x*\""),
    ])
    func `quotes only what needs it`(text: String, expected: String) {
        #expect(YAMLText.scalar(text) == expected)
    }

    @Test func `gives back every text as it was`() {
        var texts = [
            "a\nb", "a\n\nb\n", " a\nb", "a \nb", "a\nb\n\n", "\na", "a\n# b", "a\r\nb", "a\n  b\n c", "\t\na",
        ]
        for value in 0...0x2FF {
            if let scalar = Unicode.Scalar(value) {
                texts += ["\(scalar)", "x\(scalar)", "\(scalar)x", "x \(scalar) y"]
            }
        }
        texts += ["\u{FEFF}x", "\u{FFFE}", "\u{10FFFF}", "\u{E0041}x", "null", "~", "Yes", "0x1F", ".5", "+1", "1_000"]
        for text in texts {
            let source =
                "k: \(YAMLText.scalar(text))\nl: [\(YAMLText.scalar(text) == text ? "1" : YAMLText.scalar(text))]\n"
            let collector = FaultCollector()
            let root = ConfigDocument(name: "f", bytes: Array(source.utf8), faults: collector).root
            guard case .scalar(let back, _)? = root?["k"]?.value else {
                Issue.record("nothing came back of \(text.debugDescription)")
                continue
            }
            #expect(back == text && collector.isEmpty)
        }
    }
}
