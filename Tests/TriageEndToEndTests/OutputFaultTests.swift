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
        #expect(outcome.errors.contains("make room"))
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
        // One that is named is read, and replaced.
        try #expect(Program.run(["run", output, "-q", "-o", output]).status == 0)
        #expect(try folder.bytes("export/out.jsonl") == bytes)
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
