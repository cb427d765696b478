package import TriageCore

/// Which records are test: digests of their ids and texts, frozen in a file, so that none becomes training unseen.
///
/// The file is text: a head line, then `id-digest text-digest` in sixteen hexadecimal digits each, sorted. It holds no
/// id and no text.
package struct SplitLock: Sendable, Equatable {
    /// Text digests by id digest.
    private var texts: [UInt64: UInt64] = [:]
    private var known: Set<UInt64> = []

    static let head = "triage-split-lock 1"

    package init() {}

    package var count: Int { texts.count }

    /// Adds a record.
    package mutating func add(id: String, textDigest: UInt64) {
        let text = Self.seal(textDigest)
        texts[Self.seal(TextDigest.of(id))] = text
        known.insert(text)
    }

    /// Whether a record is frozen as test, by its id or by its text.
    package func holds(id: String, textDigest: UInt64?) -> Bool {
        texts[Self.seal(TextDigest.of(id))] != nil || textDigest.map { known.contains(Self.seal($0)) } ?? false
    }

    /// The file.
    package var file: String {
        let lines = texts.map { "\($0.key.hex) \($0.value.hex)" }.sorted()
        return ([Self.head] + lines).joined(separator: "\n") + "\n"
    }

    /// Reads a file.
    ///
    /// - Throws: ``TriageError`` `evaluate.bad-lock` (exit 65).
    package init(file: [UInt8], at path: String) throws(TriageError) {
        let lines = file.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        guard lines.first == Self.head else { throw Self.fault("is not a split lock of this version", path) }
        for (number, line) in lines.enumerated().dropFirst() {
            let parts = line.split(separator: " ")
            guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 16 }), let id = UInt64(parts[0], radix: 16),
                let text = UInt64(parts[1], radix: 16)
            else { throw Self.fault("has an invalid line", "\(path):\(number + 1)") }
            texts[id] = text
            known.insert(text)
        }
    }

    private static func fault(_ what: String, _ place: String) -> TriageError {
        TriageError(
            "evaluate.bad-lock", "the file \(what)", at: place,
            remedy: "restore it from version control, or remove it to freeze the records again", exit: .badData)
    }

    /// What stands in the file: a quarter of a SHA-256, since the plain digest of a short text could be turned back.
    private static func seal(_ digest: UInt64) -> UInt64 {
        SHA256.digest(of: Array("\(head) \(digest)".utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What changed since the records were frozen.
    package struct Finding: Sendable, Equatable {
        package var frozen = 0
        /// Whether the lock was made by this evaluation.
        package var isNew = false
        /// Frozen records that are not here any more.
        package var missing = 0
        /// Ids of records that are here and were not frozen, at most 20, and how many.
        package var added: [String] = []
        package var addedCount = 0
        /// Ids of frozen records whose text is another now.
        package var changed: [String] = []
        package var changedCount = 0
        /// Ids of frozen records that stand in training data.
        package var trained: [String] = []
        package var trainedCount = 0

        package var isKept: Bool { missing == 0 && addedCount == 0 && changedCount == 0 && trainedCount == 0 }
    }

    /// Holds the records of an evaluation against the lock.
    package func finding(_ set: EvaluationSet) -> Finding {
        var finding = Finding()
        finding.frozen = count
        var seen = 0
        for (id, gold) in zip(set.ids, set.golds) {
            guard let text = texts[Self.seal(TextDigest.of(id))] else {
                finding.addedCount += 1
                if finding.added.count < 20 { finding.added.append(id) }
                continue
            }
            seen += 1
            guard text != Self.seal(gold.textDigest) else { continue }
            finding.changedCount += 1
            if finding.changed.count < 20 { finding.changed.append(id) }
        }
        finding.missing = count - seen
        return finding
    }
}
