import Foundation
import Testing

/// Files a creator writes, the rules that are shipped, and the places a run may find itself in.
struct SetupTests {
    let folder: ScratchFolder
    static let message = #"{"text":"Paid collab, $500 for two reels?"}"# + "\n"

    init() throws { folder = try ScratchFolder() }

    @Test func `init creates valid files, and a second init overwrites nothing`() throws {
        let made = try Program.run(["init", "inbox"], directory: folder.path)
        #expect(made.status == 0, "\(made.errors)")
        let names = ["creator.yaml", "faq.yaml", "rules.yaml", "triage.yaml"]
        let inbox = folder.place("inbox")
        #expect(try FileManager.default.contentsOfDirectory(atPath: inbox).sorted() == names)
        for arguments in [
            ["check"], ["rules", "check"], ["rules", "test"], ["faq", "check"],
        ] {
            let outcome = try Program.run(arguments, directory: inbox)
            #expect(outcome.status == 0, "\(arguments): \(outcome.text)\(outcome.errors)")
        }
        #expect(try Program.run(["run"], input: Self.message, directory: inbox).status == 0)
        try folder.write("inbox/faq.yaml", "[]\n")
        _ = try Program.run(["init", "inbox"], directory: folder.path)
        #expect(try folder.text("inbox/faq.yaml") == "[]\n")
    }

