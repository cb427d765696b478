import Testing

@testable import TriageLLM

@Suite struct `Sets of needles` {
    private static let needles = ["</", "]]", "<<<", "font-size:0", "指令", "as an ai", "aaa"]

    @Test(arguments: needles)
    func `are found at the beginning, in the middle and at the end, and not when a byte is missing`(needle: String) {
        let set = NeedleSet(Self.needles.map { Array($0.utf8) })
        let bytes = Array(needle.utf8)
        for text in [bytes, bytes + [0x20], [0x20] + bytes, Array("some ".utf8) + bytes + Array(" more".utf8)] {
            #expect(set.occurs(in: text))
        }
        #expect(!set.occurs(in: Array(bytes.dropLast())))
        #expect(!set.occurs(in: Array("a ".utf8) + bytes.dropFirst()))
    }

    @Test
    func `that are empty find nothing, nor does an empty text`() {
        #expect(!NeedleSet([]).occurs(in: [1, 2, 3]))
        #expect(!NeedleSet([[]]).occurs(in: [1, 2, 3]))
        #expect(!NeedleSet([[1, 2]]).occurs(in: []))
        #expect(!NeedleSet([[1, 2]]).occurs(in: [1]))
        #expect(NeedleSet([[1]]).occurs(in: [0, 1]))
    }
}
