import TriageCore

/// The closed vocabularies of an answer, as prompts and schemas name them.
enum AnswerWords {
    static let urgency: [(word: String, kind: UrgencyAnswer.Kind)] = [
        ("no", .none), ("self_harm", .selfHarm), ("threat", .threat), ("account", .account),
        ("impersonation", .impersonation), ("legal", .legal), ("deadline", .deadline), ("other", .other),
    ]

    static let signs: [(word: String, sign: OfferVerdict.Signs)] = [
        ("company", .company), ("role", .role), ("contract", .contract), ("brief", .brief),
        ("deliverables", .deliverables), ("fee", .asksFee), ("credentials", .asksCredentials), ("pressure", .pressure),
        ("secrecy", .secrecy),
    ]
}
