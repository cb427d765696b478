import Synchronization
package import TriageCore

/// Gives each message what its conversation said before: labels that tip the category of a follow-up, and the offer
/// whose points it inherits.
///
/// Runs in the order of the input over a bounded table (20,000 conversations, the last 16 messages of each), so answers
/// do not depend on batches or workers. Reads and refines the category; writes the thread context.
package final class ConversationStage: OrderedStage {
    package let name = "conversation.context"
    package let reads: Set<Field> = [.fields, .hits, .facts, .category]
    package let writes: Set<Field> = [.thread, .category]

    /// Conversations that are remembered.
    package static let capacity = 20_000

    private let table: Mutex<ConversationTable>
    private let category: any CategoryDecider
    /// Signals of the detectors `thread.fan`, `thread.business`, `thread.spam`, in the order of ``Category``.
    private let threadSignals: [[UInt16]]
    private let evidenceLimit: Int
    private let memory: (any ConversationMemory)?

    /// - Parameter category: decided the category first, and does so again.
    /// - Parameter memory: remembers beyond this run, and more conversations than fit here; nil: nothing does.
    package convenience init(
        rules: RuleSet, settings: Settings, category: CategoryStage, memory: (any ConversationMemory)? = nil
    ) {
        self.init(Self.signals(rules), settings.evidenceLimit, decider: category, memory: memory)
    }

    /// - Parameter model: decided the category first, and does so again.
    /// - Parameter memory: remembers beyond this run, and more conversations than fit here; nil: nothing does.
    package convenience init(
        rules: RuleSet, settings: Settings, model: ModelStage, memory: (any ConversationMemory)? = nil
    ) {
        self.init(Self.signals(rules), settings.evidenceLimit, decider: model, memory: memory)
    }

    /// - Parameters:
    ///   - signals: of what an earlier label adds, in the order of ``Category``.
    ///   - evidenceLimit: reasons of a question.
    init(
        _ signals: [[UInt16]], _ evidenceLimit: Int, decider category: any CategoryDecider,
        memory: (any ConversationMemory)?, capacity: Int = ConversationStage.capacity
    ) {
        self.category = category
        self.memory = memory
        self.evidenceLimit = evidenceLimit
        threadSignals = signals
        table = Mutex(ConversationTable(capacity: capacity))
    }

    private static func signals(_ rules: RuleSet) -> [[UInt16]] {
        ["thread.fan", "thread.business", "thread.spam"].map { name in
            rules.signals.indices.filter { rules.signals[$0].trigger == .detector(name) }.map { UInt16($0) }
        }
    }

    package func annotate(_ batch: inout Batch) {
        var collector = EvidenceCollector(limit: evidenceLimit)
        let keys = Self.keys(batch)
        if let memory {
            annotate(&batch, keys, with: memory, &collector)
            return
        }
        table.withLock { table in
            table.fetch(keys)
            for (index, key) in keys {
                table.withEntry(key) { entry, isKnown in
                    if isKnown { follow(index, entry, &batch, &collector) }
                    remember(&batch.records[index], &entry)
                }
            }
        }
    }

    /// As without a memory, but what is not at hand is asked for, and what changes is handed on.
    private func annotate(
        _ batch: inout Batch, _ keys: [(index: Int, key: UInt64)], with memory: any ConversationMemory,
        _ collector: inout EvidenceCollector
    ) {
        let sequence = batch.input.sequence
        var changed: [UInt64: ConversationEntry] = [:]
        var past: [Int: [UInt8]] = [:]
        table.withLock { table in
            let missing = Set(keys.map(\.key)).filter { !table.contains($0) }
            var recalled =
                missing.isEmpty ? [:] : memory.recall(missing.sorted()).compactMapValues(ConversationEntry.init(kept:))
            for (index, key) in keys {
                if memory.isRepeated(index, of: sequence) {
                    if let before = memory.past(index, of: sequence).flatMap(ConversationEntry.init(kept:)) {
                        follow(index, before, &batch, &collector)
                    }
                    continue
                }
                var earlier = changed[key] ?? recalled[key]
                if earlier == nil, !missing.contains(key), !table.contains(key) {
                    // It was here when the batch began, and had to make room since.
                    earlier = memory.recall([key])[key].flatMap(ConversationEntry.init(kept:))
                    recalled[key] = earlier
                }
                changed[key] = table.withEntry(key) { entry, isKnown in
                    if !isKnown, let earlier { entry = earlier }
                    if isKnown || earlier != nil {
                        past[index] = entry.kept
                        follow(index, entry, &batch, &collector)
                    }
                    remember(&batch.records[index], &entry)
                    return entry
                }
            }
        }
        memory.keep(changed.mapValues(\.kept), past: past, of: sequence)
    }

    /// The messages that belong to a conversation, and its key.
    private static func keys(_ batch: Batch) -> [(index: Int, key: UInt64)] {
        batch.records.withUnsafeBufferPointer { records in
            batch.arena.withUnsafeBufferPointer { arena in
                guard let first = records.baseAddress else { return [] }
                return records.indices.compactMap { index in
                    let record = first + index
                    guard record.pointee.status == .message, record.pointee.fields.conversationID.isPresent else {
                        return nil
                    }
                    return (index, key(of: record, in: arena))
                }
            }
        }
    }

    /// Fills the context of a follow-up and decides its category again.
    private func follow(
        _ index: Int, _ entry: ConversationEntry, _ batch: inout Batch, _ collector: inout EvidenceCollector
    ) {
        var context = ThreadContext()
        context.isFollowUp = true
        context.fan = entry.count(.fan)
        context.business = entry.count(.business)
        context.spam = entry.count(.spam)
        context.points = entry.points
        context.budget = entry.budget
        batch.records[index].thread = context
        guard batch.records[index].isAsked else { return }
        // The latest label that is known speaks for the conversation.
        var rest = entry.labels
        while rest != 0, rest & 3 == 0 { rest >>= 2 }
        guard rest != 0 else { return }
        let signals = threadSignals[Int(rest & 3) - 1]
        guard !signals.isEmpty else { return }
        category.decide(index, in: &batch, &collector, extra: signals.map { SignalHit(signal: $0) })
    }

    @inline(__always)
    private func remember(_ record: inout Record, _ entry: inout ConversationEntry) {
        let label = record.category?.label
        entry.push(label)
        guard label == .business else { return }
        let own = record.facts.points
        var merged = own
        if let earlier = entry.points {
            merged.monetary = own.monetary > 0 ? own.monetary : earlier.monetary
            merged.brandFit = max(own.brandFit, earlier.brandFit)
            merged.legitimacy = max(own.legitimacy, earlier.legitimacy)
        }
        entry.points = merged
        if let budget = record.facts.budget { entry.budget = budget }
        entry.age = 0
    }

    /// The hash of platform and conversation id.
    private static func key(of record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = GrowingHash()
        for byte in UnsafeBufferPointer(rebasing: arena[record.pointee.fields.platform.range]) { hash.add(byte) }
        hash.add(0xFF)
        for byte in UnsafeBufferPointer(rebasing: arena[record.pointee.fields.conversationID.range]) { hash.add(byte) }
        return hash.value
    }
}

