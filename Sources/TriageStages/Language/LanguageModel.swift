internal import TriageCore

/// Word lists turned into a table that answers "which languages have this word, and how much does it say".
///
/// A word weighs `1 + ln(L / n)`, halved for each further language that shares it: L languages in all, n that have it.
/// A letter that only some languages write, such as `ã` or `ß`, weighs like a word of those languages.
public struct LanguageModel: Sendable {
    /// A language's frequent words (folded or not) and its telling letters.
    public struct Words: Sendable {
        public var tag: String
        public var words: [String]
        public var letters: String

        public init(tag: String, words: [String], letters: String) {
            self.tag = tag
            self.words = words
            self.letters = letters
        }
    }

    struct Posting {
        var language: UInt8
        var weight: Float
    }

    private var hashes: [UInt64]
    private var ranges: [Range<Int32>]
    private(set) var postings: [Posting] = []
    private let mask: Int
    /// By scalar − 0x80, up to U+024F.
    private var letterRanges: [Range<Int32>]

    public init(_ languages: [Words]) {
        let folder = TextFolder()
        var byWord: [UInt64: [UInt8]] = [:]
        var byLetter: [UInt32: [UInt8]] = [:]
        var count = 0
        for language in languages {
            guard let index = LanguageTable.index(of: language.tag) else { continue }
            count += 1
            for word in language.words {
                for part in folder.words(word) {
                    let hash = TextFolder.hash(part)
                    if byWord[hash]?.contains(index) != true { byWord[hash, default: []].append(index) }
                }
            }
            for scalar in language.letters.unicodeScalars where (0x80..<0x250).contains(scalar.value) {
                if byLetter[scalar.value]?.contains(index) != true { byLetter[scalar.value, default: []].append(index) }
            }
        }
        var size = 64
        while size < byWord.count * 3 { size *= 2 }
        mask = size - 1
        hashes = Array(repeating: 0, count: size)
        ranges = Array(repeating: 0..<0, count: size)
        letterRanges = Array(repeating: 0..<0, count: 0x250 - 0x80)
        func weight(_ sharing: Int) -> Float { 1 + logarithm(Float(max(count, 1)) / Float(sharing)) }
        // Sorted, so that sums of floats come out the same in every process.
        for hash in byWord.keys.sorted() {
            let owners = byWord[hash] ?? []
            let start = Int32(postings.count)
            postings += owners.map { Posting(language: $0, weight: weight(owners.count)) }
            insert(hash, start..<Int32(postings.count))
        }
        for scalar in byLetter.keys.sorted() {
            let owners = byLetter[scalar] ?? []
            let start = Int32(postings.count)
            postings += owners.map { Posting(language: $0, weight: weight(owners.count)) }
            letterRanges[Int(scalar) - 0x80] = start..<Int32(postings.count)
        }
    }

    private mutating func insert(_ hash: UInt64, _ range: Range<Int32>) {
        var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
        while !ranges[slot].isEmpty { slot = (slot + 1) & mask }
        hashes[slot] = hash
        ranges[slot] = range
    }

    /// Postings of a folded word; empty when no language has it.
    @inline(__always)
    func postings(of hash: UInt64) -> Range<Int32> {
        var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
        while !ranges[slot].isEmpty {
            if hashes[slot] == hash { return ranges[slot] }
            slot = (slot + 1) & mask
        }
        return 0..<0
    }

    /// Postings of a letter beyond ASCII.
    func postings(ofLetter scalar: UInt32) -> Range<Int32> {
        (0x80..<0x250).contains(scalar) ? letterRanges[Int(scalar) - 0x80] : 0..<0
    }
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

private func logarithm(_ x: Float) -> Float { logf(x) }
