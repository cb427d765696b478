import Testing
import TriageCore

@testable import TriageFormats

struct JSONArrayInputTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [
        #"[{"text":"a"},{"text":"b"}]"#, "[\n  {\n    \"text\": \"a\"\n  },\n  {\"text\":\"b\"}\r\n]\n",
        #" [ {"text":"a"} , {"text":"b"} ] "#,
        #"{"messages":[{"text":"a"},{"text":"b"}]}"#,
        #"{"count":2,"next":null,"data":[{"text":"a"},{"text":"b"}],"x":{"y":[1]}}"#,
        "{\n  \"items\" : [\n {\"text\":\"a\"},\n {\"text\":\"b\"}\n ]\n}\n",
        "{\n\"text\":\"a\"\n}\n{\n\"text\":\"b\"\n}\n",
        #"{"rows":[],"results":[{"text":"a"},{"text":"b"}]}"#,
    ])
    func `elements come out as records on one line`(content: String) throws {
        let result = try readInputs([folder.write("x.bin", content)])
        #expect(result.texts == ["a", "b"])
        #expect(result.codes.isEmpty)
        #expect(!result.lines.contains { $0.contains("\n") })
    }

    @Test func `an element keeps its bytes but for line breaks between tokens`() throws {
        let result = try readInputs([folder.write("x", "[ {\"text\": \"a\\nb\",\n\t\"n\" :1.0} ]")])
        #expect(result.lines == ["{\"text\": \"a\\nb\", \t\"n\" :1.0}"])
        #expect(result.offsets == [2])
    }

    @Test(arguments: ["[]", " [ ] ", #"{"messages":[]}"#])
    func `an empty array gives nothing`(content: String) throws {
        let result = try readInputs([folder.write("x", content)])
        #expect(result.texts.isEmpty && result.codes.isEmpty)
    }

    @Test(
        arguments: [
            (#"[{"text":"a"},{"text":"b""#, ["a"], ["json.truncated"]), (#"[{"text":"a"}"#, ["a"], ["json.truncated"]),
            (#"[{"text":"a"},"#, ["a"], ["json.truncated"]),
            (#"[{"text":"a"} {"text":"b"}]"#, ["a", "b"], ["json.syntax"]),
            (#"[{"text":"a"},]"#, ["a"], ["json.syntax"]),
            (#"[{"text":"a"},,{"text":"b"}]"#, ["a", "b"], ["json.syntax"]),
            (#"[{"text":"a"}] x"#, ["a"], ["json.syntax"]),
            (#"[{"text":"a"},{"text":nul},{"text":"b"}]"#, ["a", "b"], ["json.syntax"]),
            (#"[{"text":"a"},7,{"text":"b"}]"#, ["a", "b"], ["json.not-object"]),
            (#"[{"text":"a"},{"text":"\x"},{"text":"b"}]"#, ["a", "b"], ["json.syntax"]),
            (#"{"messages":[{"text":"a"}]"#, ["a"], ["json.truncated"]),
        ] as [(String, [String], [String])])
    func `what is broken is refused with a place and the rest goes on`(
        content: String, texts: [String], codes: [String]
    ) throws {
        let result = try readInputs([folder.write("x", content)])
        #expect(result.texts == texts)
        #expect(result.codes == codes)
    }

    @Test func `an element over the limit is refused and the next is read`() throws {
        let long = String(repeating: "x", count: 3_000_000)
        let result = try readInputs([folder.write("x", #"[{"text":"a"},{"text":"\#(long)"},{"text":"b"}]"#)]) {
            $0.maximumLine = 1000
        }
        #expect(result.texts == ["a", "b"])
        #expect(result.codes == ["input.line-too-long"])
    }

    @Test func `the text of elements is found under other names`() throws {
        let result = try readInputs([folder.write("x", #"[{"comment":"a b"},{"comment":"c"}]"#)])
        #expect(result.texts == ["a b", "c"])
        #expect(result.textKeys == ["comment", "comment"])
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func `any cutting into pieces gives the same elements`(size: Int) {
        let text = #"{"a":"]}\"","messages":[{"text":"x\\"},12,"s,]",[1,{"b":[]}],null],"z":{"messages":[1]}}"#
        var splitter = JSONSplitter(.container(["messages"]), maximumLength: 1000)
        var found: [String] = []
        func take(_ event: JSONSplitter.Event) {
            switch event {
            case .element(let bytes, _, _): found.append(String(decoding: bytes, as: UTF8.self))
            case .member(let name, let bytes): found.append(name + "=" + String(decoding: bytes, as: UTF8.self))
            default: found.append("fault")
            }
        }
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBufferPointer { splitter.feed($0, take) }
        }
        splitter.finish(take)
        #expect(
            found == [
                #"a="]}\"""#, #"{"text":"x\\"}"#, "12", #""s,]""#, #"[1,{"b":[]}]"#, "null", #"z={"messages":[1]}"#,
            ])
    }
}
