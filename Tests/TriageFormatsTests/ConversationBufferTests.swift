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
        _ order: ConversationBuffer.Order, limit: Int = ConversationBuffer.limit,
        _ fill: (ConversationBuffer) throws -> Void
    ) throws -> (texts: [String], ids: [String]) {
        var result = ReadResult()
        let assembler = BatchAssembler(maximumLines: 100) { collect($0, into: &result) }
        let context = ReadingContext(assembler: assembler, options: InputReader.Options())
        let shelf = ConversationBuffer(context, order: order, limit: limit)
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

    @Test(arguments: [(ConversationBuffer.Order.newestFirst, ["b", "a"]), (.oldestFirst, ["a", "b"])])
    func `of one time the order of the file tells`(order: ConversationBuffer.Order, expected: [String]) throws {
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

    /// One chunk of text and some items.
    private static let small = (1 << 20) + (64 << 10)

    @Test func `beyond its limit messages come out in blocks, each oldest first`() throws {
        let count = 4000
        let found = try Self.texts(.newestFirst, limit: Self.small) { shelf in
            for time in (0..<count).reversed() {
                try shelf.add(Self.message("\(time)"), time: Int64(time), timeText: "\(time)", number: 1, source: "f")
            }
        }
        let times = found.texts.compactMap { Int($0) }
        #expect(times.sorted() == Array(0..<count))
        let falls = zip(times, times.dropFirst()).count { $0 > $1 }
        #expect(falls >= 1 && falls < count / 100)
        #expect(times.first != 0 && times.last != count - 1)
    }

    /// Equal messages before and behind the edge of a block.
    @Test(arguments: [ConversationBuffer.Order.oldestFirst, .newestFirst])
    func `blocks change nothing in what is one message`(order: ConversationBuffer.Order) throws {
        func fill(_ shelf: ConversationBuffer) throws {
            for source in ["a", "b"] {
                for number in 0..<3000 {
                    try shelf.add(
                        Self.message(number % 3 == 0 ? "same" : "\(number)"), time: 7, timeText: "t", idPrefix: "x:",
                        number: number, source: source)
                }
                try shelf.add(Self.message("own", id: "x:1"), time: 7, number: 1, source: source)
            }
        }
        let whole = try Self.texts(order, fill)
        let blocks = try Self.texts(order, limit: Self.small, fill)
        #expect(whole.texts.count == 3001 && Set(whole.ids).count == 3001)
        #expect(Set(blocks.ids) == Set(whole.ids) && blocks.ids.count == whole.ids.count)
    }

    @Test func `very many messages are told apart, of more than that the last ones`() {
        func digest(_ number: Int) -> MessageDigest {
            MessageDigest(platform: "", conversation: "", time: "", sender: "", text: "\(number)", ordinal: 0)
        }
        var seen = SeenMessages(limit: 1000)
        func take(_ number: Int, _ source: UInt32) -> Int? {
            seen.take(digest(number), source: source) { digest(number).ordinal($0) }
        }
        for number in 0..<5000 { #expect(take(number, 0) == 0) }
        for number in 4000..<5000 { #expect(take(number, 0) == nil) }
        #expect(seen.weight < 1 << 17)
        #expect(take(0, 0) == 0)
        // Equal ones of one source are counted, those of another are known by that.
        for before in 0..<300 { #expect(take(9999, 1) == before) }
        for _ in 0..<300 { #expect(take(9999, 2) == nil) }
        #expect(take(9999, 2) == 300)
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
