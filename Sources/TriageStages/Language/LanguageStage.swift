import Platform
package import TriageCore

/// Identifies the language of a text, by its script where that is enough, otherwise by frequent words and letters.
///
/// It reads the folded text and writes the language; with too little evidence that is `und`. Only the first 64 words
/// are read.
package struct LanguageStage: LocalStage {
    package let name = "language.rules"
    package let reads: Set<Field> = [.fields, .folded]
    package let writes: Set<Field> = [.language]

    private static let wordLimit = 64
    private let model: LanguageIdentifier

    package init(model: LanguageIdentifier) { self.model = model }

    package func annotate(_ batch: inout Batch) {
        var scores = [Float](repeating: 0, count: LanguageTable.tags.count)
        for index in batch.records.indices where batch.records[index].isAsked {
            if let told = toldLanguage(batch.records[index].fields.lang, in: batch) {
                batch.records[index].language = told
                continue
            }
            let record = batch.records[index]
            batch.records[index].language = byScript(record, in: batch, &scores) ?? byWords(record, in: batch, &scores)
        }
    }

    /// Returns the language that the record itself gives, if it is in our table.
    private func toldLanguage(_ span: Span32, in batch: borrowing Batch) -> LanguageAnswer? {
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

    /// Tags of up to eight bytes packed into a number, so that common tags need no string.
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

    private static let en = Int(index("en"))
    private static let ja = index("ja"), zh = index("zh"), ko = index("ko"), el = index("el"), he = index("he")
    private static let th = index("th"), hi = index("hi"), ar = index("ar"), fa = index("fa"), ur = index("ur")
    private static let ru = index("ru"), uk = index("uk"), bg = index("bg"), sr = index("sr")

    /// Identifies languages by their script.
    private func byScript(
        _ record: Record, in batch: borrowing Batch, _ scores: inout [Float]
    ) -> LanguageAnswer? {
        let shape = record.folded.shape
        guard !shape.isASCII else { return nil }
        let others =
            shape.cyrillic &+ shape.greek &+ shape.arabic &+ shape.hebrew &+ shape.devanagari &+ shape.thai
            &+ shape.kana
            &+ shape.han &+ shape.hangul &+ shape.otherScript
        // Names and links in Latin letters occur in messages of every language.
        guard others >= 2, others &* 2 >= shape.latin else { return nil }
        let sure = min(1, 0.8 + 0.02 * Float(min(others, 10)))
        if shape.kana > 0 { return LanguageAnswer(language: Self.ja, confidence: sure) }
        let (largest, count) =
            [
                (Self.ru, shape.cyrillic), (Self.el, shape.greek), (Self.ar, shape.arabic), (Self.he, shape.hebrew),
                (Self.hi, shape.devanagari), (Self.th, shape.thai), (Self.zh, shape.han), (Self.ko, shape.hangul),
                (0, shape.otherScript),
            ].max { $0.1 < $1.1 } ?? (0, 0)
        guard count > 0 else { return nil }
        let language =
            switch largest {
            case Self.ru: among([Self.ru, Self.uk, Self.bg, Self.sr], record, in: batch, &scores)
            case Self.ar: among([Self.ar, Self.fa, Self.ur], record, in: batch, &scores)
            default: largest
            }
        return LanguageAnswer(language: language, confidence: language == 0 ? 0 : sure)
    }

    /// Chooses among languages that share a script: by letters and words, otherwise the most common one.
    private func among(_ candidates: [UInt8], _ record: Record, in batch: borrowing Batch, _ scores: inout [Float])
        -> UInt8
    {
        score(record, in: batch, &scores)
        var best = candidates[0]
        for candidate in candidates where scores[Int(candidate)] > scores[Int(best)] { best = candidate }
        return best
    }

    private func byWords(_ record: Record, in batch: borrowing Batch, _ scores: inout [Float]) -> LanguageAnswer {
        score(record, in: batch, &scores)
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
        guard best > 0 else { return LanguageAnswer(language: 0, confidence: 0) }
        // Most messages are English, so English wins ties.
        if best == Self.en {
            scores[best] += 0.5
        } else if second == scores[Self.en] || scores[Self.en] + 0.5 > second, scores[Self.en] > 0 {
            second = max(second, scores[Self.en] + 0.5)
        }
        let lead = scores[best] - second
        guard scores[best] >= 1, lead >= 0.5 else { return LanguageAnswer(language: 0, confidence: 0) }
        return LanguageAnswer(language: UInt8(best), confidence: min(0.99, 1 - exp2f(-lead / 2)))
    }

    /// Adds up the evidence of words and letters for each language.
    private func score(_ record: Record, in batch: borrowing Batch, _ scores: inout [Float]) {
        for i in scores.indices { scores[i] = 0 }
        let text = record.folded
        let base = Int(text.span.start)
        let end = min(text.tokens.upperBound, text.tokens.lowerBound + Self.wordLimit)
        let hasNames = text.shape.atSigns > 0 || text.shape.slashes > 0 || text.shape.dots > 0
        for t in text.tokens.lowerBound..<end {
            let token = batch.tokens[t]
            if hasNames, isPartOfAddress(token, in: batch, base, base + Int(text.span.count)) { continue }
            for p in model.postings(of: token.hash) {
                let posting = model.postings[Int(p)]
                scores[Int(posting.language)] += posting.weight
            }
            guard token.flags.contains(.marked), token.count <= 32 else { continue }
            let range = batch.decodedRange(token.start, token.start + UInt32(token.count), of: record)
            let from = Int(record.fields.text.start)
            for p in model.postings(
                of: LanguageIdentifier.markedHash(batch.arena[from + range.lowerBound..<from + range.upperBound]))
            {
                let posting = model.postings[Int(p)]
                scores[Int(posting.language)] += posting.weight
            }
        }
        if !text.shape.isASCII { scoreLetters(record, in: batch, &scores) }
    }

    /// Whether a word belongs to a link, an address, a handle or a tag and so says nothing about the language.
    private func isPartOfAddress(_ token: Token, in batch: borrowing Batch, _ base: Int, _ end: Int) -> Bool {
        let start = base + Int(token.start)
        let behind = start + Int(token.count)
        if start > base {
            let before = batch.folded[start - 1]
            if before == 0x40 || before == 0x23 || before == 0x2F { return true }
            if before == 0x2E, start > base + 1, batch.folded[start - 2] > 0x2F { return true }
        }
        guard behind + 1 < end else { return false }
        let after = batch.folded[behind]
        return after == 0x40 || (after == 0x2E && batch.folded[behind + 1] > 0x2F)
    }

    /// Adds the distinctive letters among the first 512 bytes of the decoded text; a doubled letter counts once.
    private func scoreLetters(_ record: Record, in batch: borrowing Batch, _ scores: inout [Float]) {
        let range = record.fields.text.range
        let end = min(range.upperBound, range.lowerBound + 512)
        var i = range.lowerBound
        var previous: UInt32 = 0
        while i + 1 < end {
            let byte = batch.arena[i]
            guard byte >= 0xC2, byte < 0xE0 else {
                if byte <= 0x20 { previous = 0 }
                i += 1
                continue
            }
            var scalar = UInt32(byte & 0x1F) << 6 | UInt32(batch.arena[i + 1] & 0x3F)
            // Capital letters of Latin-1 count like their lower-case letters.
            if (0xC0...0xDE).contains(scalar) { scalar += 0x20 }
            if (0x410...0x42F).contains(scalar) { scalar += 0x20 }
            if scalar != previous {
                for p in model.postings(ofLetter: scalar) {
                    let posting = model.postings[Int(p)]
                    scores[Int(posting.language)] += posting.weight
                }
            }
            previous = scalar
            i += 2
        }
    }
}
