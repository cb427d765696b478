import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `triage stream --follow`: a file as it grows, whatever is done to it.
struct FollowingTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.place("log.jsonl")
    }

    private func append(_ bytes: [UInt8]) throws {
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        #expect(bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count)
    }

    private func follow() throws -> Program {
        try Program(["stream", "-q", "--follow", path], input: .bytes([]), output: .pipe)
    }

    private func expect(
        _ program: Program, _ ids: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(StreamTests.ids(program.readLines(ids.count)) == ids, sourceLocation: sourceLocation)
    }

    @Test func `a file that is not there yet is waited for, and a line in two halves is one line`() throws {
        let program = try follow()
        usleep(200_000)
        let line = StreamTests.line(1)
        try append(Array(line[..<9]))
        usleep(200_000)
        try append(Array(line[9...]) + StreamTests.line(2))
        expect(program, ["s1", "s2"])
        program.send(signal: SIGTERM)
        #expect(program.end(within: 30)?.status == 143)
    }

    @Test func `a renamed file is read to its end, then its successor from its beginning`() throws {
        try append(StreamTests.line(1))
        let program = try follow()
        expect(program, ["s1"])
        #expect(rename(path, path + ".1") == 0)
        // The writer does not know yet.
        let old = open(path + ".1", O_WRONLY | O_APPEND)
        defer { close(old) }
        let late = StreamTests.line(2)
        #expect(late.withUnsafeBytes { write(old, $0.baseAddress, $0.count) } == late.count)
        try append(StreamTests.line(3))
        expect(program, ["s2", "s3"])
    }

    @Test func `a file that is cut is read again from its beginning`() throws {
        try append(StreamTests.line(1) + StreamTests.line(2))
        let program = try follow()
        expect(program, ["s1", "s2"])
        #expect(truncate(path, 0) == 0)
        try append(StreamTests.line(3))
        expect(program, ["s3"])
    }

    @Test func `a file that is written anew with as much or more is read again`() throws {
        try append(StreamTests.line(1))
        let program = try follow()
        expect(program, ["s1"])
        let file = open(path, O_WRONLY)
        defer { close(file) }
        let other = StreamTests.line(8) + StreamTests.line(9)
        #expect(other.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == other.count)
        expect(program, ["s8", "s9"])
    }

    @Test func `what is no regular file is refused`() throws {
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try Program.run(["stream", "--follow", path]).status == 66)
    }
}
