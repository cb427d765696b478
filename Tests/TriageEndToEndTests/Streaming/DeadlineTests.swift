import Foundation
import Testing

/// A model that is slower than a stream bears.
struct DeadlineTests {
    private static func codes(_ line: [UInt8]) -> [String] {
        let triage = Annotated.object(line[...])?["triage"] as? [String: Any]
        return (triage?["problems"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    /// A message that offline answers are unsure about.
    private static func line(_ number: Int) -> [UInt8] {
        StreamTests.line(number, "hey, quick question about the thing from last time, still on for it? \(number)")
    }

    private static func flags(_ folder: ScratchFolder, port: Int) throws -> [String] {
        let config = try folder.write("triage.yaml", ScriptedModel.configuration(port: port))
        return ["--config", config, "--cache", folder.place("llm.db")]
    }

    @Test func `the offline answer goes out in time, in order, with a problem, and the late one is kept`() throws {
        let folder = try ScratchFolder()
        let server = try PeerServer("scripted_llm.py", ["--latency", "3000"])
        let flags = try Self.flags(folder, port: server.port)
        let program = try Program(["stream", "-q", "--deadline", "0.4"] + flags, input: .pipe, output: .pipe)
        program.write(Self.line(0) + Array("nonsense\n".utf8))
        // The input stays open: answers come because of the deadline, not of the end.
        let lines = program.readLines(2)
        #expect(StreamTests.ids(lines) == ["s0", "-"])
        #expect(lines.map(Self.codes) == [["llm.deadline"], []])
        let triage = Annotated.object((lines.first ?? [])[...])?["triage"] as? [String: Any]
        #expect((triage?["category"] as? [String: Any])?["label"] != nil)
        let requests = try server.object("/counts")["requests"] as? Int
        #expect(requests == 1)
        // What was paid is kept; the next run asks nothing.
        usleep(4_500_000)
        program.closeInput()
        #expect(try program.wait().status == 0)
        let again = try Program.run(
            ["stream", "-q", "--deadline", "30"] + flags, input: Self.line(0))
        #expect(again.lines.map(Self.codes) == [[]])
        #expect(try server.object("/counts")["requests"] as? Int == requests)
    }

    @Test func `a signal does not wait for the model`() throws {
        let folder = try ScratchFolder()
        let server = try PeerServer("scripted_llm.py", ["--latency", "60000"])
        let program = try Program(
            ["stream", "-q"] + Self.flags(folder, port: server.port), input: .pipe, output: .pipe)
        program.write(Self.line(0))
        try waitUntil { try server.object("/counts")["requests"] as? Int != 0 }
        program.send(signal: SIGTERM)
        let lines = program.readLines(1)
        #expect(StreamTests.ids(lines) == ["s0"])
        #expect(lines.map(Self.codes) == [["llm.cancelled"]])
        #expect(program.end(within: 30)?.status == 143)
    }
}
