import Foundation
import Testing

/// Output is whole, or it is not there and the exit code says why.
struct OutputFaultTests {
    let folder: ScratchFolder
    let input: String

    init() throws {
        folder = try ScratchFolder()
        input = try folder.write(
            "in.jsonl",
            (0..<3000).map { "{\"id\":\"\($0)\",\"text\":\"Paid collab, $500 for two reels?\"}\n" }.joined())
    }

    static var hasFullDevice: Bool { FileManager.default.fileExists(atPath: "/dev/full") }

    @Test(.enabled(if: hasFullDevice), arguments: ["jsonl", "json", "csv", "table"])
    func `a full disk behind standard output is said`(format: String) throws {
        let outcome = try Program.run(["run", input, "--to", format], output: .file("/dev/full"))
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("[output.io]"), "\(outcome.errors)")
        #expect(outcome.errors.contains("free disk space"))
    }

    @Test(arguments: ["-o", "--rejects"])
    func `a symbolic link is no place for a file`(flag: String) throws {
        let target = try folder.write("target", "precious")
        try FileManager.default.createSymbolicLink(atPath: folder.place("link"), withDestinationPath: target)
        let outcome = try Program.run(["run", input, flag, folder.place("link")])
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains("[output.symlink]"), "\(outcome.errors)")
        #expect(try folder.text("target") == "precious")
        #expect(folder.listing == ["in.jsonl", "link", "target"])
    }

    @Test func `in a folder that is read, the output of an earlier run is no input, nor what a killed one left`() throws
    {
        try folder.write("export/in.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n")
        let (export, output) = (folder.place("export"), folder.place("export/out.jsonl"))
        try #expect(Program.run(["run", export, "-q", "-o", output]).status == 0)
        let bytes = try folder.bytes("export/out.jsonl")
        try folder.write("export/out.jsonl.77.part", bytes)
        try #expect(Program.run(["run", export, "-q", "-o", output]).status == 0)
        #expect(try folder.bytes("export/out.jsonl") == bytes)
    }

    @Test(arguments: [
        ("in.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n"), ("in.csv", "text,date\nhi there,2024-06-01\n"),
    ])
    func `in a folder that is read, no export is replaced`(name: String, content: String) throws {
        try folder.write("export/\(name)", content)
        try FileManager.default.createSymbolicLink(
            atPath: folder.place("link"), withDestinationPath: folder.place("export"))
        for (input, flag) in [("export", "-o"), ("link", "-o"), ("export", "--rejects"), (".", "--summary")] {
            let outcome = try Program.run(["run", input, flag, "export/\(name)"], directory: folder.path)
            #expect(outcome.status == 64 && outcome.errors.contains("[output.is-input]"), "\(outcome.errors)")
            #expect(try folder.text("export/\(name)") == content)
        }
    }

    @Test(arguments: ["jsonl", "json", "csv", "table"])
    func `in a folder that is read, what an earlier run wrote is replaced`(format: String) throws {
        try folder.write("export/in.jsonl", "{\"text\":\"a\"}\nnonsense\n")
        let arguments = [
            "run", "export", "--to", format, "-o", "export/out", "--rejects", "export/bad", "--summary", "export/sum",
        ]
        for _ in 0..<2 {
            let outcome = try Program.run(arguments, directory: folder.path)
            #expect(outcome.status == 1, "\(outcome.errors)")
        }
    }

    static let overConfiguration: [[String]] = [
        ["run", "in.jsonl", "--faq", "faq.yaml", "-o", "./faq.yaml"],
        ["run", "in.jsonl", "--faq", "faq.yaml", "--rejects", "faq.yaml"],
        ["run", "in.jsonl", "--creator", "soft", "-o", "creator.yaml"],
        ["run", "in.jsonl", "--config", "hard.yaml", "-o", "triage.yaml"], ["run", "in.jsonl", "-o", "triage.yaml"],
        // Found beside the triage.yaml that is found itself.
        ["run", "in.jsonl", "--summary", "rules.yaml"],
        ["run", "in.jsonl", "--model", "my.model", "-o", "my.model"],
        ["stream", "--follow", "in.jsonl", "--rejects", "in.jsonl"], ["stream", "--rejects", "faq.yaml"],
        ["sync", "in.jsonl", "--store", "inbox.db", "--summary", "creator.yaml"],
        ["sync", "in.jsonl", "--store", "inbox.db", "--metrics", "in.jsonl"],
        ["sync", "in.jsonl", "--store", "inbox.db", "-o", "faq.yaml"],
        ["evaluate", "gold.jsonl", "--faq", "faq.yaml", "-o", "faq.yaml"],
        ["evaluate", "gold.jsonl", "-o", "rules.yaml"],
        ["evaluate", "gold.jsonl", "--compare", "rules,other/triage.yaml", "-o", "other/creator.yaml"],
        ["evaluate", "gold.jsonl", "--profiles", "profiles", "-o", "profiles/creators.json"],
        ["train", "gold.jsonl", "--profiles", "profiles", "-o", "profiles/faq-a.json"],
        ["train", "gold.jsonl", "-o", "creator.yaml"], ["report", "--store", "inbox.db", "-o", "triage.yaml"],
        ["export", "--store", "inbox.db", "--config", "triage.yaml", "-o", "hard.yaml"],
    ]

    @Test(arguments: overConfiguration)
    func `nothing is written over the files that a run is configured by`(arguments: [String]) throws {
        let files = [
            "in.jsonl": #"{"id":"1","text":"hi"}"# + "\n", "triage.yaml": "creator: creator.yaml\n",
            "creator.yaml": "name: Mara\n", "faq.yaml": "- {id: a, question: Which camera?, answer: A small one.}\n",
            "rules.yaml": "signals: []\n", "my.model": "none yet", "other/triage.yaml": "creator: creator.yaml\n",
            "other/creator.yaml": "name: Maya\n", "profiles/creators.json": #"[{"id":"a"}]"#,
            "profiles/faq-a.json": "[]",
            "gold.jsonl": #"{"id":"1","creator":"a","text":"hi","gold":{"category":"fan"}}"# + "\n",
        ]
        for (name, text) in files { try folder.write(name, text) }
        try FileManager.default.linkItem(atPath: folder.place("triage.yaml"), toPath: folder.place("hard.yaml"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.place("soft"), withDestinationPath: folder.place("creator.yaml"))
        let listing = folder.listing
        let outcome = try Program.run(arguments, directory: folder.path)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("[output.is-input]"), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        for (name, text) in files { #expect(try folder.text(name) == text, "\(name)") }
        #expect(folder.listing == listing)
    }

    @Test func `the file behind standard input is no place for the output`() throws {
        let before = try folder.bytes("in.jsonl")
        let command = [
            "sh", "-c", #""$0" run -q -o "$1" < "$1""#, Program.path, input,
        ]
        #expect(try Tool.run(command).status == 64)
        #expect(try folder.bytes("in.jsonl") == before)
    }

    @Test(arguments: [
        ["run", "in.jsonl", "-o", ""], ["run", "in.jsonl", "--rejects", ""], ["run", "in.jsonl", "--summary", ""],
        ["evaluate", "in.jsonl", "-o", ""], ["train", "in.jsonl", "-o", ""], ["report", "in.jsonl", "-o", ""],
        ["export", "--store", "none.db", "-o", ""],
    ])
    func `an empty name of a file is told before the work`(arguments: [String]) throws {
        let outcome = try Program.run(arguments, directory: folder.path)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("[output.no-name]"), "\(outcome.errors)")
        #expect(folder.listing == ["in.jsonl"])
    }

    @Test(arguments: [
        ["-o", "x", "--rejects", "./x"], ["-o", "x", "--summary", "x"], ["--rejects", "x", "--summary", "x"],
    ])
    func `two files to write are two files`(arguments: [String]) throws {
        let outcome = try Program.run(["run", input] + arguments, directory: folder.path)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("[output.twice]"), "\(outcome.errors)")
        #expect(folder.listing == ["in.jsonl"])
    }

    static let replacing: [[String]] = [
        ["evaluate", "gold.jsonl", "-o", "./gold.jsonl"], ["evaluate", "gold.jsonl", "--lock", "new", "-o", "./new"],
        ["evaluate", "gold.jsonl", "--compare", "rules,old=made.jsonl", "-o", "made.jsonl"],
        ["evaluate", "gold.jsonl", "--lock", "new", "--train", "made.jsonl", "-o", "made.jsonl"],
        ["train", "gold.jsonl", "-o", "gold.jsonl"], ["report", "made.jsonl", "-o", "hard.jsonl"],
        ["run", "made.jsonl", "-o", "hard.jsonl"], ["run", "made.jsonl", "--limit", "1", "-o", "./made.jsonl"],
        ["run", "made.jsonl", "--rejects", "made.jsonl"], ["run", "made.jsonl", "--summary", "./made.jsonl"],
        ["report", "--store", "inbox.db", "-o", "inbox.db"], ["export", "--store", "inbox.db", "-o", "./inbox.db"],
    ]

    @Test(arguments: replacing)
    func `what is made of a file does not take its place`(arguments: [String]) throws {
        let made = try Program.run(["run", input, "-o", "made.jsonl", "--quiet"], directory: folder.path)
        #expect(made.status == 0)
        try FileManager.default.linkItem(atPath: folder.place("made.jsonl"), toPath: folder.place("hard.jsonl"))
        try folder.write("gold.jsonl", #"{"id":"1","text":"hi","gold":{"category":"fan"}}"# + "\n")
        #expect(try Program.run(["sync", input, "--store", "inbox.db"], directory: folder.path).status == 0)
        let names = ["gold.jsonl", "made.jsonl", "inbox.db"]
        let before = try names.map { try folder.bytes($0) }
        let outcome = try Program.run(arguments, directory: folder.path)
        #expect(outcome.status == 64 && outcome.errors.contains("[output."), "\(outcome.status) \(outcome.errors)")
        #expect(try names.map { try folder.bytes($0) } == before)
    }

    @Test(arguments: ["jsonl", "json", "csv", "table"])
    func `a summary counts and digests the very bytes of the output`(format: String) throws {
        let summary = folder.place("summary.json")
        let outcome = try Program.run(["run", input, "-q", "--to", format, "--summary", summary])
        let said = try #require(Annotated.object(try folder.bytes("summary.json")[...]))
        let script = "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest(), end='')"
        let digest = try Tool.run(["python3", "-c", script, try folder.write("out", outcome.output)]).printed
        #expect(said["sha256_out"] as? String == digest)
        #expect(said["out"] as? Int == outcome.output.count { $0 == 0x0A })
    }

    @Test(arguments: ["run", "evaluate", "train"])
    func `a folder that is not there is said before anything is read`(command: String) throws {
        let outcome = try Program.run([command, folder.place("in.json"), "-o", folder.place("none/out.jsonl")])
        #expect(outcome.status == 73, "\(outcome.errors)")
        #expect(outcome.errors.contains("[output.cannot-create]"))
    }

    @Test func `an output file appears whole, for its owner alone, with the bytes of standard output`() throws {
        let piped = try Program.run(["run", input])
        let outcome = try Program.run(["run", input, "-o", folder.place("out.jsonl")])
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(try folder.bytes("out.jsonl") == piped.output)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.place("out.jsonl"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(folder.listing == ["in.jsonl", "out.jsonl"])
    }

    @Test func `a run that fails leaves the earlier output as it was`() throws {
        try folder.write("out.jsonl", "earlier")
        try folder.write("bad.jsonl", "{\"text\":\"a\"}\nnonsense\n")
        let outcome = try Program.run(
            ["run", folder.place("bad.jsonl"), "--on-error", "fail", "-o", folder.place("out.jsonl")])
        #expect(outcome.status == 65)
        #expect(try folder.text("out.jsonl") == "earlier")
        #expect(folder.listing == ["bad.jsonl", "in.jsonl", "out.jsonl"])
    }

    /// Whether a small disk of our own can be mounted without being root.
    static let canMount: Bool = {
        let tried = try? Tool.run(["unshare", "-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=64k none /mnt"])
        return tried?.status == 0
    }()

    @Test(.enabled(if: canMount))
    func `a disk that fills up keeps neither the file nor a part of it`() throws {
        let script = """
            mount -t tmpfs -o size=64k none /mnt || exit 99
            "$0" run "$1" -o /mnt/out.jsonl
            echo "status $?"
            ls -A /mnt | wc -l
            """
        let said = try Tool.run(
            ["unshare", "-rm", "/bin/sh", "-c", script, Program.path, input],
            environment: Program.warm.merging(["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]) { $1 }
        ).printed
        #expect(said.split(whereSeparator: \.isWhitespace) == ["status", "74", "0"])
    }
}
