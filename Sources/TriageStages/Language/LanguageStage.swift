public import TriageCore

/// Names the language of a text: by script where that decides, else by the frequent words and letters of languages.
///
/// Reads the folded text. Writes the language. Too little evidence is `und`. Only the first 64 words are read.
public struct LanguageStage: LocalStage {
    public let name = "language.rules"
    public let reads: Set<Field> = [.fields, .folded]
    public let writes: Set<Field> = [.language]

    private static let wordLimit = 64
    private let model: LanguageModel

    public init(model: LanguageModel) { self.model = model }

    public func annotate(_ batch: inout Batch) {
        var scores = [Float](repeating: 0, count: LanguageTable.tags.count)
        for index in batch.records.indices where batch.records[index].isAsked {
            let record = batch.records[index]
            if let told = toldLanguage(record, in: batch) {
                batch.records[index].language = told
                continue
            }
            batch.records[index].language = byScript(record, in: batch) ?? byWords(record, in: batch, &scores)
        }
    }

    /// What the record itself says, if it is a language we have a name for.
    private func toldLanguage(_ record: Record, in batch: borrowing Batch) -> LanguageAnswer? {
        let span = record.fields.lang
        guard span.isPresent, span.count >= 2, span.count <= 16 else { return nil }
        let key = batch.arena.withUnsafeBufferPointer { arena in
            var key: UInt64 = 0
            for byte in arena[span.range].prefix(8) { key = key << 8 | UInt64(byte) }
            return key
        }
        if let index = Self.shortTags[key], span.count <= 8 { return LanguageAnswer(language: index, confidence: 1) }
        let tag = String(decoding: batch.arena[span.range], as: UTF8.self)
        guard let index = LanguageTable.index(of: tag), index != 0 else { return nil }
        return LanguageAnswer(language: index, confidence: 1)
    }

    /// Tags of at most eight bytes as one number, so that the usual ones cost no string.
    private static let shortTags: [UInt64: UInt8] = {
        var table: [UInt64: UInt8] = [:]
        for (index, tag) in LanguageTable.tags.enumerated() where index > 0 && tag.utf8.count <= 8 {
            var key: UInt64 = 0
            for byte in tag.utf8 { key = key << 8 | UInt64(byte) }
            table[key] = UInt8(index)
        }
        return table
    }()

    private static func index(_ tag: String) -> UInt8 { LanguageTable.index(of: tag) ?? 0 }

    private static let ja = index("ja"), zh = index("zh"), ko = index("ko"), el = index("el"), he = index("he")
    private static let th = index("th"), hi = index("hi"), ar = index("ar"), fa = index("fa"), ur = index("ur")
    private static let ru = index("ru"), uk = index("uk"), bg = index("bg"), sr = index("sr")

    /// Languages whose script tells them.
    private func byScript(_ record: Record, in batch: borrowing Batch) -> LanguageAnswer? {
        let shape = record.folded.shape
        guard !shape.isASCII else { return nil }
        let others =
            shape.cyrillic &+ shape.greek &+ shape.arabic &+ shape.hebrew &+ shape.devanagari &+ shape.thai &+ shape.kana
            &+ shape.han &+ shape.hangul &+ shape.otherScript
        // Names and links in Latin letters stand in messages of every language.
        guard others > 0, others &* 3 >= shape.latin else { return nil }
        let sure = min(1, 0.8 + 0.02 * Float(min(others, 10)))
        if shape.kana > 0 { return LanguageAnswer(language: Self.ja, confidence: sure) }
        let (largest, count) = [
            (Self.ru, shape.cyrillic), (Self.el, shape.greek), (Self.ar, shape.arabic), (Self.he, shape.hebrew),
            (Self.hi, shape.devanagari), (Self.th, shape.thai), (Self.zh, shape.han), (Self.ko, shape.hangul),
            (0, shape.otherScript),
        ].max { $0.1 < $1.1 } ?? (0, 0)
        guard count > 0 else { return nil }
        let language =
            switch largest {
            case Self.ru: cyrillicLanguage(record, in: batch)
            case Self.ar: arabicLanguage(record, in: batch)
            default: largest
            }
        return LanguageAnswer(language: language, confidence: language == 0 ? 0 : sure)
    }

