import Testing
import TriageCore

@testable import TriageFormats

struct ArchiveInputTests {
    let folder: ScratchFolder
    let lines = (0..<5000).map { #"{"text":"message \#($0)","n":\#($0 &* 7919 % 10007)}"# + "\n" }.joined()

    init() throws { folder = try ScratchFolder() }

    private func one(_ text: String) -> [UInt8] { Array((#"{"text":"\#(text)"}"# + "\n").utf8) }

    @Test(arguments: Packing.Filter.allCases)
    func `packed files are read`(filter: Packing.Filter) throws {
        let result = try readInputs([folder.write("x", Packing.pack(Array(lines.utf8), filter))])
        #expect(result.texts.count == 5000)
        #expect(result.codes.isEmpty)
    }

    @Test(arguments: [Packing.Filter.gzip, .zstd])
    func `a packed file that ends early counts up to there and says so`(filter: Packing.Filter) throws {
        let packed = Packing.pack(Array(lines.utf8), filter)
        let result = try readInputs([folder.write("x", Array(packed[..<(packed.count / 2)]))])
        #expect(result.codes.count == 1)
        #expect(result.codes.first?.hasPrefix("archive.") == true)
        if filter == .gzip { #expect(result.texts.count > 100) }
    }

    @Test(arguments: [true, false])
    func `a zip of records is read in order`(isStored: Bool) throws {
        let zip = Packing.zip(
            [
                ("b/one.jsonl", one("1")), ("__MACOSX/b/._one.jsonl", [1, 2]), ("two.csv", Array("text,n\n2,x\n".utf8)),
                ("b/.DS_Store", [0, 1]), ("three.json", Array(#"[{"text":"3"}]"#.utf8)),
            ], isStored: isStored)
        let result = try readInputs([folder.write("x", zip)])
        #expect(result.texts == ["1", "2", "3"])
        #expect(result.codes.isEmpty)
        #expect(result.sources.first == folder.path + "/x:b/one.jsonl")
    }

    @Test(arguments: ["../evil.jsonl", "/etc/evil.jsonl", "a/../../evil.jsonl", "C:/evil.jsonl", #"..\evil.jsonl"#])
    func `an entry that would leave the archive is refused and the rest is read`(name: String) throws {
        let zip = Packing.zip([(name, one("evil")), ("good.jsonl", one("good"))])
        let result = try readInputs([folder.write("x", zip)])
        #expect(result.texts == ["good"])
        #expect(result.codes == ["archive.unsafe-name"])
    }

    @Test func `a zip that ends early counts up to there and says so`() throws {
        let zip = Packing.zip([("a.jsonl", one("a")), ("b.jsonl", Array(lines.utf8)), ("c.jsonl", one("c"))])
        let result = try readInputs([folder.write("x", Array(zip[..<(zip.count / 2)]))])
        #expect(result.texts.first == "a")
        #expect(result.texts.count > 100)
        #expect(result.codes == ["archive.truncated"], "\(result.rejects)")
    }

    @Test func `a zip bomb is stopped and what was before it counts`() throws {
        let bomb = Array(repeating: UInt8(ascii: " "), count: 30 << 20)
        let zip = Packing.zip([("a.jsonl", one("a")), ("b.jsonl", one("b") + bomb), ("c.jsonl", one("c"))])
        let result = try readInputs([folder.write("x", zip), folder.write("y", one("next"))])
        #expect(result.texts == ["a", "b", "next"])
        #expect(result.codes == ["archive.bomb"])
    }

    @Test func `a packed bomb is stopped too`() throws {
        let bomb = Packing.pack(one("a") + Array(repeating: UInt8(ascii: "\n"), count: 30 << 20), .gzip)
        let result = try readInputs([folder.write("x", bomb)])
        #expect(result.texts == ["a"])
        #expect(result.codes == ["archive.bomb"])
    }

    @Test func `more entries than the limit are left out and that is said`() throws {
        var limits = ArchiveReader.Limits()
        limits.entries = 3
        let zip = Packing.zip((1...5).map { ("\($0).jsonl", one("\($0)")) })
        let result = try readInputs([folder.write("x", zip)], limits: limits)
        #expect(result.texts == ["1", "2", "3"])
        #expect(result.codes == ["archive.too-many-entries"])
    }

    /// A kind of archive.
    struct Kind: Sendable {
        var name: String
        var make: @Sendable ([(name: String, bytes: [UInt8])]) -> [UInt8]
    }

    /// Every kind of archive that is read.
    static let kinds: [Kind] = {
        var kinds = [
            Kind(name: "zip") { Packing.zip($0) }, Kind(name: "7z") { Packing.sevenZip($0) },
            Kind(name: "rar") { Packing.rar($0) },
        ]
        for filter in Packing.Filter.allCases {
            kinds.append(Kind(name: "tar \(filter)") { Packing.tar($0, filter) })
        }
        return kinds
    }()

    @Test(arguments: kinds.indices)
    func `an archive of any kind is read as a zip is, named, in a folder, and beside others`(index: Int) throws {
        let entries = [
            ("one/a.jsonl", one("a")), ("__MACOSX/one/._a.jsonl", [1, 2]), ("b.csv", Array("text,n\n2,x\n".utf8)),
        ]
        let path = folder.write("d/x", Self.kinds[index].make(entries))
        let other = folder.write("other.jsonl", one("other"))
        for (paths, texts) in [
            ([path], ["a", "2"]), ([folder.path + "/d"], ["a", "2"]), ([path, other], ["a", "2", "other"]),
        ] {
            let result = try readInputs(paths)
            #expect(result.texts == texts, "\(Self.kinds[index].name) \(paths)")
            #expect(result.codes.isEmpty)
            #expect(result.leftOut == 0)
        }
    }

    @Test(arguments: ["tar none", "tar gzip", "tar xz", "tar zstd", "7z", "rar"])
    func `what does not lie in the archive's own tree, and what expands too far, is refused in any kind`(
        name: String
    ) throws {
        let make = try #require(Self.kinds.first { $0.name == name }?.make)
        let unsafe = try readInputs([
            folder.write("x", make([("good.jsonl", one("good")), ("../evil.jsonl", one("evil"))]))
        ])
        #expect(unsafe.texts == ["good"])
        #expect(unsafe.codes == ["archive.unsafe-name"], "\(unsafe.rejects)")
        guard name != "rar", name != "tar none" else { return }
        let bomb = Array(repeating: UInt8(ascii: " "), count: 80 << 20)
        // Wanted or passed over, it has to be expanded.
        for place in ["b.jsonl", ".hidden"] {
            let result = try readInputs([
                folder.write("x", make([("a.jsonl", one("a")), (place, bomb), ("c.jsonl", one("c"))])),
                folder.write("y", one("next")),
            ])
            #expect(result.codes == ["archive.bomb"], "\(place): \(result.rejects)")
            #expect(result.texts.last == "next")
        }
    }

    @Test(arguments: Packing.Filter.allCases)
    func `links and devices in a tar are named and never followed`(filter: Packing.Filter) throws {
        let tar = Packing.tar(
            [
                ("good.jsonl", one("good")), ("symlink:a", []), ("hardlink:b", []), ("fifo:c", []),
                ("z.jsonl", one("z")),
            ],
            filter)
        let result = try readInputs([folder.write("x", tar)])
        #expect(result.texts == ["good", "z"])
        #expect(result.codes == ["archive.link", "archive.link", "archive.special"])
    }

    @Test(arguments: [Packing.Filter.none, .gzip, .xz])
    func `a tar that ends early counts up to there and says so`(filter: Packing.Filter) throws {
        let tar = Packing.tar([("a.jsonl", one("a")), ("b.jsonl", Array(lines.utf8)), ("c.jsonl", one("c"))], filter)
        for part in [3, 2] {
            let result = try readInputs([folder.write("x", Array(tar[..<(tar.count / part)]))])
            #expect(result.codes.count == 1 && result.codes.first?.hasPrefix("archive.") == true, "\(result.rejects)")
        }
        // Between two files nothing but the missing end shows it.
        guard filter == .none else { return }
        let cut = try readInputs([folder.write("x", Array(Packing.tar([("a.jsonl", one("a"))])[..<1024]))])
        #expect(cut.texts == ["a"])
        #expect(cut.codes == ["archive.truncated"])
    }

    @Test(arguments: [
        (["[Content_Types].xml", "xl/workbook.xml"], "x.xlsx", "input.spreadsheet"),
        (["mimetype", "content.xml"], "x.ods", "input.spreadsheet"),
        (["Index/Document.iwa"], "x.numbers", "input.spreadsheet"),
        (["[Content_Types].xml", "word/document.xml"], "x.docx", "input.document"),
    ])
    func `a spreadsheet is told from an archive, with what to do`(names: [String], file: String, code: String) throws {
        let path = folder.write(file, Packing.zip(names.map { ($0, Array("<x/>".utf8)) }))
        #expect { try readInputs([path]) } throws: {
            guard let error = $0 as? TriageError else { return false }
            return error.code == code && error.exit == .badData
                && (code == "input.document" || error.remedy?.contains("CSV") == true)
        }
        let beside = try readInputs([path, folder.write("a.jsonl", one("a"))])
        #expect(beside.texts == ["a"])
        #expect(beside.leftOut == 1)
        let finding = try inspectInputs([path])
        #expect(finding.first?.detection == nil)
        #expect(finding.first?.sight.contains(code == "input.spreadsheet" ? "CSV" : "Word") == true)
    }

    @Test func `an encrypted and a nested archive are told for what they are`() throws {
        let encrypted = folder.write(
            "e.zip", Packing.zip([("messages/inbox/a_1/message_1.json", one("a"))], password: "x"))
        let nested = folder.write("n.zip", Packing.zip([("export.zip", Packing.zip([("a.jsonl", one("a"))]))]))
        let findings = try inspectInputs([encrypted, nested])
        #expect(findings.map(\.detection?.format) == [nil, nil])
        #expect(findings[0].sight.contains("encrypted"))
        #expect(findings[1].sight.contains("packed file (zip)"))
        #expect { try readInputs([nested]) } throws: { ($0 as? TriageError)?.code == "input.packed-inside" }
        let beside = try readInputs([encrypted, nested, folder.write("a.jsonl", one("a"))])
        #expect(beside.texts == ["a"])
        #expect(beside.leftOut == 2)
        #expect(beside.notices.contains { $0.contains("e.zip was skipped: it is encrypted") }, "\(beside.notices)")
        #expect(beside.notices.contains { $0.contains("n.zip was skipped: it contains compressed files") })
    }

    @Test func `an encrypted zip is refused with exit 66`() {
        let zip = Packing.zip([("a.jsonl", one("a"))], password: "secret")
        #expect { try readInputs([folder.write("x", zip)]) } throws: {
            ($0 as? TriageError)?.code == "archive.encrypted" && ($0 as? TriageError)?.exit == .noInput
        }
    }

    @Test func `bytes that only begin like a zip are refused and do not stop the run`() throws {
        let result = try readInputs([
            folder.write("x", [0x50, 0x4B, 3, 4] + Array(repeating: 7, count: 500)), folder.write("y", one("next")),
        ])
        #expect(result.texts == ["next"])
        #expect(result.codes.count == 1)
    }

    @Test func `an empty zip gives nothing`() throws {
        let result = try readInputs([folder.write("x", Packing.zip([]))])
        #expect(result.texts.isEmpty && result.codes.isEmpty)
    }

    @Test func `a folder is read in the order of its names and without junk`() throws {
        folder.write("d/b.jsonl", one("b"))
        folder.write("d/a/z.jsonl", one("z"))
        folder.write("d/.hidden.jsonl", one("no"))
        folder.write("d/photo.png", [0x89, 0x50, 0x4E, 0x47, 0])
        let result = try readInputs([folder.path + "/d"])
        #expect(result.texts == ["z", "b"])
        #expect(result.notices == [folder.path + "/d/photo.png was skipped: a PNG image"])
        #expect(result.leftOut == 1)
    }

    @Test(arguments: [
        ("null", "JSON"), ("hello world, how are you\nfine, thanks\n", "text"), ("<html></html>", "HTML"),
        ("\u{0}\u{1}\u{2}", "binary"),
        ("%PDF-1.7 …", "PDF"), ("[1,2,3]", "JSON"),
    ])
    func `an unknown file is refused with what was seen`(content: String, seen: String) {
        #expect { try readInputs([folder.write("x", content)]) } throws: {
            guard let error = $0 as? TriageError else { return false }
            return error.code == "input.unknown-format" && error.exit == .badData && error.what.contains(seen)
        }
    }

    @Test func `a named format overrides what the content says`() throws {
        let path = folder.write("x", "hello\n" + #"{"text":"a"}"# + "\n")
        let result = try readInputs([path]) { $0.format = "jsonl" }
        #expect(result.texts == ["a"])
        #expect(result.codes == ["json.syntax"])
        #expect { try readInputs([path]) { $0.format = "nope" } } throws: {
            ($0 as? TriageError)?.exit == .usage
        }
    }
}
