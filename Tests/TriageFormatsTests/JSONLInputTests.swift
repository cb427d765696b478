import Synchronization
import Testing
import TriageCore

@testable import TriageFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

struct JSONLInputTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func record(_ text: String) -> String { #"{"text":"\#(text)"}"# }

    @Test(arguments: [
        ("a\nb\n", ["a", "b"], [1, 2], [0, 13]), ("a\nb", ["a", "b"], [1, 2], [0, 13]),
        ("a\r\nb\r\n", ["a", "b"], [1, 2], [0, 14]), ("\n\n a\n \nb\n\n", ["a", "b"], [3, 5], [2, 18]),
        ("\u{FEFF}a\nb\n", ["a", "b"], [1, 2], [3, 16]), ("a", ["a"], [1], [0]),
    ])
    func `lines come out one by one with number and offset`(
        shape: String, texts: [String], numbers: [Int], offsets: [Int]
    ) throws {
        var content = ""
        for character in shape.unicodeScalars {
            content += character == "a" || character == "b" ? record(String(character)) : String(character)
        }
        let result = try readInputs([folder.write("x.bin", content)])
        #expect(result.texts == texts)
        #expect(result.numbers == numbers)
        #expect(result.offsets == offsets)
        #expect(result.codes.isEmpty)
    }

    @Test func `a line is handed on byte for byte`() throws {
        let line = #"{ "text":"\u00e9" ,"x":1.0e0,  "y":123456789012345678901234567890 }"#
        #expect(try readInputs([folder.write("x", line + "\r\n")]).lines == [line])
    }

    @Test func `an empty file gives nothing`() throws {
        for content in ["", "\n\n", "\u{FEFF}", "  "] {
            let result = try readInputs([folder.write("x", content)])
            #expect(result.texts.isEmpty && result.codes.isEmpty)
        }
    }

    @Test func `blank lines are handed on when they are to be answered`() throws {
        let path = folder.write("x", record("a") + "\n\n" + record("b") + "\n")
        let result = try readInputs([path]) { $0.answersBlankLines = true }
        #expect(result.codes == ["input.blank-line"])
        #expect(result.numbers == [1, 2, 3])
    }

    @Test(arguments: [0, 1, 2])
    func `a line over the limit is refused and the next is read`(extra: Int) throws {
        let long = record(String(repeating: "x", count: 2_000_000 + extra))
        let path = folder.write("x", record("a") + "\n" + long + "\n" + record("b") + "\n")
        let exact = try readInputs([path]) { $0.maximumLine = long.utf8.count }
        #expect(exact.texts.count == 3)
        let result = try readInputs([path]) { $0.maximumLine = long.utf8.count - 1 }
        #expect(result.texts == ["a", "b"])
        #expect(result.codes == ["input.line-too-long"])
        #expect(result.numbers == [1, 2, 3])
    }

    @Test func `a long last line without a line break is refused too`() throws {
        let path = folder.write("x", record("a") + "\n" + record(String(repeating: "x", count: 3_000_000)))
        #expect(try readInputs([path]) { $0.maximumLine = 100 }.codes == ["input.line-too-long"])
    }

