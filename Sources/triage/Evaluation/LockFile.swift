import TriageConfig
import TriageCore
import TriageEvaluation

/// The file that says which records are test.
struct LockFile {
    let path: String
    /// What it holds; nil: there is none yet.
    private let frozen: SplitLock?

    /// Reads the file if there is one, else sees that it can be made.
    ///
    /// - Throws: ``TriageError`` `evaluate.bad-lock` (exit 65), those of reading and of ``OutputFile``.
    init(path: String) throws {
        self.path = path
        if ConfigurationFile.exists(path) {
            frozen = try SplitLock(file: try Self.read(path), at: path)
        } else {
            try OutputFile.check(path)
            frozen = nil
        }
    }

    /// Makes the file if there is none, else holds the records against it.
    ///
    /// - Parameter training: files none of whose records may be frozen.
    func check(_ set: EvaluationSet, training: [String], notices: Notices) throws -> SplitLock.Finding {
        var lock = frozen ?? SplitLock()
        if frozen == nil {
            for (id, gold) in zip(set.ids, set.golds) { lock.add(id: id, textDigest: gold.textDigest) }
            try OutputFile.write(Array(lock.file.utf8), to: path)
            notices.say("froze \(lock.count) records in \(path); keep it under version control")
        }
        var finding = lock.finding(set)
        finding.isNew = frozen == nil
        for file in training {
            try LineFile(path: file).forEach { line, number in
                let digest = PredictionReader().textDigest(line)
                let id = GoldReader().id(line) ?? "\(file):\(number)"
                guard lock.holds(id: id, textDigest: digest) else { return true }
                finding.trainedCount += 1
                if finding.trained.count < 20 { finding.trained.append(id) }
                return true
            }
        }
        return finding
    }

    private static func read(_ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try LineFile(path: path).forEach { line, _ in
            bytes.append(contentsOf: line)
            bytes.append(0x0A)
            return true
        }
        return bytes
    }
}
