internal import TriageCore

/// Says which messages are worth a second opinion.
struct EscalationRule: Sendable {
    let escalation: Escalation
    /// From which score on a message is urgent.
    let urgentThreshold: Float

    /// Why a message is not asked, or that it is.
    enum Choice: Equatable {
        case sure
        case asked
        /// It may be an injection, so no model gets to read it.
        case withheld
    }

    func choice(_ record: borrowing Record, steers: () -> Bool) -> Choice {
        guard record.folded.span.count > 0, wants(record) else { return .sure }
        return record.injection?.isSuspected == true || steers() ? .withheld : .asked
    }

    private func wants(_ record: borrowing Record) -> Bool {
        let category = record.category
        switch escalation.category {
        case .always: return true
        case .cascade where (category?.confidence ?? 0) < escalation.categoryBelow: return true
        default: break
        }
        switch escalation.sentiment {
        case .always: return true
        case .cascade where (record.sentiment?.confidence ?? 0) < escalation.sentimentBelow: return true
        default: break
        }
        switch escalation.urgency {
        case .always: return true
        case .cascade:
            // Nothing that is surely spam is urgent, whatever it threatens.
            if category?.label != .spam, let urgency = record.urgency,
                abs(urgency.score - urgentThreshold) < escalation.urgencyWithin
            {
                return true
            }
        case .never: break
        }
        switch escalation.faq {
        case .always: if category?.label != .spam { return true }
        case .cascade:
            if let faq = record.faq, !faq.isHigh, faq.confidence < escalation.faqBelow { return true }
        case .never: break
        }
        return escalation.opportunity == .always && category?.label == .business
    }
}
