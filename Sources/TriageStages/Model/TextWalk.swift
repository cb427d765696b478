internal import TriageCore

/// Iterates over the words of a text and the signs between them, in order, skipping words that are repeated.
struct TextWalk {
    /// The folded text.
    let text: UnsafeBufferPointer<UInt8>
    let tokens: UnsafeBufferPointer<Token>

    /// The amount of text read; sums are divided by its square root, so that a long text does not outweigh a short one.
    ///
    /// It counts the bytes of words, plus two for each word and each sign: about a quarter of the number of features.
    private(set) var mass = 0

    /// The length of the text without repetitions: the bytes of words that count plus one blank each, and two for each
    /// sign.
    private(set) var length = 0

    /// Number of preceding words within which a repeated word does not count.
    private static let window = 64

    /// The words seen so far, identified by a few hash bits, so that the usual case of a new word is recognised
    /// quickly.
    ///
    /// Kept in memory: a vector that is accessed at positions known only at run time would be stored and reloaded for
    /// each word.
    private struct Seen {
        /// One bit for each place that a word has used.
        let bits: UnsafeMutablePointer<UInt64>
        /// The index of the last word at each place, reduced to its low bits; only valid if the place's bit is set.
        let last: UnsafeMutablePointer<UInt16>

        static let words = 8
        static let places = words * 64
    }

    /// Calls `word` with each word and the hash of the one before it, and `sign` with the feature of each run of signs.
    @inline(__always)
    mutating func run(word: (Token, UInt64) -> Void, sign: (UInt64, Range<Int>) -> Void) {
        // On the stack; at most a kilobyte each.
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Seen.words) { bits in
            withUnsafeTemporaryAllocation(of: UInt16.self, capacity: Seen.places) { last in
                guard let bits = bits.baseAddress, let last = last.baseAddress else { return }
                bits.initialize(repeating: 0, count: Seen.words)
                run(Seen(bits: bits, last: last), word: word, sign: sign)
            }
        }
    }

    @inline(__always)
    private mutating func run(_ seen: Seen, word: (Token, UInt64) -> Void, sign: (UInt64, Range<Int>) -> Void) {
        var end = 0
        var before: UInt64 = 0
        for index in 0..<tokens.count {
            let token = tokens[index]
            let start = Int(token.start)
            // Inside a link, an address or a mention.
            if start < end { continue }
            // Almost always there is a single blank.
            if start > end &+ 1 || (start > end && text[end] != 0x20) { readSigns(end..<start, sign) }
            if let (kind, last) = TextReference.beginning(at: start..<start &+ Int(token.count), in: text) {
                mass &+= 2
                length &+= 2
                sign(TextFeature.word(kind.hash), start..<last)
                before = kind.hash
                end = last
                continue
            }
            if !isRepeated(index, seen) {
                word(token, before)
                mass &+= min(Int(token.count), TextFeature.wordLimit) &+ 2
                length &+= Int(token.count) &+ 1
            }
            before = token.hash
            end = start &+ Int(token.count)
        }
        if end < text.count { readSigns(end..<text.count, sign) }
    }

    /// Whether the same word occurred a short while ago, so that it adds nothing.
    @inline(__always)
    private func isRepeated(_ index: Int, _ seen: Seen) -> Bool {
        let hash = tokens[index].hash
        let (word, bit) = (Int(truncatingIfNeeded: hash & 7), hash &>> 32 & 63)
        let last = seen.last + (word &<< 6 | Int(bit))
        guard seen.bits[word] &>> bit & 1 != 0 else {
            seen.bits[word] |= 1 &<< bit
            last.initialize(to: UInt16(truncatingIfNeeded: index))
            return false
        }
        let distance = Int(UInt16(truncatingIfNeeded: index) &- last.pointee)
        last.pointee = UInt16(truncatingIfNeeded: index)
        // Usually it is the same word; otherwise a different word with the same bit may hide it.
        return tokens[index &- distance].hash == hash ? distance <= Self.window : isThere(hash, before: index)
    }

    @inline(never)
    private func isThere(_ hash: UInt64, before index: Int) -> Bool {
        tokens[max(0, index &- Self.window)..<index].contains { $0.hash == hash }
    }

    /// Returns the factor for sums over a text with this mass.
    @inline(__always)
    static func share(mass: Int) -> Float { 1 / Float(max(mass, 1)).squareRoot() }

    private mutating func readSigns(_ range: Range<Int>, _ sign: (UInt64, Range<Int>) -> Void) {
        var at = range.lowerBound
        while at < range.upperBound {
            let first = text[at]
            guard first > 0x20 else {
                at += 1
                continue
            }
            let length = min(TextFeature.scalarLength(first), range.upperBound - at)
            var scalar = UInt32(0)
            for i in 0..<length { scalar = scalar &<< 8 | UInt32(text[at + i]) }
            var times = 1
            var end = at + length
            while end + length <= range.upperBound, isSame(at, end, length) {
                times += 1
                end += length
            }
            mass &+= 2
            self.length &+= 2
            sign(TextFeature.symbol(scalar, times: times), at..<end)
            at = end
        }
    }

    private func isSame(_ a: Int, _ b: Int, _ count: Int) -> Bool {
        for i in 0..<count where text[a + i] != text[b + i] { return false }
        return true
    }
}

