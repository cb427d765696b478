import TriageCore

/// Which words a draft needs; raw values are places in ``ReplyTemplates/bySituation``.
enum ReplySituation: Int, CaseIterable {
    case praise, criticism, question, note
    case offer, rates, invoice, press, gifting, representation, licence, job, event, charity, followUp
    case legal
    case selfHarm, threat, account, impersonation, urgent

    /// What comes before any answer of the library, because it would be out of place; nil: nothing does.
    static func overriding(_ record: Record) -> ReplySituation? {
        guard let urgency = record.urgency, urgency.isUrgent else { return nil }
        switch urgency.kind {
        case .selfHarm: return .selfHarm
        case .threat: return .threat
        case .legal: return .legal
        default: return nil
        }
    }

    /// What to say where the library has no answer.
    init(_ record: Record, _ category: Category) {
        if let urgency = record.urgency, urgency.isUrgent {
            switch urgency.kind {
            case .account: self = .account; return
            case .impersonation: self = .impersonation; return
            case .other where category != .business: self = .urgent; return
            default: break
            }
        }
        self = category == .business ? Self.business(record) : Self.fan(record)
    }

    private static func business(_ record: Record) -> ReplySituation {
        let facts = record.facts
        // The rarer and more binding matter first.
        if facts.has(.legal) { return .legal }
        if facts.has(.moneyOwed) || facts.has(.owedByCreator) { return .invoice }
        if facts.has(.press) || facts.has(.podcast) { return .press }
        if facts.has(.charity) { return .charity }
        if facts.has(.represent) { return .representation }
        if facts.has(.job) { return .job }
        if facts.has(.event) { return .event }
        if facts.has(.licence), facts.budget == nil { return .licence }
        if facts.has(.rateAsk) { return .rates }
        if facts.has(.productGift) || facts.has(.commission), facts.budget == nil, !facts.has(.paid) { return .gifting }
        return record.thread.isFollowUp && record.thread.business > 0 ? .followUp : .offer
    }

    private static func fan(_ record: Record) -> ReplySituation {
        switch record.sentiment?.label {
        case .negative: .criticism
        case .positive where record.folded.shape.questionMarks == 0: .praise
        default: record.folded.shape.questionMarks > 0 ? .question : .note
        }
    }
}
