import Testing
import TriageConfig
import TriageCore

/// The creator's own words for drafts.
struct RepliesFileTests {
    private func read(_ text: String) -> (wordings: OwnWordings, faults: [String]) {
        let collector = FaultCollector()
        let wordings = RepliesFile.read(name: "r.yaml", bytes: Array(text.utf8), faults: collector)
        return (wordings, collector.faults.map { "\($0.code) \($0.at ?? "-")" })
    }

    @Test func `a situation has one wording or several, in any language that drafts are written in`() {
        let (wordings, faults) = read(
            """
            en:
              fan.praise: Thanks, that made my day!
              business.route: ["Write to {address}.", "It all goes to {address}, thanks."]
            de: {fan.praise: "Danke dir!"}
            """)
        #expect(faults.isEmpty)
        #expect(
            wordings.texts == [
                "en": [
                    "fan.praise": ["Thanks, that made my day!"],
                    "business.route": ["Write to {address}.", "It all goes to {address}, thanks."],
                ],
                "de": ["fan.praise": ["Danke dir!"]],
            ])
        #expect(wordings.count == 4)
        #expect(read("").wordings.isEmpty && read("").faults.isEmpty)
    }

    @Test(arguments: [
        ("fan.praise", ["Ta!"], true), ("fan.praise", [], false), ("fan.prais", ["Ta!"], false),
        ("legal", ["No."], false),
        ("urgent.threat", ["Ha."], false), ("business.route", ["To {address}."], true),
        ("business.route", ["To Ana."], false),
        ("business.next", ["By {day}."], false), ("fan.praise", [String(repeating: "a", count: 1_001)], false),
    ])
    func `what a file may say is known before it is written`(situation: String, wordings: [String], isTaken: Bool) {
        #expect(RepliesFile.takes(wordings, for: situation) == isTaken)
    }

    @Test(arguments: [
        ("english: {fan.praise: Hi}", ["config.unknown-key r.yaml:1:1"]),
        ("en: {fan.prais: Hi}", ["config.unknown-key r.yaml:1:6"]), ("en: Hi", ["config.wrong-type r.yaml:1:5"]),
        ("en: {fan.praise: {a: b}}", ["config.wrong-type r.yaml:1:18"]),
        ("en: {fan.praise: []}", ["replies.wrong-number r.yaml:1:18"]),
        ("en: {fan.praise: ' '}", ["config.wrong-type r.yaml:1:18"]),
        ("en: {fan.praise: \"\\e[2J\"}", ["replies.bad-text r.yaml:1:18"]),
        ("en: {business.route: Write to my manager.}", ["replies.missing-blank r.yaml:1:22"]),
        ("en: {business.route: 'Hi {name}, write to {address}.'}", ["replies.unknown-blank r.yaml:1:22"]),
        ("en: {business.next: 'I will read it by {day}.'}", ["replies.unknown-blank r.yaml:1:21"]),
        ("en: {urgent.self-harm: Cheer up!}", ["replies.fixed-words r.yaml:1:24"]),
        ("en: {legal: No.}\nde: {fan.prais: x}", ["replies.fixed-words r.yaml:1:13", "config.unknown-key r.yaml:2:6"]),
    ])
    func `says what is wrong and where`(text: String, expected: [String]) {
        #expect(read(text).faults.sorted() == expected.sorted())
        #expect(read(text).wordings.isEmpty)
    }
}