/// Computes the features of words, word pairs, word pieces and symbols: hashes, of which a model uses the top bits.
///
/// The hash values are part of the model file's meaning: changing them requires a new version of that file.
enum TextFeature {
    /// Maximum number of scalars of a word that are read; languages without blanks write sentences as one word.
    static let wordLimit = 64
    /// Lengths of pieces in scalars, including the markers for the beginning and the end of the word.
    static let pieceLengths = 2...5
    /// Maximum number of pieces of a word.
    static let pieceLimit = (wordLimit + 2) * pieceLengths.count

    @inline(__always)
    static func word(_ hash: UInt64) -> UInt64 { mix(hash ^ 0x5851_F42D_4C95_7F2D) }

    /// Returns the feature of two consecutive words; 0 stands for the beginning of the text.
    @inline(__always)
    static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
        mix((first &* 0xD6E8_FEB8_6659_FD93) ^ (second &<< 32 | second &>> 32))
    }

    /// Returns the feature of a sign that occurs this many times in a row.
    @inline(__always)
    static func symbol(_ scalar: UInt32, times: Int) -> UInt64 {
        mix(UInt64(scalar) &<< 8 | UInt64(min(times, 3)) | 1 &<< 62)
    }

    @inline(__always)
    static func piece(_ hash: UInt64) -> UInt64 { mix(hash ^ 0x1405_7B7E_F767_814F) }

    /// Mixes every bit into the top ones, which select the bucket.
    @inline(__always)
    static func mix(_ bits: UInt64) -> UInt64 {
        var x = bits
        x ^= x &>> 32
        x = x &* 0xD6E8_FEB8_6659_FD93
        x ^= x &>> 32
        return x &* 0x9E37_79B9_7F4A_7C15
    }

    /// Calls `visit` with the feature of each piece of a word.
    static func forEachPiece(of word: UnsafeBufferPointer<UInt8>, _ visit: (UInt64) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: wordLimit + 2) { scalars in
            var count = 1
            scalars.initialize(repeating: 0)
            scalars[0] = 0x02
            var at = 0
            while at < word.count, count <= wordLimit {
                let length = min(scalarLength(word[at]), word.count - at)
                var scalar = UInt32(0)
                for i in 0..<length { scalar = scalar &<< 8 | UInt32(word[at &+ i]) }
                scalars[count] = scalar
                count += 1
                at += length
            }
            // A single letter is already covered by its word.
            guard count > 2 else { return }
            scalars[count] = 0x03
            count += 1
            for start in 0..<count {
                var hash = GrowingHash().value
                for length in 1...pieceLengths.upperBound where start + length <= count && length < count {
                    hash = (hash ^ UInt64(scalars[start &+ length &- 1])) &* 0x100_0000_01B3
                    if length >= pieceLengths.lowerBound { visit(piece(hash ^ UInt64(length) &<< 56)) }
                }
            }
        }
    }

    /// Returns the length in bytes of the scalar that begins with this byte, in valid UTF-8.
    @inline(__always)
    static func scalarLength(_ first: UInt8) -> Int {
        first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }
}

/// A link, an address or a mention in a folded text: the model sees its presence, not its spelling.
///
/// Every link is a different string of letters, from which a word model learns accidents of its training texts: an
/// Instagram link after a message changed 32 % of categories. Whose link it is, and whether it hides its target, is
/// left to the signals of the rules, which the model weighs, too.
enum TextReference {
    case link, mail, mention

    /// The hash that replaces those of the words.
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
    ///   - text: folded, that is, in lower case, and in ASCII where possible.
    ///   - word: the place of the word in the text.
    /// - Returns: its kind, and its end at the next blank or the end of the text; nil: the word is an ordinary one.
    @inline(__always)
    static func beginning(
        at word: Range<Int>, in text: UnsafeBufferPointer<UInt8>
    ) -> (kind: TextReference, end: Int)? {
        let next = word.upperBound < text.count ? text[word.upperBound] : 0x20
        if word.lowerBound > 0, text[word.lowerBound &- 1] == 0x40 { return mention(word, text) }
        // Almost every word is followed by a blank or a comma.
        guard next == 0x2E || next == 0x3A || next == 0x40 || next == 0x2D else { return nil }
        return address(word, next, text)
    }

    /// Reads `@name`, up to the end of the name.
    ///
    /// Addresses have been recognised before.
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
        // Folding reduces three equal letters to two: "www" becomes "ww".
        if text[word.lowerBound..<word.upperBound].elementsEqual("ww".utf8) { return (.link, end) }
        // "see.it" lacks a blank; "e-club" is a word.
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
