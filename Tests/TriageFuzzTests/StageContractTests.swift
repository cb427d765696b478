import Testing
import TriageConfig
import TriageCore

@testable import TriageInbox
@testable import TriageLLM
@testable import TriageRun

/// A stage writes what it declares and nothing else: the batch before it is compared with the batch behind it.
struct StageContractTests {
    /// Who answers: all stages of the program are in one of the two.
    enum Method: String, CaseIterable { case model, rules }

    @Test(arguments: ["alex", "maya", "theo"], Method.allCases)
    func `every stage writes only what it declares`(creator: String, method: Method) async throws {
        var settings = Settings()
        if method == .rules { settings.modelHeads = [] }
        settings.escalation.category = .always
        settings.escalation.draft = .always
        let stored = StoredAnswers(privateTexts: [])
        let whole = try StagePlanFuzzTests.wholePlan(creator, settings: settings) { rules, library in
            var stages = try LLMStages(
                text: ScriptedVerdicts(), drafts: ScriptedDrafts(), rules: rules, settings: settings, library: library,
                model: try ShippedFiles.model())
            stages.faq =
                method == .rules
                ? .local(StoredFAQStage(stored: stored, library: library))
                : .remote(
                    FAQEmbeddingStage(source: OneDirection(), library: library, steers: { _ in false }))
            return stages
        }
        let ledger = SyncLedger(store: nil, sources: { [] })
        let limit = LimitStage(limit: 80, isFree: { _, _ in false }, onReached: {})
        let slots = [.ordered(KnownStage(ledger)), .ordered(limit)] + whole.pipeline.plan.slots
        var mutator = TextMutator(texts: try StagePlanFuzzTests.sourceTexts(), seed: 7)
        var random = SeededGenerator(seed: 7)
        var written: [String: Set<Field>] = [:]
        for sequence in 0..<4 {
            var messages = (0..<25).map { number in
                StagePlanFuzzTests.message(number, text: String(mutator.next().prefix(2000)), &random)
            }
            // Known when it comes again.
            messages.append(messages[0])
            stored.set(
                [:],
                entries: Dictionary(
                    messages.map { ($0.text, .init(id: whole.entry, isHigh: true, confidence: 0.9)) },
                    uniquingKeysWith: { first, _ in first }))
            var batch = Batch()
            batch.reset(to: try #require(try whole.input(messages, sequence: sequence)))
            whole.read(&batch)
            try #require(batch.records.count == messages.count)
            ledger.identify(&batch)
            for slot in slots {
                let before = batch
                switch slot {
                case .local(let stage): stage.annotate(&batch)
                case .ordered(let stage): stage.annotate(&batch)
                case .remote(let stage): try await stage.annotate(&batch)
                }
                let changes = try BatchChanges(from: before, to: batch)
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

    /// Written only in company of what these batches may not have: offers, senders that write alike.
    private static let rare: Set<Field> = [.facts, .campaign, .hits, .category]

    /// What a stage may do in secret, and the fields that it would have had to declare.
    private static let secrets: [(String, @Sendable (inout Batch) -> Void, Set<Field>, [String])] = [
        ("nothing", { _ in }, [], []),
        ("the priority", { $0.records[1].priority = 3 }, [.priority], []),
        ("no draft", { $0.records[0].noDraft = .unsure }, [.draft], []),
        ("the cap of the priority", { $0.records[0].priorityCap = 9 }, [.secondOpinion], []),
        ("a status", { $0.records[1].status = .filtered }, [.status], []),
        ("folded text", { $0.folded.append(0) }, [.folded], []),
        ("what a finder found", { $0.records[0].facts.deadlineDay = 3 }, [.facts], []),
        ("what was read", { $0.records[0].line = 7 }, [], ["line"]),
        ("a record less", { $0.records.removeLast() }, [], ["records"]),
        ("what was said before", { $0.generated = [] }, [], ["generated"]),
        ("more text", { _ = $0.generate("more".utf8) }, [], []),
    ]

    @Test(arguments: secrets.indices) func `what a stage writes in secret is found out`(number: Int) throws {
        let (name, write, fields, faults) = Self.secrets[number]
        var batch = Batch()
        batch.records = [Record(), Record()]
        _ = batch.generate("said".utf8)
        let before = batch
        write(&batch)
        let changes = try BatchChanges(from: before, to: batch)
        #expect(changes.fields == fields && changes.faults == faults, "\(name)")
    }
}

/// How two batches differ.
private struct BatchChanges {
    /// What a stage must declare to write it.
    var fields: Set<Field> = []
    /// Properties that no stage may change.
    var faults: [String] = []

    /// Who may write a property.
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
        "sketch": .field(.sketch), "sentence": .field(.sentence), "matter": .field(.matter),
        "danger": .field(.danger), "thanks": .field(.thanks), "language": .field(.language),
        "category": .field(.category),
        "sentiment": .field(.sentiment), "urgency": .field(.urgency), "opportunity": .field(.opportunity),
        "faq": .field(.faq), "injection": .field(.injection), "campaign": .field(.campaign), "draft": .field(.draft),
        "noDraft": .field(.draft), "priority": .field(.priority), "priorityCap": .field(.secondOpinion),
        "askedOfModel": .field(.secondOpinion), "hasProblems": .all,
    ]

    private static let ofBatch: [String: Owner] = [
        "input": .none, "arena": .field(.fields), "folded": .field(.folded), "marks": .field(.folded),
        "tokens": .field(.folded), "hits": .field(.hits), "sketches": .field(.sketch), "sentences": .field(.sentence),
        "rejects": .field(.status),
        "cuts": .none, "offerReadings": .field(.secondOpinion), "modelAnswers": .all, "problems": .all,
        // Compared otherwise.
        "records": .all, "evidence": .all, "generated": .all, "generatedSpans": .all,
    ]

    /// - Throws: when a property is in neither table: who adds one says who owns it.
    init(from old: Batch, to new: Batch) throws {
        try compare(old, new, owners: Self.ofBatch)
        // What was said before stays said.
        if !new.generated.starts(with: old.generated) { faults.append("generated") }
        if Self.differ(old.evidence, Array(new.evidence.prefix(old.evidence.count))) { faults.append("evidence") }
        if Self.differ(old.generatedSpans, Array(new.generatedSpans.prefix(old.generatedSpans.count))) {
            faults.append("generatedSpans")
        }
        guard old.records.count == new.records.count else {
            faults.append("records")
            return
        }
        for (before, after) in zip(old.records, new.records) { try compare(before, after, owners: Self.ofRecord) }
    }

    private mutating func compare<Value>(_ old: Value, _ new: Value, owners: [String: Owner]) throws {
        for (a, b) in zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children) {
            let name = try #require(a.label)
            let owner = try #require(owners[name], "\(name) has no owner: add it here")
            if case .all = owner { continue }
            guard Self.differ(a.value, b.value) else { continue }
            if case .field(let field) = owner { fields.insert(field) } else { faults.append(name) }
        }
    }

    private static func differ(_ a: Any, _ b: Any) -> Bool {
        if let a = a as? any Equatable, isEqual(a, b) { return false }
        // What is not Equatable, and NaN, which equals nothing.
        return "\(a)" != "\(b)"
    }

    private static func isEqual<Value: Equatable>(_ a: Value, _ b: Any) -> Bool { b as? Value == a }
}

/// A language model that says something else about every text.
private struct ScriptedVerdicts: AnswerSource {
    func ask(_ questions: [MessageQuestion]) async -> [Result<MessageVerdict, CallFailure>] {
        questions.map { question in
            let number = question.text.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
            if number % 7 == 0 { return .failure(.refused) }
            let category = Category.allCases[number % Category.allCases.count]
            return .success(
                MessageVerdict(
                    category: category, sentiment: Sentiment.allCases[number % Sentiment.allCases.count],
                    intensity: 0.8, isUrgent: number % 2 == 0, urgencyKind: number % 2 == 0 ? .other : .none,
                    steersReader: number % 5 == 0, faq: number % 3 == 0 ? question.candidates.first : nil,
                    offer: category == .business
                        ? OfferVerdict(amount: 900, currency: Currency("EUR"), pay: .money, signs: .contract) : nil))
        }
    }
}

/// A language model that drafts the same for all.
private struct ScriptedDrafts: AnswerSource {
    func ask(_ questions: [DraftQuestion]) async -> [Result<Draft, CallFailure>] {
        questions.map { _ in .success(Draft(text: "Thank you, {name}!")) }
    }
}

/// An embedding model that finds all texts alike.
private struct OneDirection: VectorSource {
    func vectors(
        of texts: [String], sendBefore deadline: ContinuousClock.Instant?
    ) async -> [Result<[Float], CallFailure>] {
        texts.map { _ in .success([1, 0]) }
    }
}
