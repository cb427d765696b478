import Testing
import TriageCore

@testable import TriageFormats

struct MessageShelfTests {
    private static func message(_ text: String, _ conversation: String = "c", id: String? = nil) -> Message {
        var message = Message()
        message.id = id
        message.platform = "x"
        message.conversationID = conversation
        message.sender.name = "Zoë"
        message.text = text
        return message
    }

    private static func texts(
        _ order: MessageShelf.Order, _ fill: (MessageShelf) throws -> Void
    ) throws -> (texts: [String], ids: [String]) {
        var result = ReadResult()
        let assembler = BatchAssembler(maximumLines: 100) { collect($0, into: &result) }
        let shelf = MessageShelf(ReadingContext(assembler: assembler, options: InputReader.Options()), order: order)
        try fill(shelf)
        try shelf.flush()
        try assembler.flush()
        let ids = result.batch.records.map { result.batch.string($0.fields.id) ?? "" }
        return (result.texts, ids)
    }

    @Test func `a conversation comes out whole and oldest first`() throws {
        let found = try Self.texts(.newestFirst) { shelf in
            for (text, conversation, time) in [("d", "1", 4), ("b", "2", 2), ("c", "1", 3), ("a", "1", 1)] {
                try shelf.add(Self.message(text, conversation), time: Int64(time), number: 1, source: "f")
            }
        }
        #expect(found.texts == ["a", "c", "d", "b"])
    }

    @Test(arguments: [(MessageShelf.Order.newestFirst, ["b", "a"]), (.oldestFirst, ["a", "b"])])
    func `of one time the order of the file tells`(order: MessageShelf.Order, expected: [String]) throws {
        let found = try Self.texts(order) { shelf in
            for text in ["a", "b"] { try shelf.add(Self.message(text), time: 7, number: 1, source: "f") }
        }
        #expect(found.texts == expected)
    }

    @Test func `equal messages of one file stay two and of two files become one`() throws {
        let found = try Self.texts(.oldestFirst) { shelf in
            for source in ["old.zip", "new.zip"] {
                for _ in 0..<2 {
                    try shelf.add(
                        Self.message("hi"), time: 7, timeText: "7", idPrefix: "wa:", number: 1, source: source)
                }
            }
            try shelf.add(Self.message("own", id: "x:1"), time: 8, number: 1, source: "old.zip")
            try shelf.add(Self.message("own", id: "x:1"), time: 8, number: 1, source: "new.zip")
            #expect(shelf.repeated == 1)
        }
        #expect(found.texts == ["hi", "hi", "own"])
        #expect(Set(found.ids).count == 3)
        #expect(found.ids.prefix(2).allSatisfy { $0.hasPrefix("wa:") && $0.utf8.count == 35 })
    }

    @Test func `an id does not depend on what else is in the export`() throws {
        func id(_ before: [String]) throws -> String {
            try Self.texts(.oldestFirst) { shelf in
                for text in before + ["last"] {
                    try shelf.add(Self.message(text), time: 7, timeText: "t", number: 1, source: "f")
                }
            }.ids.last ?? ""
        }
        let ids = [try id([]), try id(["a"]), try id(["a", "b"])]
        #expect(Set(ids).count == 1)
    }
}
