import Testing
import TriageConfig
import TriageCore

struct CreatorFileTests {
    private func read(_ text: String) -> (profile: CreatorProfile, faults: [String]) {
        let collector = FaultCollector()
        let profile = CreatorFile.read(name: "c.yaml", bytes: Array(text.utf8), faults: collector)
        return (profile, collector.faults.map { "\($0.code) \($0.at ?? "-")" })
    }

    @Test(arguments: [
        ("contact: a@mara.example\nvoice: Deals go to b@mara.example", "a@mara.example"),
        ("voice: 'Deals go to my manager, Ana (ana@mara.example).'\nrates: c@mara.example", "ana@mara.example"),
        ("voice: 'Through ana@mara.example. Again: Ana@mara.example'", "ana@mara.example"),
        ("rates: 'Reel 900 EUR. Through ana@mara.example.'", "ana@mara.example"),
        ("rates: 'Through ana@mara.example or bo@mara.example.'", ""),
        ("voice: Write to a@mara.example or b@mara.example", ""), ("voice: '@mara, me@home, a@b'", ""),
        ("voice: Dry.", ""),
    ])
    func `offers go to the contact, or to the only address in the voice or the rates`(lines: String, address: String) {
        let (profile, faults) = read("name: Mara\n" + lines + "\n")
        #expect(faults.isEmpty && profile.offerAddress == address)
    }

    @Test(arguments: [
        """
        id: mara
        name: Mara Lindholm
        handles: ["@mara.makes", marafires]
        platforms: [instagram, youtube]
        audience: 180_000
        niches: [pottery]
        excluded_topics: [gambling]
        languages: [en, pt-BR]
        voice: Calm.
        contact: deals@mara.example
        rates_note: EUR 1,800
        works: [Forty mugs]
        timezone: Europe/Stockholm
        """,
        """
        [{"id": "mara", "name": "Mara Lindholm", "handles": ["mara.makes", "marafires"], "followers": 180000,
          "platforms": ["instagram", "youtube"], "niches": "pottery", "excluded_topics": ["gambling"],
          "languages": ["en", "pt-BR"], "voice": "Calm.", "rates": "EUR 1,800",
          "contact": "deals@mara.example", "works": ["Forty mugs"],
          "timezone": "Europe/Stockholm"}]
        """,
    ])
    func `reads every key in YAML and JSON`(text: String) {
        let (profile, faults) = read(text)
        var expected = CreatorProfile()
        expected.id = "mara"
        expected.name = "Mara Lindholm"
        expected.handles = ["mara.makes", "marafires"]
        expected.platforms = ["instagram", "youtube"]
        expected.audience = 180_000
        expected.niches = ["pottery"]
        expected.excludedTopics = ["gambling"]
        expected.languages = ["en", "pt-BR"]
        expected.voice = "Calm."
        expected.contact = "deals@mara.example"
        expected.rates = "EUR 1,800"
        expected.works = ["Forty mugs"]
        expected.timezone = "Europe/Stockholm"
        #expect(faults.isEmpty)
        #expect(profile == expected)
    }

