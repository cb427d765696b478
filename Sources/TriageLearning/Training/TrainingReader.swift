import TriageConfig
import TriageCore
import TriageEvaluation
import TriageFormats
import TriageStages
package import TriageTraining

/// Reads labelled records and turns them into training examples; only numbers of each record are kept.
package final class TrainingReader {
    /// Messages to one creator, waiting to be read by the stages.
    private final class Lane {
        let pipeline: Pipeline<RunCounts>
        var input = InputBatch(sequence: 0)
        var golds: [(gold: Gold, mark: String, source: UInt16, isHome: Bool, id: UInt64, original: UInt64?)] = []

        init(pipeline: Pipeline<RunCounts>) { self.pipeline = pipeline }
    }

    private static let batchSize = 512

    private let method: ConfiguredMethod
    private let profiles: ProfileFolder?
    private let features: FeatureReader
    private var names = EvaluationSet()
    private var lanes: [String: Lane] = [:]
    /// Messages from one sender to one creator form one group, whatever they say.
    private var groups: [String: UInt32] = [:]
    private var parents: [UInt32] = []
    private var found: [Found] = []

    private struct Found {
        var features: TextFeatures
        var gold: Gold
        var source: UInt16
        var isHome: Bool
        var group: UInt32
        /// The digest of the id; 0 without an id.
        var idDigest: UInt64
        /// The digest of the original's id; nil: the record is not a copy.
        var originalDigest: UInt64?
        /// The index of the original in the found records.
        var original: Int?
    }

    package init(method: ConfiguredMethod, profiles: ProfileFolder?) {
        self.method = method
        self.profiles = profiles
        features = FeatureReader(rules: method.loaded.rules)
    }

    /// Reads files, each as a source of its own.
    ///
    /// - Throws: ``TriageError`` for faults of the files.
    package func read(_ paths: [String], format: String?, bits: Int) throws -> TrainingSet {
        for (index, path) in paths.enumerated() { try read(path, source: UInt16(index), format: format) }
        joinCopies()
        var set = TrainingSet(bits: bits, signals: method.loaded.rules.signals.map(\.name))
        for example in found {
            set.add(
                example.features, labels: Self.labels(example.gold), group: root(example.group),
                source: example.source, isHome: example.isHome, original: example.original)
        }
        return set
    }

    private func read(_ path: String, source: UInt16, format: String?) throws {
        var options = InputReader.Options()
        options.paths = [path]
        options.format = format
        let assembler = BatchAssembler(
            maximumLines: Self.batchSize, beginSource: { _ in },
            deliver: { [self] batch in try take(batch, path, source) })
        try InputReader(options: options).read(into: assembler)
        try assembler.flush()
        // In a fixed order: a dictionary's order differs from process to process, and the order of examples affects the
        // model.
        for (_, lane) in lanes.sorted(by: { $0.key < $1.key }) { try flush(lane) }
    }

    private func take(_ batch: InputBatch, _ path: String, _ source: UInt16) throws {
        try batch.bytes.withUnsafeBufferPointer { bytes in
            for line in batch.lines {
                let mark = "\(path):\(line.number)"
                if let reject = line.reject { throw Self.unreadable(reject, at: mark) }
                let record = UnsafeBufferPointer(rebasing: bytes[line.span.range])
                let reader = GoldReader()
                let gold: Gold
                do throws(TriageError) {
                    gold = try reader.gold(record, in: &names)
                } catch var error {
                    error.at = mark
                    throw error
                }
                let creator = reader.creator(record)
                let lane = try lane(for: creator, at: mark)
                let start = lane.input.bytes.count
                lane.input.bytes.append(contentsOf: record)
                var copy = line
                copy.span = Span32(start: start, count: record.count)
                lane.input.lines.append(copy)
                lane.input.textKey = batch.textKey
                lane.golds.append(
                    (
                        gold, mark, source, creator != nil, reader.id(record).map { TextDigest.of($0) } ?? 0,
                        reader.original(record).map { TextDigest.of($0) }
                    ))
                if lane.golds.count >= Self.batchSize || lane.input.bytes.count > 4 << 20 { try flush(lane) }
            }
        }
    }

    private func lane(for creator: String?, at mark: String) throws -> Lane {
        let key = profiles == nil ? "" : creator ?? ""
        if let known = lanes[key] { return known }
        let profile = try key.isEmpty ? nil : profiles?.creator(key, at: mark)
        let lane = Lane(pipeline: try method.pipeline(for: profile?.profile, library: profile?.library))
        lanes[key] = lane
        return lane
    }

    private func flush(_ lane: Lane) throws {
        guard !lane.golds.isEmpty else { return }
        lane.input.bytes.append(contentsOf: repeatElement(0, count: InputBatch.padding))
        var batch = lane.pipeline.annotate(lane.input)
        for (index, entry) in lane.golds.enumerated() where batch.records.indices.contains(index) {
            let record = batch.records[index]
            if record.status == .rejected, batch.rejects.indices.contains(record.reject) {
                throw Self.unreadable(batch.rejects[record.reject].reason, at: entry.mark)
            }
            // Most exports do not give the sender's follower count, but more of the labelled messages do. So it is
            // hidden for about every second message, and nothing is learned from its absence; a copy is treated as its
            // original.
            let digest = entry.original ?? entry.id
            let hidesReach = entry.isHome && (digest == 0 ? found.count % 2 == 1 : digest >> 32 & 1 == 1)
            guard let read = features.features(of: index, in: &batch, hidesReach: hidesReach) else { continue }
            let sender = record.fields.senderHandle.isPresent ? record.fields.senderHandle : record.fields.senderID
            let own = group("c\(entry.gold.cluster)")
            if let name = batch.string(sender), !name.isEmpty {
                join(own, group("s\(entry.gold.creator) \(name)"))
            }
            join(own, group("t\(entry.gold.textDigest)"))
            found.append(
                Found(
                    features: read, gold: entry.gold, source: entry.source, isHome: entry.isHome, group: own,
                    idDigest: entry.id, originalDigest: entry.original))
        }
        lane.input = InputBatch(sequence: lane.input.sequence + 1)
        lane.golds.removeAll(keepingCapacity: true)
    }

    // MARK: Groups

    /// Moves every changed copy to the group and the source of its original.
    ///
    /// So neither a held-out group nor a held-out file separates a copy from its original. Copies whose original is
    /// missing stay together.
    private func joinCopies() {
        var places: [UInt64: [Int]] = [:]
        for (place, example) in found.enumerated() {
            if let original = example.originalDigest { places[original, default: []].append(place) }
        }
        guard !places.isEmpty else { return }
        var heads: [UInt64: Int] = [:]
        for (place, example) in found.enumerated() where example.originalDigest == nil {
            if places[example.idDigest] != nil, heads[example.idDigest] == nil { heads[example.idDigest] = place }
        }
        for (original, copies) in places {
            let head = heads[original] ?? copies[0]
            for copy in copies {
                join(found[head].group, found[copy].group)
                found[copy].source = found[head].source
                if copy != head { found[copy].original = head }
            }
        }
    }

    private func group(_ key: String) -> UInt32 {
        if let known = groups[key] { return known }
        let number = UInt32(parents.count)
        parents.append(number)
        groups[key] = number
        return number
    }

    private func root(_ group: UInt32) -> UInt32 {
        var at = group
        while parents[Int(at)] != at {
            parents[Int(at)] = parents[Int(parents[Int(at)])]
            at = parents[Int(at)]
        }
        return at
    }

    private func join(_ a: UInt32, _ b: UInt32) {
        let (a, b) = (root(a), root(b))
        parents[Int(max(a, b))] = min(a, b)
    }

    // MARK: Labels

    private static func labels(_ gold: Gold) -> [LabelMask] {
        func bit(_ question: EvaluatedQuestion) -> LabelMask { gold.label(question).map { 1 << $0 } ?? 0 }
        var category = bit(.category)
        // "Not spam" leaves fan and business.
        if category == 0, let spam = gold.label(.spam) { category = spam == 1 ? 0b100 : 0b011 }
        return [category, bit(.sentiment), bit(.urgent), bit(.injection)]
    }

    private static func unreadable(_ reason: RejectReason, at mark: String) -> TriageError {
        TriageError(reason.code, reason.reason, at: mark, remedy: "fix the record", exit: .badData)
    }
}