    @Test(arguments: [["rules", "check"], ["rules", "test"]])
    func `the shipped rules have no errors, and their examples pass`(arguments: [String]) throws {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == 0, "\(outcome.text.suffix(3000))")
        #expect(outcome.text.contains("no findings"))
    }

    @Test(arguments: [
        ("[a-d]{2,9}( x)?", "every text"),
        ("(send|give|tell)[^.!?]{0,30} (your|our) [a-z]{0,16} ?(password|login|log-in)", "states"),
    ])
    func `a regex that slows every run is a finding with file and line`(regex: String, reason: String) throws {
        let example = "examples: {match: [abcd], no_match: [z]}"
        let rules = """
            signals:
            - {name: mine.a, why: x, feeds: {fan: 1}, regex: ['abc ?b$', 'x(yab|zab)'], \(example)}
            - {name: mine.b, why: x, feeds: {fan: 1}, regex: ['(pay|fee).{0,20}now'], \(example)}
            - {name: mine.c, why: x, feeds: {fan: 1}, regex: ['\(regex)'], \(example)}

            """
        let outcome = try Program.run(["rules", "check", "--rules", try folder.write("rules.yaml", rules)])
        #expect(outcome.status == 1, "\(outcome.errors)")
        let places = outcome.text.split(separator: "\n").filter { $0.contains("where:") }
        #expect(places.map { $0.hasSuffix("rules.yaml:4") } == [true], "\(outcome.text)")
        #expect(outcome.text.contains(reason), "\(outcome.text)")
    }

    @Test(arguments: ["output", "input"])
    func `the schema is JSON`(side: String) throws {
        let outcome = try Program.run(["schema", side])
        #expect(outcome.status == 0)
        let schema = Annotated.object(outcome.output[...])
        #expect(schema?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test(arguments: [
        ("signals:\n- name: mine.a\n  nonsense: 1\n", 3),
        ("signals:\n- name: mine.a\n  why: x\n  feeds: {fan: 1}\n  regex: ['(unclosed']\n", 5),
        ("signals:\n- name: mine.a\n  words: [a\n", 4), ("- name: mine.a\n", 1),
    ])
    func `an error in the creator's rules is reported with file and line`(text: String, line: Int) throws {
        let file = try folder.write("rules.yaml", text)
        let outcome = try Program.run(["run", "--rules", file], input: Self.message)
        #expect(outcome.status == 78, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("rules.yaml:\(line)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("fix:"))
    }

    @Test func `errors in all files are reported at once`() throws {
        let outcome = try Program.run(
            [
                "run", "--creator", try folder.write("c.yaml", "naem: x\n"), "--faq",
                try folder.write("f.yaml", "- id: a\n"), "--config", try folder.write("t.yaml", "thresholdz: {}\n"),
            ], input: Self.message)
        #expect(outcome.status == 78)
        for name in ["c.yaml", "f.yaml", "t.yaml"] { #expect(outcome.errors.contains(name), "\(outcome.errors)") }
    }

    @Test func `a creator's own rule fires and is named`() throws {
        let file = try folder.write(
            "rules.yaml",
            "signals:\n- {name: mine.kiln, words: [kiln], feeds: {fan: 3}, why: They ask about the kiln.}\n")
        let outcome = try Program.run(["run", "--rules", file], input: #"{"text":"that kiln though"}"# + "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("\"mine.kiln\""))
    }

    /// Environments in which a run has to give the same bytes as with a warm cache.
    enum Place: String, CaseIterable {
        case nothing = "an empty environment"
        case readOnly = "a cache folder that cannot be written"
        case broken = "a broken cache file"
        case cut = "a cut cache file"
        case notAFolder = "a cache folder that is a file"
    }

    @Test(arguments: Place.allCases)
    func `a missing, damaged or unusable cache changes no byte`(place: Place) throws {
        var environment = ["XDG_CACHE_HOME": folder.place("cache")]
        switch place {
        case .nothing: environment = [:]
        case .readOnly: environment = ["XDG_CACHE_HOME": "/proc/self"]
        case .notAFolder: environment = ["XDG_CACHE_HOME": try folder.write("cache", "a file")]
        case .broken, .cut:
            environment = try Program.warm(home: folder)
            let files = try #require(FileManager.default.enumerator(atPath: folder.place("cache")))
            for case let name as String in files {
                let bytes = (try? folder.bytes("cache/\(name)")) ?? []
                guard bytes.count > 100 else { continue }
                let ruined =
                    place == .cut
                    ? Array(bytes[..<(bytes.count / 2)]) : bytes.enumerated().map { $0 % 97 == 3 ? ~$1 : $1 }
                try folder.write("cache/\(name)", ruined)
            }
        }
        let expected = try Program.run(["run"], input: Self.message)
        let outcome = try Program.run(["run"], input: Self.message, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == expected.output)
    }

    @Test func `FAQ entries can be listed, added, changed and removed`() throws {
        let file = try folder.write(
            "faq.yaml", "# mine\n- id: camera\n  question: Which camera?\n  answer: A small one.\n")
        func faq(_ arguments: [String]) throws -> Program.Outcome {
            try Program.run(["faq"] + arguments + ["--faq", file])
        }
        #expect(
            try faq(["add", "--question", "Do you ship?", "--answer", "Yes, everywhere.", "--id", "ship"]).status == 0)
        #expect(try faq(["list"]).text.contains("Do you ship?"))
        #expect(try faq(["edit", "ship", "--answer", "Only at home."]).status == 0)
        #expect(try faq(["check"]).status == 0)
        #expect(try faq(["remove", "camera"]).status == 0)
        let text = try folder.text("faq.yaml")
        #expect(text.hasPrefix("# mine"))
        #expect(text.contains("Only at home."))
        #expect(!text.contains("camera"))
        #expect(try faq(["remove", "nothing"]).status != 0)
    }

    @Test(arguments: [
        ["train", "gold.jsonl", "-o", "m.model"], ["run", "gold.jsonl"], ["check"],
    ])
    func `compiled rules are cached where requested, or not at all`(arguments: [String]) throws {
        let folder = try ScratchFolder()
        try folder.write(
            "gold.jsonl",
            (0..<8).map { number in
                #"{"id":"\#(number)","text":"hello \#(number)","gold":{"category":"\#(number % 2 == 0 ? "fan" : "spam")"}}"#
                    + "\n"
            }.joined())
        let environment = ["HOME": folder.place("home")]
        let off = try Program.run(
            arguments + ["--rule-cache", "off"], environment: environment, directory: folder.path)
        #expect(off.status <= 1, "\(off.errors)")
        #expect(!folder.listing.contains("home"))
        let kept = try Program.run(
            arguments + ["--rule-cache", "rules"], environment: environment, directory: folder.path)
        #expect(!folder.listing.contains("home"))
        if arguments == ["check"] {
            #expect(off.text.contains("cache: none (--rule-cache off)"))
            #expect(kept.text.contains("cache: rules\n"))
        } else {
            #expect(folder.listing.contains("rules"))
        }
    }

    @Test func `check rejects a file in place of a folder`() throws {
        let file = try folder.write("triage.yaml", "faq: none.yaml\n")
        let outcome = try Program.run(["check", file])
        #expect(outcome.status == 78 && outcome.errors.contains("folder"), "\(outcome.text)\(outcome.errors)")
    }
}
