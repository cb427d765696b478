import Testing
import TriageConfig
import TriageCore

/// The `signals:` of a language file: words for signals that rule files define.
struct LanguageSignalsTests {
    private static let rules = """
        signals:
          - name: business.rate-asked
            why: Asks what a post costs.
            languages: [en]
            words: ["your rates"]
            feeds: {business: 2}
            examples: {match: ["Your rates?"], no_match: ["I rate it"]}
          - name: business.polish
            why: Has words in language files alone.
            feeds: {business: 1}
          - name: business.both
            why: Both.
            when: {all: [business.rate-asked, business.polish]}
            feeds: {business: 1}

        """

    private func load(_ file: String, name: String = "pl.yaml", user: String? = nil) throws -> RuleSet {
        try RuleFileLoader.load(
            shipped: [
                RuleSource(name: "s.yaml", bytes: Array(Self.rules.utf8)),
                RuleSource(name: name, bytes: Array(file.utf8), kind: .language),
            ], user: user.map { RuleSource(name: "rules.yaml", bytes: Array($0.utf8)) })
    }

    private static let whole = """
        language: pl
        signals:
          business.rate-asked:
            words: ["ile bierzesz za"]
            literals: ["stawk"]
            examples: {match: ["Ile bierzesz za story?"], no_match: ["Ile kosztuje kubek?"]}
          business.polish:
            words: ["wycena"]

        """

    @Test func `words and examples stand as if they stood in the signal's file`() throws {
        let rules = try load(Self.whole)
        let signal = try #require(rules.signals.first { $0.name == "business.rate-asked" })
        #expect(
            signal.trigger
                == .patterns([
                    Pattern(kind: .word, text: "your rates", file: "s.yaml", line: 5),
                    Pattern(kind: .word, text: "ile bierzesz za", file: "pl.yaml", line: 4),
                    Pattern(kind: .literal, text: "stawk", file: "pl.yaml", line: 5),
                ]))
        #expect(signal.languages == ["en", "pl"])
        #expect(signal.examples.match == ["Your rates?", "Ile bierzesz za story?"])
        #expect(signal.examples.noMatch == ["I rate it", "Ile kosztuje kubek?"])
        let own = try #require(rules.signals.first { $0.name == "business.polish" })
        #expect(own.languages == ["pl"], "a signal whose file has no patterns is in the languages that bring them")
        #expect(own.trigger == .patterns([Pattern(kind: .word, text: "wycena", file: "pl.yaml", line: 8)]))
    }

    @Test func `a language may have a folder of files, with its words for a signal in one of them`() throws {
        let first = "language: pl\nsignals: {business.polish: {words: [wycena], regex: ['wycen[aye]']}}\n"
        func load(_ second: String) throws -> RuleSet {
            try RuleFileLoader.load(
                shipped: [
                    RuleSource(name: "s.yaml", bytes: Array(Self.rules.utf8)),
                    RuleSource(name: "pl/offers.yaml", bytes: Array(first.utf8), kind: .language),
                    RuleSource(name: "pl/spam.yaml", bytes: Array(second.utf8), kind: .language),
                ])
        }
        let rules = try load("language: pl\nsignals: {business.rate-asked: {words: [ile bierzesz]}}\n")
        #expect(
            rules.signals.first { $0.name == "business.polish" }?.trigger
                == .patterns([
                    Pattern(kind: .word, text: "wycena", file: "pl/offers.yaml", line: 2),
                    Pattern(kind: .regex, text: "wycen[aye]", file: "pl/offers.yaml", line: 2),
                ]))
        let twice = faults { _ in
            _ = try load("language: pl\nsignals: {business.polish: {words: [oferta]}}\n")
        }
        #expect(twice == ["languages.signal-twice pl/spam.yaml:2:11"])
        let other = faults { _ in _ = try load("language: cs\n") }
        #expect(other.contains { $0.hasPrefix("languages.other-tag pl/spam.yaml") }, "\(other)")
    }

    @Test func `the creator's own file comes last`() throws {
        let rules = try load(
            Self.whole, user: "signals:\n  - name: business.rate-asked\n    words: [\"mine\"]\n")
        let signal = try #require(rules.signals.first { $0.name == "business.rate-asked" })
        #expect(
            signal.trigger
                == .patterns([
                    Pattern(kind: .word, text: "mine", file: "rules.yaml", line: 3),
                    Pattern(kind: .literal, text: "stawk", file: "pl.yaml", line: 5),
                ]))
    }

    @Test(arguments: [
        ("signals: {}\n", "languages.no-tag", "pl.yaml:1:1"),
        ("language: cs\n", "languages.other-tag", "pl.yaml:1:1"),
        ("language: pl\nsignals: [a]\n", "languages.wrong-type", "pl.yaml:2:10"),
        ("language: pl\nsignals: {business.rate-aske: {words: [a]}}\n", "rules.unknown-signal", "pl.yaml:2:11"),
        ("language: pl\nsignals: {business.both: {words: [a]}}\n", "languages.no-words-here", "pl.yaml:2:11"),
        ("language: pl\nsignals: {business.polish: {word: [a]}}\n", "config.unknown-key", "pl.yaml:2:29"),
        ("language: pl\nsignals: {business.polish: {words: {a: b}}}\n", "config.wrong-type", "pl.yaml:2:36"),
        ("language: pl\nsignals: {business.polish: {examples: {match: [a]}}}\n", "languages.no-words", "pl.yaml:2:11"),
        (
            "language: pl\nsignals: {business.rate-asked: {words: [Your Rates]}}\n", "rules.duplicate-pattern",
            "pl.yaml:2"
        ),
    ])
    func `a fault has its place and a remedy`(file: String, code: String, place: String) {
        let found = faults { _ in _ = try load(file) }
        #expect(found.contains { $0.contains(code) && $0.contains(place) }, "\(found)")
    }

    @Test func `a tag that triage does not tell apart is a fault`() {
        let found = faults { _ in _ = try load("language: xx\n", name: "xx.yaml") }
        #expect(found.contains { $0.contains("rules.unknown-language") }, "\(found)")
    }

    @Test func `a signal that no language has words for is a fault`() {
        let found = faults { _ in _ = try load("language: pl\n") }
        #expect(found.contains { $0 == "rules.no-trigger s.yaml:8" }, "\(found)")
    }

    @Test func `words count for the digest`() throws {
        let one = try load(Self.whole).digest
        #expect(try load(Self.whole + "# a remark\n").digest != one)
    }
}