    @Test(arguments: [
        ("nmae: x", ["config.unknown-key c.yaml:1:1"]),
        ("audience: many", ["config.wrong-type c.yaml:1:11"]),
        ("audience: -3", ["config.out-of-range c.yaml:1:11"]),
        ("audience: 99999999999999999999", ["config.wrong-type c.yaml:1:11"]),
        ("audience: 1\nfollowers: 2", ["config.both-given c.yaml:2:1"]),
        ("timezone: Europe/Atlantis", ["creator.unknown-timezone c.yaml:1:11"]),
        ("timezone: Europe", ["creator.unknown-timezone c.yaml:1:11"]),
        ("timezone: ../../etc/passwd", ["creator.unknown-timezone c.yaml:1:11"]),
        ("languages: [english please]", ["creator.bad-language c.yaml:1:13"]),
        ("contact: deals", ["creator.bad-contact c.yaml:1:10"]),
        ("contact: deals@mara", ["creator.bad-contact c.yaml:1:10"]),
        ("contact: a b@mara.example", ["creator.bad-contact c.yaml:1:10"]),
        ("contact: \"{a}@mara.example\"", ["creator.bad-contact c.yaml:1:10"]),
        ("- {id: a}\n- {id: b}", ["creator.not-one c.yaml:1"]),
        ("niches: {a: b}", ["config.wrong-type c.yaml:1:9"]),
        ("rates: {reel: [900]}", ["config.wrong-type c.yaml:1:15"]),
        ("audience: 1,80", ["config.wrong-type c.yaml:1:11"]),
        ("manager: Jo Berg", ["creator.bad-contact c.yaml:1:10"]),
        ("just text", ["config.wrong-type c.yaml:1:1"]),
        ("nmae: x\naudience: y", ["config.unknown-key c.yaml:1:1", "config.wrong-type c.yaml:2:11"]),
    ])
    func `says what is wrong and where`(text: String, expected: [String]) {
        #expect(read(text).faults == expected)
    }

    @Test(arguments: [
        ("English", "en"), ("ESPAÑOL", "es"), ("portugues", "pt"), ("svenska", "sv"), ("Русский", "ru"),
        ("bahasa indonesia", "id"), ("日本語", "ja"), ("العربية", "ar"),
    ])
    func `suggests the tag where a language is named`(name: String, tag: String) {
        let collector = FaultCollector()
        _ = CreatorFile.read(name: "c.yaml", bytes: Array("languages: [\(name)]".utf8), faults: collector)
        #expect(collector.faults.map(\.code) == ["creator.bad-language"])
        #expect(collector.faults.first?.remedy == "write its tag: \(tag)")
    }

    @Test func `a name stands for a tag that the program knows, and no other name does`() {
        for (name, tag) in [("Catalan", "ca"), ("Hinglish", "hi-Latn"), ("Tamil", "ta"), ("Malay", "ms")] {
            #expect(LanguageNames.tag(of: name) == tag && LanguageTable.index(of: tag) != nil)
        }
        for name in ["", "!", "english please", "Klingon"] { #expect(LanguageNames.tag(of: name) == nil) }
    }

    @Test(arguments: [
        ("audience: 180k", "audience: 180000"), ("audience: 180,000", "audience: 180000"),
        ("followers: 1.2M", "audience: 1200000"), ("niches: pottery, glazes", "niches: [pottery, glazes]"),
        ("languages: en, de", "languages: [en, de]"),
        ("excluded_topics: gambling ,crypto", "excluded_topics: [gambling, crypto]"),
        ("contact: Jo Berg (deals) <jo@berg.example>", "contact: jo@berg.example"),
        ("contact: a@mara.example\nmanager: Jo Berg <jo@berg.example>", "manager: jo@berg.example"),
        ("manager: {name: Jo Berg, email: jo@berg.example}", "manager: jo@berg.example"),
        ("rates: {reel: 900 EUR, story: 250 EUR}", "rates: ['reel: 900 EUR', 'story: 250 EUR']"),
    ])
    func `what people naturally write means the same as the documented form`(natural: String, documented: String) {
        let (profile, faults) = read(natural)
        #expect(faults.isEmpty)
        #expect(profile == read(documented).profile)
    }

    @Test(arguments: [
        ("contact: a@mara.example", "a@mara.example", false),
        ("contact: a@mara.example\nmanager: jo@berg.example", "jo@berg.example", true),
    ])
    func `offers go to the manager where there is one`(text: String, contact: String, hasManager: Bool) {
        let profile = read(text).profile
        #expect(profile.contact == contact && profile.hasManager == hasManager)
    }

    @Test func `takes an empty file for a creator of whom nothing is said`() {
        #expect(read("").profile == CreatorProfile())
        #expect(read("").faults.isEmpty)
    }
}
