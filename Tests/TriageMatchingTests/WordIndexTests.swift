import Testing
import TriageCore

@testable import TriageMatching

struct WordIndexTests {
    /// A match: pattern, start and end.
    private typealias Match = [Int]

    private static let words = ["link", "in", "bio", "free", "a", "collaboration", "win", "now", "win1", "été"]

    private static func fold(_ text: String) -> (folded: [UInt8], tokens: [Token]) {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var copy = text
        _ = copy.withUTF8 { TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        return (folded.dropLast(), tokens)
    }

    private static func matches(_ index: WordIndex, in text: String) -> [Match] {
        let (folded, tokens) = fold(text)
        var found: [Match] = []
        index.withTables { tables in
            folded.withUnsafeBufferPointer { folded in
                tokens.withUnsafeBufferPointer { tokens in
                    tables.scan(folded, tokens) { found.append([$0, $1, $2]) }
                }
            }
        }
        return found.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Every place where a phrase stands, its first word a word and its end no middle of one.
    private static func search(_ phrases: [[UInt8]], in text: String) -> [Match] {
        let (folded, tokens) = fold(text)
        func isInside(_ offset: Int) -> Bool {
            tokens.contains { Int($0.start) < offset && offset < Int($0.start) + Int($0.count) }
        }
        var found: [Match] = []
        for (pattern, phrase) in phrases.enumerated() {
            let prefix = phrase.first == UInt8(ascii: "#") ? 1 : 0
            for token in tokens where Int(token.start) >= prefix {
                let start = Int(token.start) - prefix
                let end = start + phrase.count
                guard end <= folded.count, folded[start..<end].elementsEqual(phrase), !isInside(end) else { continue }
                found.append([pattern, start, end])
            }
        }
        return found.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test func `more phrases at each word than words are all found`() {
        let phrases = (1...6).map { TextFolder().fold(Array(repeating: "a", count: $0).joined(separator: " ")) }
        let text = Array(repeating: "a", count: 200).joined(separator: " ")
        let index = WordIndex(phrases.enumerated().map { (bytes: $1, pattern: $0) })
        let found = Self.matches(index, in: text)
        #expect(found.count == 200 + 199 + 198 + 197 + 196 + 195)
        #expect(found == Self.search(phrases, in: text))
    }

    @Test(arguments: 0..<20)
    func `finds what a plain search finds, also when loaded from bytes`(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9 &+ 1
        func below(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        func some(_ count: Int) -> String {
            (0..<count).map { _ in Self.words[below(Self.words.count)] }.joined(separator: " ")
        }
        let phrases = Set((0..<40).map { _ in (below(4) == 0 ? "#" : "") + some(1 + below(4)) }).sorted()
            .map { TextFolder().fold($0) }
        let index = WordIndex(phrases.enumerated().map { (bytes: $1, pattern: $0) })
        let loaded = try #require(WordIndex(encoded: index.encoded().map { $0[...] }[...]))
        for _ in 0..<20 {
            let text = (0..<below(5)).map { _ in (below(3) == 0 ? "#" : "") + some(1 + below(60)) }
                .joined(separator: [" ", ", ", "\n", "x"][below(4)])
            let expected = Self.search(phrases, in: text)
            #expect(Self.matches(index, in: text) == expected)
            #expect(Self.matches(loaded, in: text) == expected)
        }
    }

    @Test
    func `takes no bytes whose last bucket has no end or whose slots point outside`() {
        let parts = WordIndex([(bytes: Array("link in bio".utf8), pattern: 0)]).encoded()
        #expect(WordIndex(encoded: parts.map { $0[...] }[...]) != nil)
        for (part, at) in [(1, 7), (2, 4)] {
            var broken = parts
            // The mark of a last entry; and a slot's first entry, in every slot.
            for i in stride(from: at, to: broken[part].count, by: part == 1 ? 16 : 8) { broken[part][i] = 0x7F }
            #expect(WordIndex(encoded: broken.map { $0[...] }[...]) == nil)
        }
    }
}
