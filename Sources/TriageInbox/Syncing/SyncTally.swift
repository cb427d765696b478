import TriageCore
import TriageFormats
import TriageStore

/// The results of one batch of a sync: what to commit, and counts.
struct SyncTally: Sendable {
    var counts: RunCounts
    var commit = InboxCommit()
    var changes = SyncChanges()
    /// Whether there is anything to commit.
    var isEmpty: Bool {
        commit.known.isEmpty && commit.messages.isEmpty && commit.owed.isEmpty && commit.settled.isEmpty
            && commit.conversations.isEmpty
    }
}

/// A sync's counts of store changes, in addition to the counts of every run.
struct SyncChanges: Sendable {
    /// Records seen for the first time, rejected lines included.
    var new = 0
    /// Known records with new content.
    var edited = 0
    /// Known records without changes.
    var known = 0
    /// Messages that now have the model answer they were waiting for.
    var settled = 0
    /// Messages of this run that still wait for a model's answer.
    var owed = 0
    /// Messages that a person should see within a day.
    var urgent: [Reference] = []
    /// Offers above the required score.
    var offers: [Reference] = []

    /// The maximum number of messages named; further ones are only counted.
    static let most = 1000

    /// A message by its id.
    struct Reference: Sendable {
        var id: String
        var platform: String?
        var conversation: String?
        var score: Int?
    }

    init() {}

    /// Counts what a batch's records mean for the store.
    init(_ batch: borrowing Batch, _ notes: SyncLedger.Notes) {
        known = notes.known
        for index in batch.records.indices where notes.repeated[index] == nil {
            guard batch.records[index].status != .filtered else { continue }
            if batch.records[index].revision > 1 { edited += 1 } else { new += 1 }
        }
    }

    /// Adds a message of an earlier run that ended before it could report.
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
