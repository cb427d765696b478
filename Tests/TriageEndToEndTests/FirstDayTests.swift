import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The first day of somebody who has just downloaded the program.
@Suite struct `The first day` {
    let folder: ScratchFolder
    private static let offer = #"{"id":"a","sender":{"name":"Oak"},"text":"Paid collab: $500 for two reels?"}"# + "\n"

    init() throws {
        folder = try ScratchFolder()
        try folder.write("in.jsonl", Self.offer)
    }

    /// Both ends of a terminal that nobody sits at.
    private final class Pair {
        struct None: Error {}
        let outer: Int32
        let inner: Int32

        init() throws {
            #if canImport(Darwin)
                outer = posix_openpt(O_RDWR | O_NOCTTY)
                guard outer >= 0, grantpt(outer) == 0, unlockpt(outer) == 0, let name = ptsname(outer) else {
                    throw None()
                }
                inner = open(name, O_RDWR | O_NOCTTY)
            #else
                // What posix_openpt and its kin do; Swift sees none of them in glibc. Unlock, then ask for the number.
                outer = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
                var (locked, number) = (Int32(0), UInt32(0))
                guard outer >= 0, ioctl(outer, 0x4004_5431, &locked) == 0, ioctl(outer, 0x8004_5430, &number) == 0
                else { throw None() }
                inner = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            #endif
            guard inner >= 0 else { throw None() }
        }

        deinit {
            close(inner)
            close(outer)
        }

