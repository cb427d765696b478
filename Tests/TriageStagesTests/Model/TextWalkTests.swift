import Testing
import TriageCore

@testable import TriageStages

struct TextWalkTests {
    /// Places of the words that count, by the definition: none of the 64 words before is the same.
    private static func wanted(_ hashes: [UInt64]) -> [Int] {
        hashes.indices.filter { !hashes[max(0, $0 - 64)..<$0].contains(hashes[$0]) }
    }

    private static func counted(_ hashes: [UInt64]) -> [Int] {
        // Blanks are no signs; a word of no bytes stands at each.
        let text = [UInt8](repeating: 0x20, count: hashes.count)
        let tokens = hashes.enumerated().map { index, hash in
            // The place of a word tells which one it is.
            Token(start: UInt32(index), count: 0, flags: .letters, hash: hash)
        }
        var found: [Int] = []
        text.withUnsafeBufferPointer { text in
            tokens.withUnsafeBufferPointer { tokens in
                var walk = TextWalk(text: text, tokens: tokens)
                walk.run(word: { token, _ in found.append(Int(token.start)) }, sign: { _, _ in })
            }
        }
        return found
    }

    @Test(arguments: [
        // Few words, so that most are said again; many; numbers that share the bits which are looked at first.
        (2_000, 40 as UInt64, 1 as UInt64), (2_000, 5_000, 1), (3_000, 90, 8), (3_000, 300, 1 << 38),
        (70_000, 70_000, 1),
    ])
    func `a word counts unless it is among the sixty-four before it`(count: Int, kinds: UInt64, factor: UInt64) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var numbers = SeededNumbers(seed: seed)
            let hashes = (0..<count).map { _ in UInt64.random(in: 0..<kinds, using: &numbers) &* factor }
            #expect(Self.counted(hashes) == Self.wanted(hashes))
        }
    }

    @Test func `a word that comes again after as many words as a short number counts to, counts again`() {
        var hashes = (0..<70_000 as Range<UInt64>).map { ($0 &+ 1) &* 0x9E37_79B9_7F4A_7C15 }
        for distance in [64, 65, 65_535, 65_536, 65_537, 65_600] { hashes[distance] = hashes[0] }
        #expect(Self.counted(hashes) == Self.wanted(hashes))
    }
}
