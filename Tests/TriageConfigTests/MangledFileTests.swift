import Testing
import TriageConfig
import TriageCore

/// Whatever a file holds, it is read or it has faults with a place.
struct MangledFileTests {
    private struct Random {
        var state: UInt64
        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
        }
    }

    private static let samples = [
        """
        signals:
          - name: a
            words: ["x", 'y z']
            feeds: {spam: 1.5, fact.paid: 1}
            examples: {match: [x], no_match: [z]}
          - {name: b, when: {all: [a], none: [c]}, feeds: {urgent: 1}}
          - {name: c, detector: link.any, feeds: {}, only_in: [de]}
        bias: {fan: 0.5}

        """,
        """
        # head
        - id: camera
          question: Which camera?
          also_asked: [One?, Two?]
          answer: |
            A small one.
        # tail
        - {id: ship, question: Ship?, answer: "Yes"}

        """,
        """
        {"opportunity": {"monetary": 40}, "thresholds": {"faq": {"high": 0.9}}, "methods": {"faq": "rules"},
         "llm": {"base_url": "http://x", "model": "m", "price": {"input": 1, "output": 2}}, "exchange":
         {"date": "2026-10-01", "rates": {"EUR": 0.9}}, "limits": {"max_cost": 1}}
        """,
        "name: A\nhandles: [a, b]\naudience: 12\nlanguages: [en]\ntimezone: UTC\nworks:\n  - One\n",
        """
        bound: {category: 0.1}
        changes:
          - {id: a, expect: {category: same, urgent: yes}, only: {lang: [en]}, place: wrap, texts: {en: ["<{text}>"]}}
          - {id: b, expect: {sentiment: same}, texts: ["x {handle}"], held_out: [y], bound: 0.5}
          - {id: c, expect: {urgent: no}, operation: typos}

        """,
    ]

    private static func mangled(_ text: String, _ random: inout Random) -> [UInt8] {
        var bytes = Array(text.utf8)
        let spice = Array("[]{}:,-#&*!|>'\"%@\\ \n\t~0e.".utf8) + [0, 0x80, 0xFF, 0xC3]
        for _ in 0...random.below(4) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[place] = spice[random.below(spice.count)]
            case 1: bytes.insert(spice[random.below(spice.count)], at: place)
            case 2: bytes.remove(at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + random.below(12)))
            }
        }
        return bytes
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `never crash a reader and always give faults a place`(seed: UInt64) throws {
        var random = Random(state: seed)
        for _ in 0..<600 {
            let bytes = Self.mangled(Self.samples[random.below(Self.samples.count)], &random)
            let collector = FaultCollector()
            _ = RuleFileLoader.load(
                shipped: [], user: RuleSource(name: "f", bytes: bytes), faults: collector)
            _ = FAQFile.read(name: "f", bytes: bytes, faults: collector)
            _ = CreatorFile.read(name: "f", bytes: bytes, faults: collector)
            _ = SettingsFile(path: "f", bytes: bytes, faults: collector)
            _ = FAQCheck.findings(name: "f", bytes: bytes)
            _ = try? LanguagesFile(RuleSource(name: "f", bytes: bytes))
            do {
                let words = ChangesFile.Vocabulary(operations: ["typos"], placeholders: ["handle"], message: "{text}")
                _ = try ChangesFile(RuleSource(name: "f", bytes: bytes), vocabulary: words)
            } catch let errors as TriageErrors {
                errors.all.forEach { collector.add($0) }
            }
            #expect(collector.faults.allSatisfy { $0.at?.hasPrefix("f") ?? false })
        }
    }

    @Test(arguments: [4, 5, 6] as [UInt64])
    func `are edited without loss as long as they can be read`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var random = Random(state: seed)
        var edited = 0
        for _ in 0..<400 {
            let bytes = Self.mangled(Self.samples[1], &random)
            let path = try folder.write("faq.yaml", String(decoding: bytes, as: UTF8.self))
            guard var editor = try? FAQEditor(path: path) else { continue }
            edited += 1
            var expected = editor.library
            let entry = FAQEntry(id: "new-\(seed)", question: "Q: #1", answer: "two\nlines")
            try editor.add(entry)
            expected.entries.append(entry)
            if expected.entries.count > 1, random.below(2) == 0 {
                try editor.remove(expected.entries[0].id)
                expected.entries.removeFirst()
            }
            let back = FAQFile.read(name: path, bytes: editor.rendered(), faults: FaultCollector())
            #expect(back == expected)
        }
        #expect(edited > 40)
    }
}
