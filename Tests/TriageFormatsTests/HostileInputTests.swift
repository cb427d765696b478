import Testing
import TriageCore

@testable import TriageFormats

/// Whatever the bytes are, reading ends with records, rejects or an error of ours.
struct HostileInputTests {
    static let seeds: [UInt64] = [11, 12, 13]

    private func mangled(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...12, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: at)
            case 2: bytes.insert(Array("{}[]\",:\\\n\t\u{0}".utf8).randomElement(using: &random) ?? 0, at: at)
            case 3:
                let end = min(bytes.count, at + Int.random(in: 0..<200, using: &random))
                bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0...bytes.count, using: &random))
            default: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0..<200, using: &random)))
            }
        }
        return bytes
    }

    /// - Returns: how many lines and rejects came out; −1 when the input was refused as a whole.
    private func count(_ bytes: [UInt8], format: String? = nil) throws -> Int {
        var result = ReadResult()
        let assembler = BatchAssembler { collect($0, into: &result) }
        let context = ReadingContext(assembler: assembler, options: InputReader.Options())
        let pump = FormatDispatcher(
            Member(path: "x", source: "x"), context, formats: ExportFormats.standard,
            format: try format.map { try ExportFormats.named($0) })
        do {
            _ = try bytes.withUnsafeBufferPointer { try pump.feed($0) }
            try pump.finish()
        } catch let error as TriageError {
            #expect(error.code.hasPrefix("input."))
            return -1
        }
        try assembler.flush()
        return result.lines.count + result.rejects.count
    }

    @Test(arguments: seeds)
    func `mangled exports never crash a reader`(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for file in FormatContractTests.files {
            let bytes = try Fixtures.bytes(file.path)
            for _ in 0..<25 {
                let mangled = mangled(bytes, &random)
                _ = try count(mangled)
                _ = try count(mangled, format: file.format)
            }
        }
    }

    @Test(arguments: seeds)
    func `mangled archives never crash a reader`(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let scratch = try ScratchFolder()
        let entries = try Fixtures.paths(of: "instagram-json").map {
            ($0, try Fixtures.bytes("instagram-json/" + $0))
        }
        let text = Array(String(repeating: #"{"text":"hello"}"# + "\n", count: 500).utf8)
        let archives = [Packing.zip(entries), Packing.pack(text, .gzip), Packing.pack(text, .zstd)]
        for archive in archives {
            for _ in 0..<40 {
                let path = scratch.write("x", mangled(archive, &random))
                do { _ = try readInputs([path]) } catch is TriageError {}
            }
        }
    }

    @Test func `a row of nothing but delimiters is refused`() throws {
        let scratch = try ScratchFolder()
        let commas = String(repeating: ",", count: 3_000_000)
        let result = try readInputs([scratch.write("x", "text,n\na,1\n\(commas)\nb,2\n")])
        #expect(result.texts == ["a", "b"])
        #expect(result.codes == ["csv.cell-count"])
    }

    @Test func `a million open brackets are refused and not followed`() throws {
        let scratch = try ScratchFolder()
        let deep = String(repeating: "[", count: 1_000_000)
        let result = try readInputs([scratch.write("x", #"[{"text":"a"},{"text":\#(deep)"#)])
        #expect(result.texts == ["a"])
        #expect(result.codes == ["json.truncated"])
    }

    @Test func `a file of a folder that cannot be opened loses only itself`() throws {
        let scratch = try ScratchFolder()
        scratch.write("d/a.jsonl", #"{"text":"a"}"#)
        scratch.write("d/c.jsonl", #"{"text":"c"}"#)
        let container = FolderContainer(name: scratch.path + "/d", stop: nil)
        var seen: [String] = []
        try container.read(["a.jsonl", "missing.jsonl", "c.jsonl"]) { path, next in
            while let bytes = try next() { seen.append("\(path) \(bytes.count)") }
        }
        #expect(seen == ["a.jsonl 12", "c.jsonl 12"])
    }
}
