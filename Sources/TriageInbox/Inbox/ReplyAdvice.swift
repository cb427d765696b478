import TriageCore
import TriageLLM
package import TriageRun
package import TriageStore

/// What a person is told to do in place of replying.
package enum ReplyAdvice: String {
    /// A threat, or abuse: whoever answers makes it worse, and what was written may be wanted as evidence.
    case keepEvidence = "keep-evidence"

    /// What the answers of a message come to; nil: a reply may be given.
    ///
    /// Answers that stem from before there was any advice are read by what their draft was made of and by the kind of their
    /// urgency. Who says that a message is not urgent knows better.
    package init?(_ record: StoredRecord, of entry: InboxEntry, _ words: SignalWords) {
        let isSaid =
            record.answer("advice")?.string == Self.keepEvidence.rawValue
            || record.answer("draft", "based_on")?.string == "template:urgent.threat"
        guard isSaid || entry.isUrgent && words.kind(in: record.triage) == .threat else { return nil }
        self = .keepEvidence
    }
}
