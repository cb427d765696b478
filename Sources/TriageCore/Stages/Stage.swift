/// What a stage may read or write in a record.
///
/// Any stage may also add evidence, text, model answers and problems to the batch.
package enum Field: String, Sendable, CaseIterable {
    case fields, folded, hits, facts, feelings, scores, thread, sketch, sentence, matter, danger, thanks
    /// Whether the record is triaged at all: its status, its revision, and the rejects.
    case status
    /// What a language model was asked and what follows from it: its use, the cap of the priority, and facts it read in
    /// offers.
    case secondOpinion
    case language, category, sentiment, urgency, opportunity, faq, injection, campaign, draft, priority
}

/// One step of the pipeline that needs neither the network nor other batches.
///
/// A stage is a plain value: everything it needs (profile, rules, thresholds) is passed to its initializer. It is
/// called with a whole batch and loops over the records, so the cost of a virtual call is paid once per batch rather
/// than once per message. It must be deterministic, write only the fields it declares, and leave a field nil when it
/// has no answer.
package protocol LocalStage: Sendable {
    /// `question.method`, such as `category.rules`.
    var name: String { get }
    /// Fields that an earlier stage must have written.
    var reads: Set<Field> { get }
    /// The only fields that this stage may write.
    var writes: Set<Field> { get }

    /// Annotates every record of the batch for which ``Record/isAsked`` is true.
    func annotate(_ batch: inout Batch)
}

/// A step that depends on earlier messages of the same conversation.
///
/// It is called with one batch at a time, in input order; its state must be bounded.
package protocol OrderedStage: AnyObject, Sendable {
    var name: String { get }
    var reads: Set<Field> { get }
    var writes: Set<Field> { get }

    /// Processes every record of the batch in order, including the creator's own messages.
    func annotate(_ batch: inout Batch)
}

/// A step that calls an external service such as a language model; it gets whole batches so that it can group, pace and
/// cache its requests.
package protocol RemoteStage: Sendable {
    var name: String { get }
    var reads: Set<Field> { get }
    var writes: Set<Field> { get }

    /// Annotates the batch.
    ///
    /// - Throws: `CancellationError` when the run ends; any other error is a bug, because a model that does not answer
    ///   is a ``Problem`` of the record.
    func annotate(_ batch: inout Batch) async throws
}

/// A stage of any kind, at its position in the plan.
package enum StageSlot: Sendable {
    case local(any LocalStage)
    case ordered(any OrderedStage)
    case remote(any RemoteStage)

    package var name: String {
        switch self {
        case .local(let stage): stage.name
        case .ordered(let stage): stage.name
        case .remote(let stage): stage.name
        }
    }

    package var reads: Set<Field> {
        switch self {
        case .local(let stage): stage.reads
        case .ordered(let stage): stage.reads
        case .remote(let stage): stage.reads
        }
    }

    package var writes: Set<Field> {
        switch self {
        case .local(let stage): stage.writes
        case .ordered(let stage): stage.writes
        case .remote(let stage): stage.writes
        }
    }
}

/// The stages of a run, checked before the first message is processed.
package struct StagePlan: Sendable {
    package let slots: [StageSlot]

    /// Whether sentences are encoded, which takes a thousand times as long as everything else.
    package var readsSentences: Bool { slots.contains { $0.writes.contains(.sentence) } }

    /// Checks and stores the stages.
    ///
    /// The record reader sets `fields`, `status` and `secondOpinion`. A stage may refine a field that it also reads.
    ///
    /// - Throws: ``TriageErrors`` when a stage reads a field that no earlier one writes, or when two stages own one
    ///   field.
    package init(_ slots: [StageSlot]) throws {
        var written: [Field: String] = [.fields: "input", .status: "input", .secondOpinion: "input"]
        var faults: [TriageError] = []
        for (index, slot) in slots.enumerated() {
            for field in slot.reads.sorted(by: { $0.rawValue < $1.rawValue }) where written[field] == nil {
                faults.append(
                    TriageError(
                        "pipeline.unmet-read",
                        "stage '\(slot.name)' reads '\(field.rawValue)', which no earlier stage writes",
                        at: "stage \(index + 1) of \(slots.count)",
                        remedy: "add a stage that writes '\(field.rawValue)' before it", exit: .badConfiguration))
            }
            for field in slot.writes.sorted(by: { $0.rawValue < $1.rawValue }) {
                if let owner = written[field], !slot.reads.contains(field) {
                    faults.append(
                        TriageError(
                            "pipeline.two-owners",
                            "'\(owner)' and '\(slot.name)' both write '\(field.rawValue)'",
                            at: "stage \(index + 1) of \(slots.count)", remedy: "remove one of them",
                            exit: .badConfiguration))
                }
                written[field] = slot.name
            }
        }
        if !faults.isEmpty { throw TriageErrors(faults) }
        self.slots = slots
    }
}
