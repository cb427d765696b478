import Synchronization
package import TriageCore

/// Adds what earlier messages of the conversation said to each message: labels, which can tip the category of a
/// follow-up, and the offer whose points it inherits.
///
/// It runs in input order over a bounded table (20,000 conversations, the last 16 messages of each), so answers do not
/// depend on batches or workers. It reads and refines the category and writes the thread context.
package final class ConversationStage: OrderedStage {
    package let name = "conversation.context"
    package let reads: Set<Field> = [.fields, .hits, .facts, .category]
    package let writes: Set<Field> = [.thread, .category]

    /// Number of conversations that are remembered.
    package static let capacity = 20_000

    private let table: Mutex<ConversationTable>
    private let category: any CategoryDecider
    /// Signals that use the detectors `thread.fan`, `thread.business` and `thread.spam`, in the order of ``Category``.
    private let threadSignals: [[UInt16]]
    private let evidenceLimit: Int
    private let memory: (any ConversationMemory)?

    /// Creates the stage for runs whose category comes from the rules.
    ///
    /// - Parameters:
    ///   - category: the stage that decided the category; it decides again for follow-ups.
    ///   - memory: remembers conversations beyond this run and beyond the table's capacity; nil: none.
    package convenience init(
        rules: RuleSet, settings: Settings, category: CategoryStage, memory: (any ConversationMemory)? = nil
    ) {
        self.init(Self.signals(rules), settings.evidenceLimit, decider: category, memory: memory)
    }

    /// Creates the stage for runs whose category comes from the statistical model.
    ///
    /// - Parameters:
    ///   - model: the stage that decided the category; it decides again for follow-ups.
    ///   - memory: remembers conversations beyond this run and beyond the table's capacity; nil: none.
    package convenience init(
        rules: RuleSet, settings: Settings, model: ModelStage, memory: (any ConversationMemory)? = nil
    ) {
        self.init(Self.signals(rules), settings.evidenceLimit, decider: model, memory: memory)
    }

    /// Creates the stage.
    ///
    /// - Parameters:
    ///   - signals: the signals that earlier labels raise, in the order of ``Category``.
    ///   - evidenceLimit: maximum number of reasons per question.
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

    /// Works as without a memory, but asks the memory for missing conversations and passes it the changes.
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
                    // It was in the table when the batch began, and has been evicted since.
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

    /// Returns the messages that belong to a conversation, with its key.
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

    /// Fills in the context of a follow-up and decides its category again.
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
        // The most recent known label represents the conversation.
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

    /// Returns the hash of the platform and the conversation id.
    private static func key(of record: UnsafePointer<Record>, in arena: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = GrowingHash()
        for byte in UnsafeBufferPointer(rebasing: arena[record.pointee.fields.platform.range]) { hash.add(byte) }
        hash.add(0xFF)
        for byte in UnsafeBufferPointer(rebasing: arena[record.pointee.fields.conversationID.range]) { hash.add(byte) }
        return hash.value
    }
}

extension ConversationStage {
    /// Returns the key under which a conversation is remembered.
    ///
    /// - Parameters:
    ///   - platform: nil when the records name none.
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
/// Called only by ``ConversationStage``, for one batch at a time and in input order.
package protocol ConversationMemory: AnyObject, Sendable {
    /// Returns the last kept state of conversations, from an earlier batch or an earlier run.
    ///
    /// - Parameter keys: conversations that the stage does not have in its table.
    /// - Returns: states as passed to ``keep(_:past:of:)``, for the keys that are known.
    func recall(_ keys: [UInt64]) -> [UInt64: [UInt8]]

    /// Stores the changes of a batch.
    ///
    /// - Parameters:
    ///   - states: the new state of each conversation that the batch added to, a few bytes each.
    ///   - past: for each of its follow-ups, by record index, the state of the conversation before it.
    ///   - sequence: the number of the batch.
    func keep(_ states: [UInt64: [UInt8]], past: [Int: [UInt8]], of sequence: Int)

    /// Whether a record is answered again: its conversation already contains it, and the answer must be the same as
    /// then.
    func isRepeated(_ index: Int, of sequence: Int) -> Bool

    /// Returns the state of the conversation before a repeated record; nil when there was none or it is unknown.
    func past(_ index: Int, of sequence: Int) -> [UInt8]?
}
