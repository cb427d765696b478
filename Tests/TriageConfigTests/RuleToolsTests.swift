import Testing
import TriageConfig
import TriageCore

struct RuleToolsTests {
    private func rules(_ text: String) throws -> RuleSet {
        try RuleFileLoader.load(shipped: [RuleSource(name: "s.yaml", bytes: Array(text.utf8))])
    }

    /// Fires the signals that are named in the text.
    private struct NameProbe: SignalProbe {
        func signals(firing text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
    }

    @Test func `tells which examples come out otherwise than written`() throws {
        let rules = try rules(
            """
            signals:
              - {name: a, words: [x], feeds: {}, examples: {match: [a b, b], no_match: [b, a]}}
              - {name: b, words: [x], feeds: {}, examples: {match: [b], no_match: [a]}}
              - {name: c, words: [x], feeds: {}}
            """)
        let test = RuleExamples(rules, probe: NameProbe())
        #expect(test.tried == 6 && test.signals == 2)
        #expect(test.failures.map(\.code) == ["rules.example-missed", "rules.example-fired"])
        #expect(test.failures.map(\.at) == ["s.yaml:2", "s.yaml:2"])
        #expect(RuleExamples(rules, names: ["b"], probe: NameProbe()).failures.isEmpty)
    }

    @Test func `finds signals without reasons or examples`() throws {
        let rules = try rules(
            """
            signals:
              - {name: a, why: y, words: [x], feeds: {}, examples: {match: [x], no_match: [z]}}
              - {name: b, why: y, words: [x], feeds: {}, examples: {match: [x]}}
              - {name: c, detector: link.any, feeds: {}}
            """)
        #expect(
            RuleLint.findings(in: rules).map { "\($0.code) \($0.at ?? "")" } == [
                "rules.no-examples s.yaml:3", "rules.no-why s.yaml:4",
            ])
    }

    private static let samples = """
        signals:
          - name: spam.prize
            why: "Nobody wins: never."
            languages: [en]
            only_in: [en, es]
            words: ["you won", "- dash"]
            literals: ["🎁"]
            regex: ['[0-9]+ usd']
            feeds: {fan: -0.5, spam: 1.5, positive: 0, fact.paid: 1, kind.legal: 1, intensifier: 1.4}
            repeat: 2
            examples: {match: ["You won!"], no_match: ["a: b"]}
          - {name: b, detector: link.any, feeds: {urgent: 1, injection: 2, negative: 1, negation: 1}}
          - {name: c, when: {all: [b], any: [spam.prize], none: [b]}, feeds: {contrast: 1}}

        """

    @Test func `shows a signal as YAML that means the same`() throws {
        let original = try rules(Self.samples)
        let shown = try rules("signals:\n" + original.signals.map(RuleText.yaml).joined())
        #expect(shown.signals.count == 3)
        for (first, second) in zip(original.signals, shown.signals) {
            #expect(first.feeds == second.feeds && first.examples == second.examples && first.why == second.why)
            #expect(RuleText.json(first).contains("\"name\":\"\(first.name)\""))
            #expect(
                RuleText.json(first).prefix { $0 != "\n" }.split(separator: ",\"place\"").first
                    == RuleText.json(second).split(separator: ",\"place\"").first)
        }
    }

    @Test func `says in few words what a signal does`() throws {
        let signals = try rules(Self.samples).signals
        #expect(signals.map(RuleText.trigger) == ["words, literals, regex", "detector link.any", "when"])
        #expect(signals.map(RuleText.patternCount) == [4, 0, 0])
        #expect(
            signals.map(RuleText.feedsLine) == [
                "fan -0.5, spam 1.5, positive 0, intensifier 1.4, fact.paid, kind.legal",
                "urgent 1, injection 2, negative 1, negation 1", "contrast 1",
            ])
    }

    @Test func `gives JSON that reads as such`() throws {
        for signal in try rules(Self.samples).signals {
            let collector = FaultCollector()
            let document = ConfigDocument(name: "x.json", bytes: Array(RuleText.json(signal).utf8), faults: collector)
            #expect(document.root?["name"]?.value == .scalar(signal.name, isPlain: false) && collector.isEmpty)
        }
    }
}

struct TextTableTests {
    @Test func `aligns columns, shows no control characters and fits the line`() {
        var table = TextTable(["ID", "TEXT"])
        table.add(["a", "one\ntwo\u{1B}[31m\u{202E}"])
        table.add(["longer", ""])
        #expect(table.rendered(width: nil) == "ID      TEXT\na       one two·[31m·\nlonger\n")
        #expect(table.rendered(width: 12) == "ID      TEXT\na       one…\nlonger\n")
    }
}

struct RecordSchemaTests {
    @Test(arguments: [RecordSchema.output, RecordSchema.input])
    func `is JSON whose references lead somewhere`(text: String) throws {
        let collector = FaultCollector()
        let root = try #require(ConfigDocument(name: "s.json", bytes: Array(text.utf8), faults: collector).root)
        #expect(collector.isEmpty)
        var references: Set<String> = []
        func walk(_ node: ConfigNode) {
            switch node.value {
            case .mapping(let entries):
                for entry in entries {
                    if entry.key == "$ref", case .scalar(let target, _) = entry.value.value {
                        references.insert(target)
                    }
                    walk(entry.value)
                }
            case .sequence(let items): items.forEach(walk)
            default: break
            }
        }
        walk(root)
        for reference in references {
            #expect(reference.hasPrefix("#/$defs/"))
            #expect(root["$defs"]?[String(reference.dropFirst(8))] != nil, "\(reference)")
        }
    }

    @Test func `closes every object of the triage member`() throws {
        let root = try #require(
            ConfigDocument(name: "s.json", bytes: Array(RecordSchema.output.utf8), faults: FaultCollector()).root)
        var open: [Int] = []
        func walk(_ node: ConfigNode) {
            if node["properties"] != nil, node["additionalProperties"]?.value != .scalar("false", isPlain: true) {
                open.append(node.line)
            }
            switch node.value {
            case .mapping(let entries): entries.forEach { walk($0.value) }
            case .sequence(let items): items.forEach(walk)
            default: break
            }
        }
        walk(try #require(root["$defs"]))
        #expect(open.isEmpty)
    }
}
