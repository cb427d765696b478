import Testing

/// Archives are read as far as they can be trusted, and nothing of them is written anywhere.
struct ArchiveTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func line(_ id: String) -> [UInt8] { Array("{\"id\":\"\(id)\",\"text\":\"Love the new video!\"}\n".utf8) }

    private func ids(_ outcome: Program.Outcome) -> [String?] { outcome.records.map { $0?.whole["id"] as? String } }

    @Test(arguments: ["../evil.jsonl", "/tmp/evil.jsonl", "a/../../evil.jsonl"])
    func `an entry that would leave its zip is refused and the others are read`(name: String) throws {
        let zip = try folder.write("x.zip", ZipFile.make([(name, line("evil")), ("good.jsonl", line("good"))]))
        let outcome = try Program.run(["run", zip, "--rejects", folder.place("bad.jsonl")], directory: folder.path)
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(ids(outcome) == ["good"])
        let bad = try folder.bytes("bad.jsonl").split(separator: 0x0A).map(Array.init)
        #expect(bad.map { Annotated.rejectCode($0) } == ["archive.unsafe-name"])
        #expect(folder.listing == ["bad.jsonl", "x.zip"])
    }

    @Test func `a zip bomb is stopped in little memory and what came before it counts`() throws {
        let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
        let bomb = Array(repeating: line("bomb") + blanks + [0x0A], count: 100).flatMap { $0 }
        let zip = try folder.write("x.zip", ZipFile.make([("a.jsonl", line("a")), ("bomb.jsonl", bomb)]))
        let outcome = try Program.run(["run", zip, "--rejects", folder.place("bad.jsonl")])
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(ids(outcome).first == "a")
        #expect(ids(outcome).count < 100)
        #expect(try folder.text("bad.jsonl").contains("archive.bomb"))
        #expect(outcome.peakMemory < 150 << 20, "\(outcome.peakMemory >> 20) MiB")
    }

    @Test(arguments: [2, 3, 10])
    func `a cut zip counts up to the cut and says so`(parts: Int) throws {
        let lines = (0..<4000).flatMap { line("\($0 &* 7919 % 4001)") }
        let zip = ZipFile.make([("a.jsonl", line("first")), ("b.jsonl", lines)])
        let cut = try folder.write("x.zip", Array(zip[..<(zip.count - zip.count / parts)]))
        let outcome = try Program.run(["run", cut, "--rejects", folder.place("bad.jsonl")])
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(ids(outcome).first == "first")
        #expect(!ids(outcome).contains(nil))
        #expect(try folder.text("bad.jsonl").contains("\"code\":\"archive."))
    }

    /// Wherever it is cut, between two files, within a file or within the list of all of them.
    @Test func `no cut of a zip goes untold`() throws {
        let whole = ZipFile.make(["a", "b", "c", "d", "e"].map { ("\($0).jsonl", line($0)) })
        for end in stride(from: 40, to: whole.count, by: 31) {
            let cut = try folder.write("x.zip", Array(whole[..<end]))
            let outcome = try Program.run(["run", cut, "--rejects", folder.place("bad.jsonl")])
            #expect(outcome.status == 1, "cut at \(end): \(outcome.errors)")
            #expect(try folder.text("bad.jsonl").contains("\"code\":\"archive."), "cut at \(end)")
        }
        let outcome = try Program.run(["run", try folder.write("x.zip", whole)])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(ids(outcome) == ["a", "b", "c", "d", "e"])
    }

    /// - Parameter damaged: names of the files whose bytes are turned over.
    @Test(arguments: [["a"], ["c"], ["e"], ["b", "c", "e"]])
    func `a damaged file in a zip is told and the others are read`(damaged: [String]) throws {
        let names = ["a", "b", "c", "d", "e"]
        var zip = ZipFile.make(names.map { ("\($0).jsonl", line($0)) })
        for name in damaged {
            let start = try #require(zip.firstRange(of: Array("\(name).jsonl".utf8))?.upperBound)
            let end = try #require(zip[start...].firstRange(of: [0x50, 0x4B])?.lowerBound)
            for place in end - 12..<end - 10 { zip[place] ^= 0xFF }
        }
        let outcome = try Program.run(
            ["run", try folder.write("x.zip", zip), "--rejects", folder.place("bad.jsonl")])
        #expect(outcome.status == 1, "\(outcome.errors)")
        for name in names where !damaged.contains(name) { #expect(ids(outcome).contains(name), "\(name)") }
        let told = try folder.text("bad.jsonl").split(separator: "\n").count { $0.contains("\"code\":\"archive.") }
        #expect(told == damaged.count)
    }

    @Test func `a file of an export that only says who the owner is is told too when it is damaged`() throws {
        let owner = "personal_information/personal_information/personal_information.json"
        var zip = ZipFile.make([
            (owner, Array(#"{"profile_user":[{"string_map_data":{"Name":{"value":"Mara"}}}]}"#.utf8)), chat("ana"),
        ])
        let end = try #require(zip[(owner.utf8.count + 30)...].firstRange(of: [0x50, 0x4B])?.lowerBound)
        for place in end - 12..<end - 10 { zip[place] ^= 0xFF }
        let outcome = try Program.run(
            ["run", try folder.write("x.zip", zip), "--rejects", folder.place("bad.jsonl")])
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.records.count == 1)
        let bad = try folder.text("bad.jsonl").split(separator: "\n")
        #expect(bad.count == 1 && bad[0].contains("\"code\":\"archive.") && bad[0].contains("personal_information"))
    }

    @Test func `an empty file in an export is told by name and the others are read`() throws {
        let zip = ZipFile.make([chat("ana"), (chat("zoe").0, []), chat("lin")])
        let outcome = try Program.run(["run", try folder.write("x.zip", zip)])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.records.count == 2)
        #expect(outcome.errors.contains("zoe_1/message_1.json is empty"), "\(outcome.errors)")
    }

    private func chat(_ name: String) -> (String, [UInt8]) {
        let content =
            #"{"participants":[{"name":"Mara"},{"name":"NAME"}],"messages":[{"sender_name":"NAME","timestamp_ms":1790000000000,"content":"Love it"}],"title":"NAME","thread_path":"inbox/NAME_1"}"#
        return (
            "your_instagram_activity/messages/inbox/\(name)_1/message_1.json",
            Array(content.replacing("NAME", with: name).utf8)
        )
    }

    @Test func `what is a zip only by name is read for what it is`() throws {
        let outcome = try Program.run(["run", try folder.write("x.zip", line("plain"))])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(ids(outcome) == ["plain"])
    }

    @Test func `an empty zip is like an empty file, a zip of pictures no export`() throws {
        let empty = try Program.run(["run", try folder.write("x.zip", ZipFile.make([]))])
        #expect(empty.status == 0, "\(empty.errors)")
        #expect(empty.output.isEmpty)
        let pictures = [(name: "a.jpg", bytes: [UInt8](repeating: 0xFF, count: 100))]
        let foreign = try Program.run(["run", try folder.write("y.zip", ZipFile.make(pictures))])
        #expect(foreign.status == 65, "\(foreign.errors)")
        #expect(foreign.output.isEmpty)
    }
}
