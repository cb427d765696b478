/// A link, an address or a mention in a folded text: the model reads that it is there, not how it is spelled.
///
/// Every link is another string of letters, and a model of words learns from those of its training texts what is true of
/// nothing else: an Instagram link behind a message changed 32 % of categories. Whose link it is, and whether it hides where it
/// goes, is for the signals of the rules, which the model weighs too.
enum TextReference {
    case link, mail, mention

    /// The hash that stands in place of the words.
    var hash: UInt64 {
        switch self {
        case .link: 0x1F3A_92C4_77D1_0B5E
        case .mail: 0x6B0D_54E9_21F8_C37A
        case .mention: 0x94C7_E81B_5A26_3D0F
        }
    }

    /// Finds the reference that begins with a word.
    ///
    /// - Parameters:
    ///   - text: folded: in small letters, ASCII where it can be.
    ///   - word: the place of the word in it.
    /// - Returns: its kind and where it ends: at the next blank, or where the text does; nil: the word is a word.
    @inline(__always)
    static func beginning(
        at word: Range<Int>, in text: UnsafeBufferPointer<UInt8>
    ) -> (kind: TextReference, end: Int)? {
        let next = word.upperBound < text.count ? text[word.upperBound] : 0x20
        if word.lowerBound > 0, text[word.lowerBound &- 1] == 0x40 { return mention(word, text) }
        // Nearly every word ends with a blank or a comma.
        guard next == 0x2E || next == 0x3A || next == 0x40 || next == 0x2D else { return nil }
        return address(word, next, text)
    }

    /// `@name`, up to the end of the name.
    ///
    /// An address was found before.
    private static func mention(
        _ word: Range<Int>, _ text: UnsafeBufferPointer<UInt8>
    ) -> (kind: TextReference, end: Int)? {
        var end = word.upperBound
        while end < text.count, isOfName(text[end]) { end += 1 }
        return (.mention, end)
    }

    @inline(never)
    private static func address(
        _ word: Range<Int>, _ next: UInt8, _ text: UnsafeBufferPointer<UInt8>
    ) -> (kind: TextReference, end: Int)? {
        let behind = word.upperBound &+ 1
        switch next {
        case 0x3A:
            // "https://"
            guard behind &+ 1 < text.count, text[behind] == 0x2F, text[behind &+ 1] == 0x2F,
                (2...8).contains(word.count), text[word.lowerBound] < 0x80
            else { return nil }
            return (.link, endOfRun(behind, text))
        case 0x40:
            // "name@company.com"
            guard behind < text.count, isOfName(text[behind]) else { return nil }
            let end = endOfRun(behind, text)
            return text[behind..<end].contains(0x2E) ? (.mail, end) : nil
        default:
            return bareAddress(word, behind, text)
        }
    }

    /// "www.company.com", "company.com", "company.co.uk/partners" and "name.surname@company.com".
    private static func bareAddress(
        _ word: Range<Int>, _ behind: Int, _ text: UnsafeBufferPointer<UInt8>
    ) -> (kind: TextReference, end: Int)? {
        guard behind < text.count, isLetter(text[behind]), word.count > 1 else { return nil }
        let end = endOfRun(behind, text)
        let rest = text[behind..<end]
        if let at = rest.firstIndex(of: 0x40), at > behind { return rest[at...].contains(0x2E) ? (.mail, end) : nil }
        if rest.contains(0x2F) { return rest.prefix { $0 != 0x2F }.allSatisfy(isOfName) ? (.link, end) : nil }
        var host = rest
        while let last = host.last, !isLetter(last) { host = host.dropLast() }
        guard host.allSatisfy(isOfName) else { return nil }
        // Folding leaves two of three equal letters.
        if text[word.lowerBound..<word.upperBound].elementsEqual("ww".utf8) { return (.link, end) }
        // "see.it" is a missing blank, "e-club" a word.
        if text[word.upperBound] == 0x2D, !host.contains(0x2E) { return nil }
        let level = UnsafeBufferPointer(rebasing: host[((host.lastIndex(of: 0x2E) ?? behind - 1) + 1)...])
        return WebNames.topLevels.contains(level) && !WebNames.wordLevels.contains(level) ? (.link, end) : nil
    }

    @inline(__always)
    private static func endOfRun(_ start: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
        var end = start
        while end < text.count, text[end] > 0x20 { end &+= 1 }
        return end
    }

    @inline(__always)
    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A || byte >= 0x80 }

    @inline(__always)
    private static func isOfName(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte >= 0x30 && byte <= 0x39 || byte == 0x2E || byte == 0x5F || byte == 0x2D
    }
}
