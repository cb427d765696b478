import Testing
import TriageCore

@testable import TriageFormats

struct OutputBufferTests {
    private static func written(_ body: (inout OutputBuffer) -> Void) -> String {
        var buffer = OutputBuffer(capacity: 0)
        body(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test(arguments: 0..<20)
    func `a byte that needs an escape is escaped wherever it stands`(position: Int) {
        for bad in ["\"", "\\", "\n", "\u{1}", "\u{1f}"] {
            let text =
                String(repeating: "é", count: position / 2) + String(repeating: "x", count: position) + bad
                + "tail of it"
            var expected: [UInt8] = []
            JSONText.append(text, to: &expected)
            let found = Self.written { buffer in
                var copy = text
                copy.withUTF8 { buffer.add(json: $0) }
            }
            #expect(found == String(decoding: expected, as: UTF8.self))
        }
    }

    @Test(arguments: [0, 1, 5, 15, 16, 17, 31, 32, 40])
    func `a part of a text is escaped as if nothing stood around it`(count: Int) {
        let text = Array("\"before\" it says \\ and \n and \u{1} in é \"quotes\", and more behind it\"\n".utf8)
        for start in 0...(text.count - count) {
            var expected: [UInt8] = []
            text[start..<(start + count)].withUnsafeBufferPointer { JSONText.appendEscaped($0, to: &expected) }
            let found = Self.written { buffer in
                var pen = buffer.pen(room: JSONWriter.room(forString: count))
                text.withUnsafeBufferPointer { pen.write(escaped: $0, from: start, count: count) }
                buffer.take(pen)
            }
            #expect(found == String(decoding: expected, as: UTF8.self))
        }
    }

    @Test(arguments: [
        (Float(0), 4, "0"), (1, 4, "1"), (0.5, 2, "0.5"), (-1.25, 2, "-1.25"), (0.00004, 4, "0"),
        (0.00006, 4, "0.0001"),
        (0.9999, 4, "0.9999"), (0.99996, 4, "1"), (12.3, 1, "12.3"), (-0.04, 1, "0"), (100, 2, "100"),
        (3.07, 2, "3.07"), (9.99, 2, "9.99"), (10, 2, "10"), (2.5, 2, "2.5"), (0.105, 3, "0.105"), (0.01, 4, "0.01"),
        (-0.125, 2, "-0.13"), (-9.99, 2, "-9.99"), (-12.5, 2, "-12.5"), (-0.004, 2, "0"), (123.45, 2, "123.45"),
        (.infinity, 2, "0"), (.nan, 2, "0"), (1e20, 2, "0"),
    ])
    func `numbers are rounded and carry no needless zero`(value: Float, places: Int, expected: String) {
        #expect(Self.written { $0.add(value, places: places) } == expected)
    }

    @Test(arguments: [0, 9, 10, 99, 100, 999, 1000, 1234, 123_456_789, Int.max, Int.min, -1, -10, -98_765])
    func `integers come out as they are`(value: Int) {
        #expect(Self.written { $0.add(value) } == String(value))
    }

    @Test(arguments: [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 63, 64, 65, 200])
    func `rows of a table come out whole, however long`(length: Int) {
        let row = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        let table = ByteTable([Array("first".utf8), row])
        let found = Self.written { table.add(1, to: &$0) }
        #expect(found == String(decoding: row, as: UTF8.self))
    }

    @Test func `what was written is handed on as it is`() {
        var buffer = OutputBuffer(capacity: 0)
        for _ in 0..<100 { buffer.add("0123456789") }
        let block = buffer.finish()
        #expect(String(decoding: block.array, as: UTF8.self) == String(repeating: "0123456789", count: 100))
    }
}
