import Synchronization
import TriageCore
import TriageStore

/// The store as the page sees it: lists in memory, kept in step with every writer of the store.
final class ReviewInbox: Sendable {
    let store: InboxStore
    private let watch: InboxWatch
    private let state = Mutex(State())
    private let isReloading = Mutex(false)

    private struct State {
        var index = ReviewIndex()
        /// The version that the watch reported when the index was read.
        var version: Int64 = -1
        /// Increases with every change.
        var change = 1
        /// Decisions made while the index was being reloaded.
        var meanwhile: [Int64: [InboxFeedback.Field: String]] = [:]
        /// How long the last load took.
        var loadTime = Duration.zero
        /// Message numbers found by the most recent searches, by search words.
        var searches: [(words: String, numbers: [Int64])] = []
    }

    /// A store that loads within this time is reloaded while a request waits; a slower one is reloaded in the
    /// background.
    private static let patience = Duration.milliseconds(40)

    /// - Throws: ``TriageError``.
    init(store: InboxStore) throws {
        self.store = store
        watch = try InboxWatch(path: store.path)
        _ = try reload(ifLongerThan: nil)
    }

    func close() { watch.close() }

    /// A number that increases whenever anybody changes the store.
    var change: Int { state.withLock { $0.change } }

    /// Reads what others changed.
    ///
    /// - Returns: whether anything has changed.
    /// - Throws: ``TriageError``.
    func reload() throws -> Bool { try reload(ifLongerThan: nil) }

    private func reload(ifLongerThan patience: Duration?) throws -> Bool {
        let version = try watch.version()
        let isNeeded = state.withLock { state in
            state.version != version && patience.map { state.loadTime <= $0 } ?? true
        }
        guard isNeeded else { return false }
        // One reload at a time; a second caller uses the current state.
        guard
            isReloading.withLock({ isReloading in
                defer { isReloading = true }
                return !isReloading
            })
        else { return false }
        defer { isReloading.withLock { $0 = false } }
        state.withLock { $0.meanwhile = [:] }
        let start = ContinuousClock.now
        let outline = try store.outline()
        return state.withLock { state in
            state.version = version
            state.loadTime = ContinuousClock.now - start
            // Answers may have changed even if nothing in the lists did.
            state.change += 1
            state.searches = []
            guard outline != state.index.outline else { return true }
            state.index = ReviewIndex(outline)
            for (number, said) in state.meanwhile { state.index.set(said, of: number) }
            return true
        }
    }

    /// Records a change that affects no list.
    func touch() { state.withLock { $0.change += 1 } }

    /// Applies a decision of the page at once.
    func take(_ entry: InboxEntry) {
        state.withLock { state in
            state.index.set(entry.corrections, of: entry.number)
            state.meanwhile[entry.number] = entry.corrections
            state.change += 1
        }
    }

    /// A window of a list.
    ///
    /// - Throws: ``TriageError``.
    func page(_ query: ReviewQuery) throws -> (entries: [InboxEntry], window: ReviewIndex.Window, change: Int) {
        _ = try reload(ifLongerThan: Self.patience)
        let matches = try query.words.isEmpty ? nil : numbers(matching: query.words)
        let (page, change) = state.withLock { ($0.index.page(query, matches: matches), $0.change) }
        return (try store.entries(numbers: page.numbers), page, change)
    }

    /// The other messages that the row of a message stands for.
    func alike(_ number: Int64) -> [Int64] { state.withLock { $0.index.alike(number) } }

    /// The number of messages in each view.
    ///
    /// - Throws: ``TriageError``.
    func counts() throws -> (counts: ReviewIndex.Counts, change: Int) {
        _ = try reload(ifLongerThan: Self.patience)
        return state.withLock { ($0.index.counts, $0.change) }
    }

    private func numbers(matching words: String) throws -> [Int64] {
        if let known = state.withLock({ $0.searches.first { $0.words == words } }) { return known.numbers }
        let (version, numbers) = (state.withLock { $0.version }, try store.matches(words, limit: .max))
        state.withLock { state in
            guard state.version == version else { return }
            state.searches = Array(state.searches.suffix(3)) + [(words, numbers)]
        }
        return numbers
    }
}
