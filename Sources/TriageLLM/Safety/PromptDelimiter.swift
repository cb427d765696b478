import TriageCore

/// A run's secret, which keeps senders from guessing a boundary.
///
/// Only the run's own requests depend on it. It is written nowhere except into the state file of a batch, whose answers
/// are read by another process.
package struct RunSecret: Sendable {
    private let key: [UInt8]

    /// - Parameter generator: cryptographically secure in a run; seeded in a test.
    package init(using generator: inout some RandomNumberGenerator) {
        key = (0..<4).flatMap { _ in
            withUnsafeBytes(of: (generator.next() as UInt64).bigEndian) { Array($0) }
        }
    }

    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// The secret of another process.
    ///
    /// - Parameter hex: 64 hex digits, as in ``hex``; nil for anything else.
    package init?(hex: String) {
        let alphabet = Array("0123456789abcdef".utf8)
        let digits = hex.utf8.compactMap { digit in alphabet.firstIndex(of: digit).map { UInt8($0) } }
        guard digits.count == 64, hex.utf8.count == 64 else { return nil }
        key = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// 64 hex digits, for a file that only its owner may read.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// 32 bytes determined only by the secret and the parts.
    func digest(_ purpose: String, _ parts: [[UInt8]], _ attempt: Int = 0) -> [UInt8] {
        var hash = SHA256()
        hash.update(key)
        for part in [Array(purpose.utf8), [UInt8(truncatingIfNeeded: attempt)]] + parts {
            hash.update(withUnsafeBytes(of: UInt64(part.count).bigEndian) { Array($0) })
            hash.update(part)
        }
        // Hashed once more after the key, so that no digest is an intermediate state of another.
        var outer = SHA256()
        outer.update(key)
        outer.update(hash.digest())
        return outer.digest()
    }
}

/// Puts texts between boundaries that their authors cannot know.
///
/// A boundary has 130 random bits. It is derived from the run's secret and the content, so a repeated request is the
/// same byte for byte, and servers that cache answers or count repetitions recognize it.
package struct PromptDelimiter: Sendable {
    /// A text, and a description that precedes it.
    package struct Block: Sendable, Equatable {
        /// Id and context in our own words, on the boundary's line.
        package var head: String
        package var text: String

        package init(head: String, text: String) {
            self.head = head
            self.text = text
        }
    }

    private let secret: RunSecret

    package init(secret: RunSecret) { self.secret = secret }

    /// The blocks, each after a line `BOUNDARY head`, and a last line `BOUNDARY end`.
    package func fenced(_ blocks: [Block]) -> String {
        let boundary = boundary(for: blocks)
        var out = ""
        for block in blocks { out += "\(boundary) \(Self.oneLine(block.head))\n\(block.text)\n" }
        return out + "\(boundary) end"
    }

    /// The boundary of these blocks; it occurs in none of them.
    func boundary(for blocks: [Block], first attempt: Int = 0) -> String {
        let parts = blocks.flatMap { [Array($0.head.utf8), Array($0.text.utf8)] }
        var attempt = attempt
        while true {
            let boundary = Self.name(secret.digest("boundary", parts, attempt))
            // A guess succeeds with probability 1 in 2^130; the blocks are searched nevertheless.
            if !Self.stands(boundary, in: blocks) { return boundary }
            attempt += 1
        }
    }

    /// Whether a boundary occurs in a block, in any spelling.
    static func stands(_ boundary: String, in blocks: [Block]) -> Bool {
        var letters: [Unicode.Scalar]?
        return blocks.contains { block in
            if let stands = standsPlainly(boundary, in: block) { return stands }
            let searched = letters ?? Array(boundary.unicodeScalars)
            letters = searched
            return Text.contains(Text.skeleton(block.head + "\n" + block.text), searched)
        }
    }

    /// ``stands(_:in:)`` for an ASCII block, as most are, without copying it; nil for others.
    private static func standsPlainly(_ boundary: String, in block: Block) -> Bool? {
        let wanted = Array(boundary.utf8)
        // How much of the boundary has matched, with anything allowed between its letters (Knuth, Morris, Pratt).
        var matched = 0
        for part in [block.head, block.text] {
            for byte in part.utf8 {
                guard byte < 0x80 else { return nil }
                let letter: UInt8
                switch byte {
                case 0x41...0x5A: letter = byte | 0x20
                case 0x61...0x7A, 0x30...0x39: letter = byte
                default: continue
                }
                while matched > 0, wanted[matched] != letter {
                    // Rare: continues with the next shorter prefix of the boundary that ends here.
                    matched = border(of: wanted, matched)
                }
                if wanted[matched] == letter { matched += 1 }
                if matched == wanted.count { return true }
            }
        }
        return false
    }

    /// The length of the longest proper prefix of `word[..<count]` that is also its suffix.
    private static func border(of word: [UInt8], _ count: Int) -> Int {
        var length = count - 1
        while length > 0, !word[..<length].elementsEqual(word[count - length..<count]) { length -= 1 }
        return length
    }

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// 26 characters of five bits each.
    static func name(_ digest: [UInt8]) -> String {
        var bits: UInt32 = 0
        var held = 0
        var out: [UInt8] = []
        for byte in digest where out.count < 26 {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 5, out.count < 26 {
                held -= 5
                out.append(alphabet[Int(bits >> UInt32(held) & 31)])
            }
            bits &= 0xFF
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Heads are our text, but contain a language and a day from the input, neither of which may start a new line.
    private static func oneLine(_ head: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in head.unicodeScalars where (0x20...0x7E).contains(scalar.value) { out.append(scalar) }
        return String(out)
    }
}
