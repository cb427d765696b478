import Platform
package import TriageCore

/// A table from words to the languages that use them, each with a weight.
///
/// A word shared by n languages weighs `log2(1 + 8/n)` for each of them, a spelling with accents 2, and a distinctive
/// letter `1.5/√k` for each of k languages. The weights were chosen on labelled messages in twelve languages.
package struct LanguageIdentifier: Sendable {
    struct Posting {
        var language: UInt8
        var weight: Float
    }

    private var hashes: [UInt64]
    private var ranges: [Range<Int32>]
    private(set) var postings: [Posting] = []
    private let mask: Int
    /// Indexed by scalar − 0x80, up to U+07FF.
    private var letterRanges: [Range<Int32>]

    package init(_ languages: [LanguageWords]) {
        let folder = TextFolder()
        var byWord: [UInt64: [Posting]] = [:]
        var byLetter: [UInt32: [UInt8]] = [:]
        for language in languages {
            guard let index = LanguageTable.index(of: language.tag) else { continue }
            var seen: Set<UInt64> = []
            for word in language.words {
                // An apostrophe splits words in messages, too.
                for part in folder.words(word) where seen.insert(TextFolder.hash(part)).inserted {
                    byWord[TextFolder.hash(part), default: []].append(Posting(language: index, weight: 0))
                }
            }
            for scalar in language.letters.unicodeScalars where (0x80..<0x800).contains(scalar.value) {
                byLetter[scalar.value, default: []].append(index)
            }
        }
        for (hash, owners) in byWord {
            let weight = log2f(1 + 8 / Float(owners.count))
            byWord[hash] = owners.map { Posting(language: $0.language, weight: weight) }
        }
        for language in languages {
            guard let index = LanguageTable.index(of: language.tag) else { continue }
            for word in language.marked {
                byWord[Self.markedHash(Array(word.utf8)), default: []].append(Posting(language: index, weight: 2))
            }
        }
        var size = 64
        while size < byWord.count * 3 { size *= 2 }
        mask = size - 1
        hashes = Array(repeating: 0, count: size)
        ranges = Array(repeating: 0..<0, count: size)
        letterRanges = Array(repeating: 0..<0, count: 0x800 - 0x80)
        for (hash, owners) in byWord {
            let start = Int32(postings.count)
            postings += owners
            insert(hash, start..<Int32(postings.count))
        }
        for (scalar, owners) in byLetter {
            let start = Int32(postings.count)
            postings += owners.map { Posting(language: $0, weight: 1.5 / Float(owners.count).squareRoot()) }
            letterRanges[Int(scalar) - 0x80] = start..<Int32(postings.count)
        }
    }

    private mutating func insert(_ hash: UInt64, _ range: Range<Int32>) {
        var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
        while !ranges[slot].isEmpty { slot = (slot + 1) & mask }
        hashes[slot] = hash
        ranges[slot] = range
    }

    /// Returns the postings of a folded word, or of the ``markedHash(_:)`` of a spelling; empty when no language has
    /// it.
    @inline(__always)
    func postings(of hash: UInt64) -> Range<Int32> {
        var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
        while !ranges[slot].isEmpty {
            if hashes[slot] == hash { return ranges[slot] }
            slot = (slot + 1) & mask
        }
        return 0..<0
    }

    /// Returns the postings of a non-ASCII letter.
    func postings(ofLetter scalar: UInt32) -> Range<Int32> {
        (0x80..<0x800).contains(scalar) ? letterRanges[Int(scalar) - 0x80] : 0..<0
    }

    /// Returns the hash of a spelling with its accents, in lower case; it never equals that of a folded word.
    static func markedHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        var previous: UInt8 = 0
        for byte in bytes {
            var lower = byte
            if byte >= 0x41, byte <= 0x5A { lower |= 0x20 }
            // À…Þ are C3 80…9E, and their lower-case letters are 0x20 higher.
            if previous == 0xC3, byte >= 0x80, byte <= 0x9E { lower |= 0x20 }
            hash = (hash ^ UInt64(lower)) &* 0x100_0000_01B3
            previous = byte
        }
        return hash
    }
}
