import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A run that is asked to stop hands over what it has, and quickly.
struct StoppingTests {
    private static let line = Array(#"{"text":"Love the new video! Which camera is it?"}"#.utf8) + [0x0A]
    static let signals: [(Int32, Int32)] = [(SIGINT, 130), (SIGTERM, 143)]

    @Test(arguments: signals)
    func `a signal while the input is silent ends the run with all that was read`(signal: Int32, status: Int32) throws {
        let program = try Program(["run"], input: .pipe, output: .pipe)
        program.write(Array(repeating: Self.line, count: 10).flatMap { $0 })
        // A live input is answered while it is silent, not at its end.
        #expect(program.readLines(10).count == 10)
        program.write(Array(repeating: Self.line, count: 5).flatMap { $0 })
        #expect(program.readLines(5).count == 5)
        program.send(signal: signal)
        let end = program.end(within: 10)
        #expect(end?.status == status)
    }

    @Test(arguments: signals)
    func `a signal before any input ends the run too`(signal: Int32, status: Int32) throws {
        let program = try Program(["run"], input: .pipe, output: .pipe)
        program.write(Self.line)
        #expect(program.readLines(1).count == 1)
        program.send(signal: signal)
        #expect(program.end(within: 10)?.status == status)
    }

    @Test func `a second signal ends a run that cannot write`() throws {
        // Nobody reads the output: the pipe is full and what is held cannot go out.
        let many = try Program(["run"], input: .pipe, output: .pipe)
        let block = Array(repeating: Self.line, count: 1000).flatMap { $0 }
        for _ in 0..<5 { many.write(block) }
        #expect(many.end(within: 0.5) == nil)
        many.send(signal: SIGINT)
        #expect(many.end(within: 0.5) == nil)
        many.send(signal: SIGINT)
        #expect(many.end(within: 10)?.status == 130)
    }

    @Test(arguments: ["jsonl", "json", "csv"])
    func `a reader that goes away ends the run quietly`(format: String) throws {
        let program = try Program(["run", "--to", format], input: .pipe, output: .pipe)
        let block = Array(repeating: Self.line, count: 1000).flatMap { $0 }
        program.write(block)
        #expect(program.readLines(1).count >= 1)
        program.closeOutput()
        while program.write(block), program.end(within: 0.01) == nil {}
        let outcome = try program.wait()
        #expect(outcome.status == 141)
        #expect(!outcome.errors.contains("["), "\(outcome.errors)")
    }

    @Test func `a reader that goes away is noticed while the input is silent`() throws {
        let program = try Program(["run"], input: .pipe, output: .pipe)
        program.write(Self.line)
        #expect(program.readLines(1).count == 1)
        program.closeOutput()
        #expect(program.end(within: 10)?.status == 141)
    }
}
