import Testing
import TriageCore

/// What holds for any text, however it is folded.
struct TextFolderPropertyTests {
    /// All that folding a text gives.
    private struct Outcome: Equatable {
        var folded: [UInt8]
        var marks: [FoldMark]
        /// Start, count and flags.
        var words: [[Int]]
        var hashes: [UInt64]
        var shape: TextShape
    }

    private static func outcome(_ texts: [[UInt8]], inBlocks: Bool) -> [Outcome] {
        var batch = Batch()
        for text in texts {
            var record = Record()
            record.fields.text = Span32(start: batch.arena.count, count: text.count)
            batch.arena += text
            batch.records.append(record)
        }
        TextFolder(usesBlocks: inBlocks).fold(&batch)
        return batch.records.map { record in
            let words = batch.tokens[record.folded.tokens]
            return Outcome(
                folded: Array(batch.folded[record.folded.span.range]), marks: Array(batch.marks[record.folded.marks]),
                words: words.map { [Int($0.start), Int($0.count), Int($0.flags.rawValue)] },
                hashes: words.map(\.hash), shape: record.folded.shape)
        }
    }

    private static let pieces: [String] = [
        "a", "E", "ee", "EEe", "goood", " ", "  ", "\n", "\n\n", "\r\n", "\t", "1", "12", "123456", "!", "?", ".",
        "...",
        ",", "$", "@", "/", "#", "-", "'", "_", "~", "{", "[", "`", "\u{0}", "\u{7F}", "\u{A0}", "\u{200B}", "\u{200D}",
        "\u{202E}", "\u{2028}", "\u{301}", "\u{E0041}", "é", "É", "ß", "ж", "привет", "α", "’", "…", "€", "½", "²", "ﬁ",
        "你好", "カ", "한국", "ไทย", "नमस्ते", "مرحبا", "٣", "😀", "❤\u{FE0F}", "👩\u{200D}👩", "Ａ", "１", "𝐌", "℡", "℃",
        "Brown", "jumps over", "http://x.io/a?b=1", "a@b.co", "$1,000", "wordwithmorethaneightletters",
        "a run of plain words that is longer than one of the blocks in which text is taken",
    ]

    @Test(arguments: 0..<20)
    func `folding by blocks gives what folding by characters gives`(seed: UInt64) {
        var random = Numbers(state: seed)
        let texts = (0..<100).map { _ in
            let some = (0..<random.below(12) + 1).map { _ in Self.pieces[random.below(Self.pieces.count)] }
            return (0..<random.below(60)).flatMap { _ in Array(some[random.below(some.count)].utf8) }
        }
        let byBlocks = Self.outcome(texts, inBlocks: true)
        let byCharacters = Self.outcome(texts, inBlocks: false)
        for (index, text) in texts.enumerated() {
            #expect(byBlocks[index] == byCharacters[index], "\(String(decoding: text, as: UTF8.self).debugDescription)")
        }
    }

    @Test
    func `bytes that are no UTF-8 are folded without reading or writing beyond the text`() {
        var random = Numbers(state: 7)
        let texts = (0..<500).map { _ in (0..<random.below(200)).map { _ in UInt8(random.below(256)) } }
        for (text, outcome) in zip(texts, Self.outcome(texts, inBlocks: true)) {
            #expect(outcome.folded.count <= text.count)
        }
    }

    @Test
    func `no scalar folds to more bytes than it has`() {
        let scalars = (UInt32(0x80)..<0x3_0000).compactMap { Unicode.Scalar($0).map { Array(String($0).utf8) } }
        for (scalar, outcome) in zip(scalars, Self.outcome(scalars, inBlocks: true))
        where outcome.folded.count > scalar.count {
            Issue.record("\(String(decoding: scalar, as: UTF8.self))")
        }
    }

    @Test(arguments: [
        "a", "12", "seven77", "eightttt", "ninebytes", "exactlysixteen16", "seventeenbytes177",
        "averylongwordofmorethantwentyfourbytes", "straße", "привет",
    ])
    func `the hash of a word is the same in a text, at its end and alone`(word: String) {
        var folded: [UInt8] = []
        var marks: [FoldMark] = []
        var tokens: [Token] = []
        var text = "\(word) and \(word.uppercased()) or \(word)"
        _ = text.withUTF8 { TextFolder().fold($0, folded: &folded, marks: &marks, tokens: &tokens) }
        let hash = TextFolder.hash(TextFolder().fold(word))
        #expect([tokens[0].hash, tokens[2].hash, tokens[4].hash] == [hash, hash, hash])
        #expect(TextFolder.hash(AnySequence(TextFolder().fold(word))) == hash)
    }

    @Test
    func `words that differ have hashes that differ`() {
        var seen: Set<UInt64> = []
        for length in 1...40 { seen.insert(TextFolder.hash([UInt8](repeating: 0x30, count: length))) }
        #expect(seen.count == 40)
    }
}

/// SplitMix64: the same numbers on every machine.
private struct Numbers {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ z >> 31) % UInt64(limit))
    }
}