    /// By letters that only one of them writes.
    private func cyrillicLanguage(_ record: Record, in batch: borrowing Batch) -> UInt8 {
        var votes = (uk: 0, sr: 0, ru: 0)
        eachTwoByteScalar(record, in: batch) { scalar in
            switch scalar {
            case 0x456, 0x457, 0x454, 0x491, 0x406, 0x407, 0x404, 0x490: votes.uk += 1
            case 0x452, 0x458, 0x459, 0x45A, 0x45B, 0x45F, 0x402, 0x408...0x40B, 0x40F: votes.sr += 1
            case 0x44B, 0x44D, 0x451, 0x42B, 0x42D, 0x401: votes.ru += 1
            default: break
            }
        }
        if votes.uk > votes.ru { return Self.uk }
        if votes.sr > votes.ru { return Self.sr }
        return Self.ru
    }

    private func arabicLanguage(_ record: Record, in batch: borrowing Batch) -> UInt8 {
        var votes = (fa: 0, ur: 0)
        eachTwoByteScalar(record, in: batch) { scalar in
            switch scalar {
            case 0x679, 0x688, 0x691, 0x6BA, 0x6D2, 0x6BE, 0x6C1: votes.ur += 1
            case 0x67E, 0x686, 0x698, 0x6AF, 0x6CC, 0x6A9: votes.fa += 1
            default: break
            }
        }
        if votes.ur > 0 { return Self.ur }
        return votes.fa > 1 ? Self.fa : Self.ar
    }

    private func byWords(_ record: Record, in batch: borrowing Batch, _ scores: inout [Float]) -> LanguageAnswer {
        for i in scores.indices { scores[i] = 0 }
        var known = 0
        let tokens = record.folded.tokens
        let end = min(tokens.upperBound, tokens.lowerBound + Self.wordLimit)
        for t in tokens.lowerBound..<end {
            let range = model.postings(of: batch.tokens[t].hash)
            if range.isEmpty { continue }
            known += 1
            for p in range {
                let posting = model.postings[Int(p)]
                scores[Int(posting.language)] += posting.weight
            }
        }
        if !record.folded.shape.isASCII {
            eachTwoByteScalar(record, in: batch) { scalar in
                for p in model.postings(ofLetter: scalar) {
                    let posting = model.postings[Int(p)]
                    scores[Int(posting.language)] += posting.weight * 0.7
                }
            }
        }
        var best = 0
        var second: Float = 0
        for i in 1..<scores.count {
            if scores[i] > scores[best] {
                second = scores[best]
                best = i
            } else if scores[i] > second {
                second = scores[i]
            }
        }
        let top = scores[best]
        guard best > 0, top >= 1.5 else { return LanguageAnswer(language: 0, confidence: 0) }
        // How far ahead, and on how much evidence.
        let margin = (top - second) / top
        let confidence = min(0.99, 0.5 + 0.5 * margin) * min(1, 0.6 + 0.1 * Float(known))
        return LanguageAnswer(language: UInt8(best), confidence: confidence)
    }

    /// Calls `body` with the letters U+0080…U+07FF among the first 512 bytes of the decoded text.
    private func eachTwoByteScalar(_ record: Record, in batch: borrowing Batch, _ body: (UInt32) -> Void) {
        let range = record.fields.text.range
        let end = min(range.upperBound, range.lowerBound + 512)
        var i = range.lowerBound
        batch.arena.withUnsafeBufferPointer { arena in
            while i + 1 < end {
                let byte = arena[i]
                if byte >= 0xC2, byte < 0xE0 {
                    var scalar = UInt32(byte & 0x1F) << 6 | UInt32(arena[i + 1] & 0x3F)
                    // Capital letters of Latin-1 and Latin Extended-A say what their small ones say.
                    if (0xC0...0xDE).contains(scalar) { scalar += 0x20 }
                    body(scalar)
                    i += 2
                } else {
                    i += 1
                }
            }
        }
    }
}
