import Foundation
import Testing
import TriageConfig
import TriageCore

/// Files of changes that a message must survive.
struct ChangesFileTests {
    private static let vocabulary = ChangesFile.Vocabulary(
        operations: ["lowercase", "typos"], placeholders: ["handle", "company"], message: "{text}")

    private func read(_ text: String, name: String = "c.yaml") throws -> ChangesFile {
        try ChangesFile(RuleSource(name: name, bytes: Array(text.utf8)), vocabulary: Self.vocabulary)
    }

    private static let whole = """
        version: 1
        bound: {category: 0.1}
        changes:
          - id: link
            why: Because.
            expect: {category: same, urgent: yes}
            only: {category: [fan, business], urgent: [false], lang: pt-BR, at_least: 25}
            place: before
            join: "\\n"
            texts: {en: ["by {handle}"], any: "x"}
            held_out: [y]
            bound: 0.3
          - id: low
            operation: lowercase
            expect: {sentiment: positive}
            bound: {fan_to_spam: 0}
        """

    @Test func `all of a change is read, with the bounds of the file below its own`() throws {
        let changes = try read(Self.whole).changes
        #expect(changes.map(\.id) == ["link", "low"])
        let link = changes[0]
        #expect(link.expected == ["category": "same", "urgent": "yes"])
        #expect(link.categories == ["fan", "business"] && link.urgent == [false] && link.languages == ["pt-BR"])
        #expect(link.least == 25 && link.place == "before" && link.join == "\n" && link.why == "Because.")
        #expect(link.texts == ["en": ["by {handle}"], "any": ["x"]] && link.heldOut == ["any": ["y"]])
        #expect(link.bounds == ["category": 0.3, "sentiment": 0.3, "urgent": 0.3])
        #expect(changes[1].operation == "lowercase" && changes[1].expected == ["sentiment": "positive"])
        #expect(changes[1].bounds == ["category": 0.1, "fan_to_spam": 0])
    }

    @Test func `JSON is read as YAML is`() throws {
        let text = #"{"changes":[{"id":"a","expect":{"urgent":"no"},"texts":["t"],"place":"after"}]}"#
        let change = try #require(try read(text, name: "c.json").changes.first)
        #expect(change.texts == ["any": ["t"]] && change.expected == ["urgent": "no"])
    }

    /// A change in flow style, and the faults that it has.
    @Test(arguments: [
        ("id: Bad Id, expect: {category: same}, texts: [x]", ["changes.bad-id c.yaml:2:9"]),
        ("expect: {category: same}, texts: [x]", ["changes.bad-id c.yaml:2:4"]),
        ("id: a, texts: [x]", ["config.missing-key c.yaml:2:4"]),
        ("id: a, expect: {}, texts: [x]", ["config.missing-key c.yaml:2:20"]),
        ("id: a, expect: {mood: same}, texts: [x]", ["config.unknown-key c.yaml:2:21"]),
        ("id: a, expect: {category: friend}, texts: [x]", ["changes.unknown-label c.yaml:2:31"]),
        ("id: a, expect: {urgent: soon}, texts: [x]", ["changes.unknown-label c.yaml:2:29"]),
        ("id: a, expect: {category: same}", ["config.missing-key c.yaml:2:4"]),
        ("id: a, expect: {category: same}, texts: []", ["changes.no-text c.yaml:2:45"]),
        ("id: a, expect: {category: same}, texts: [' ']", ["changes.no-text c.yaml:2:46"]),
        ("id: a, expect: {category: same}, texts: [x], operation: typos", ["config.both-given c.yaml:2:50"]),
        ("id: a, expect: {category: same}, operation: typoes", ["changes.unknown-operation c.yaml:2:49"]),
        ("id: a, expect: {category: same}, operation: typos, join: x", ["changes.not-with-operation c.yaml:2:56"]),
        ("id: a, expect: {category: same}, texts: [x], place: inside", ["changes.unknown-place c.yaml:2:57"]),
        ("id: a, expect: {category: same}, texts: ['by {creator}']", ["changes.unknown-placeholder c.yaml:2:46"]),
        ("id: a, expect: {category: same}, texts: ['{text}']", ["changes.bad-frame c.yaml:2:46"]),
        ("id: a, expect: {category: same}, texts: [x], place: wrap", ["changes.bad-frame c.yaml:2:46"]),
        ("id: a, expect: {category: same}, texts: ['{text}{text}'], place: wrap", ["changes.bad-frame c.yaml:2:46"]),
        ("id: a, expect: {category: same}, texts: [x, y], held_out: [z, y]", ["changes.not-held-out c.yaml:2:67"]),
        ("id: a, expect: {category: same}, texts: {english: [x]}", ["changes.bad-language c.yaml:2:46"]),
        ("id: a, expect: {category: same}, texts: [x], bound: 2", ["config.out-of-range c.yaml:2:57"]),
        ("id: a, expect: {category: same}, texts: [x], bound: {mood: 0}", ["config.unknown-key c.yaml:2:58"]),
        (
            "id: a, expect: {category: same}, texts: [x], only: {category: [fans]}",
            ["changes.unknown-label c.yaml:2:68"]
        ),
        ("id: a, expect: {category: same}, texts: [x], only: {at_least: 0}", ["config.out-of-range c.yaml:2:67"]),
        ("id: a, expect: {category: same}, texts: [x], only: {lang: [x]}", ["changes.bad-language c.yaml:2:64"]),
        ("id: a, expect: {category: same}, texts: [x], wrong: 1", ["config.unknown-key c.yaml:2:50"]),
    ])
    func `what is wrong in a change is said with its place`(change: String, found: [String]) {
        #expect(faults { _ in _ = try read("changes:\n - {\(change)}\n") } == found)
    }

