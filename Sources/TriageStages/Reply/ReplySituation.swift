import TriageCore

/// Which words a draft needs; raw values are places in ``ReplyTemplates/bySituation``.
enum ReplySituation: Int, CaseIterable {
    case praise, criticism, question, note, orderTrouble, condolence, hardship
    case offer, rates, invoice, press, gifting, representation, licence, job, event, charity, followUp
    case legal
    case selfHarm, threat, account, impersonation, urgent

    /// What comes before any answer of the library, because it would be out of place; nil: nothing does.
    static func overriding(_ record: UnsafePointer<Record>) -> ReplySituation? {
        guard let urgency = record.pointee.urgency, urgency.isUrgent else { return nil }
        // Whose child has swallowed the glaze is not told where its recipe stands: an answer has to fit surely.
        let isGuess = record.pointee.faq.map { !$0.isHigh } ?? false
        switch urgency.kind {
        case .selfHarm: return .selfHarm
        case .threat: return .threat
        case .legal: return .legal
        case .other where urgency.isDanger: return .urgent
        case .other where isGuess && record.pointee.category?.label == .fan: return .urgent
        default: return urgency.isDanger ? .urgent : nil
        }
    }

    /// What to say where the library has no answer.
    ///
    /// - Parameters:
    ///   - asks: whether a member of the audience asks something.
    ///   - kinds: what to say of each kind of the rules' table.
    init(_ record: UnsafePointer<Record>, _ category: Category, asks: Bool, kinds: [ReplySituation]) {
        if let urgency = record.pointee.urgency, urgency.isUrgent {
            switch urgency.kind {
            case .account: self = .account; return
            case .impersonation: self = .impersonation; return
            case .other where category != .business: self = .urgent; return
            default: break
            }
        }
        self = category == .business ? Self.business(record, kinds) : Self.fan(record, asks)
    }

    private static func business(_ record: UnsafePointer<Record>, _ kinds: [ReplySituation]) -> ReplySituation {
        let kind = Int(record.pointee.facts.kind)
        let situation = kind >= 0 && kind < kinds.count ? kinds[kind] : .offer
        guard situation == .offer else { return situation }
        return record.pointee.thread.isFollowUp && record.pointee.thread.business > 0 ? .followUp : .offer
    }

    /// The words for each kind of the rules' table; of a name that no file has words under, those for any offer.
    static func byKind(_ rules: RuleSet) -> [ReplySituation] {
        rules.kinds.map { kind in
            ReplyTemplates.bySituation.firstIndex { $0.name == kind.reply }.flatMap { ReplySituation(rawValue: $0) }
                ?? .offer
        }
    }

    private static func fan(_ record: UnsafePointer<Record>, _ asks: Bool) -> ReplySituation {
        // What is negative about these is no criticism, and what is kind about them no praise.
        if record.pointee.facts.has(.condolence) { return .condolence }
        if record.pointee.facts.has(.orderTrouble) { return .orderTrouble }
        if record.pointee.facts.has(.hardship), !asks || record.pointee.sentiment?.label == .negative {
            return .hardship
        }
        switch record.pointee.sentiment?.label {
        case .negative: return .criticism
        case .positive where !asks: return .praise
        default: return asks ? .question : .note
        }
    }
}
