import Testing
import TriageCore

@testable import TriageFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder as people have it: every file of it is read, or named with the reason why not.
@Suite struct `A folder of all sorts` {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func one(_ text: String) -> [UInt8] { Array((#"{"text":"\#(text)"}"# + "\n").utf8) }

    /// Something that is no export, and the word that says why it is not read.
    static let strangers: [(name: String, make: @Sendable (ScratchFolder) -> Void, reason: String)] = [
        ("bill.pdf", { $0.write("d/bill.pdf", "%PDF-1.7 x") }, "a PDF document"),
        ("photo.jpg", { $0.write("d/photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0]) }, "a JPEG image"),
        ("notes.txt", { $0.write("d/notes.txt", "buy milk\nand bread\n") }, "text"),
        ("bank.csv", { $0.write("d/bank.csv", "date,amount\n2024-06-01,5\n2024-06-02,6\n") }, "a list of payments"),
        ("e.zip", { $0.write("d/e.zip", Packing.zip([("a.jsonl", [1])], password: "x")) }, "encrypted"),
        ("n.zip", { $0.write("d/n.zip", Packing.zip([("a.zip", Packing.zip([]))])) }, "compressed files"),
        ("p.zip", { $0.write("d/p.zip", Packing.zip([("a.png", [0x89, 0x50, 0x4E, 0x47])])) }, "a PNG image"),
        ("x.xlsx", { $0.write("d/x.xlsx", Packing.zip([("xl/workbook.xml", [0x3C])])) }, "save it as CSV"),
        ("empty.zip", { $0.write("d/empty.zip", []) }, "empty"),
        ("a.zip.crdownload", { $0.write("d/a.zip.crdownload", [0x50, 0x4B, 3, 4]) }, "unfinished"),
        ("b.zip.part", { $0.write("d/b.zip.part", [0x50, 0x4B, 3, 4]) }, "unfinished"),
        ("dangling.json", { symlink("/nowhere/at/all", $0.path + "/d/dangling.json") }, "broken link"),
        ("loop", { symlink($0.path + "/d/loop", $0.path + "/d/loop") }, "broken link"),
        ("pipe", { mkfifo($0.path + "/d/pipe", 0o600) }, "a pipe"),
        ("inbox.db", { $0.write("d/inbox.db", "SQLite format 3\u{0}") }, "an SQLite database"),
    ]

    @Test func `each stranger is named with its reason, and everything else is read`() throws {
        folder.write("d/a.jsonl", one("first"))
        folder.write("d/z.jsonl", one("last"))
        for stranger in Self.strangers { stranger.make(folder) }
        let result = try readInputs([folder.path + "/d"])
        #expect(result.texts == ["first", "last"])
        #expect(result.codes.isEmpty)
        #expect(result.leftOut == Self.strangers.count)
        for (name, _, reason) in Self.strangers {
            let place = folder.path + "/d/" + name + " was skipped: "
            #expect(
                result.notices.contains { $0.hasPrefix(place) && $0.contains(reason) }, "\(name): \(result.notices)")
        }
    }

    @Test func `a list of files is as a folder of them`() throws {
        folder.write("d/a.jsonl", one("first"))
        folder.write("d/z.jsonl", one("last"))
        for stranger in Self.strangers where stranger.name != "pipe" { stranger.make(folder) }
        let names = ["a.jsonl"] + Self.strangers.map(\.name).filter { $0 != "pipe" } + ["z.jsonl"]
        let result = try readInputs(names.map { folder.path + "/d/" + $0 })
        #expect(result.texts == ["first", "last"])
        #expect(result.leftOut == Self.strangers.count - 1, "\(result.notices)")
        for (name, _, reason) in Self.strangers where name != "pipe" {
            #expect(
                result.notices.contains { $0.contains("/d/\(name) was skipped: ") && $0.contains(reason) },
                "\(name): \(result.notices)")
        }
    }

    @Test func `packed exports in a folder and its folders are read, a single packed file too`() throws {
        folder.write("d/a.jsonl", one("plain"))
        folder.write("d/sub/deep/b.zip", Packing.zip([("b.jsonl", one("zip"))]))
        folder.write("d/sub/c.tgz", Packing.tar([("c.jsonl", one("tgz"))], .gzip))
        folder.write("d/d.jsonl.gz", Packing.pack(one("gz"), .gzip))
        folder.write("d/no-ending", Packing.sevenZip([("e.jsonl", one("7z"))]))
        let result = try readInputs([folder.path + "/d"])
        #expect(result.texts.sorted() == ["7z", "gz", "plain", "tgz", "zip"])
        #expect(result.leftOut == 0)
        #expect(result.notices.isEmpty, "\(result.notices)")
    }

    @Test func `a link to a file of the folder is no second file, one to a file outside is read`() throws {
        let inside = folder.write("d/a.jsonl", one("inside"))
        let outside = folder.write("elsewhere/b.jsonl", one("outside"))
        symlink(inside, folder.path + "/d/link.jsonl")
        symlink(outside, folder.path + "/d/other.jsonl")
        let result = try readInputs([folder.path + "/d"])
        #expect(result.texts == ["inside", "outside"])
        #expect(result.notices.count == 1 && result.notices[0].contains("is the same as"), "\(result.notices)")
    }

    @Test func `what systems leave behind is passed over without a word`() throws {
        folder.write("d/a.jsonl", one("a"))
        let junk = [
            ".DS_Store", ".hidden/x.pdf", "Thumbs.db", "desktop.ini", "__MACOSX/._a.jsonl", "~$x.docx",
            "out.jsonl.1234.part",
        ]
        for name in junk { folder.write("d/" + name, [0, 1, 2]) }
        let result = try readInputs([folder.path + "/d"])
        #expect(result.texts == ["a"])
        #expect(result.leftOut == 0 && result.notices.isEmpty, "\(result.notices)")
    }

    @Test
    func `exports of several platforms in one folder are read, and what they have beside messages is no stranger`()
        throws
    {
        let instagram = "ig/your_instagram_activity/"
        folder.write(
            "d/" + instagram + "messages/inbox/ana_1/message_1.json",
            #"{"participants":[{"name":"Ana"},{"name":"Mara"}],"messages":[{"sender_name":"Ana","timestamp_ms":1717200000000,"content":"one"}],"title":"Ana","thread_path":"inbox/ana_1"}"#
        )
        folder.write("d/" + instagram + "messages/inbox/ana_1/photos/1.jpg", [0xFF, 0xD8, 0xFF])
        folder.write("d/" + instagram + "messages/inbox/ana_1/files/plan.zip", Packing.zip([("x.pdf", [1])]))
        folder.write("d/ig/media/posts/2.mp4", [0, 0, 0, 0x18])
        folder.write(
            "d/tg/result.json",
            #"{"name":"Bo","type":"personal_chat","id":7,"messages":[{"id":1,"type":"message","date":"2024-06-01T10:00:00","from":"Bo","from_id":"user9","text":"two"}]}"#
        )
        folder.write("d/tg/files/contract.pdf", "%PDF-1.7")
        folder.write("d/tg/photos/3.jpg", [0xFF, 0xD8, 0xFF])
        let clean = try readInputs([folder.path + "/d"])
        #expect(clean.texts.sorted() == ["one", "two"])
        #expect(clean.leftOut == 0, "\(clean.notices)")
        folder.write("d/bill.pdf", "%PDF-1.7")
        let mixed = try readInputs([folder.path + "/d"])
        #expect(mixed.texts.sorted() == ["one", "two"])
        #expect(mixed.leftOut == 1, "\(mixed.notices)")
    }

    @Test func `a folder of nothing but strangers is refused, and what they are is said`() throws {
        folder.write("d/a.pdf", "%PDF-1.7")
        folder.write("d/b.png", [0x89, 0x50, 0x4E, 0x47])
        #expect { try readInputs([folder.path + "/d"]) } throws: {
            let error = $0 as? TriageError
            return error?.code == "input.unknown-format" && error?.exit == .badData
                && error?.what.contains("2 files, the first with a PDF document") == true
        }
    }

    @Test func `a path that is not there is a typing error, and nothing is read`() throws {
        let good = folder.write("a.jsonl", one("a"))
        #expect { try readInputs([good, folder.path + "/b.jsonl"]) } throws: {
            ($0 as? TriageError)?.code == "input.unreadable" && ($0 as? TriageError)?.exit == .noInput
        }
    }

    @Test func `a file that goes between the look and the reading is named`() throws {
        folder.write("d/a.jsonl", one("a"))
        let gone = folder.write("d/b.jsonl", one("b"))
        folder.write("d/c.jsonl", one("c"))
        var result = ReadResult()
        let assembler = BatchAssembler(maximumLines: 1) { batch in
            unlink(gone)
            collect(batch, into: &result)
        }
        var options = InputReader.Options()
        options.paths = [folder.path + "/d"]
        #expect(try InputReader(options: options).read(into: assembler) == 1)
        try assembler.flush()
        #expect(result.texts == ["a", "c"])
        #expect(result.codes.isEmpty)
    }
}
