import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `triage stream`: line in, line out.
struct StreamTests {
    static func line(_ number: Int, _ text: String = "Which camera is it?") -> [UInt8] {
        Array(#"{"id":"s\#(number)","text":"\#(text)"}"#.utf8) + [0x0A]
    }

    /// The ids of lines, `-` where there is none.
    static func ids(_ lines: [[UInt8]]) -> [String] {
        lines.map { Annotated.object($0[...])?["id"] as? String ?? "-" }
    }

    private static func code(_ line: [UInt8]) -> String? {
        let triage = Annotated.object(line[...])?["triage"] as? [String: Any]
        return (triage?["rejected"] as? [String: Any])?["code"] as? String
    }

    @Test func `every line is answered before the next one comes`() throws {
        let program = try Program(["stream", "-q"], input: .pipe, output: .pipe)
        for number in 0..<20 {
            program.write(Self.line(number))
            #expect(Self.ids(program.readLines(1)) == ["s\(number)"])
        }
        program.closeInput()
        #expect(try program.wait().status == 0)
    }

    @Test func `what cannot be read is answered in its place, blank lines too`() throws {
        let input = "\n{\"id\":\"a\",\"text\":\"hi\"}\nnonsense\n   \n{\"id\":\"b\",\"text\":\"hello\"}"
        let outcome = try Program.run(["stream", "-q"], input: input)
        #expect(outcome.status == 0)
        #expect(Self.ids(outcome.lines) == ["-", "a", "-", "-", "b"])
        #expect(outcome.lines.map { Self.code($0) != nil } == [true, false, true, true, false])
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
    func `a signal ends it after what was read is answered`(signal: Int32, status: Int32) throws {
        let program = try Program(["stream", "-q"], input: .pipe, output: .pipe)
        program.write((0..<300).flatMap { Self.line($0) })
        let first = program.readLines(1)
        #expect(first.isEmpty == false)
        program.send(signal: signal)
        // What it holds does not fit into the pipe.
        _ = program.readLines(300)
        #expect(program.end(within: 30)?.status == status)
    }

    @Test func `an input that says nothing for too long ends with the code for trying again`() throws {
        let program = try Program(["stream", "--idle-timeout", "0.3"], input: .pipe, output: .pipe)
        program.write(Self.line(0))
        #expect(program.readLines(1).count == 1)
        #expect(program.end(within: 30)?.status == 75)
        #expect(try program.wait().errors.contains("input.idle"))
    }

    @Test(arguments: [
        ["--listen", "127.0.0.1:0"], ["--spool", "x"], ["--listen", "0.0.0.0:0", "--spool", "x"],
        ["--listen", "example.com:80", "--spool", "x"], ["--from-end"], ["file.jsonl"],
        ["--follow", "x", "--from-end", "--from-start"], ["--deadline", "0"],
        ["--follow", "x", "--listen", "127.0.0.1:0", "--spool", "x"],
    ])
    func `flags that make no sense are refused`(arguments: [String]) throws {
        #expect(try Program.run(["stream"] + arguments, environment: ["TRIAGE_META_APP_SECRET": "s"]).status == 64)
    }

    @Test func `a summary tells what went in and came out`() throws {
        let folder = try ScratchFolder()
        let path = folder.place("summary.json")
        let input = Self.line(0) + Array("nonsense\n".utf8) + Self.line(1)
        let outcome = try Program.run(["stream", "-q", "--summary", path], input: input)
        let summary = try #require(Annotated.object(try folder.bytes("summary.json")[...]))
        #expect(outcome.status == 0)
        #expect(summary["in"] as? Int == 3)
        #expect(summary["out"] as? Int == 3)
        #expect(summary["errors"] as? Int == 1)
        #expect(summary["calls"] as? Int == 0)
        #expect(summary["exit"] as? Int == 0)
    }
}
