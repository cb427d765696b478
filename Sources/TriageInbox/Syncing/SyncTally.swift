import TriageCore
import TriageFormats
import TriageStore

/// What one batch of a sync came to: what is to be committed, and what is counted.
struct SyncTally: Sendable {
    var counts: RunCounts
    var commit = InboxCommit()
    var changes = SyncChanges()
    /// Whether there is anything to be committed.
    var isEmpty: Bool {
        commit.known.isEmpty && commit.messages.isEmpty && commit.owed.isEmpty && commit.settled.isEmpty
            && commit.conversations.isEmpty
    }
}

/// What a sync adds to its store, beyond what every run counts.
struct SyncChanges: Sendable {
    /// Records that came for the first time, rejected lines too.
    var new = 0
    /// Records that were known with other content.
    var edited = 0
    /// Records that were known as they are.
    var known = 0
    /// Messages that got the answer they were owed.
    var settled = 0
    /// Messages of this run whose answer is still to come.
    var owed = 0
    /// Messages that a person should see within a day.
    var urgent: [Reference] = []
    /// Offers above the wanted score.
    var offers: [Reference] = []

    /// So many are named; behind them only counted.
    static let most = 1000

    /// A message by its id.
    struct Reference: Sendable {
        var id: String
        var platform: String?
        var conversation: String?
        var score: Int?
    }

    init() {}

    /// What the records of a batch are to the store.
    init(_ batch: borrowing Batch, _ notes: SyncLedger.Notes) {
        known = notes.known
        for index in batch.records.indices where notes.repeated[index] == nil {
            guard batch.records[index].status != .filtered else { continue }
            if batch.records[index].revision > 1 { edited += 1 } else { new += 1 }
        }
    }

    /// Names a message of a run that could not.
    mutating func add(_ message: InboxStore.Untold, above score: Int) {
        let reference = Reference(
            id: message.id, platform: message.platform, conversation: message.conversation, score: message.score)
        if message.isUrgent, urgent.count < Self.most { urgent.append(reference) }
        if let found = message.score, found > score, offers.count < Self.most { offers.append(reference) }
    }

    mutating func merge(_ other: SyncChanges) {
        new += other.new
        edited += other.edited
        known += other.known
        settled += other.settled
        owed += other.owed
        urgent += other.urgent.prefix(max(0, Self.most - urgent.count))
        offers += other.offers.prefix(max(0, Self.most - offers.count))
    }
}
