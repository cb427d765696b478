import Platform
import TriageConfig
import TriageCore
package import TriageEvaluation
import TriageFormats
import TriageRun

/// Lets every method answer each gold record, unchanged and changed, and counts which answers move.
///
/// Each message is answered by itself, outside its conversation, because the effect of the change is measured and not
/// that of its neighbors. Only a few batches are in memory at a time, whatever the number of records and changes.
package final class ChangeRunner {
    /// A message to be answered.
    private struct Item {
        /// The index of the change in the list; nil: the unchanged record.
        var change: Int?
        var id: String
        var gold: Gold
        var mark: String
    }

    /// Messages that are answered together.
    private struct Chunk {
        var items: [Item] = []
        var input = InputBatch(sequence: 0)
    }

    /// The messages to one creator, on their way to the methods.
    private final class Lane {
        let pipelines: [Pipeline<RunCounts>]
        var filling = Chunk()
        var full: [Chunk] = []
        /// For each method, the answer to the unchanged record whose changed copies come next; nil: no message to
        /// answer.
        var before: [Prediction?]

        init(pipelines: [Pipeline<RunCounts>]) {
            self.pipelines = pipelines
            before = Array(repeating: nil, count: pipelines.count)
        }
    }

    private static let chunkLines = 256
    private static let chunkBytes = 1 << 20

    private let list: ChangeList
    private let methods: [(name: String, method: ConfiguredMethod)]
    private let profiles: ProfileFolder?
    private let jobs: Int
    private var lanes: [String: Lane] = [:]
    private var tallies: [[ChangeTally]]

    /// - Parameter jobs: the number of workers; nil: one per processor.
    /// - Throws: ``TriageError`` `evaluate.cannot-perturb` (exit 64) for a method that does not answer on this machine.
    package init(
        _ list: ChangeList, compared: [EvaluationMethods.Compared], profiles: ProfileFolder?, jobs: Int?
    ) throws {
        self.list = list
        self.profiles = profiles
        self.jobs = jobs ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        methods = try compared.map { compared in
            guard case .method(let name, let found) = compared, let method = found as? ConfiguredMethod,
                !method.asks
            else {
                throw TriageError(
                    "evaluate.cannot-perturb", "'\(compared.name)' does not answer changed messages on this machine",
                    remedy: "compare rules, model, model:FILE or a configuration without an LLM; "
                        + "for others, --write-changed writes records that `triage run` can answer",
                    exit: .usage)
            }
            return (name, method)
        }
        tallies = methods.map { _ in list.changes.map { _ in ChangeTally() } }
    }

    /// - Throws: ``TriageError`` for faults of the gold records, as in ``GoldLines/forEach(_:)``;
    ///   `evaluate.nothing-changed` (exit 65) when no change applies to any record.
    package func run(_ gold: GoldLines) throws -> ChangeReport {
        let records = try gold.forEach { [self] record in
            let lane = try lane(of: record)
            try add(record, to: lane)
        }
        for (_, lane) in lanes.sorted(by: { $0.key < $1.key }) { try flush(lane) }
        guard tallies.contains(where: { $0.contains { !$0.counts.isEmpty } }) else {
            throw TriageError(
                "evaluate.nothing-changed", "no change applies to any record",
                remedy: "label the records, or widen 'only' in the changes", exit: .badData)
        }
        return ChangeReport(
            records: records, list: list, tallies: zip(methods, tallies).map { ($0.name, $1) })
    }

    private func add(_ record: GoldLines.Record, to lane: Lane) throws {
        let (subject, editor) = (record.subject, ChangedRecord(record.line, textKey: record.textKey ?? "text"))
        var isThere = false
        for (place, change) in list.changes.enumerated() {
            guard let text = change.changed(subject, for: .measuring) else { continue }
            if !isThere { try add(editor.alone(text: nil), change: nil, record, to: lane) }
            isThere = true
            try add(editor.alone(text: text), change: place, record, to: lane)
        }
    }

    private func add(_ line: [UInt8], change: Int?, _ record: GoldLines.Record, to lane: Lane) throws {
        let isFull = lane.filling.items.count >= Self.chunkLines || lane.filling.input.bytes.count >= Self.chunkBytes
        if isFull || (!lane.filling.items.isEmpty && lane.filling.input.textKey != record.textKey) {
            lane.full.append(lane.filling)
            lane.filling = Chunk()
            if lane.full.count >= jobs { try flush(full: lane) }
        }
        let start = lane.filling.input.bytes.count
        lane.filling.input.bytes.append(contentsOf: line)
        var copy = record.input
        copy.span = Span32(start: start, count: line.count)
        lane.filling.input.lines.append(copy)
        lane.filling.input.textKey = record.textKey
        lane.filling.items.append(Item(change: change, id: record.id, gold: record.gold, mark: record.mark))
    }

    private func flush(_ lane: Lane) throws {
        if !lane.filling.items.isEmpty { lane.full.append(lane.filling) }
        lane.filling = Chunk()
        try flush(full: lane)
    }

    private func flush(full lane: Lane) throws {
        let chunks = lane.full
        lane.full = []
        guard !chunks.isEmpty else { return }
        var answers: [[[Answer]]] = []
        for pipeline in lane.pipelines { answers.append(Self.answers(to: chunks.map(\.input), by: pipeline)) }
        // In input order, whichever worker finished first.
        for (number, chunk) in chunks.enumerated() {
            for method in methods.indices { try count(chunk, answers[method][number], method, lane) }
        }
    }

    private func count(_ chunk: Chunk, _ answers: [Answer], _ method: Int, _ lane: Lane) throws {
        for (item, answer) in zip(chunk.items, answers) {
            let prediction: Prediction?
            switch answer {
            case .refused(let reason): throw GoldLines.unreadable(reason, at: item.mark)
            case .none: prediction = nil
            case .given(let given): prediction = given
            }
            guard let place = item.change else {
                lane.before[method] = prediction
                continue
            }
            guard let before = lane.before[method], let prediction else { continue }
            tallies[method][place].add(
                list.changes[place], id: item.id, gold: item.gold, before: before, after: prediction)
        }
    }

    // MARK: Answers

    private enum Answer: Sendable {
        case given(Prediction)
        /// The record is the creator's own message, or not a message.
        case none
        case refused(RejectReason)
    }

    /// The answers to each of the inputs, with one worker for each input.
    private static func answers(to inputs: [InputBatch], by pipeline: Pipeline<RunCounts>) -> [[Answer]] {
        guard inputs.count > 1 else { return inputs.map { answers(to: $0, by: pipeline) } }
        return waitFor {
            await withTaskGroup(of: (Int, [Answer]).self) { group in
                for (number, input) in inputs.enumerated() {
                    group.addTask { (number, answers(to: input, by: pipeline)) }
                }
                var found = [[Answer]](repeating: [], count: inputs.count)
                for await (number, answers) in group { found[number] = answers }
                return found
            }
        }
    }

    private static func answers(to input: InputBatch, by pipeline: Pipeline<RunCounts>) -> [Answer] {
        var input = input
        input.bytes.append(contentsOf: repeatElement(0, count: InputBatch.padding))
        let batch = pipeline.annotate(input)
        return batch.records.map { record in
            switch record.status {
            case .rejected where batch.rejects.indices.contains(record.reject):
                .refused(batch.rejects[record.reject].reason)
            case .message: .given(Prediction(record, entries: []))
            default: .none
            }
        }
    }

    // MARK: Creators

    /// With profiles, each creator has a lane; otherwise there is one lane for all.
    private func lane(of record: GoldLines.Record) throws -> Lane {
        let key = profiles == nil ? "" : record.creator ?? ""
        if let known = lanes[key], profiles == nil || record.creator != nil { return known }
        let found = try profiles?.creator(record.creator, at: record.mark)
        let lane = Lane(
            pipelines: try methods.map { try $0.method.pipeline(for: found?.profile, library: found?.library) })
        lanes[key] = lane
        return lane
    }
}