    @Test(arguments: [
        (#"{"body":"hi there","n":1}"#, "body"), (#"{"id":"7","Message Text":"hi"}"#, "Message Text"),
        (#"{"user":"zoe","note":"a sentence","n":1}"#, "note"), (#"{"text":7,"comment":"x"}"#, "comment"),
        (#"{"mensaje":"hola"}"#, "mensaje"),
    ])
    func `the text is found under other names and that is said once`(line: String, key: String) throws {
        let result = try readInputs([folder.write("x", line + "\n" + line + "\n")])
        #expect(result.textKeys == [key, key])
        #expect(result.texts.count == 2)
        #expect(result.notices.count == 1)
    }

    @Test func `a member named text stays the text whatever else there is`() throws {
        let result = try readInputs([folder.write("x", #"{"message":"no","text":"yes"}"#)])
        #expect(result.texts == ["yes"])
        #expect(result.notices.isEmpty)
    }

    @Test func `the map names the text`() throws {
        let result = try readInputs([folder.write("x", #"{"message":"no","note":"yes"}"#)]) {
            $0.columns = ["text=note"]
        }
        #expect(result.texts == ["yes"])
    }

    @Test func `a broken first line leaves the text to the first record`() throws {
        let result = try readInputs([folder.write("x", "{broken\n" + #"{"body":"hi"}"# + "\n")])
        #expect(result.codes == ["json.syntax"])
        #expect(result.texts == ["hi"])
    }

    @Test(arguments: [
        // The rest of a record that was cut, a comment, an array, several lines, blank ones between.
        (#"g it","sender":"ida"}"#, 1), ("# exported", 1), (#"[{"a":1}],"text":"x"}"#, 1), (#""x", "y""#, 1),
        ("# one\n# two", 2), ("\n# one\r\n", 1),
    ])
    func `what is no JSON above the records is refused and the records are read`(head: String, refused: Int) throws {
        let records = ["one", "two", "three"].map { record($0) + "\n" }.joined()
        let result = try readInputs([folder.write("x", head + "\n" + records)])
        #expect(result.codes == Array(repeating: "json.syntax", count: refused))
        #expect(result.texts == ["one", "two", "three"])
    }

    @Test(
        arguments: [
            ("name,text\n{\"text\":1,see\n{\"text\":2,there\n", "csv"),
            ("[\n{\"text\":\"one\"},\n{\"text\":\"two\"}\n]\n", "json-array"),
            (
                "01.06.24, 10:40 - Ida: look\n{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"text\":\"c\"}\n"
                    + "01.06.24, 10:41 - Mo: yes\n", "whatsapp-text"
            ),
            ("notes\nsome\nmore\n{\"text\":\"a\"}\n{\"text\":\"b\"}\n", nil), ("# c\n{\"a\":1}\n{\"b\":2}\n", nil),
            ("# c\n{\"text\":\"a\"}\nend\n", nil),
        ] as [(String, String?)])
    func `lines of JSON below another first line do not hide other formats`(content: String, format: String?) {
        let opening = Opening(bytes: Array(content.utf8), isWhole: true)
        #expect(ExportFormats.detect(opening)?.detection.format == format)
    }

    @Test func `each file settles its own text`() throws {
        let a = folder.write("a", #"{"body":"one"}"#)
        let b = folder.write("b", #"{"text":"two","body":"no"}"#)
        #expect(try readInputs([a, b]).texts == ["one", "two"])
    }

    @Test func `records come out of a pipe as soon as it falls silent`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let stop = try InputStop()
        var options = InputReader.Options()
        options.paths = ["/dev/fd/\(ends[0])"]
        let reader = InputReader(options: options, stop: stop)
        let seen = Mutex<[Int]>([])
        let done = Mutex(false)
        let thread = Thread {
            let assembler = BatchAssembler { batch in seen.withLock { $0.append(batch.lines.count) } }
            _ = try? reader.read(into: assembler)
            done.withLock { $0 = true }
        }
        func send(_ text: String) {
            var copy = text
            copy.withUTF8 { _ = write(ends[1], $0.baseAddress, $0.count) }
        }
        send(record("a") + "\n")
        wait { seen.withLock { $0 } == [1] }
        send(record("b") + "\n" + record("c"))
        wait { seen.withLock { $0 } == [1, 1] }
        #expect(seen.withLock { $0 } == [1, 1])
        // The pipe stays open: only the stop ends the reading, and the line that was begun is no record.
        stop.stop()
        wait { done.withLock { $0 } }
        #expect(done.withLock { $0 })
        #expect(seen.withLock { $0 } == [1, 1])
        thread.join()
        close(ends[0])
        close(ends[1])
    }

    @Test func `a missing file is named with exit 66`() {
        let path = folder.path + "/missing.jsonl"
        #expect {
            try readInputs([folder.write("x", record("a")), path])
        } throws: { error in
            guard let error = error as? TriageError else { return false }
            return error.code == "input.unreadable" && error.exit == .noInput && error.at == path
        }
    }

    /// Waits up to ten seconds; a failing expectation follows if it never comes true.
    private func wait(_ condition: () -> Bool) {
        var left = 1000
        while !condition(), left > 0 {
            usleep(10_000)
            left -= 1
        }
    }
}

/// A plain thread for code that blocks.
final class Thread {
    private var handle = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body))
        pthread_create(&handle, nil, { Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().run() }, box.toOpaque())
    }

    func join() { pthread_join(handle, nil) }

    private final class Box {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
        func run() -> UnsafeMutableRawPointer? {
            body()
            return nil
        }
    }
}
