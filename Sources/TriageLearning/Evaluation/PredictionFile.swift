import Platform
import TriageCore
import TriageEvaluation

/// A file of answers from `triage run` or another program: JSONL, one record per line.
struct PredictionFile {
    let path: String

    /// Whether the first line contains answers.
    var isPredictions: Bool {
        get throws {
            var found = false
            try LineFile(path: path).forEach { line, _ in
                found = line.first == UInt8(ascii: "{") && PredictionReader().isPrediction(line)
                return false
            }
            return found
        }
    }

    /// Adds the file's records to the evaluation when no gold file names them.
    func addRecords(to set: inout EvaluationSet) throws {
        var made: [String: Int] = [:]
        try LineFile(path: path).forEach { line, number in
            guard !PredictionReader().isRejected(line) else { return true }
            let id = try id(line, number, &made)
            do {
                guard set.add(id: id, try GoldReader().gold(line, in: &set)) != nil else { throw twice(number) }
            } catch var error as TriageError {
                error.at = error.at ?? "\(path):\(number)"
                throw error
            }
            return true
        }
    }

    /// The answers, in the order of the evaluation's records.
    ///
    /// - Throws: ``TriageError`` `evaluate.different-records` (65) unless they are for exactly the same records.
    func read(name: String, for set: inout EvaluationSet) throws -> MethodRun {
        var run = MethodRun(name: name, predictions: Array(repeating: Prediction(), count: set.golds.count))
        var isThere = [Bool](repeating: false, count: set.golds.count)
        var others: [String] = []
        var edited: [String] = []
        var (otherCount, editedCount) = (0, 0)
        let reader = PredictionReader()
        var names = set.names
        var made: [String: Int] = [:]
        try LineFile(path: path).forEach { line, number in
            guard !reader.isRejected(line) else { return true }
            let id = try id(line, number, &made)
            guard let place = set.place(of: id) else {
                otherCount += 1
                if others.count < Self.shown { others.append(id) }
                return true
            }
            guard !isThere[place] else { throw twice(number) }
            isThere[place] = true
            if let digest = reader.textDigest(line), digest != set.golds[place].textDigest {
                editedCount += 1
                if edited.count < Self.shown { edited.append(id) }
            }
            let (prediction, usage) = reader.prediction(line, gold: set.golds[place], names: &names)
            run.predictions[place] = prediction
            if let tokens = usage.tokens { run.tokens = (run.tokens ?? 0) + tokens }
            if let cost = usage.cost { run.cost = (run.cost ?? 0) + cost }
            if let seconds = usage.seconds { run.seconds = (run.seconds ?? 0) + seconds }
            return true
        }
        set.names = names
        let missing = isThere.indices.filter { !isThere[$0] }
        guard missing.isEmpty, otherCount == 0, editedCount == 0 else {
            var parts: [String] = []
            if !missing.isEmpty {
                parts.append(
                    "\(missing.count) are missing (\(Self.list(missing.prefix(Self.shown).map { set.ids[$0] }, of: missing.count)))"
                )
            }
            if otherCount > 0 { parts.append("\(otherCount) are others (\(Self.list(others, of: otherCount)))") }
            if editedCount > 0 {
                parts.append("\(editedCount) have different text (\(Self.list(edited, of: editedCount)))")
            }
            throw TriageError(
                "evaluate.different-records", "the records differ: \(parts.joined(separator: "; "))",
                at: path, remedy: "answer the same records again, or remove the others from both files",
                exit: .badData)
        }
        return run
    }

    private static let shown = 5

    private static func list(_ ids: [String], of count: Int) -> String {
        ids.map { String($0.prefix(60)) }.joined(separator: ", ") + (count > ids.count ? ", …" : "")
    }

    /// The id of a record: its own, or else the one that `triage run` generated.
    ///
    /// - Parameter made: how often each generated id occurred; identical records share one, so they are numbered in
    ///   order.
    private func id(_ line: UnsafeBufferPointer<UInt8>, _ number: Int, _ made: inout [String: Int]) throws -> String {
        guard line.first == UInt8(ascii: "{") else { throw withoutID(number) }
        if let id = GoldReader().id(line) { return id }
        guard let id = PredictionReader().madeID(line) else { throw withoutID(number) }
        made[id, default: 0] += 1
        return made[id].map { $0 > 1 ? "\(id) \($0)" : id } ?? id
    }

    private func withoutID(_ number: Int) -> TriageError {
        TriageError(
            "evaluate.no-id", "the line is not a record with an id", at: "\(path):\(number)",
            remedy: "give every record the id it has in the gold file", exit: .badData)
    }

    private func twice(_ number: Int) -> TriageError {
        TriageError(
            "evaluate.same-id", "the id of this record is a duplicate", at: "\(path):\(number)",
            remedy: "give every record a unique id", exit: .badData)
    }
}

/// Reads a file line by line, with one line in memory at a time.
struct LineFile {
    let path: String
    /// The maximum length of a line, in bytes.
    static let limit = 16 << 20

    /// Calls `body` with each line that is not blank and its number, from 1, until it returns false.
    ///
    /// - Throws: ``TriageError`` `input.unreadable` (66), `input.line-too-long` (65); what `body` throws.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Bool) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        var held: [UInt8] = []
        var number = 0
        var isWanted = true
        let fault = try DescriptorChunks.forEach(of: descriptor) { chunk throws(any Error) in
            var rest = chunk[...]
            while let end = rest.firstIndex(of: 0x0A) {
                held.append(contentsOf: rest[..<end])
                rest = rest[(end + 1)...]
                number += 1
                isWanted = try hand(held, number, body)
                guard isWanted else { return false }
                held.removeAll(keepingCapacity: true)
            }
            held.append(contentsOf: rest)
            guard held.count <= Self.limit else {
                throw TriageError(
                    "input.line-too-long", "a line is longer than 16 MiB", at: "\(path):\(number + 1)",
                    remedy: "write one record per line", exit: .badData)
            }
            return true
        }
        guard fault == 0 else { throw unreadable(fault) }
        if isWanted, !held.isEmpty { _ = try hand(held, number + 1, body) }
    }

    /// The whole file.
    ///
    /// - Throws: ``TriageError`` `input.unreadable` (66); `input.too-long` (65) for more than ``limit``.
    func bytes() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        let fault = DescriptorChunks.forEach(of: descriptor) { chunk throws(Never) in
            bytes.append(contentsOf: chunk)
            return bytes.count <= Self.limit
        }
        guard fault == 0 else { throw unreadable(fault) }
        guard bytes.count <= Self.limit else {
            throw TriageError(
                "input.too-long", "the file is longer than 16 MiB", at: path, remedy: "name a smaller file",
                exit: .badData)
        }
        return bytes
    }

    private func hand(
        _ line: [UInt8], _ number: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Bool
    ) throws -> Bool {
        try line.withUnsafeBufferPointer { bytes in
            let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            guard bytes[rest...].contains(where: { $0 > 0x20 }) else { return true }
            return try body(UnsafeBufferPointer(rebasing: bytes[rest...]), number)
        }
    }

    private func unreadable(_ code: Int32) -> TriageError {
        TriageError(
            "input.unreadable", "cannot read the file: \(String(cString: strerror(code)))", at: path,
            remedy: SystemFault.remedy(code, otherwise: "check the name and the permissions"),
            exit: SystemFault.exit(code, otherwise: .noInput))
    }
}
