import Synchronization
package import TriageCore

/// Finds texts that several senders sent in nearly the same words, and counts that as evidence of spam if a text also
/// shows some other sign of spam.
///
/// It runs in input order over a bounded table, so answers do not depend on batches or workers. It reads and refines
/// hits, category and sketches, which store the campaign, and writes the campaign. Many fans ask the same question, and
/// petitions go around, so many senders alone are no sign of spam.
package final class CampaignStage: OrderedStage {
    package let name = "campaign.senders"
    package let reads: Set<Field> = [.folded, .hits, .sketch, .category]
    package let writes: Set<Field> = [.campaign, .hits, .sketch, .category]

    private struct State: ~Copyable {
        var table: CampaignTable
        var isRecalled = false
    }

    private let state: Mutex<State>
    private let category: any CategoryWeigher
    /// Signals that use the detector `campaign.many-senders`.
    private let signals: [UInt16]
    private let isLure: [Bool]
    private let evidenceLimit: Int
    private let memory: (any CampaignMemory)?

    /// Creates the stage for runs whose category comes from the rules.
    ///
    /// - Parameters:
    ///   - category: the stage that decided the category; it decides again when a campaign is found.
    ///   - memory: texts of earlier runs; nil: none.
    package convenience init(
        rules: RuleSet, settings: Settings, category: CategoryStage, memory: (any CampaignMemory)? = nil
    ) {
        self.init(rules, settings.evidenceLimit, decider: category, memory: memory)
    }

    /// Creates the stage for runs whose category comes from the statistical model.
    ///
    /// - Parameters:
    ///   - model: the stage that decided the category; it decides again when a campaign is found.
    ///   - memory: texts of earlier runs; nil: none.
    package convenience init(
        rules: RuleSet, settings: Settings, model: ModelStage, memory: (any CampaignMemory)? = nil
    ) {
        self.init(rules, settings.evidenceLimit, decider: model, memory: memory)
    }

    init(
        _ rules: RuleSet, _ evidenceLimit: Int, decider category: any CategoryWeigher, memory: (any CampaignMemory)?,
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

    package func annotate(_ batch: inout Batch) {
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
                        let sketch = Int(records[index].sketch)
                        // Sketches are in the order of their records.
                        if sketch &+ 1 < sketches.count { state.table.expect(sketches[sketch &+ 1]) }
                        let isRepeated = memory?.isRepeated(index, of: sequence) ?? false
                        guard let answer = state.table.answer(&sketches[sketch], isKept: !isRepeated) else { continue }
                        records[index].campaign = answer
                        found.append(index)
                    }
                }
            }
        }
        guard !signals.isEmpty else { return }
        var others: [Int] = []
        for index in found where hasLure(batch.records[index].hits, batch.hits) {
            addHits(index, &batch)
            if !support(index, &batch) { others.append(index) }
        }
        guard !others.isEmpty else { return }
        var collector = EvidenceCollector(limit: evidenceLimit)
        for index in others { category.decide(index, in: &batch, &collector, extra: []) }
    }

    private func hasLure(_ hits: Range<Int>, _ all: [SignalHit]) -> Bool {
        for hit in hits where isLure[Int(all[hit].signal)] { return true }
        return false
    }

    /// Moves the hits of a record to the end of the list, followed by those of the campaign.
    ///
    /// The hits of a record must be contiguous, and later readers should see these, too.
    private func addHits(_ index: Int, _ batch: inout Batch) {
        let hits = batch.records[index].hits
        let first = batch.hits.count
        for hit in hits { batch.hits.append(batch.hits[hit]) }
        for signal in signals { batch.hits.append(SignalHit(signal: signal)) }
        batch.records[index].hits = first..<batch.hits.count
    }

    /// Adds the weight of the signals to an existing spam answer without reading the text again.
    ///
    /// Copies of spam have mostly been classified as spam already, and reading them twice would double their cost.
    ///
    /// - Returns: whether the answer stands; if not, it must be decided again.
    private func support(_ index: Int, _ batch: inout Batch) -> Bool {
        guard var answer = batch.records[index].category, answer.label == .spam, answer.by == category.method else {
            return false
        }
        var sum = SIMD4<Float>(repeating: 0)
        for signal in signals { sum += category.weights(of: signal) }
        let (best, second) = CategoryMath.topTwo(answer.scores)
        let scores = CategoryMath.moved(answer.scores, by: sum)
        guard sum[best] >= max(sum[0], max(sum[1], sum[2])), CategoryMath.topTwo(scores) == (best, second) else {
            return false
        }
        (answer.scores, answer.level) = (scores, category.level(scores[best]))
        let first = batch.evidence.count
        var count = min(answer.because.count, evidenceLimit)
        for place in answer.because.prefix(count) { batch.evidence.append(batch.evidence[place]) }
        for signal in signals {
            let weights = category.weights(of: signal)
            let weight = weights[best] - weights[second]
            guard weight > 0, evidenceLimit > 0 else { continue }
            if count < evidenceLimit {
                batch.evidence.append(Evidence(signal: signal, weight: weight))
                count += 1
            } else if batch.evidence[first + count - 1].weight.magnitude < weight {
                batch.evidence[first + count - 1] = Evidence(signal: signal, weight: weight)
            } else {
                continue
            }
            // Strongest first; among equals, evidence from the text first.
            var place = first + count - 1
            while place > first, batch.evidence[place - 1].weight.magnitude < weight {
                batch.evidence.swapAt(place, place - 1)
                place -= 1
            }
        }
        answer.because = first..<first + count
        batch.records[index].category = answer
        return true
    }
}
