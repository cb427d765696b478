import Platform
import TriageConfig
package import TriageCore
package import TriageEvaluation
import TriageFormats

/// Reads gold files once and lets every method answer the records while they are read; keeps only labels and answers.
package final class EvaluationRunner {
    /// What an evaluation is asked to do.
    package struct Request {
        package var gold: [String]
        package var format: String?
        package var compared: [EvaluationMethods.Compared]
        package var profiles: ProfileFolder?

        package init(
            gold: [String], format: String? = nil, compared: [EvaluationMethods.Compared],
            profiles: ProfileFolder? = nil
        ) {
            self.gold = gold
            self.format = format
            self.compared = compared
            self.profiles = profiles
        }
    }

    /// Messages to one creator, waiting to be answered.
    private final class Lane {
        let methods: [(run: Int, lane: any EvaluationLane)]
        var input = InputBatch(sequence: 0)
        var places: [Int] = []
        /// The position of each line.
        var marks: [String] = []

        init(methods: [(run: Int, lane: any EvaluationLane)]) { self.methods = methods }
    }

    private static let batchSize = 512

    private let request: Request
    private var set = EvaluationSet()
    private var lanes: [String: Lane] = [:]
    private var seconds: [Double]

    package init(_ request: Request) {
        self.request = request
        seconds = Array(repeating: 0, count: request.compared.count)
    }

    /// - Throws: ``TriageError`` and ``TriageErrors`` for faults of the files.
    package func run() throws -> EvaluationSet {
        set.runs = request.compared.map { MethodRun(name: $0.name) }
        if request.gold.isEmpty {
            guard case .predictions(_, let path)? = request.compared.first else { throw Self.nothingToRead }
            try PredictionFile(path: path).addRecords(to: &set)
        } else {
            try readGold()
        }
        guard !set.golds.isEmpty else {
            throw TriageError(
                "evaluate.no-records", "there are no records to evaluate", remedy: "check the gold files",
                exit: .badData)
        }
        for (index, compared) in request.compared.enumerated() {
            switch compared {
            case .method(_, let method):
                set.runs[index].seconds = seconds[index]
                set.runs[index].tokens = method.usage?.tokens
                set.runs[index].cost = method.usage?.cost
                method.close()
            case .predictions(let name, let path):
                set.runs[index] = try PredictionFile(path: path).read(name: name, for: &set)
            }
        }
        return set
    }

    package static let nothingToRead = TriageError(
        "evaluate.no-gold", "no gold file is named, but the methods need messages to answer",
        remedy: "name a file of records; only prediction files can be compared without one", exit: .usage)

    private func readGold() throws {
        var sources: [String] = []
        var options = InputReader.Options()
        options.paths = request.gold
        options.format = request.format
        let assembler = BatchAssembler(
            maximumLines: Self.batchSize, beginSource: { sources.append($0) },
            deliver: { [self] batch in try take(batch, sources) })
        try InputReader(options: options).read(into: assembler)
        try assembler.flush()
        for lane in lanes.values.sorted(by: { ($0.places.first ?? 0) < ($1.places.first ?? 0) }) { try flush(lane) }
    }

    private func take(_ batch: InputBatch, _ sources: [String]) throws {
        try batch.bytes.withUnsafeBufferPointer { bytes in
            for line in batch.lines {
                let source = sources.indices.contains(Int(line.source)) ? sources[Int(line.source)] : "-"
                let place = "\(source):\(line.number)"
                if let reject = line.reject {
                    throw Self.unreadable(reject, at: place)
                }
                try take(UnsafeBufferPointer(rebasing: bytes[line.span.range]), line, batch.textKey, at: place)
            }
        }
    }

    private func take(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: InputLine, _ textKey: String?, at mark: String
    ) throws {
        let reader = GoldReader()
        guard let id = reader.id(bytes) else {
            throw TriageError(
                "evaluate.no-id", "the record has no id", at: mark, remedy: "give every record a unique id",
                exit: .badData)
        }
        let gold: Gold
        do {
            gold = try reader.gold(bytes, in: &set)
        } catch var error {
            error.at = mark
            throw error
        }
        guard let place = set.add(id: id, gold) else {
            throw TriageError(
                "evaluate.same-id", "the id of this record is a duplicate", at: mark,
                remedy: "give every record a unique id", exit: .badData)
        }
        for index in set.runs.indices { set.runs[index].predictions.append(Prediction()) }
        let lane = try lane(for: reader.creator(bytes), at: mark)
        guard !lane.methods.isEmpty else { return }
        let start = lane.input.bytes.count
        lane.input.bytes.append(contentsOf: bytes)
        var copy = line
        copy.span = Span32(start: start, count: bytes.count)
        lane.input.lines.append(copy)
        lane.input.textKey = textKey
        lane.places.append(place)
        lane.marks.append(mark)
        if lane.places.count >= Self.batchSize || lane.input.bytes.count > 4 << 20 { try flush(lane) }
    }

    /// With profiles, each creator has a lane; otherwise there is one lane for all.
    private func lane(for creator: String?, at mark: String) throws -> Lane {
        let key = request.profiles == nil ? "" : creator ?? ""
        if let known = lanes[key], request.profiles == nil || creator != nil { return known }
        let found = try request.profiles?.creator(creator, at: mark)
        var methods: [(Int, any EvaluationLane)] = []
        for (index, compared) in request.compared.enumerated() {
            guard case .method(_, let method) = compared else { continue }
            methods.append((index, try method.lane(for: found?.profile, library: found?.library)))
        }
        let lane = Lane(methods: methods)
        lanes[key] = lane
        return lane
    }

    private func flush(_ lane: Lane) throws {
        guard !lane.places.isEmpty else { return }
        lane.input.bytes.append(contentsOf: repeatElement(0, count: InputBatch.padding))
        for (run, answering) in lane.methods {
            let start = Self.processorSeconds()
            let answers = answering.answer(lane.input, names: &set.names)
            seconds[run] += Self.processorSeconds() - start
            for (index, answer) in answers.enumerated() where lane.places.indices.contains(index) {
                switch answer {
                case .answered(let prediction): set.runs[run].predictions[lane.places[index]] = prediction
                case .refused(let reason): throw Self.unreadable(reason, at: lane.marks[index])
                }
            }
        }
        lane.input = InputBatch(sequence: lane.input.sequence + 1)
        lane.places.removeAll(keepingCapacity: true)
        lane.marks.removeAll(keepingCapacity: true)
    }

    private static func unreadable(_ reason: RejectReason, at mark: String) -> TriageError {
        TriageError(reason.code, reason.reason, at: mark, remedy: "fix the record", exit: .badData)
    }

    /// Measured for the whole process: a method may work on other threads, and only one method works at a time.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
