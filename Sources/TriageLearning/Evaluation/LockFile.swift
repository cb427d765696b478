import Platform
import TriageConfig
import TriageCore
package import TriageEvaluation
package import TriageRun

/// The lock file that says which records belong to the test set.
package struct LockFile {
    package let path: String
    /// The content of the file; nil: there is none yet.
    private let frozen: SplitLock?
    /// The training records known to be frozen test records.
    private var trained = Trained()
    /// Training records that are compared with the evaluation's records once those are frozen.
    private var waiting: [(id: String, textDigest: UInt64?)] = []

    private struct Trained {
        var ids: [String] = []
        var count = 0

        mutating func add(_ id: String, _ textDigest: UInt64?, against lock: SplitLock) {
            guard lock.holds(id: id, textDigest: textDigest) else { return }
            count += 1
            if ids.count < 20 { ids.append(id) }
        }
    }

    /// Reads the lock file, or checks that it can be created; then reads the training records.
    ///
    /// The training records are read only once, because they may come from a pipe.
    ///
    /// - Parameter training: files that must not contain any frozen record.
    /// - Throws: ``TriageError`` `evaluate.bad-lock` (exit 65), and the errors of ``LineFile`` and ``OutputFile``.
    package init(path: String, training: [String]) throws {
        self.path = path
        if ConfigurationFile.exists(path) {
            var info = stat()
            // Opening a pipe would wait for its other end, and a pipe cannot keep frozen records.
            guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
                throw TriageError(
                    "evaluate.bad-lock", "the lock is not a regular file", at: path,
                    remedy: "give the path of a regular file",
                    exit: .badData)
            }
            frozen = try SplitLock(file: try Self.read(path), at: path)
        } else {
            try OutputFile.check(path)
            frozen = nil
        }
        for file in training {
            try LineFile(path: file).forEach { line, number in
                let digest = PredictionReader().textDigest(line)
                // A changed copy counts as the record that it was made from.
                let reader = GoldReader()
                let id = EvaluationSet.key(reader.original(line) ?? reader.id(line) ?? "\(file):\(number)")
                if let frozen {
                    trained.add(id, digest, against: frozen)
                } else {
                    waiting.append((id, digest))
                }
                return true
            }
        }
    }

    /// Creates the file if there is none; otherwise compares the records with it.
    package func check(_ set: EvaluationSet, notices: Notices) throws -> SplitLock.Finding {
        var lock = frozen ?? SplitLock()
        if frozen == nil {
            for (id, gold) in zip(set.ids, set.golds) { lock.add(id: id, textDigest: gold.textDigest) }
            try OutputFile.write(Array(lock.file.utf8), to: path)
            notices.say("froze \(lock.count) records in \(path); keep it under version control")
        }
        var finding = lock.finding(set)
        finding.isNew = frozen == nil
        var trained = trained
        for record in waiting { trained.add(record.id, record.textDigest, against: lock) }
        (finding.trained, finding.trainedCount) = (trained.ids, trained.count)
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
