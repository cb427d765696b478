import TriageCore
import TriageMatching

/// Texts that were folded into one batch and searched for patterns; the signal of the pattern at place `i` is `i`.
struct ScannedTexts {
    let batch: Batch

    static func rules(_ patterns: [(kind: Pattern.Kind, text: String)]) -> RuleSet {
        RuleSet(
            signals: patterns.enumerated().map { index, pattern in
                Signal(
                    name: "test.s\(index)", why: "",
                    trigger: .patterns([
                        Pattern(kind: pattern.kind, text: pattern.text, file: "rules.yaml", line: index + 1)
                    ]),
                    feeds: Feeds(), place: "rules.yaml:\(index + 1)")
            })
    }

    init(_ texts: [String], patterns: [(kind: Pattern.Kind, text: String)]) throws {
        self.init(texts, database: try PatternDatabase(rules: Self.rules(patterns)))
    }

    init(_ texts: [String], database: PatternDatabase) {
        let stage = PatternScanStage(database: database)
        var batch = Batch()
        let folder = TextFolder()
        for text in texts {
            var record = Record()
            record.fields.text = Span32(start: batch.arena.count, count: text.utf8.count)
            batch.arena += Array(text.utf8)
            var copy = text
            record.folded = copy.withUTF8 {
                folder.fold($0, folded: &batch.folded, marks: &batch.marks, tokens: &batch.tokens)
            }
            batch.records.append(record)
        }
        batch.folded += [UInt8](repeating: 0, count: InputBatch.padding)
        stage.annotate(&batch)
        self.batch = batch
    }

    /// What fired in each text, in the sender's own bytes.
    var quotes: [[String]] {
        batch.records.map { record in
            record.hits.map { hit in
                let range = batch.decodedRange(batch.hits[hit].start, batch.hits[hit].end, of: record)
                let base = Int(record.fields.text.start)
                return String(decoding: batch.arena[base + range.lowerBound..<base + range.upperBound], as: UTF8.self)
            }
        }
    }

    /// Each folded text with its hits: signal, start and end.
    var hits: [(text: [UInt8], hits: [[Int]])] {
        batch.records.map { record in
            (
                Array(batch.folded[record.folded.span.range]),
                batch.hits[record.hits].map { [Int($0.signal), Int($0.start), Int($0.end)] }
            )
        }
    }
}
