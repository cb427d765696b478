import Testing
import TriageConfig
import TriageCore

struct RuleFileLoaderTests {
    private static let prize = """
        signals:
          - name: spam.prize
            why: Nobody wins what they did not enter.
            languages: [en]
            words: ["you won", "claim your prize"]
            literals: ["🎁"]
            regex: ["[0-9]{3,6} usd"]
            feeds: {spam: 1.5, fan: -0.5}
            repeat: 2
            examples: {match: ["You won!"], no_match: ["we won the cup"]}

        """

    private func load(_ shipped: String..., user: String? = nil) throws -> RuleSet {
        try RuleFileLoader.load(
            shipped: shipped.enumerated().map { RuleSource(name: "s\($0).yaml", bytes: Array($1.utf8)) },
            user: user.map { RuleSource(name: "rules.yaml", bytes: Array($0.utf8)) })
    }

    private func faultList(_ shipped: String, user: String? = nil) -> [String] {
        faults { _ in _ = try load(shipped, user: user) }
    }

    @Test func `reads every key of a signal`() throws {
        let rules = try load(Self.prize)
        let signal = try #require(rules.signals.first)
        #expect(signal.name == "spam.prize")
        #expect(signal.languages == ["en"])
        #expect(
            signal.trigger
                == .patterns([
                    Pattern(kind: .word, text: "you won", file: "s0.yaml", line: 5),
                    Pattern(kind: .word, text: "claim your prize", file: "s0.yaml", line: 5),
                    Pattern(kind: .literal, text: "🎁", file: "s0.yaml", line: 6),
                    Pattern(kind: .regex, text: "[0-9]{3,6} usd", file: "s0.yaml", line: 7),
                ]))
        #expect(signal.feeds.category == SIMD4(-0.5, 0, 1.5, 0) && signal.feeds.feedsCategory)
        #expect(signal.repeatLimit == 2)
        #expect(signal.examples == Signal.Examples(match: ["You won!"], noMatch: ["we won the cup"]))
        #expect(signal.place == "s0.yaml:2")
        #expect(rules.digest.count == 12)
    }

    @Test func `reads every target`() throws {
        let rules = try load(
            """
            signals:
              - {name: a, words: [a], feeds: {urgent: 1, kind.self-harm: 1, injection: 2, fact.product-gift: 1, fact.legal: 1}}
              - {name: b, words: [b], feeds: {positive: 0}}
              - {name: c, words: [c], feeds: {negative: 2, positive: -1}}
              - {name: d, words: [d], feeds: {negation: 1}}
              - {name: e, words: [e], feeds: {intensifier: 1.4}}
              - {name: f, words: [f], feeds: {diminisher: 0.6}}
              - {name: g, words: [g], feeds: {contrast: 1}}
              - {name: h, words: [h], feeds: {}}
            """)
        let feeds = rules.signals.map(\.feeds)
        #expect(feeds[0].urgent == 1 && feeds[0].injection == 2 && feeds[0].urgencyKind == .selfHarm)
        #expect(feeds[0].facts == 1 << UInt64(FactTag.productGift.rawValue) | 1 << UInt64(FactTag.legal.rawValue))
        #expect(feeds[1].feedsSentiment && feeds[1].positive == 0 && !feeds[0].feedsSentiment)
        #expect(feeds[2].negative == 2 && feeds[2].positive == -1)
        #expect(feeds.dropFirst(3).map(\.modifier) == [.negation, .intensifier, .diminisher, .contrast, .none])
        #expect(feeds[4].scale == 1.4 && feeds[5].scale == 0.6)
    }

    @Test func `reads kinds of business matters, and a user replaces one`() throws {
        let shipped = """
            signals: [{name: a, words: [a], feeds: {}}]
            kinds:
              - {id: hire, why: Hires., signals: [a], facts: [job, paid], unless: [legal], without_budget: true, offer: false,
                 pay: 16, hints: false, fit: 8, reply: business.job, asks: [fee, date]}
              - {id: press, facts: press}
            """
        func tags(_ tags: FactTag...) -> UInt64 { tags.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }
        let hire = OfferKind(
            id: "hire", why: "Hires.", signals: ["a"], facts: tags(.job, .paid), unless: tags(.legal),
            isWithoutBudget: true, isOffer: false, pay: 16, takesHints: false, fit: 8, reply: "business.job",
            asks: ["fee", "date"])
        let press = OfferKind(id: "press", facts: tags(.press))
        #expect(try load(shipped).kinds == [hire, press])
        let changed = try load(shipped, user: "kinds: [{id: hire, facts: [job]}, {id: own, signals: [a]}]").kinds
        #expect(changed == [OfferKind(id: "hire", facts: tags(.job)), press, OfferKind(id: "own", signals: ["a"])])
    }

    @Test(arguments: [
        ("{facts: [press]}", "rules.no-name"), ("{id: Press, facts: [press]}", "rules.no-name"),
        ("{id: a}", "rules.no-trigger"), ("{id: a, facts: [prss]}", "rules.unknown-target"),
        ("{id: a, signals: [nothing]}", "rules.unknown-signal"), ("{id: a, facts: [press], pay: 41}", "config."),
        ("{id: a, facts: [press]}, {id: a, facts: [job]}", "rules.duplicate-kind"),
        ("{id: a, facts: [press], asked: [fee]}", "config.unknown-key"),
    ])
    func `says what is wrong with a kind`(kinds: String, code: String) {
        #expect(faultList("kinds: [\(kinds)]").contains { $0.hasPrefix(code) })
    }

    @Test func `reads biases from any file, the last one given counts`() throws {
        let rules = try load("bias: {fan: 0.5, business: -1, spam: 0.25}", "bias: {urgent: -2}", user: "bias: {fan: 1}")
        #expect(rules.biases.category == SIMD4(1, -1, 0.25, 0))
        #expect(rules.biases.urgent == -2)
        #expect(rules.biases.injection == RuleBiases().injection)
    }

    @Test func `puts composites behind what they ask for`() throws {
        let rules = try load(
            """
            signals:
              - {name: top, when: {all: [middle], none: [c]}, feeds: {spam: 1}}
              - {name: a, words: [a], feeds: {spam: 1}}
              - {name: middle, when: {any: [a, b]}, feeds: {spam: 1}}
              - {name: b, detector: link.any, feeds: {spam: 1}}
              - {name: c, words: [c], feeds: {spam: 1}}
            """)
        #expect(rules.signals.map(\.name) == ["a", "b", "c", "middle", "top"])
        #expect(rules.signals[1].trigger == .detector("link.any"))
        #expect(rules.signals[4].trigger == .composite(all: ["middle"], any: [], none: ["c"]))
    }

    @Test func `reads how near the parts of a composite must stand`() throws {
        let parts = "signals:\n- {name: a, words: [a], feeds: {}}\n- {name: b, words: [b], feeds: {}}\n"
        let rules = try load(parts + "- {name: c, when: {all: [a], any: [b], near: 60}, feeds: {spam: 1}}")
        #expect(rules.signals.map(\.near) == [0, 0, 60])
        #expect(throws: TriageErrors.self) {
            try load(parts + "- {name: c, when: {any: [a, b], near: 60}, feeds: {spam: 1}}")
        }
    }

    @Test func `lets a user add signals`() throws {
        let rules = try load(Self.prize, user: "signals: [{name: mine.x, words: [abc], feeds: {fan: 1}}]")
        #expect(rules.signals.map(\.name) == ["spam.prize", "mine.x"])
        #expect(rules.signals[1].place == "rules.yaml:1")
    }

    @Test func `lets a user change only the keys that are given`() throws {
        let rules = try load(Self.prize, user: "signals:\n  - {name: spam.prize, feeds: {spam: 3}, words: [jackpot]}")
        let signal = try #require(rules.signals.first)
        #expect(signal.feeds.category == SIMD4(0, 0, 3, 0))
        guard case .patterns(let patterns) = signal.trigger else {
            Issue.record("no patterns")
            return
        }
        #expect(patterns.map(\.text) == ["jackpot", "🎁", "[0-9]{3,6} usd"])
        #expect(signal.why == "Nobody wins what they did not enter.")
        #expect(signal.repeatLimit == 2)
    }

    @Test func `lets a user replace patterns by a detector`() throws {
        let rules = try load(Self.prize, user: "signals: [{name: spam.prize, detector: shape.caps}]")
        #expect(rules.signals.first?.trigger == .detector("shape.caps"))
    }

    @Test func `takes a signal out that is switched off, and what cannot fire without it`() throws {
        let rules = try load(
            Self.prize + """
                  - {name: other, words: [x], feeds: {}}
                  - {name: needs, when: {all: [spam.prize, other]}, feeds: {spam: 1}}
                  - {name: needs.needs, when: {any: [needs]}, feeds: {spam: 1}}
                  - {name: either, when: {any: [spam.prize, other]}, feeds: {spam: 1}}
                  - {name: without, when: {all: [other], none: [spam.prize]}, feeds: {spam: 1}}
                """,
            user: "signals: [{name: spam.prize, enabled: false}]")
        #expect(rules.signals.map(\.name) == ["other", "either", "without"])
        #expect(rules.signals[1].trigger == .composite(all: [], any: ["other"], none: []))
        #expect(rules.signals[2].trigger == .composite(all: ["other"], any: [], none: []))
    }

    @Test func `orders a long chain of composites that stands upside down`() throws {
        var text = "signals:\n"
        for i in (1...5000).reversed() { text += "- {name: s\(i), when: {all: [s\(i - 1)]}, feeds: {}}\n" }
        text += "- {name: s0, words: [x], feeds: {}}\n"
        #expect(try load(text).signals.map(\.name) == (0...5000).map { "s\($0)" })
        #expect(try load(text, user: "signals: [{name: s0, enabled: false}]").signals.isEmpty)
    }

    private static let head = "signals:\n  - "
    private static let long = String(repeating: "x", count: 201)

    @Test(arguments: [
        ("{name: a, wrods: [x], words: [x], feeds: {}}", "config.unknown-key s0.yaml:2:15"),
        ("{name: a, words: [x], feeds: {spma: 1}}", "rules.unknown-target s0.yaml:2"),
        ("{name: a, words: [x], feeds: {fact.contracts: 1}}", "rules.unknown-target s0.yaml:2"),
        ("{name: a, words: [x], feeds: {spam: much}}", "rules.wrong-type s0.yaml:2"),
        ("{name: a, words: [x], feeds: {spam: .inf}}", "rules.wrong-type s0.yaml:2"),
        ("{name: a, words: [x], feeds: {spam: 21}}", "rules.out-of-range s0.yaml:2"),
        ("{name: a, words: [x], feeds: {intensifier: 0}}", "rules.out-of-range s0.yaml:2"),
        ("{name: a, words: [x], feeds: {kind.self-harm: -1}}", "rules.out-of-range s0.yaml:2"),
        ("{name: a, words: [x], feeds: {fact.contract: 0}}", "rules.out-of-range s0.yaml:2"),
        ("{name: a, words: [x]}", "rules.no-feeds s0.yaml:2"),
        ("{name: a, feeds: {}}", "rules.no-trigger s0.yaml:2"),
        ("{name: a, words: [], feeds: {}}", "rules.no-trigger s0.yaml:2"),
        ("{name: a, words: [x], detector: link.any, feeds: {}}", "rules.two-triggers s0.yaml:2"),
        ("{name: a, detector: link.anny, feeds: {}}", "rules.unknown-detector s0.yaml:2:25"),
        ("{name: a, when: {all: [b]}, feeds: {}}", "rules.unknown-signal s0.yaml:2"),
        ("{name: a, when: {none: []}, feeds: {}}", "rules.empty-condition s0.yaml:2:21"),
        ("{name: a, when: {all: [a]}, feeds: {}}", "rules.cycle s0.yaml:2"),
        ("{name: a, words: [\" \\u200B \"], feeds: {}}", "rules.empty-pattern s0.yaml:2:23"),
        ("{name: a, words: [\"\"], feeds: {}}", "rules.empty-pattern s0.yaml:2:23"),
        ("{name: a, words: [Café, cafe], feeds: {}}", "rules.duplicate-pattern s0.yaml:2:29"),
        ("{name: a, words: [\(long)], feeds: {}}", "rules.pattern-too-long s0.yaml:2:23"),
        ("{name: a, words: [[x]], feeds: {}}", "config.wrong-type s0.yaml:2:23"),
        ("{name: a, regex: [\"é+\"], feeds: {}}", "rules.regex-bad-character s0.yaml:2:23"),
        ("{name: a, regex: [\"[€$]\"], feeds: {}}", "rules.regex-bad-character s0.yaml:2:23"),
        ("{name: a, regex: [\"€? 5\"], feeds: {}}", "rules.regex-bad-character s0.yaml:2:23"),
        ("{name: a, regex: [\"a\\\\bc\"], feeds: {}}", "rules.regex-unsupported s0.yaml:2:23"),
        ("{name: a, regex: [\"a(?=c)\"], feeds: {}}", "rules.regex-unsupported s0.yaml:2:23"),
        ("{name: a, regex: [\"(a)\\\\1\"], feeds: {}}", "rules.regex-unsupported s0.yaml:2:23"),
        ("{name: a, regex: [\"[A-Z]\"], feeds: {}}", "rules.never-matches s0.yaml:2:23"),
        ("{name: A, words: [x], feeds: {}}", "rules.bad-name s0.yaml:2:6"),
        ("{words: [x], feeds: {}}", "rules.no-name s0.yaml:2:5"),
        ("{name: money.offer, words: [x], feeds: {}}", "rules.reserved-name s0.yaml:2"),
        ("{name: a, words: [x], feeds: {}, only_in: [klingon]}", "rules.unknown-language s0.yaml:2:48"),
        ("{name: a, words: [x], feeds: {}, repeat: 0}", "config.out-of-range s0.yaml:2:46"),
        ("{name: a, words: [x], feeds: {}, examples: {mach: [x]}}", "config.unknown-key s0.yaml:2:49"),
        ("{name: a, enabled: false}", "rules.unknown-signal s0.yaml:2"),
    ])
    func `says what is wrong and where`(signal: String, expected: String) {
        #expect(faultList(Self.head + signal) == [expected])
    }

    @Test func `accepts the escapes and groups that the matcher has`() throws {
        _ = try load(Self.head + #"{name: a, regex: ["(?:a|b|€|₹)\\d{1,3}\\.\\S"], feeds: {}}"#)
    }

    @Test func `reports every fault at once`() {
        let text = """
            signals:
              - {name: a, words: [x], feeds: {spma: 1}}
              - {name: a, words: [y], feeds: {}}
              - {name: b, when: {all: [c]}, feeds: {}}
              - {name: c, when: {any: [b]}, feeds: {}}
            bais: {fan: 1}
            """
        #expect(
            faultList(text, user: "signals: 3") == [
                "config.unknown-key s0.yaml:6:1", "rules.unknown-target s0.yaml:2", "rules.duplicate-signal s0.yaml:3",
                "rules.wrong-type rules.yaml:1", "rules.cycle s0.yaml:4",
            ])
    }

    @Test func `names the cycle and guesses at misspelt names`() {
        let collector = FaultCollector()
        _ = RuleFileLoader.load(
            shipped: [
                RuleSource(
                    name: "s.yaml",
                    bytes: Array(
                        """
                        signals:
                          - {name: one, when: {all: [two]}, feeds: {}}
                          - {name: two, when: {all: [one]}, feeds: {}}
                          - {name: three, when: {all: [thre]}, feeds: {}}
                          - {name: four, detector: link.shrt, feeds: {}}
                        """.utf8))
            ], user: nil, faults: collector)
        let text = TriageErrors(collector.faults).description
        #expect(text.contains("one → two → one"))
        #expect(text.contains("did you mean 'three'?"))
        #expect(text.contains("did you mean 'link.short'?"))
    }

    @Test func `gives a digest that any change of any file changes`() throws {
        let first = try load(Self.prize, "bias: {fan: 1}").digest
        #expect(try load(Self.prize, "bias: {fan: 1}").digest == first)
        #expect(try load(Self.prize, "bias: {fan: 2}").digest != first)
        #expect(try load(Self.prize, "bias: {fan: 1}", user: "").digest != first)
    }

    @Test func `survives the coding with everything a file can say`() throws {
        let rules = try load(Self.prize + "  - {name: x, when: {all: [spam.prize]}, feeds: {kind.legal: 1}}\n")
        #expect(RuleSet(encoded: rules.encoded()) == rules)
    }
}
