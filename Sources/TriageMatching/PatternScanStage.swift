internal import CPatternScan
package import TriageCore

/// Finds all patterns of the rules in all messages of a batch, in one scan.
///
/// It reads the folded texts and writes raw hits: all matches, sorted by their ends. Detectors, composites, language
/// conditions and the cover rule are applied by the stage that follows.
package struct PatternScanStage: LocalStage {
    package let name = "signals.match"
    package let reads: Set<Field> = [.folded]
    package let writes: Set<Field> = [.hits]

    /// Maximum number of matches kept per message: far more than a message by a person has, and a bound for hostile
    /// texts.
    package static let limitPerText: UInt32 = 4096

    let database: PatternDatabase

    package init(database: PatternDatabase) { self.database = database }

    package func annotate(_ batch: inout Batch) {
        var starts: [UInt32] = []
        var lengths: [UInt32] = []
        var owners: [Int] = []
        var marks: [UInt64] = []
        marks.reserveCapacity(batch.records.count)
        starts.reserveCapacity(batch.records.count)
        lengths.reserveCapacity(batch.records.count)
        owners.reserveCapacity(batch.records.count)
        for index in batch.records.indices where batch.records[index].isAsked {
            let span = batch.records[index].folded.span
            starts.append(span.start)
            lengths.append(span.count)
            owners.append(index)
            marks.append(batch.records[index].folded.shape.marks)
        }
        guard !owners.isEmpty else { return }
        var hits = HitBuffer(after: batch.hits.count, texts: owners.count)
        // Copied out, because the records of the batch change while these are read.
        let folded = batch.folded
        let tokens = batch.tokens
        do {
            try folded.withUnsafeBufferPointer { folded in
                try database.scan(
                    folded, starts: starts, lengths: lengths, marks: marks, limitPerText: Self.limitPerText
                ) { literals, regexes in
                    var found = Found(table: database.table, literals: literals, regexes: regexes)
                    database.table.withWords { words in
                        tokens.withUnsafeBufferPointer { tokens in
                            batch.records.withUnsafeMutableBufferPointer { records in
                                for (text, owner) in owners.enumerated() {
                                    hits.beginText()
                                    words.find(
                                        in: UnsafeBufferPointer(rebasing: folded[records[owner].folded.span.range]),
                                        UnsafeBufferPointer(rebasing: tokens[records[owner].folded.tokens]),
                                        into: &hits)
                                    found.patterns(of: text, into: &hits)
                                    Self.sort(hits.text)
                                    records[owner].hits = hits.range
                                }
                            }
                        }
                    }
                }
            }
            hits.finish(into: &batch.hits)
        } catch {
            let problem = Problem(
                stage: name, code: "matching.failed",
                message: "pattern matching failed; the answers rest on less evidence")
            for index in owners { batch.report(problem, at: index) }
        }
    }

    /// Sorts the hits of one message by their ends; word hits come sorted by their starts, so few are out of place.
    private static func sort(_ hits: UnsafeMutableBufferPointer<SignalHit>) {
        guard hits.count > 1 else { return }
        guard hits.count <= 64 else {
            var hits = hits
            hits.sort(by: precedes)
            return
        }
        var highest = rank(of: hits[0])
        for i in 1..<hits.count {
            let hit = hits[i]
            let rank = Self.rank(of: hit)
            if rank > highest { highest = rank } else { insert(hit, i, hits) }
        }
    }

    /// Moves a hit to its sorted position among those before it.
    private static func insert(_ hit: SignalHit, _ place: Int, _ hits: UnsafeMutableBufferPointer<SignalHit>) {
        var j = place
        while j > 0, precedes(hit, hits[j &- 1]) {
            hits[j] = hits[j &- 1]
            j &-= 1
        }
        hits[j] = hit
    }

    /// Orders hits by end, shorter ones first for equal ends, then by signal, which makes the order total.
    @inline(__always)
    private static func precedes(_ a: SignalHit, _ b: SignalHit) -> Bool {
        let (first, second) = (rank(of: a), rank(of: b))
        return first < second || first == second && a.signal < b.signal
    }

    /// Increases with the end, and for equal ends with the length.
    @inline(__always)
    private static func rank(of hit: SignalHit) -> UInt64 { UInt64(hit.end) &<< 32 | UInt64(~hit.start) }

    /// Converts the engines' matches into hits, text by text.
    private struct Found {
        let table: PatternTable
        let literals: UnsafeBufferPointer<tps_match>
        let regexes: UnsafeBufferPointer<tps_match>
        private var literal = 0
        private var regex = 0

        init(
            table: PatternTable, literals: UnsafeBufferPointer<tps_match>, regexes: UnsafeBufferPointer<tps_match>
        ) {
            self.table = table
            self.literals = literals
            self.regexes = regexes
        }

        mutating func patterns(of text: Int, into hits: inout HitBuffer) {
            while literal < literals.count, literals[literal].text == text {
                let match = literals[literal]
                let from = Int(table.literalOwners.starts[Int(match.pattern)])
                let to = Int(table.literalOwners.starts[Int(match.pattern) + 1])
                for s in from..<to {
                    hits.append(
                        SignalHit(signal: table.literalOwners.signals[s], start: match.start, end: match.end))
                }
                literal += 1
            }
            let first = hits.count
            while regex < regexes.count, regexes[regex].text == text {
                let match = regexes[regex]
                let from = Int(table.regexOwners.starts[Int(match.pattern)])
                let to = Int(table.regexOwners.starts[Int(match.pattern) + 1])
                for s in from..<to {
                    let signal = table.regexOwners.signals[s]
                    // Every possible end of a regex match is reported; for each start, the longest match is kept.
                    let all = hits.text
                    let last = all.count - 1
                    if last >= first, all[last].signal == signal, all[last].start == match.start {
                        all[last].end = match.end
                    } else {
                        hits.append(SignalHit(signal: signal, start: match.start, end: match.end))
                    }
                }
                regex += 1
            }
        }
    }
}

/// The hits of a batch as they are found, text by text; appending is a capacity check and a store.
struct HitBuffer: ~Copyable {
    private var base: UnsafeMutablePointer<SignalHit>
    private var capacity: Int
    private var total = 0
    /// Index of the first hit of the current text.
    private var first = 0
    /// Number of hits that the batch already had.
    private let earlier: Int

    /// Creates a buffer.
    ///
    /// - Parameters:
    ///   - earlier: number of hits that the batch already has.
    ///   - texts: expected number of texts; room that is not used costs nothing.
    init(after earlier: Int, texts: Int) {
        self.earlier = earlier
        capacity = max(1024, 32 * texts)
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// Number of hits of the current text.
    var count: Int {
        @inline(__always) get { total &- first }
    }

    /// The hits of the current text; valid until the next append.
    var text: UnsafeMutableBufferPointer<SignalHit> {
        @inline(__always) get { UnsafeMutableBufferPointer(start: base + first, count: total &- first) }
    }

    /// The range that they will have in the batch.
    var range: Range<Int> { (earlier + first)..<(earlier + total) }

    mutating func beginText() { first = total }

    @inline(__always)
    mutating func append(_ hit: SignalHit) {
        if total == capacity { grow() }
        (base + total).initialize(to: hit)
        total &+= 1
    }

    /// Appends all hits to the batch's array.
    func finish(into hits: inout [SignalHit]) {
        hits.append(contentsOf: UnsafeBufferPointer(start: base, count: total))
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<SignalHit>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: total)
        base.deallocate()
        base = larger
        capacity *= 2
    }
}
