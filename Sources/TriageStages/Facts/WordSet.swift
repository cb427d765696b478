internal import TriageCore

/// A fixed set of folded words, asked by bytes without making a string.
struct WordSet: Sendable {
    private var slots: [UInt64]

    /// - Parameters:
    ///   - words: folded words with blanks between.
    ///   - hash: by which the set is asked.
    init(_ words: String, by hash: (Substring.UTF8View) -> UInt64 = { TextFolder.hash($0) }) {
        let all = words.split(separator: " ")
        var capacity = 16
        while capacity < all.count * 2 { capacity *= 2 }
        slots = [UInt64](repeating: 0, count: capacity)
        for word in all {
            let hash = hash(word.utf8)
            slots[slot(of: hash)] = hash
        }
    }

    private func slot(of hash: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash >> 20) & mask
        while slots[slot] != 0, slots[slot] != hash { slot = (slot + 1) & mask }
        return slot
    }

    func contains(_ bytes: some Sequence<UInt8>) -> Bool { contains(hash: TextFolder.hash(bytes)) }

    @inline(__always)
    func contains(hash: UInt64) -> Bool { slots[slot(of: hash)] == hash }
}