extension ConversationStage {
    /// Under which a conversation is remembered.
    ///
    /// - Parameters:
    ///   - platform: nil: the records name none.
    ///   - conversation: its id.
    package static func key(platform: String?, conversation: String) -> UInt64 {
        var hash = GrowingHash()
        for byte in (platform ?? "").utf8 { hash.add(byte) }
        hash.add(0xFF)
        for byte in conversation.utf8 { hash.add(byte) }
        return hash.value
    }
}

/// Where conversations are remembered beyond one run.
///
/// Called by ``ConversationStage`` alone, for one batch at a time and in the order of the input.
package protocol ConversationMemory: AnyObject, Sendable {
    /// What was kept of these conversations last, be it by an earlier batch or an earlier run.
    ///
    /// - Parameter keys: of conversations that the stage does not have at hand.
    /// - Returns: states as ``keep(_:past:of:)`` was given them, for those keys of which anything is known.
    func recall(_ keys: [UInt64]) -> [UInt64: [UInt8]]

    /// Takes what a batch changed.
    ///
    /// - Parameters:
    ///   - states: the new state of each conversation that the batch added to, a few bytes each.
    ///   - past: for each of its follow-ups, by the record's index, what the conversation was before it.
    ///   - sequence: of the batch.
    func keep(_ states: [UInt64: [UInt8]], past: [Int: [UInt8]], of sequence: Int)

    /// Whether a record is answered again: its conversation has it already, and it must be answered as it was then.
    func isRepeated(_ index: Int, of sequence: Int) -> Bool

    /// What the conversation of a repeated record was before it; nil: it had none, or nothing is known of it.
    func past(_ index: Int, of sequence: Int) -> [UInt8]?
}
