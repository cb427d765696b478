internal import CPatternScan
public import TriageCore

/// Finds every pattern of the rules in every message of a batch, in one scan.
///
/// Reads the folded texts. Writes raw hits: all matches, in order of their ends, without detectors, composites, language
/// gates and cover rule; those are the business of the stage behind it.
public struct PatternScanStage: LocalStage {
    public let name = "signals.match"
    public let reads: Set<Field> = [.folded]
    public let writes: Set<Field> = [.hits]

    /// Matches of one message that are kept; far above what a person writes, a bound for hostile texts.
    public static let limitPerText: UInt32 = 4096

    let database: PatternDatabase

    public init(database: PatternDatabase) { self.database = database }

    public func annotate(_ batch: inout Batch) {
        var starts: [UInt32] = []
        var lengths: [UInt32] = []
        var owners: [Int] = []
        starts.reserveCapacity(batch.records.count)
        lengths.reserveCapacity(batch.records.count)
        owners.reserveCapacity(batch.records.count)
        for index in batch.records.indices where batch.records[index].isAsked {
            let span = batch.records[index].folded.span
            starts.append(span.start)
            lengths.append(span.count)
            owners.append(index)
        }
        guard !owners.isEmpty else { return }
        let table = database.table
        do {
            try batch.folded.withUnsafeBufferPointer { folded in
                try database.scan(folded, starts: starts, lengths: lengths, limitPerText: Self.limitPerText) {
                    literals, regexes in
                    collect(literals, regexes, owners: owners, table: table, records: &batch.records, hits: &batch.hits)
                }
            }
        } catch {
            let problem = Problem(
                stage: name, code: "matching.failed", message: "patterns could not be matched; answers rest on less")
            for index in owners { batch.records[index].problems.append(problem) }
        }
    }

    private func collect(
        _ literals: UnsafeBufferPointer<tps_match>, _ regexes: UnsafeBufferPointer<tps_match>, owners: [Int],
        table: PatternTable, records: inout [Record], hits: inout [SignalHit]
    ) {
        var l = 0
        var r = 0
        for (text, owner) in owners.enumerated() {
            let first = hits.count
            while l < literals.count, literals[l].text == text {
                let match = literals[l]
                let from = Int(table.literalSignals[Int(match.pattern)])
                let to = Int(table.literalSignals[Int(match.pattern) + 1])
                for s in from..<to {
                    hits.append(SignalHit(signal: table.signals[s], start: match.start, end: match.end))
                }
                l += 1
            }
            while r < regexes.count, regexes[r].text == text {
                let match = regexes[r]
                let from = Int(table.regexSignals[Int(match.pattern)])
                let to = Int(table.regexSignals[Int(match.pattern) + 1])
                for s in from..<to {
                    let signal = table.regexSignalList[s]
                    // Every end of a regex is reported: the longest from one start wins.
                    if let last = hits.indices.last, last >= first, hits[last].signal == signal,
                        hits[last].start == match.start
                    {
                        hits[last].end = match.end
                    } else {
                        hits.append(SignalHit(signal: signal, start: match.start, end: match.end))
                    }
                }
                r += 1
            }
            records[owner].hits = first..<hits.count
        }
    }
}
