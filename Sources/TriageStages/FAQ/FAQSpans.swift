/// The parts of a message that may be a question by themselves, and the message as a whole.
struct FAQSpans {
    /// Ranges of the text, the whole first; never empty.
    let ranges: [Range<Int>]
    /// All sentences of more than a few bytes, none if the whole is one.
    let sentences: [Range<Int>]

    /// Of a message no more is read.
    static let longest = 1_200
    /// Of a sentence no more is read.
    static let longestSentence = 300
    /// Shorter sentences say nothing by themselves.
    static let shortestSentence = 8
    /// Sentences beside the whole.
    static let mostSentences = 4

    /// The first four sentences that ask, or, if none does, the first four.
    init(_ text: some RandomAccessCollection<UInt8>) {
        let text = Array(text)
        let whole = Self.whole(of: text)
        var sentences: [Range<Int>] = []
        var asking: [Range<Int>] = []
        var start = whole.lowerBound
        var asks = false
        func close(at end: Int) {
            let sentence = (start..<end).trimmed(in: text)
            if sentence.count >= Self.shortestSentence, sentence != whole {
                let sentence = sentence.cut(to: Self.longestSentence, in: text)
                sentences.append(sentence)
                if asks { asking.append(sentence) }
            }
            start = end
            asks = false
        }
        var at = whole.lowerBound
        while at < whole.upperBound {
            let mark = Mark(at: at, in: text, end: whole.upperBound)
            at += mark.bytes
            asks = asks || mark.asks
            if mark.ends, mark.isWide || at == whole.upperBound || Self.isBlank(text[at]) { close(at: at) }
        }
        close(at: whole.upperBound)
        ranges = [whole] + (asking.isEmpty ? sentences : asking).prefix(Self.mostSentences)
        self.sentences = sentences
    }

    /// What of a message is read: all of it but blanks around it, or its beginning.
    static func whole(of text: [UInt8]) -> Range<Int> {
        (0..<text.count).trimmed(in: text).cut(to: longest, in: text)
    }

    /// What a byte of a text, with those that belong to it, says of the sentence.
    private struct Mark {
        var bytes = 1
        var ends = false
        var asks = false
        /// Ends a sentence without a blank behind it.
        var isWide = false

        init(at place: Int, in text: [UInt8], end: Int) {
            switch text[place] {
            case UInt8(ascii: "."), UInt8(ascii: "!"): ends = true
            case UInt8(ascii: "?"): (ends, asks) = (true, true)
            case UInt8(ascii: "\n"): (ends, isWide) = (true, true)
            case 0xD8 where place + 1 < end && text[place + 1] == 0x9F: (bytes, ends, asks) = (2, true, true)
            case 0xE2, 0xE3, 0xEF:
                guard place + 2 < end else { return }
                switch (text[place], text[place + 1], text[place + 2]) {
                case (0xE2, 0x80, 0xA6): (bytes, ends) = (3, true)
                case (0xE3, 0x80, 0x82), (0xEF, 0xBC, 0x81): (bytes, ends, isWide) = (3, true, true)
                case (0xEF, 0xBC, 0x9F): (bytes, ends, asks, isWide) = (3, true, true, true)
                default: break
                }
            default: break
            }
        }
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
}

extension Range<Int> {
    /// Without the blanks at its ends.
    func trimmed(in text: [UInt8]) -> Range<Int> {
        var (start, end) = (lowerBound, upperBound)
        while start < end, FAQSpans.isBlank(text[start]) { start += 1 }
        while end > start, FAQSpans.isBlank(text[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Its first bytes, whole characters only.
    fileprivate func cut(to most: Int, in text: [UInt8]) -> Range<Int> {
        guard count > most else { return self }
        var end = lowerBound + most
        while end > lowerBound, text[end] & 0xC0 == 0x80 { end -= 1 }
        return lowerBound..<end
    }
}
