/// What a stage may read or write of a record.
///
/// Any stage may add evidence, text, what a model answered and problems to the batch.
package enum Field: String, Sendable, CaseIterable {
    case fields, folded, hits, facts, feelings, scores, thread, sketch, sentence
    /// Whether it is triaged at all: the status, the revision, and what was rejected.
    case status
    /// What a language model was asked and what follows: the use, the cap of the priority, facts that it read in offers.
    case secondOpinion
    case language, category, sentiment, urgency, opportunity, faq, injection, campaign, draft, priority
}

/// One step of the pipeline that needs neither the network nor other batches.
///
/// A stage is a plain value: what it needs (profile, rules, thresholds) comes in its initializer. It is called with a
/// whole batch and loops over it, so that a virtual call is paid once per batch and not once per message. It must give
/// the same answer twice, write only what it declares, and leave a field nil where it has no answer.
package protocol LocalStage: Sendable {
    /// `question.method`, such as `category.rules`.
    var name: String { get }
    /// Fields that an earlier stage must write.
    var reads: Set<Field> { get }
    /// The only fields this stage may fill.
    var writes: Set<Field> { get }

    /// Answers for every record of the batch that ``Record/isAsked``.
    func annotate(_ batch: inout Batch)
}

/// A step that needs what earlier messages of the same conversation said.
///
/// Called with the batches one at a time, in the order of the input; its state must be bounded.
package protocol OrderedStage: AnyObject, Sendable {
    var name: String { get }
    var reads: Set<Field> { get }
    var writes: Set<Field> { get }

    /// Sees every record of the batch, own messages too, in order.
    func annotate(_ batch: inout Batch)
}

/// A step that asks something outside, such as a language model; it gets the whole batch, to pack, pace and cache.
package protocol RemoteStage: Sendable {
    var name: String { get }
    var reads: Set<Field> { get }
    var writes: Set<Field> { get }

    /// - Throws: `CancellationError` when the run ends; anything else is a bug: a model that does not answer is a
    ///   ``Problem`` of the record.
    func annotate(_ batch: inout Batch) async throws
}

/// A stage of any kind, in the place where it runs.
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

/// The stages of a run, checked before the first message.
package struct StagePlan: Sendable {
    package let slots: [StageSlot]

    /// - Throws: ``TriageErrors`` when a stage reads what no earlier one writes, or when two own one field.
    ///   `fields`, `status` and `secondOpinion` are set by the record reader. A stage may refine a field that it also reads.
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
                            "stage '\(slot.name)' writes '\(field.rawValue)', which '\(owner)' owns",
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
