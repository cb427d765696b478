import Testing

/// A zip on standard input is read in one pass, with the limits of every archive.
struct PipedZipTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func line(_ id: String) -> [UInt8] { Array("{\"id\":\"\(id)\",\"text\":\"Love the new video!\"}\n".utf8) }

    private func ids(_ outcome: Program.Outcome) -> [String?] { outcome.records.map { $0?.whole["id"] as? String } }

    /// Runs it with bytes that come through a pipe, in pieces.
    private func pipe(_ arguments: [String], _ bytes: [UInt8], pieces: Int = 1 << 20) throws -> Program.Outcome {
        let program = try Program(arguments, input: .pipe)
        var at = 0
        while at < bytes.count, program.write(Array(bytes[at..<min(at + pieces, bytes.count)])) { at += pieces }
        program.closeInput()
        return try program.wait()
    }

    @Test(arguments: [1 << 20, 700, 13])
    func `files of a piped zip are each read for what they are`(pieces: Int) throws {
        let many = (0..<2000).flatMap { line("m\($0)") }
        let zip = ZipFile.make([
            ("one.jsonl", line("a")), ("__MACOSX/._one.jsonl", [1, 2, 3]),
            ("two.csv", Array("id,text\nb,hello there\n".utf8)),
            ("many.jsonl", many), ("photo.jpg", [UInt8](repeating: 0xFF, count: 5000)), ("last.jsonl", line("z")),
        ])
        let outcome = try pipe(["run"], zip, pieces: pieces)
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(ids(outcome) == ["a", "b"] + (0..<2000).map { "m\($0)" } + ["z"])
        #expect(outcome.errors.contains("photo.jpg was skipped"), "\(outcome.errors)")
        let file = try Program.run(["run", try folder.write("x.zip", zip)])
        #expect(ids(file) == ids(outcome))
    }

    @Test func `a mailbox in a piped zip is read`() throws {
        let mail =
            "From 1@xxx Sat Jun 01 10:00:00 +0000 2024\nFrom: Zoe <zoe@brand.example>\nTo: mara@example.com\n"
            + "Date: Sat, 01 Jun 2024 12:00:00 +0200\nMessage-ID: <m1@brand.example>\nSubject: Reel\n\nCan you do a reel?\n"
        let outcome = try pipe(["run"], ZipFile.make([("Takeout/Mail/All mail.mbox", Array(mail.utf8))]))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.records.count == 1)
    }

    /// One file of each export whose owner or names stand in another file.
    @Test(arguments: [
        (
            "your_instagram_activity/messages/inbox/zoe_1/message_1.json",
            #"{"participants":[{"name":"Zoe"},{"name":"Mara"}],"messages":[{"sender_name":"Zoe","timestamp_ms":1717238400000,"#
                + #""content":"hi"}],"title":"Zoe","thread_path":"inbox/zoe_1"}"#, "an Instagram export"
        ),
        (
            "messages/inbox/zoe_1/message_1.json",
            #"{"participants":[{"name":"Zoe"},{"name":"Mara"}],"messages":[{"sender_name":"Zoe","timestamp_ms":1717238400000,"#
                + #""content":"hi"}],"title":"Zoe","thread_path":"inbox/zoe_1"}"#, "could be Messenger or Instagram"
        ),
        (
            "messages.csv",
            "id,permalink,thread_id,date,ip,from,to,subject,body\na,p,a,2024-06-01 10:40:00 UTC,,zoe,mara,Hi,hello you\n",
            "a Reddit data export"
        ),
        (
            "messages.csv",
            "FROM,TO,DATE,SUBJECT,CONTENT,DIRECTION,FOLDER\nZoe,Mara,2018-03-04T05:06:07,,hello you,INCOMING,INBOX\n",
            "a LinkedIn data export"
        ),
    ])
    func `an export whose files belong together asks for a file`(path: String, text: String, name: String) throws {
        let zip = ZipFile.make([("first.txt", [0]), (path, Array(text.utf8))])
        let outcome = try pipe(["run"], zip)
        #expect(outcome.status == 66, "\(outcome.errors)")
        #expect(outcome.errors.contains("input.zip-needs-file") && outcome.errors.contains("EXPORT.zip"))
        #expect(outcome.errors.contains("this is") && outcome.errors.contains(name), "\(outcome.errors)")
        #expect(!outcome.errors.contains("hello you") && outcome.output.isEmpty)
        // A file on standard input can be looked at as often as it takes.
        let file = try Program(["run"], input: .file(try folder.write("x.zip", zip))).wait()
        #expect(file.status == 0, "\(file.errors)")
        #expect(file.records.count == 1)
    }

    @Test func `names that lead out of it are refused and nothing is written`() throws {
        let zip = ZipFile.make([
            ("../evil.jsonl", line("evil")), ("/etc/evil.jsonl", line("evil")), ("b.jsonl", line("b")),
        ])
        let outcome = try pipe(["run", "--rejects", folder.place("bad.jsonl")], zip)
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(ids(outcome) == ["b"])
        let bad = try folder.bytes("bad.jsonl").split(separator: 0x0A).map(Array.init)
        #expect(bad.map { Annotated.rejectCode($0) } == ["archive.unsafe-name", "archive.unsafe-name"])
        #expect(folder.listing == ["bad.jsonl"])
    }

    @Test func `a bomb through a pipe is stopped in little memory and what came before it counts`() throws {
        let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
        let bomb = Array(repeating: line("bomb") + blanks + [0x0A], count: 100).flatMap { $0 }
        let zip = ZipFile.make([("a.jsonl", line("a")), ("bomb.jsonl", bomb)])
        let outcome = try pipe(["run", "--rejects", folder.place("bad.jsonl")], zip)
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(ids(outcome).first == "a" && ids(outcome).count < 100)
        #expect(try folder.text("bad.jsonl").contains("archive.bomb"))
        #expect(outcome.peakMemory < 150 << 20, "\(outcome.peakMemory >> 20) MiB")
    }

    @Test(arguments: [2, 3, 10])
    func `a piped zip that breaks off counts up to there and says so`(parts: Int) throws {
        let lines = (0..<4000).flatMap { line("\($0 &* 7919 % 4001)") }
        let zip = ZipFile.make([("a.jsonl", line("first")), ("b.jsonl", lines)])
        let outcome = try pipe(
            ["run", "--rejects", folder.place("bad.jsonl")], Array(zip[..<(zip.count - zip.count / parts)]))
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(ids(outcome).first == "first" && !ids(outcome).contains(nil))
        #expect(try folder.text("bad.jsonl").contains("\"code\":\"archive."))
    }

    @Test func `an empty piped zip gives nothing, one of pictures is no export`() throws {
        let empty = try pipe(["run"], ZipFile.make([]))
        #expect(empty.status == 0 && empty.output.isEmpty, "\(empty.errors)")
        let foreign = try pipe(["run"], ZipFile.make([("a.jpg", [UInt8](repeating: 0xFF, count: 100))]))
        #expect(foreign.status == 65 && foreign.output.isEmpty, "\(foreign.errors)")
    }

    @Test func `parts of one export given together are one tree`() throws {
        func thread(_ count: ClosedRange<Int>) -> [UInt8] {
            let messages = count.reversed().map {
                #"{"sender_name":"Zoe","timestamp_ms":\#(1_717_238_400_000 + $0 * 60_000),"content":"part \#($0)"}"#
            }
            return Array(
                (#"{"participants":[{"name":"Zoe"},{"name":"Mara"}],"messages":[\#(messages.joined(separator: ","))],"#
                    + #""title":"Zoe","thread_path":"inbox/zoe_1"}"#).utf8)
        }
        let inbox = "your_instagram_activity/messages/inbox/zoe_1/"
        let profile = #"{"profile_user":[{"string_map_data":{"Name":{"value":"Mara"},"Username":{"value":"mara"}}}]}"#
        let first = try folder.write("a-1.zip", ZipFile.make([(inbox + "message_1.json", thread(3...4))]))
        let second = try folder.write(
            "a-2.zip",
            ZipFile.make([
                (inbox + "message_2.json", thread(1...2)),
                ("personal_information/personal_information/personal_information.json", Array(profile.utf8)),
            ]))
        for paths in [[first, second], [second, first]] {
            let outcome = try Program.run(["run"] + paths)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let texts = outcome.records.map { $0?.whole["text"] as? String }
            #expect(texts == ["part 1", "part 2", "part 3", "part 4"])
            #expect(
                outcome.records.allSatisfy { ($0?.whole["sender"] as? [String: Any])?["is_self"] as? Bool == false })
        }
    }
}
