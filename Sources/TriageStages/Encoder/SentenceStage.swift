package import TriageCore

/// Encodes each message as a vector that stands for its meaning (``SentenceEncoder``), for later stages to weigh.
///
/// Skips spam and texts without a letter. Encoding takes 0.1 to 0.4 ms per word piece.
package struct SentenceStage: LocalStage {
    package let name = "sentence.encoder"
    package let reads: Set<Field> = [.fields, .folded, .category]
    package let writes: Set<Field> = [.sentence]

    package init() {}

    package func annotate(_ batch: inout Batch) {
        let read = batch.records.indices.filter { isRead(batch.records[$0]) }
        guard !read.isEmpty, let encoder = SentenceEncoder.shipped else { return }
        let texts = read.map { index in
            let text = Array(batch.arena[batch.records[index].fields.text.range])
            return SentenceText.plain(text[FAQSpans.whole(of: text)])
        }
        for (index, vector) in zip(read, encoder.vectors(of: texts)) {
            batch.records[index].sentence = Int32(batch.sentences.count / Batch.sentenceSize)
            batch.sentences += vector
        }
    }

    private func isRead(_ record: Record) -> Bool {
        record.isAsked && record.folded.shape.hasLetters && record.category?.label != .spam
    }
}

/// The text of a message that the sentence encoder reads for ``SentenceStage``.
///
/// Links, mentions and hashtags are left out: they say nothing about how somebody feels, and a link that was added to a
/// message moved 4 % of the sentiments. `Tests/Benchmarks/sentences.py` prepares texts in the same way.
enum SentenceText {
    /// Returns the text without links, mentions and hashtags, with one space between words.
    ///
    /// - Parameter text: UTF-8. A text of nothing but links is returned as it is.
    static func plain(_ text: some Collection<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        for word in text.split(whereSeparator: { $0 == 0x20 || (9...13).contains($0) }) where !isLeftOut(word) {
            if !plain.isEmpty { plain.append(0x20) }
            plain += word
        }
        return plain.isEmpty ? Array(text) : plain
    }

    private static let openings = Set("([{<\"'".utf8)

    private static func isLeftOut(_ word: some Collection<UInt8>) -> Bool {
        let word = Array(word.drop { openings.contains($0) })
        guard word.count > 1 else { return false }
        if word[0] == UInt8(ascii: "@") || word[0] == UInt8(ascii: "#") { return isWord(word[1]) }
        if contains(word, "://") || starts(word, "www.") { return true }
        // A domain with a path: "shop.example/sale".
        let host = word.prefix { $0 != UInt8(ascii: "/") }
        return host.count < word.count && isLetter(word[0]) && host.contains(UInt8(ascii: "."))
            && host.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    private static func contains(_ word: [UInt8], _ part: String) -> Bool {
        let part = Array(part.utf8)
        guard word.count >= part.count else { return false }
        return (0...word.count - part.count).contains { word[$0..<$0 + part.count].elementsEqual(part) }
    }

    private static func starts(_ word: [UInt8], _ part: String) -> Bool {
        word.prefix(part.utf8.count).elementsEqual(part.utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") }
}
