import Testing
import TriageConfig
import TriageCore

@Suite struct `A creator's file that is changed` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func edited(_ text: String, name: String = "creator.yaml", _ change: (inout CreatorProfile) -> Void) throws
        -> String
    {
        let path = try folder.write(name, text)
        let editor = try CreatorEditor(path: path)
        var profile = editor.profile
        change(&profile)
        try editor.save(profile)
        #expect(try CreatorEditor(path: path).profile == profile)
        return try folder.text(name)
    }

    @Test func `a minimum fee, a manager and a mapping of rates survive, and a new contact takes the manager's place`()
        throws
    {
        let text = """
            name: Ann
            manager: {name: Jo Berg, email: jo@berg.example}
            rates: {reel: 900 EUR}
            minimum_fee: 300 EUR

            """
        #expect(try edited(text) { $0.audience = 5 } == text + "audience: 5\n")
        let changed = try edited(text) { ($0.contact, $0.hasManager) = ("ann@ann.example", false) }
        #expect(!changed.contains("Jo Berg") && changed.contains("contact: ann@ann.example"))
        #expect(changed.contains("minimum_fee: 300 EUR") && changed.contains("rates: {reel: 900 EUR}"))
    }

    @Test(arguments: ["manager: {name: Jo Berg, email: jo@berg.example}", "{\"manager\": \"jo@berg.example\"}"])
    func `a manager stays one when the file is written anew`(text: String) throws {
        let changed = try edited(text + "\n", name: text.hasPrefix("{") ? "creator.json" : "creator.yaml") {
            $0.niches = ["clay"]
        }
        #expect(changed.contains("manager"))
    }

    @Test func `keeps comments, order and what is not changed`() throws {
        let text = """
            # me
            name: Ann   # always
            handle: ann
            niches:
            - a
            - b

            # how I write
            voice: |
              Calm.
              # no comment
            works: [x, y]

            """
        #expect(try edited(text) { _ in } == text)
        let changed = try edited(text) {
            $0.niches = ["a", "c: d"]
            $0.voice = ""
            $0.handles = ["ann", "bob"]
            $0.audience = 12
        }
        #expect(
            changed == """
                # me
                name: Ann   # always
                handles:
                  - ann
                  - bob
                niches:
                  - a
                  - "c: d"

                # how I write
                works: [x, y]
                audience: 12

                """)
    }

    @Test(arguments: [
        "", "{name: Ann, niches: [a]}\n", "- name: Ann\n  niches: [a]\n", "\"name\": Ann\n? niches\n: [a]\n",
        "name: Ann\r\nniches: [a]\r\n",
    ])
    func `says what it is to say, however it was written`(text: String) throws {
        let changed = try edited(text) {
            $0.name = "A \"B\"\n# c"
            $0.niches = ["- x", "", "y: z", "true", "12"].filter { !$0.isEmpty }
            $0.rates = "from 5,000"
        }
        #expect(changed.contains("from 5,000"))
    }

    @Test func `is JSON where it was JSON`() throws {
        let changed = try edited("{\"name\": \"Ann\"}", name: "creator.json") { $0.works = ["a \"b\""] }
        #expect(changed == "{\n  \"name\": \"Ann\",\n  \"works\": [\"a \\\"b\\\"\"]\n}\n")
    }

    @Test func `stays as it is when what it would say is wrong`() throws {
        let path = try folder.write("creator.yaml", "name: Ann\n")
        let editor = try CreatorEditor(path: path)
        var profile = editor.profile
        profile.timezone = "Mars/Base"
        #expect(throws: TriageErrors.self) { try editor.save(profile) }
        #expect(try folder.text("creator.yaml") == "name: Ann\n")
        try folder.write("creator.yaml", "name: Bob\n")
        profile.timezone = ""
        profile.voice = "x"
        #expect(throws: TriageError.self) { try editor.save(profile) }
    }
}
