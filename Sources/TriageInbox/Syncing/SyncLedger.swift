import Synchronization
import TriageCore
import TriageStages
import TriageStore

/// Tracks the records that a sync is processing, and queries the store about records.
///
/// Records in progress are not in the store yet. They are remembered here until their batch is committed, so that a
/// duplicate counts once and a conversation continues where the previous batch left it. Lookups check the ledger first
/// and the store second: what is no longer in the ledger has been committed, so the store has it.
final class SyncLedger: ConversationMemory, CampaignMemory {
    /// What is known about a batch besides its records.
    struct Notes: Sendable {
        /// The identity of each record.
        var identities: [RecordIdentity] = []
        /// Records for which a model is asked again, by record index.
        var repeated: [Int: OwedMessage] = [:]
        var conversations: [UInt64: [UInt8]] = [:]
        /// The state of a follow-up's conversation before the follow-up, by record index.
        var past: [Int: [UInt8]] = [:]
        /// How many records the store has unchanged.
        var known = 0
    }

    private struct Flight {
        var revision: Int
        /// Content digests in progress, each with its batch.
        var contents: [(digest: UInt64, sequence: Int)]
    }

    private struct State {
        var batches: [Int: Notes] = [:]
        var flights: [RecordKey: Flight] = [:]
        var conversations: [UInt64: (state: [UInt8], sequence: Int)] = [:]
        /// Messages waiting for a model, by their number in the queue, which is their line number.
        var owed: [Int: OwedMessage] = [:]
        var failure: (any Error)?
    }

    private let store: InboxStore?
    private let sources: @Sendable () -> [String]
    private let state = Mutex(State())

    /// Name of the source for messages that still need a model's answer; its line numbers are queue numbers.
    static let owedSource = "what is owed"

    /// - Parameters:
    ///   - store: nil: no record is known.
    ///   - sources: names of the inputs.
    init(store: InboxStore?, sources: @escaping @Sendable () -> [String]) {
        self.store = store
        self.sources = sources
    }

    /// The error that made the store unreadable; once set, nothing may be committed.
    var failure: (any Error)? { state.withLock { $0.failure } }

    // MARK: - Records in progress

    /// Feeds the messages that wait for a model into the run, ahead of the input.
    func readOwed(into assembler: BatchAssembler) throws {
        guard let store else { return }
        var last: Int64 = 0
        while true {
            let owed = try store.owed(after: last, limit: 256)
            guard let end = owed.last else { break }
            if last == 0 { assembler.beginSource(Self.owedSource) }
            last = end.number
            state.withLock { state in
                for message in owed { state.owed[Int(message.number)] = message }
            }
            for message in owed {
                try assembler.useTextKey(message.textKey)
                try message.line.withUnsafeBufferPointer {
                    try assembler.append(line: $0, number: Int(message.number), offset: -1)
                }
            }
        }
        try assembler.flush()
        try assembler.useTextKey(nil)
    }

    /// Computes the records' identities; may run on any worker.
    func identify(_ batch: inout Batch) {
        var notes = Notes()
        // Messages that wait for a model come first, in batches of their own.
        let isOwed =
            batch.input.lines.first.map { $0.source == 0 } == true && sources().first == Self.owedSource
        if isOwed {
            notes.repeated = state.withLock { state in
                var found: [Int: OwedMessage] = [:]
                for index in batch.records.indices {
                    found[index] = state.owed.removeValue(forKey: batch.input.lines[batch.records[index].line].number)
                }
                return found
            }
        }
        notes.identities.reserveCapacity(batch.records.count)
        for index in batch.records.indices {
            let identity =
                notes.repeated[index]?.identity
                ?? RecordIdentity(batch.records[index], in: batch, sources: sources)
            notes.identities.append(identity)
        }
        let sequence = batch.input.sequence
        state.withLock { [notes] in $0.batches[sequence] = notes }
    }