        /// What was written to it until now.
        func text() -> String {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            var waiting = pollfd(fd: outer, events: Int16(POLLIN), revents: 0)
            while poll(&waiting, 1, 0) > 0, waiting.revents & Int16(POLLIN) != 0 {
                let count = read(outer, &chunk, chunk.count)
                guard count > 0 else { break }
                bytes += chunk[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Runs it where the given descriptors are a terminal; what it wrote elsewhere is empty.
    private func onTerminal(
        _ arguments: [String], output: Bool, errors: Bool
    ) throws -> (status: Int32, output: String, errors: String) {
        let (out, err) = (try Pair(), try Pair())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = Program.warm.merging(["TERM": "xterm"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        try folder.write("out", "")
        process.standardOutput =
            output
            ? FileHandle(fileDescriptor: out.inner)
            : try FileHandle(forWritingTo: URL(fileURLWithPath: folder.place("out")))
        process.standardError = errors ? FileHandle(fileDescriptor: err.inner) : FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, output ? out.text() : try folder.text("out"), err.text())
    }

    @Test func `a terminal gets a table, everything else gets records`() throws {
        let seen = try onTerminal(["in.jsonl"], output: true, errors: false)
        #expect(
            seen.status == 0 && seen.output.contains("Kind") && !seen.output.contains("\"triage\""), "\(seen.output)")
        let wanted = try onTerminal(["in.jsonl", "--to", "jsonl"], output: true, errors: false)
        #expect(wanted.output.contains("\"triage\":{"), "the flag wins")
        let piped = try onTerminal(["in.jsonl"], output: false, errors: true)
        #expect(piped.output.hasPrefix(#"{"id":"a""#), "\(piped.output)")
        let kept = try onTerminal(["in.jsonl", "-o", "kept.jsonl"], output: true, errors: false)
        #expect(kept.output.isEmpty)
        #expect(try folder.text("kept.jsonl").hasPrefix(#"{"id":"a""#))
    }

    @Test func `a user without creator profile and FAQ gets one hint, and nobody else does`() throws {
        func hints(_ arguments: [String]) throws -> Int {
            let said = try onTerminal(["run", "in.jsonl"] + arguments, output: false, errors: true).errors
            return said.components(separatedBy: "triage init").count - 1
        }
        #expect(try hints([]) == 1)
        #expect(try hints(["--quiet"]) == 0)
        let creator = try folder.write("c.yaml", "name: Mara\nhandles: [mara]\nniches: [pottery]\n")
        let faq = try folder.write("f.yaml", "- {id: a, question: Which camera?, answer: A small one.}\n")
        #expect(try hints(["--creator", creator, "--faq", faq]) == 0)
        #expect(try !Program.run(["in.jsonl"], directory: folder.path).errors.contains("triage init"))
    }

    @Test func `a sync with new messages names the next step, on a terminal only`() throws {
        func said() throws -> String {
            try onTerminal(["sync", "in.jsonl", "--store", "i.db"], output: false, errors: true).errors
        }
        let first = try said()
        for command in ["`triage list --store i.db`", "`triage review --store i.db`"] {
            #expect(first.contains(command), "\(first)")
        }
        #expect(try !said().contains("triage list"), "nothing is new")
        try folder.write("more.jsonl", Self.offer.replacing(#""id":"a""#, with: #""id":"b""#))
        let piped = try Program.run(["sync", "more.jsonl", "--store", "i.db"], directory: folder.path)
        #expect(piped.status == 0 && piped.errors.contains("1 new") && !piped.errors.contains("triage list"))
    }

    @Test func `a folder made by init works unchanged with every command`() throws {
        let made = try Program.run(["init", "my-inbox"], directory: folder.path)
        #expect(made.status == 0 && made.errors.contains("triage sync"))
        let inbox = folder.place("my-inbox")
        func triage(_ arguments: [String]) throws -> Program.Outcome {
            try Program.run(arguments, directory: inbox)
        }
        // Before there is anything, the next step is named.
        for arguments in [["list"], ["review"], ["stats"], ["feedback", "list"]] {
            let early = try triage(arguments)
            #expect(early.status == 66 && early.errors.contains("triage sync"), "\(arguments) \(early.errors)")
        }
        #expect(try triage(["check"]).status == 0)
        let steps: [[String]] = [
            ["sync", "../in.jsonl"], ["list"], ["list", "--view", "business"], ["show", "a"],
            ["feedback", "a", "--category", "fan"], ["feedback", "list"], ["explain", "../in.jsonl"],
            ["report", "-o", "report.html"], ["stats"], ["search", "reels"], ["runs"], ["rescore"],
            ["export"], ["sync", "../in.jsonl"],
        ]
        for step in steps {
            let outcome = try triage(step)
            #expect(outcome.status == 0, "\(step): \(outcome.status) \(outcome.errors)")
        }
        #expect(FileManager.default.fileExists(atPath: inbox + "/inbox.db"))
    }

    /// Slips of the first day, and a word that has to be in what is said about them.
    static let slips: [([String], Int32, String)] = [
        (["evalute", "in.jsonl"], 64, "triage evaluate"), (["lsit"], 64, "triage list"),
        (["rules", "lsit"], 64, "triage rules list"), (["in.json"], 66, "in.json"),
        (["in.jsonl", "--creater", "c.yaml"], 64, "--creator"), (["in.jsonl", "--only", "categry"], 64, "category"),
        (["in.jsonl", "--to", "xslx"], 64, "csv"), (["run", "in.jsonl", "--config", "none.yaml"], 78, "none.yaml"),
        (["list"], 64, "--store"), (["show"], 64, "id"),
        (["list", "--view", "bussines", "--store", "x.db"], 64, "business"),
        (["check", "nowhere"], 78, "triage init"), (["--hepl"], 64, "triage --help"),
        (["version"], 64, "triage --version"),
        (["feedback", "1", "--categry", "fan"], 64, "'--category'"),
        (["formats", "detcet", "x"], 64, "formats detect"),
        (["sync", "in.jsonl"], 64, "triage init"),
    ]

    @Test(arguments: slips)
    func `a typo gets a suggestion`(arguments: [String], status: Int32, word: String) throws {
        let outcome = try Program.run(arguments, directory: folder.path)
        #expect(outcome.status == status && outcome.errors.contains(word), "\(outcome.status) \(outcome.errors)")
    }

    @Test(arguments: ["triage.yaml", "creator.yaml", "faq.yaml", "rules.yaml"])
    func `a file may state its format version`(name: String) throws {
        let flag = name == "triage.yaml" ? "--config" : "--\(name.dropLast(5))"
        let body = name == "faq.yaml" ? "faq: []\n" : name == "rules.yaml" ? "signals: []\n" : ""
        for (version, status) in [("1", Int32(0)), ("2", 78)] {
            let file = try folder.write(name, "version: \(version)\n\(body)")
            let outcome = try Program.run(["in.jsonl", flag, file], directory: folder.path)
            #expect(outcome.status == status, "\(outcome.errors)")
        }
    }
}