    @Test func `every fault is said at once, and a change that is twice there too`() {
        let text = """
            changes:
              - {id: a, expect: {category: same}, texts: [x]}
              - {id: a, expect: {category: friend}, operation: shout}
            more: 1
            bound: high
            """
        #expect(
            Set(faults { _ in _ = try read(text) }) == [
                "config.unknown-key c.yaml:4:1", "config.wrong-type c.yaml:5:8", "changes.same-id c.yaml:3:10",
                "changes.unknown-label c.yaml:3:32", "changes.unknown-operation c.yaml:3:52",
            ])
    }

    @Test(arguments: ["", "# nothing\n", "version: 1\n", "changes: []\n"])
    func `a file without a change is wrong`(text: String) {
        #expect(faults { _ in _ = try read(text) } == ["changes.none c.yaml"])
    }

    @Test(arguments: [
        "changes: {a: 1}\n", "changes: x\n", "[a]\n", "changes: [a, [b]]\n", "changes: [{texts: {a: {b: c}}}]\n",
    ])
    func `what is of another kind is a fault and no crash`(text: String) {
        #expect(!faults { _ in _ = try read(text) }.isEmpty)
    }

    // MARK: The shipped list

    /// Platforms that have one address for all.
    private static let oneAddress = ["instagram-post"]

    private static func hosts(_ texts: [String: [String]]) -> Set<Substring> {
        Set(
            texts.values.joined().flatMap { text in
                text.matches(of: /(?:https?:\/\/)?(?:www\.)?((?:[\w-]+|\{\w+\})(?:\.[\w-]{2,})+)/).map(\.output.1)
            })
    }

    @Test func `what the shipped list holds out has other words and other addresses`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/ShippedRules/changes.yaml")
        let vocabulary = ChangesFile.Vocabulary(
            operations: [
                "lowercase", "uppercase-first", "shout-first-word", "typos", "drop-punctuation", "strip-emoji",
                "no-accents",
                "double-space", "line-breaks", "quote",
            ], placeholders: ["handle", "company", "first"], message: "{text}")
        let source = RuleSource(name: "changes.yaml", bytes: [UInt8](try Data(contentsOf: path)))
        let changes = try ChangesFile(source, vocabulary: vocabulary).changes
        #expect(changes.count >= 25)
        for change in changes {
            #expect(!change.why.isEmpty, "\(change.id)")
            let isDirection = change.expected.values.contains { $0 != "same" }
            guard change.operation == nil, !isDirection else { continue }
            #expect(Set(change.texts.keys) == Set(change.heldOut.keys), "\(change.id)")
            guard !Self.oneAddress.contains(change.id) else { continue }
            let shared = Self.hosts(change.texts).intersection(Self.hosts(change.heldOut))
            #expect(shared.isEmpty, "\(change.id): \(shared)")
        }
        #expect(Self.hosts(["any": ["see https://www.a-b.co.uk/x or {company}.io"]]) == ["a-b.co.uk", "{company}.io"])
    }
}
