import Testing
import TriageCore

@testable import TriageFormats

struct JSONPickerTests {
    private static let text = #"""
        {"about":"x","chats":{"list":[
          {"name":"A \"b\" ]}","id":7,"messages":[{"id":1,"t":"a"},{"id":2,"t":["x",{"y":"}"}]}]},
          {"name":"B","id":8,"messages":[]}
        ]},"frequent":[1,2,{"z":null}],"n":-1.5e3}
        """#

    /// Enters what leads to messages, takes messages and names.
    private static func choose(_ path: [JSONPicker.Step], _ kind: JSONPicker.Kind) -> JSONPicker.Choice {
        let keys = path.map { $0.key ?? "*" }
        switch keys {
        case [], ["chats"], ["chats", "list"], ["chats", "list", "*"], ["chats", "list", "*", "messages"]: return .enter
        case ["chats", "list", "*", "messages", "*"], ["chats", "list", "*", "name"], ["n"]: return .take
        default: return .skip
        }
    }

    private static func events(_ text: String, pieces: Int, maximum: Int = 1 << 20) -> [String] {
        var picker = JSONPicker(maximumLength: maximum, choose: choose)
        var events: [String] = []
        func note(_ event: JSONPicker.Event) {
            func name(_ path: [JSONPicker.Step]) -> String {
                path.map { step in
                    if case .element(let index) = step { return "\(index)" }
                    return step.key ?? ""
                }.joined(separator: "/")
            }
            switch event {
            case .value(let path, let bytes, _, let line):
                events.append("\(name(path)) \(line) \(String(decoding: bytes, as: UTF8.self))")
            case .opened(let path): events.append("+\(name(path))")
            case .closed(let path): events.append("-\(name(path))")
            case .tooLong(let path, _, _): events.append("long \(name(path))")
            case .fault(let reason, let offset, let line): events.append("fault \(reason.code) \(offset) \(line)")
            }
        }
        let bytes = Array(text.utf8)
        var at = 0
        while at < bytes.count {
            let end = min(at + pieces, bytes.count)
            bytes[at..<end].withUnsafeBufferPointer { picker.feed($0, note) }
            at = end
        }
        picker.finish(note)
        return events
    }

    @Test(arguments: [1, 2, 3, 7, 64, 4096])
    func `what was chosen comes out, however the bytes are cut`(pieces: Int) {
        #expect(
            Self.events(Self.text, pieces: pieces) == [
                "+", "+chats", "+chats/list", "+chats/list/0", #"chats/list/0/name 2 "A \"b\" ]}""#,
                "+chats/list/0/messages", #"chats/list/0/messages/0 2 {"id":1,"t":"a"}"#,
                #"chats/list/0/messages/1 2 {"id":2,"t":["x",{"y":"}"}]}"#, "-chats/list/0/messages", "-chats/list/0",
                "+chats/list/1", #"chats/list/1/name 3 "B""#, "+chats/list/1/messages", "-chats/list/1/messages",
                "-chats/list/1", "-chats/list", "-chats", "n 4 -1.5e3", "-",
            ])
    }

    @Test(arguments: [
        (#"{"a":1"#, "fault json.truncated 5 1"), (#"{"a" 1}"#, "fault json.syntax 5 1"),
        ("{\n\"n\":}", "fault json.syntax 6 2"), (#"{"n":1}x"#, "fault json.syntax 7 1"),
        (#"{"chats":[1,]}"#, "fault json.syntax 12 1"), (#"{"n":"abc"#, "fault json.truncated 5 1"),
        ("[", "fault json.truncated 1 1"), ("{,}", "fault json.syntax 1 1"),
    ])
    func `a fault has its place and ends the reading`(text: String, expected: String) {
        for pieces in [1, 4096] {
            let events = Self.events(text, pieces: pieces)
            #expect(events.last == expected)
            #expect(events.count { $0.hasPrefix("fault") } == 1)
        }
    }

    @Test(arguments: ["", "  ", "{}", "[]", "3", "\"x\"", "null ", "{\"a\":{}}"])
    func `small texts are whole`(text: String) {
        for pieces in [1, 4096] { #expect(!Self.events(text, pieces: pieces).contains { $0.hasPrefix("fault") }) }
    }

    @Test func `a value that is too long is named and passed over`() {
        let events = Self.events(Self.text, pieces: 5, maximum: 20)
        #expect(events.contains("long chats/list/0/messages/1"))
        #expect(events.contains(#"chats/list/0/messages/0 2 {"id":1,"t":"a"}"#))
        #expect(events.last == "-")
    }

    @Test func `nesting beyond any sense costs no memory`() {
        let deep = String(repeating: "[", count: 100_000)
        var picker = JSONPicker(maximumLength: 10) { _, _ in .enter }
        var count = 0
        Array(deep.utf8).withUnsafeBufferPointer { picker.feed($0) { _ in count += 1 } }
        picker.finish { _ in count += 1 }
        #expect(count < 100)
    }
}
