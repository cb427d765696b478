/// One message as a row of the table.
package struct TableEntry: Sendable, Equatable {
    var rank: Rank
    /// What people name it by; empty: nothing.
    var number = ""
    /// The day it was sent on; empty: it is not shown.
    var day = ""
    var from: String
    var kind: String
    var feeling: String
    var worth: String
    var faq: String
    var message: String

    init(
        rank: Rank, from: String, kind: String, feeling: String, worth: String, faq: String, message: String
    ) {
        self.rank = rank
        self.from = from
        self.kind = kind
        self.feeling = feeling
        self.worth = worth
        self.faq = faq
        self.message = message
    }

    /// A message of a list that has an order of its own; cells may hold anything.
    package init(
        number: String, isUrgent: Bool, priority: Int, day: String, from: String, kind: String, feeling: String,
        worth: String, faq: String, message: String
    ) {
        self.init(
            rank: Rank(isUrgent: isUrgent, priority: priority, batch: 0, record: 0), from: from, kind: kind,
            feeling: feeling, worth: worth, faq: faq, message: message)
        self.number = number
        self.day = day
    }

    /// What puts a row before another: urgent ones, then the higher priority, then the earlier message.
    package struct Rank: Sendable, Equatable, Comparable {
        var isUrgent: Bool
        var priority: Int
        /// Batch of the run, then record of the batch.
        var batch: Int
        var record: Int

        /// Whether a row of rank `a` stands below one of rank `b`.
        package static func < (a: Rank, b: Rank) -> Bool {
            if a.isUrgent != b.isUrgent { return b.isUrgent }
            if a.priority != b.priority { return a.priority < b.priority }
            return (a.batch, a.record) > (b.batch, b.record)
        }
    }
}

/// The best rows of a run, however long it is; which ones they are does not depend on the order they come in.
package struct TableRows: Sendable {
    /// Rows that are kept.
    package let limit: Int
    /// Messages seen.
    package private(set) var count = 0
    /// A heap with the lowest of the kept rows on top.
    private var heap: [TableEntry] = []

    package init(limit: Int) { self.limit = max(1, limit) }

    /// Whether a row of this rank would be kept.
    func admits(_ rank: TableEntry.Rank) -> Bool { heap.count < limit || heap[0].rank < rank }

    /// Counts a message that was not worth a row.
    mutating func countOnly(_ messages: Int) { count += messages }

    mutating func insert(_ row: TableEntry) {
        count += 1
        if heap.count < limit {
            heap.append(row)
            var child = heap.count - 1
            while child > 0, heap[child].rank < heap[(child - 1) / 2].rank {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else if heap[0].rank < row.rank {
            heap[0] = row
            sink()
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].rank < heap[least].rank { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// The kept rows, the best first.
    package var best: [TableEntry] { heap.sorted { $1.rank < $0.rank } }
}
