import Testing
import TriageCore

@testable import TriageStages

struct FAQWordMemoryTests {
    /// Tokens over a text, all with one hash, as somebody could make them up.
    private static func colliding(_ words: [String]) -> (text: [UInt8], tokens: [Token]) {
        var text: [UInt8] = []
        var tokens: [Token] = []
        for word in words {
            tokens.append(
                Token(start: UInt32(text.count), count: UInt16(word.utf8.count), flags: .letters, hash: 0xC0111DE))
            text += Array(word.utf8) + [UInt8(ascii: " ")]
        }
        return (text + [UInt8](repeating: 0, count: InputBatch.padding), tokens)
    }

    @Test(arguments: [
        ["camera", "lens"], ["a", "b"], ["preis", "preise"], ["exactlysixteenby", "exactlysixteenbi"],
        ["more than sixteen bytes", "more than sixteen bites"], ["kamera", "kamera2"],
    ])
    func `words of one hash keep their own terms, whichever came first`(words: [String]) {
        let (text, tokens) = Self.colliding(words)
        let memory = FAQWordMemory()
        text.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress else { return }
            for round in [[0, 1], [1, 0], [0, 0], [1, 1]] {
                for index in round {
                    let (place, term) = memory.view.plain(tokens[index], in: base, 3) { index + 10 }
                    #expect(term == index + 10)
                    #expect(memory.view.spelled(place) { index + 20 } == index + 20)
                }
            }
        }
    }

    @Test func `a word is found out once, and again in another language`() {
        let (text, tokens) = Self.colliding(["camera"])
        let memory = FAQWordMemory()
        var asked: [UInt8] = []
        text.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress else { return }
            for language: UInt8 in [0, 0, 7, 7] {
                _ = memory.view.plain(tokens[0], in: base, language) {
                    asked.append(language)
                    return 1
                }
            }
        }
        #expect(asked == [0, 7])
    }
}
