internal import Synchronization

/// What words turned out to be: most come again and again, and to find out what one is takes its stem, its beginnings
/// and its likely misspellings.
///
/// Each word has one place, where it replaces another. Words count as the same when their hashes and the languages are.
final class FAQWordMemory {
    fileprivate struct Entry {
        var hash: UInt64 = 0
        var plain: Int32 = -1
        var spelled: Int32 = FAQWordMemory.untried
    }

    private static let count = 1 << 14
    private static let untried: Int32 = -2

    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.count)
        // The hash of no word is 0.
        entries.initialize(repeating: Entry(), count: Self.count)
    }

    deinit { entries.deallocate() }

    /// For looking words up and finding them out.
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
            let place = Int(truncatingIfNeeded: key &>> 18) & (FAQWordMemory.count &- 1)
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

/// The memories that no batch uses at the moment: what one batch found out serves the next.
final class FAQWordMemories: Sendable {
    private struct Box: @unchecked Sendable {
        // Proof: a memory is only ever in the list or with the one batch that took it out.
        let memory: FAQWordMemory
    }

    private let free = Mutex<[Box]>([])

    /// Lends a memory to `body`.
    func withMemory(_ body: (FAQWordMemory) -> Void) {
        let box = free.withLock { $0.popLast() } ?? Box(memory: FAQWordMemory())
        body(box.memory)
        free.withLock { $0.append(box) }
    }
}
