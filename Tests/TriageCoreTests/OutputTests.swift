import Foundation
import Testing
import TriageCore

struct CheckedWriterTests {
    @Test func `a full disk is an error with exit 74, not success`() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let error = #expect(throws: TriageError.self) {
            try CheckedWriter(descriptor: descriptor, name: "/dev/full").write(Array(repeating: 0x78, count: 100_000))
        }
        #expect(error?.exit == .ioError)
        #expect(error?.code == "output.io")
    }

    @Test func `a reader that went away is told apart, with exit 141`() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        let error = #expect(throws: TriageError.self) {
            try CheckedWriter(descriptor: ends[1], name: "pipe").write("x")
        }
        #expect(error?.exit == .readerGone)
    }
}

final class OutputFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triage-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test func `the file appears on commit, whole and for its owner alone`() throws {
        let path = folder.appendingPathComponent("out.jsonl").path
        let file = try OutputFile(path: path)
        try file.writer.write("one\n")
        #expect(!FileManager.default.fileExists(atPath: path))
        try file.commit()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.jsonl"])
    }

    @Test func `a discarded file leaves the old one and no trace`() throws {
        let path = folder.appendingPathComponent("out.jsonl").path
        try "old".write(toFile: path, atomically: false, encoding: .utf8)
        let file = try OutputFile(path: path)
        try file.writer.write("new")
        file.discard()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.jsonl"])
    }

    @Test func `what a killed process of the same number left behind is in nobody's way`() throws {
        let path = folder.appendingPathComponent("out.jsonl").path
        let left = "\(path).\(ProcessInfo.processInfo.processIdentifier).part"
        try "half".write(toFile: left, atomically: false, encoding: .utf8)
        let file = try OutputFile(path: path)
        try file.writer.write("whole")
        try file.commit()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
        #expect(try String(contentsOfFile: left, encoding: .utf8) == "half")
        try OutputFile(path: path).discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test func `a symbolic link is refused`() throws {
        let target = folder.appendingPathComponent("target").path
        try "kept".write(toFile: target, atomically: false, encoding: .utf8)
        let link = folder.appendingPathComponent("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let error = #expect(throws: TriageError.self) { try OutputFile(path: link) }
        #expect(error?.exit == .cannotCreate)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
    }

    @Test func `a folder that is not there is an error with exit 73`() {
        let error = #expect(throws: TriageError.self) { try OutputFile(path: folder.path + "/no/such/out") }
        #expect(error?.exit == .cannotCreate)
    }
}

struct JSONTextTests {
    @Test(arguments: [
        ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#), ("line\nbreak\ttab\r", #""line\nbreak\ttab\r""#),
        ("\u{0}\u{1f}", #""\u0000\u001f""#), ("é🔥\u{2028}", "\"é🔥\u{2028}\""), ("", "\"\""),
    ])
    func `strings come out escaped`(text: String, expected: String) {
        var out: [UInt8] = []
        JSONText.append(text, to: &out)
        #expect(String(decoding: out, as: UTF8.self) == expected)
    }
}

struct JSONTextPlaceTests {
    @Test(arguments: 0..<24)
    func `every byte is escaped or not, wherever in a string it stands`(place: Int) {
        for byte in UInt8.min...UInt8.max {
            var text = [UInt8](repeating: 0x61, count: 24)
            text[place] = byte
            var out: [UInt8] = []
            text.withUnsafeBufferPointer { JSONText.appendEscaped($0, to: &out) }
            let escaped: String? =
                switch byte {
                case 0x22: "\\\""
                case 0x5C: "\\\\"
                case 0x0A: "\\n"
                case 0x0D: "\\r"
                case 0x09: "\\t"
                case 0..<0x20: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                default: nil
                }
            let expected = Array(text[..<place]) + (escaped.map { Array($0.utf8) } ?? [byte]) + text[(place + 1)...]
            #expect(out == expected, "\(byte)")
        }
    }
}

struct CivilDateTests {
    @Test(arguments: [
        (0, 1970, 1, 1, 3), (19_782, 2024, 2, 29, 3), (20_729, 2026, 10, 3, 5), (-1, 1969, 12, 31, 2),
        (11_016, 2000, 2, 29, 1),
    ])
    func `days and dates convert both ways`(days: Int, year: Int, month: Int, day: Int, weekday: Int) {
        let date = CivilDate(daysSince1970: days)
        #expect(date == CivilDate(year: year, month: month, day: day))
        #expect(date.daysSince1970 == days)
        #expect(date.weekday == weekday)
    }

    @Test func `every day of four centuries survives the round trip`() {
        for days in stride(from: -73_000, through: 73_000, by: 1) {
            #expect(CivilDate(daysSince1970: days).daysSince1970 == days)
        }
    }
}
