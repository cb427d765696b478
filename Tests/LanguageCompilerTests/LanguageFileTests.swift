import Testing

@testable import LanguageCompiler

/// What the build checks of a language file.
struct LanguageFileTests {
    private func read(_ text: String, name: String = "pl.yaml") -> LanguageFile {
        LanguageFile(path: "folder/\(name)", folder: "folder", text: text)
    }

    @Test func `sections become flat entries`() {
        let file = read(
            """
            language: pl
            months: {1: [styczen, stycznia]}
            questions:
              alone: [ile]
              pairs:
                - {first: [czy], second: [masz], gap: 1}
            replies: {greeting: "Hej,", wordings: {legal: ["a b"]}}
            """)
        #expect(file.faults.isEmpty, "\(file.faults)")
        #expect(
            file.entries.map { "\($0.section) \($0.key) \($0.values)" } == [
                "months 1 [\"styczen\", \"stycznia\"]", "questions alone [\"ile\"]",
                "questions pairs.0.first [\"czy\"]", "questions pairs.0.second [\"masz\"]",
                "questions pairs.0.gap [\"1\"]", "replies greeting [\"Hej,\"]",
                "replies wordings.legal [\"a b\"]",
            ])
    }

    @Test(arguments: [
        ("months: {}\n", "1:1", "has no language"),
        ("language: cs\n", "1:11", "says language: 'cs'"),
        ("language: pl\nmonth: {1: [a]}\n", "2:1", "there is no section 'month'"),
        ("language: pl\nmonths: {13: [a]}\n", "2:10", "'months' has no '13'"),
        ("language: pl\nmonths: [a]\n", "2:9", "is not a mapping"),
        ("language: pl\nmonths: {1: a}\n", "2:13", "'1' is not a list"),
        ("language: pl\nmonths: {1: [a b]}\n", "2:14", "more than one word"),
        ("language: pl\nmonths: {1: [a, a]}\n", "2:17", "is a duplicate"),
        ("language: pl\nroles: {sooon: [a]}\n", "2:9", "'roles' has no 'sooon'"),
        ("language: pl\nmonths: {1: [\"a\\tb\"]}\n", "2:14", "control character"),
        ("language: pl\nquestions: {pair: []}\n", "2:13", "'questions' has no 'pair'"),
        ("language: [pl\n", "", "not valid YAML"),
    ])
    func `a fault ends the build with its place and a remedy`(text: String, place: String, what: String) {
        let faults = read(text).faults
        #expect(
            faults.contains { $0.place.hasSuffix(place) && $0.what.contains(what) && !$0.remedy.isEmpty }, "\(faults)")
    }

    @Test func `a language may have a folder of files`() {
        let file = read("language: pl\nmonths: {1: [styczen]}\n", name: "pl/dates.yaml")
        #expect(file.faults.isEmpty, "\(file.faults)")
        #expect(file.name == "pl/dates.yaml")
        #expect(file.entries.map(\.key) == ["1"])
        let other = read("language: cs\n", name: "pl/dates.yaml")
        #expect(other.faults.contains { $0.place == "folder/pl/dates.yaml:1:11" }, "\(other.faults)")
    }

    @Test func `a section stands in one file of its language, and signals may stand in several`() {
        let months = "language: pl\nmonths: {1: [styczen]}\n"
        let signals = "language: pl\nsignals: {spam.lure: {words: [a]}}\n"
        let files = [
            read(months, name: "pl/dates.yaml"), read(signals, name: "pl/danger.yaml"),
            read(signals, name: "pl/spam.yaml"),
            read("language: cs\nmonths: {1: [leden]}\n", name: "cs.yaml"),
        ]
        #expect(LanguageFile.faults(between: files).isEmpty)
        let twice = LanguageFile.faults(between: files + [read(months, name: "pl/faq.yaml")])
        #expect(twice.map(\.place) == ["folder/pl/faq.yaml:2"])
        #expect(twice.first?.what == "'months' is also in pl/dates.yaml")
        let both = LanguageFile.faults(between: files + [read(signals)])
        #expect(both.map(\.place) == ["folder/pl.yaml"], "\(both)")
    }

    @Test func `any text comes out of its literal as it went in`() {
        #expect(SwiftSource.literal("a\"b\\c\nd\u{1F}é\u{2028}") == #""a\"b\\c\nd\u{1f}é\u{2028}""#)
    }
}