    /// Filters out known records and numbers revisions; must run in input order.
    func sift(_ batch: inout Batch) {
        let sequence = batch.input.sequence
        var notes = state.withLock { $0.batches[sequence] ?? Notes() }
        let indices = batch.records.indices.filter {
            batch.records[$0].status != .filtered && $0 < notes.identities.count
        }
        let wanted = indices.map { notes.identities[$0] }
        // Read this before the store: a record committed in between is then found in both places, never in neither.
        var flights = state.withLock { state in
            Dictionary(wanted.compactMap { identity in state.flights[identity.key].map { (identity.key, $0) } }) { $1 }
        }
        let found: [SeenState]
        do {
            found = try store?.acquaintance(with: wanted) ?? Array(repeating: .new, count: wanted.count)
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            for index in indices { batch.records[index].status = .filtered }
            return
        }
        for (index, acquaintance) in zip(indices, found) {
            let identity = notes.identities[index]
            if let owed = notes.repeated[index] {
                let revision = owed.revision + 1
                batch.records[index].revision = UInt32(clamping: revision)
                note(identity, revision, sequence, in: &flights)
                continue
            }
            var revision = 1
            if case .edited(let next) = acquaintance { revision = next }
            if let flight = flights[identity.key] { revision = max(revision, flight.revision + 1) }
            let isFlying = flights[identity.key]?.contents.contains { $0.digest == identity.digest } == true
            guard !isFlying, acquaintance != .known else {
                batch.records[index].status = .filtered
                notes.known += 1
                continue
            }
            batch.records[index].revision = UInt32(clamping: revision)
            note(identity, revision, sequence, in: &flights)
        }
        batch.dropFilteredRejects()
        state.withLock { [notes, flights] state in
            state.batches[sequence] = notes
            for (key, flight) in flights {
                // Do not add back what was committed in the meantime.
                let own = flight.contents.filter { $0.sequence == sequence }
                guard !own.isEmpty else { continue }
                state.flights[key, default: Flight(revision: 0, contents: [])].revision = flight.revision
                state.flights[key]?.contents += own
            }
        }
    }

    private func note(
        _ identity: RecordIdentity, _ revision: Int, _ sequence: Int, in flights: inout [RecordKey: Flight]
    ) {
        flights[identity.key, default: Flight(revision: 0, contents: [])].revision = revision
        flights[identity.key]?.contents.append((identity.digest, sequence))
    }

    /// What is known about a batch that is being answered.
    func notes(of sequence: Int) -> Notes { state.withLock { $0.batches[sequence] ?? Notes() } }

    /// Forgets a batch once it is committed or has nothing to commit.
    func settle(_ sequence: Int) {
        state.withLock { state in
            guard let notes = state.batches.removeValue(forKey: sequence) else { return }
            for identity in notes.identities {
                guard var flight = state.flights[identity.key] else { continue }
                flight.contents.removeAll { $0.sequence == sequence }
                state.flights[identity.key] = flight.contents.isEmpty ? nil : flight
            }
            for key in notes.conversations.keys where state.conversations[key]?.sequence == sequence {
                state.conversations[key] = nil
            }
        }
    }

    // MARK: - Conversations

    func recall(_ keys: [UInt64]) -> [UInt64: [UInt8]] {
        var found: [UInt64: [UInt8]] = [:]
        state.withLock { state in
            for key in keys { found[key] = state.conversations[key]?.state }
        }
        let rest = keys.filter { found[$0] == nil }
        guard let store, !rest.isEmpty else { return found }
        do {
            return found.merging(try store.conversationStates(rest)) { own, _ in own }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            return found
        }
    }

    func keep(_ states: [UInt64: [UInt8]], past: [Int: [UInt8]], of sequence: Int) {
        state.withLock { state in
            state.batches[sequence]?.conversations = states
            state.batches[sequence]?.past = past
            for (key, bytes) in states { state.conversations[key] = (bytes, sequence) }
        }
    }

    func recallTexts(limit: Int) -> [RememberedText] {
        guard let store else { return [] }
        do {
            return try store.likenesses(limit: limit).compactMap { row in
                guard var sketch = TextSketch(kept: row.likeness.sketch) else { return nil }
                (sketch.sender, sketch.campaign) = (row.likeness.sender, row.likeness.campaign)
                return RememberedText(sketch: sketch, senders: row.senders)
            }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            return []
        }
    }

    func isRepeated(_ index: Int, of sequence: Int) -> Bool {
        state.withLock { $0.batches[sequence]?.repeated[index] != nil }
    }

    func past(_ index: Int, of sequence: Int) -> [UInt8]? {
        state.withLock { $0.batches[sequence]?.repeated[index]?.context }
    }
}

/// Filters out what the store already has, before any computation, and numbers the revisions of the rest.
final class KnownStage: OrderedStage {
    let name = "sync.known"
    let reads: Set<Field> = [.status]
    let writes: Set<Field> = [.status]

    private let ledger: SyncLedger

    init(_ ledger: SyncLedger) { self.ledger = ledger }

    func annotate(_ batch: inout Batch) { ledger.sift(&batch) }
}
