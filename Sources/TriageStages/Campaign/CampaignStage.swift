import Synchronization
public import TriageCore

/// Finds texts that several senders sent nearly alike, and lets that speak for spam where a text has something of spam.
///
/// Runs in the order of the input over a bounded table, so answers do not depend on batches or workers. Reads and refines
/// hits and category; writes the campaign. Many fans ask the same question, and a petition goes around: to be sent by many
/// is no sign of spam by itself.
public final class CampaignStage: OrderedStage {
    public let name = "campaign.senders"
    public let reads: Set<Field> = [.folded, .hits, .sketch, .category]
    public let writes: Set<Field> = [.campaign, .hits, .category]

    private struct State: ~Copyable {
        var table: CampaignTable
        var isRecalled = false
    }

    private let state: Mutex<State>
    private let category: any CategoryDecider
    /// Signals of the detector `campaign.many-senders`.
    private let signals: [UInt16]
    private let isLure: [Bool]
    private let evidenceLimit: Int
    private let memory: (any CampaignMemory)?

    /// - Parameter category: decided the category first, and does so again.
    /// - Parameter memory: of texts of earlier runs; nil: there is none.
    public convenience init(
        rules: RuleSet, settings: Settings, category: CategoryStage, memory: (any CampaignMemory)? = nil
    ) {
        self.init(rules, settings.evidenceLimit, decider: category, memory: memory)
    }

    /// - Parameter model: decided the category first, and does so again.
    /// - Parameter memory: of texts of earlier runs; nil: there is none.
    public convenience init(
        rules: RuleSet, settings: Settings, model: ModelStage, memory: (any CampaignMemory)? = nil
    ) {
        self.init(rules, settings.evidenceLimit, decider: model, memory: memory)
    }

    init(
        _ rules: RuleSet, _ evidenceLimit: Int, decider category: any CategoryDecider, memory: (any CampaignMemory)?,
        capacity: Int = CampaignTable.capacity
    ) {
        self.category = category
        self.memory = memory
        self.evidenceLimit = evidenceLimit
        let detector = Signal.Trigger.detector(DetectorName.campaignManySenders.rawValue)
        signals = rules.signals.indices.filter { rules.signals[$0].trigger == detector }.map { UInt16($0) }
        isLure = rules.signals.map { $0.feeds.facts & (1 << UInt64(FactTag.lure.rawValue)) != 0 }
        state = Mutex(State(table: CampaignTable(capacity: capacity)))
    }

    public func annotate(_ batch: inout Batch) {
        guard !batch.sketches.isEmpty else { return }
        let sequence = batch.input.sequence
        var found: [Int] = []
        state.withLock { state in
            if let memory, !state.isRecalled {
                state.isRecalled = true
                state.table.restore(memory.recallTexts(limit: CampaignTable.capacity))
            }
            batch.records.withUnsafeMutableBufferPointer { records in
                batch.sketches.withUnsafeMutableBufferPointer { sketches in
                    for index in records.indices where records[index].sketch >= 0 {
                        let isRepeated = memory?.isRepeated(index, of: sequence) ?? false
                        let sketch = Int(records[index].sketch)
                        guard let answer = state.table.answer(&sketches[sketch], isKept: !isRepeated) else { continue }
                        records[index].campaign = answer
                        found.append(index)
                    }
                }
            }
        }
        guard !found.isEmpty, !signals.isEmpty else { return }
        var collector = EvidenceCollector(limit: evidenceLimit)
        for index in found {
            let hits = batch.hits[batch.records[index].hits]
            guard hits.contains(where: { isLure[Int($0.signal)] }) else { continue }
            // Behind all others: hits of one record stand together, and those that look at them later see this one, too.
            let added = Array(hits) + signals.map { SignalHit(signal: $0) }
            batch.records[index].hits = batch.hits.count..<batch.hits.count + added.count
            batch.hits += added
            category.decide(index, in: &batch, &collector, extra: [])
        }
    }
}
