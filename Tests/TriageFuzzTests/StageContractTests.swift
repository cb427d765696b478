import Foundation
import Testing
import TriageConfig
import TriageCore

@testable import TriageRun

/// A stage writes what it declares and nothing else: the batch before it is compared with the batch behind it.
struct StageContractTests {
    /// Who may write a property of a record.
    private enum Owner {
        case field(Field)
        /// Readers and writers of records, never a stage.
        case none
        /// Every stage.
        case all
    }

    private static let ofRecord: [String: Owner] = [
        "line": .none, "closingBrace": .none, "cuts": .none, "sentAt": .field(.fields), "fields": .field(.fields),
        "status": .field(.status), "reject": .field(.status), "revision": .field(.status),
        "folded": .field(.folded), "hits": .field(.hits), "facts": .field(.facts), "feelings": .field(.feelings),
        "urgentLogit": .field(.scores), "urgentWords": .field(.scores), "thread": .field(.thread),
        "sketch": .field(.sketch), "language": .field(.language), "category": .field(.category),
        "sentiment": .field(.sentiment), "urgency": .field(.urgency), "opportunity": .field(.opportunity),
        "faq": .field(.faq), "injection": .field(.injection), "campaign": .field(.campaign), "draft": .field(.draft),
        "noDraft": .field(.draft), "priority": .field(.priority), "priorityCap": .field(.secondOpinion),
        "askedOfModel": .field(.secondOpinion), "hasProblems": .all,
    ]

    private static let ofBatch: [String: Owner] = [
        "input": .none, "arena": .field(.fields), "folded": .field(.folded), "marks": .field(.folded),
        "tokens": .field(.folded), "hits": .field(.hits), "sketches": .field(.sketch), "rejects": .field(.status),
        "cuts": .none, "offerReadings": .field(.secondOpinion), "modelAnswers": .all, "problems": .all,
        // Compared otherwise.
        "records": .all, "evidence": .all, "generated": .all, "generatedSpans": .all,
    ]

    @Test(arguments: ["alex", "maya", "theo"])
    func `every stage of a run writes only what it declares`(creator: String) throws {
        let whole = try StagePlanFuzzTests.wholePlan(creator)
        let limit = LimitStage(limit: 150, isFree: { _, _ in false }, onReached: {})
        let slots = [.ordered(limit)] + whole.pipeline.plan.slots
        let reader = try StagePlan([])
        let reading = Pipeline<WholePlan.NoTally>(
            plan: reader, jobs: 1, read: whole.read,
            encode: { BatchResult(sequence: $0.input.sequence, output: ByteBlock([]), rejects: [], tally: .init()) })
        var mutator = TextMutator(texts: try StagePlanFuzzTests.sourceTexts(), seed: 7)
        var random = SeededGenerator(seed: 7)
        var written: [String: Set<Field>] = [:]
        for sequence in 0..<5 {
            let messages = (0..<40).map { number in
                StagePlanFuzzTests.message(number, text: String(mutator.next().prefix(2000)), &random)
            }
            var batch = try whole.input(messages, sequence: sequence).map { reading.annotate($0) } ?? Batch()
            try #require(batch.records.count == messages.count)
            for slot in slots {
                let before = batch
                switch slot {
                case .local(let stage): stage.annotate(&batch)
                case .ordered(let stage): stage.annotate(&batch)
                case .remote: continue
                }
                let changes = try Self.changes(from: before, to: batch)
                written[slot.name, default: []].formUnion(changes.fields)
                #expect(changes.fields.subtracting(slot.writes).isEmpty, "\(slot.name) writes what it does not declare")
                #expect(changes.faults.isEmpty, "\(slot.name) changes what no stage may")
            }
        }
        // A declaration that nothing ever fills would hide a stage that writes it in secret.
        for slot in slots {
            let unused = slot.writes.subtracting(written[slot.name] ?? []).subtracting(Self.rare)
            #expect(unused.isEmpty, "\(slot.name) never writes what it declares")
        }
    }

    /// Written only in company of what these batches do not have: a language model, a library of drafts, senders that
    /// write alike.
    private static let rare: Set<Field> = [.facts, .campaign, .hits, .category]

    private static func changes(from old: Batch, to new: Batch) throws -> (fields: Set<Field>, faults: [String]) {
        var fields: Set<Field> = []
        var faults: [String] = []
        func note(_ name: String, _ owner: Owner?) throws {
            switch try #require(owner, "\(name) has no owner: add it here") {
            case .field(let field): fields.insert(field)
            case .none: faults.append(name)
            case .all: break
            }
        }
        for (a, b) in zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children) {
            let name = try #require(a.label)
            let owner = ofBatch[name]
            if case .all? = owner { continue }
            if "\(a.value)" != "\(b.value)" { try note(name, owner) }
        }
        // What was said before stays said.
        if !new.generated.starts(with: old.generated) { faults.append("generated") }
        if "\(old.evidence)".dropLast() != "\(new.evidence.prefix(old.evidence.count))".dropLast() {
            faults.append("evidence")
        }
        if "\(old.generatedSpans)" != "\(Array(new.generatedSpans.prefix(old.generatedSpans.count)))" {
            faults.append("generatedSpans")
        }
        guard old.records.count == new.records.count else { return (fields, faults + ["records"]) }
        for (before, after) in zip(old.records, new.records) {
            for (a, b) in zip(Mirror(reflecting: before).children, Mirror(reflecting: after).children) {
                let name = try #require(a.label)
                if "\(a.value)" != "\(b.value)" { try note(name, ofRecord[name]) }
            }
        }
        return (fields, faults)
    }
}
