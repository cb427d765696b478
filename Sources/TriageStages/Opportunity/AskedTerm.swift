internal import TriageCore

/// Something that must be known before an offer can be agreed, from ``OfferKind/asks``.
///
/// Insights ("Still to ask") and drafts both use this type to decide what is missing, so they never contradict each
/// other.
enum AskedTerm: Sendable {
    case fee, date, deliverables, other

    /// Length in bytes from which a text is assumed to say most of what could be asked.
    private static let longText = 200

    init(_ name: String) {
        switch name {
        case OfferKind.fee: self = .fee
        case OfferKind.date: self = .date
        case "deliverables", "what exactly": self = .deliverables
        default: self = .other
        }
    }

    /// Whether a text is so long that it says most of what could be asked.
    static func isLong(_ record: UnsafePointer<Record>) -> Bool { record.pointee.fields.text.count >= longText }

    /// Whether the message, or an earlier one of its conversation, already says it.
    ///
    /// There is no detection of terms such as the place or the usage rights. A long text is assumed to name them:
    /// asking for something that the text says is worse than not asking.
    func isKnown(_ record: UnsafePointer<Record>) -> Bool {
        let facts = record.pointee.facts
        return switch self {
        // A sender who asks for a price, or says that there is no money, is not asked for a fee.
        case .fee:
            facts.budget != nil || record.pointee.thread.budget != nil || facts.has(.rateAsk) || facts.has(.unpaid)
        case .date: facts.deadlineDay != nil
        case .deliverables: facts.namesDeliverables || Self.isLong(record)
        case .other: Self.isLong(record)
        }
    }
}
