internal import CPrefetch
internal import TriageCore

/// A cache of resolved words: most words recur, and resolving one means trying its stem, beginnings and likely
/// misspellings.
///
/// Each word of up to sixteen bytes has one place, where it replaces another; longer ones are resolved every time. A
/// cached result equals what would be resolved, so answers do not depend on which messages came before. Only one batch
/// at a time may use it.
final class FAQWordMemory {
    fileprivate struct Entry {
        var word = ShortWord.none
        var language: UInt8 = 0
        var plain: Int32 = -1
        var spelled: Int32 = FAQWordMemory.untried
    }

    private static let count = 1 << 14
    private static let untried: Int32 = -2

    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.count)
        entries.initialize(repeating: Entry(), count: Self.count)
    }

    deinit { entries.deallocate() }

    /// A view for look-ups and updates.
    var view: View { View(entries: entries) }

    /// A bare pointer, valid as long as the memory.
    struct View {
        fileprivate let entries: UnsafeMutablePointer<Entry>

        @inline(__always)
        private func place(_ hash: UInt64, _ language: UInt8) -> Int {
            Int(truncatingIfNeeded: (hash ^ UInt64(language) &<< 56) &>> 18) & (FAQWordMemory.count &- 1)
        }

        /// Prefetches the entry of a word that will be looked up soon.
        @inline(__always)
        func expect(_ token: Token, _ language: UInt8) { prefetch_line(entries + place(token.hash, language)) }

        /// Returns the place of a word (nil if it is too long to be cached), and its term: as it is, or by stem or
        /// beginning (−1: none).
        ///
        /// - Parameters:
        ///   - text: the folded text of the token; sixteen bytes after the word must be readable.
        ///   - find: resolves the term.
        @inline(__always)
        func plain(
            _ token: Token, in text: UnsafePointer<UInt8>, _ language: UInt8, _ find: () -> Int
        ) -> (place: Int?, term: Int) {
            guard let word = ShortWord(token, in: text) else { return (nil, find()) }
            let place = place(token.hash, language)
            if entries[place].word != word || entries[place].language != language {
                entries[place] = Entry(word: word, language: language, plain: Int32(truncatingIfNeeded: find()))
            }
            return (place, Int(entries[place].plain))
        }

        /// Returns the term of the word at a place if it is misspelt (−1: none).
        ///
        /// - Parameter find: resolves the term.
        @inline(__always)
        func spelled(_ place: Int?, _ find: () -> Int) -> Int {
            guard let place else { return find() }
            if entries[place].spelled == FAQWordMemory.untried {
                entries[place].spelled = Int32(truncatingIfNeeded: find())
            }
            return Int(entries[place].spelled)
        }
    }
}
