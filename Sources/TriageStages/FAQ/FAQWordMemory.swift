/// What the words of a batch turned out to be: most words come again and again, and to find out what one is takes its
/// stem, its beginnings and its likely misspellings.
///
/// Each word has one place, where it replaces another. Words count as the same when their hashes and the languages are.
struct FAQWordMemory: ~Copyable {
    fileprivate struct Entry {
        var hash: UInt64 = 0
        var plain: Int32 = -1
        var spelled: Int32 = FAQWordMemory.untried
    }

    private static let count = 4096
    private static let untried: Int32 = -2

    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.count)
        // The hash of no word is 0.
        entries.initialize(repeating: Entry(), count: Self.count)
    }

    deinit { entries.deallocate() }

    /// Finds words out once.
    var view: View { View(entries: entries) }

    /// Bare pointer; valid as long as the memory.
    struct View {
        fileprivate let entries: UnsafeMutablePointer<Entry>

        /// The place of a word, with its term as it stands or by stem or beginning (−1: none).
        ///
        /// - Parameter find: finds the term out.
        @inline(__always)
        func plain(_ hash: UInt64, _ language: UInt8, _ find: () -> Int) -> (place: Int, term: Int) {
            let key = hash ^ UInt64(language) &<< 56
            let place = Int(truncatingIfNeeded: key &>> 20) & (FAQWordMemory.count &- 1)
            if entries[place].hash != key {
                entries[place] = Entry(hash: key, plain: Int32(truncatingIfNeeded: find()))
            }
            return (place, Int(entries[place].plain))
        }

        /// The term of the word at a place when it is misspelt (−1: none).
        ///
        /// - Parameter find: finds the term out.
        @inline(__always)
        func spelled(_ place: Int, _ find: () -> Int) -> Int {
            if entries[place].spelled == FAQWordMemory.untried {
                entries[place].spelled = Int32(truncatingIfNeeded: find())
            }
            return Int(entries[place].spelled)
        }
    }
}
