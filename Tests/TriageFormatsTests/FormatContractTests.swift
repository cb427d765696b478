import Testing
import TriageCore

@testable import TriageFormats

/// What every format keeps; a new one is covered as soon as it is listed and has a folder in `Fixtures`.
struct FormatContractTests {
    struct File: CustomTestStringConvertible {
        var format: String
        var path: String
        var testDescription: String { path }
    }

    /// Every fixture that its format recognizes as a single file.
    static let files: [File] = ExportFormats.standard.flatMap { format -> [File] in
        ((try? Fixtures.paths(of: format.name)) ?? []).compactMap { path in
            let file = format.name + "/" + path
            guard let bytes = try? Fixtures.bytes(file) else { return nil }
            let opening = Opening(bytes: Array(bytes.prefix(Opening.limit)), isWhole: true)
            guard let found = ExportFormats.detect(opening) else { return nil }
            // Files that say only who the owner is, and the like, give no messages.
            return found.format.name == format.name && found.detection.hasMessages
                ? File(format: format.name, path: file) : nil
        }
    }

    private struct Outcome {
        var lines: [String]
        var codes: [String]
        var format: String?
    }

    /// Feeds bytes in pieces, as a file of no telling name.
    private func feed(_ bytes: [UInt8], pieces: Int, fault: RejectReason? = nil) throws -> Outcome {
        var result = ReadResult()
        let assembler = BatchAssembler(maximumLines: 100) { collect($0, into: &result) }
        let context = ReadingContext(assembler: assembler, options: InputReader.Options())
        let pump = FormatDispatcher(
            Member(path: "x.bin", source: "x.bin"), context, formats: ExportFormats.standard, format: nil)
        var at = 0
        while at < bytes.count {
            let end = min(at + pieces, bytes.count)
            _ = try bytes[at..<end].withUnsafeBufferPointer { try pump.feed($0) }
            at = end
        }
        try pump.finish(fault: fault)
        try assembler.flush()
        return Outcome(lines: result.lines, codes: result.codes, format: pump.detection?.format)
    }

    /// Lines without the place in the source, which a byte order mark or other line breaks may move.
    private func withoutSource(_ lines: [String]) -> [String] {
        lines.map { line in
            guard let range = line.firstRange(of: "\"source\":") else { return line }
            return String(line[..<range.lowerBound])
        }
    }

    /// The text of a line and where it came from.
    private func essence(_ line: String) -> String {
        let node = JSONNode(Array(line.utf8))
        guard let node else { return line }
        return "\(node["text"] as Any) \(node["raw"]?["source"] as Any)"
    }

    @Test func `every format has fixtures and a name of its own`() throws {
        let names = ExportFormats.standard.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(Self.files.contains { $0.format == name }, "\(name)") }
    }

    @Test(arguments: files)
    func `a fixture is read whole and recognized by its content`(file: File) throws {
        let outcome = try feed(try Fixtures.bytes(file.path), pieces: 1 << 20)
        #expect(outcome.format == file.format)
        #expect(!outcome.lines.isEmpty)
        #expect(outcome.codes.isEmpty)
    }

    @Test(arguments: files)
    func `a byte at a time gives the same`(file: File) throws {
        let bytes = try Fixtures.bytes(file.path)
        let whole = try feed(bytes, pieces: 1 << 20)
        for pieces in [1, 13, 1000] {
            let outcome = try feed(bytes, pieces: pieces)
            #expect(outcome.lines == whole.lines)
            #expect(outcome.codes == whole.codes)
        }
    }

    @Test(arguments: files)
    func `what is cut off gives the messages before it and never one twice`(file: File) throws {
        let bytes = try Fixtures.bytes(file.path)
        let whole = try feed(bytes, pieces: 1 << 20)
        let step = max(1, min(1000, bytes.count / 60))
        for end in stride(from: 1, to: bytes.count, by: step) {
            var outcome = Outcome(lines: [], codes: [])
            do {
                outcome = try feed(Array(bytes[..<end]), pieces: 1 << 20)
            } catch let error as TriageError {
                // So little is left that nothing can be told.
                #expect(error.code.hasPrefix("input."))
                continue
            }
            guard outcome.format == file.format else { continue }
            // All but the last, which may be the beginning of a longer one, are messages of the whole, each once.
            // What stands behind the cut, such as a title, may be missing in them.
            var left: [String: Int] = [:]
            for line in whole.lines { left[essence(line), default: 0] += 1 }
            var strange = 0
            for line in outcome.lines {
                let key = essence(line)
                if let count = left[key], count > 0 { left[key] = count - 1 } else { strange += 1 }
            }
            #expect(strange <= 1, "cut at \(end)")
            #expect(outcome.lines.count <= whole.lines.count + 1)
            #expect(
                outcome.lines.count + outcome.codes.count > 0 || end < bytes.count / 2 || outcome.format == nil,
                "cut at \(end)")
        }
    }

    @Test(arguments: files)
    func `a fault of the archive is told after what could be read`(file: File) throws {
        let bytes = try Fixtures.bytes(file.path)
        let fault = RejectReason(code: "archive.truncated", reason: "r")
        let outcome = try feed(Array(bytes[..<(bytes.count * 3 / 4)]), pieces: 1 << 20, fault: fault)
        #expect(outcome.codes.contains("archive.truncated"))
        let whole = try feed(bytes, pieces: 1 << 20)
        #expect(!outcome.lines.isEmpty || whole.lines.count < 3)
    }

    @Test(arguments: files)
    func `a byte order mark and other line breaks change no message`(file: File) throws {
        let bytes = try Fixtures.bytes(file.path)
        let whole = try feed(bytes, pieces: 1 << 20)
        let marked = try feed([0xEF, 0xBB, 0xBF] + bytes, pieces: 1 << 20)
        #expect(withoutSource(marked.lines) == withoutSource(whole.lines))
        var crlf: [UInt8] = []
        for byte in bytes {
            if byte == 0x0A { crlf.append(0x0D) }
            crlf.append(byte)
        }
        let other = try feed(crlf, pieces: 1 << 20)
        #expect(other.lines.count == whole.lines.count)
        #expect(other.codes.isEmpty)
    }

    @Test(arguments: ExportFormats.standard.map(\.name))
    func `folder, zip and zip with wrapper folders give the same`(name: String) throws {
        let scratch = try ScratchFolder()
        let paths = try Fixtures.paths(of: name)
        let folder = try readInputs([Fixtures.root + "/" + name])
        #expect(!folder.lines.isEmpty)
        #expect(folder.codes.isEmpty)
        for prefix in ["", "wrapper/", "one/two/"] {
            let entries = try paths.map { (prefix + $0, try Fixtures.bytes(name + "/" + $0)) }
            let zipped = try readInputs([scratch.write("x.bin", Packing.zip(entries))])
            #expect(withoutSource(zipped.lines).sorted() == withoutSource(folder.lines).sorted(), "\(prefix)")
            #expect(zipped.codes.isEmpty)
        }
    }

    @Test(arguments: ExportFormats.standard.map(\.name))
    func `the name of a format reads its fixtures too`(name: String) throws {
        let found = try readInputs([Fixtures.root + "/" + name])
        let named = try readInputs([Fixtures.root + "/" + name]) { $0.format = name }
        #expect(named.lines == found.lines)
    }
}
