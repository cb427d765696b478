internal import TriageCore

/// What a member of the audience says, as signals of the rules find it: drafts thank for that, or not at all.
struct FanMarks: OptionSet, Sendable {
    let rawValue: UInt32

    /// Finds fault between kind words.
    static let reservation = FanMarks(rawValue: 1)
    /// Tells of somebody who uses the creator's name, pictures or work.
    static let warning = FanMarks(rawValue: 2)
    /// Asks something without a question mark, or wishes for something.
    static let asks = FanMarks(rawValue: 4)
    /// Says that somebody pretends to be the creator: words that are a warning where the message is urgent, too.
    static let falseCreator = FanMarks(rawValue: 8)

    /// What is said, and what is answered, the first that fits.
    private static let said: [(signal: String, situation: ReplySituation)] = [
        ("draft.birthday", .birthday),
        ("draft.achieved", .achieved),
        ("draft.started", .started),
        ("draft.helped", .helped),
        ("draft.moved", .moved),
        ("draft.calmed", .calmed),
        ("draft.together", .together),
        ("draft.again", .again),
        ("draft.laughed", .laughed),
        ("draft.stays", .longtime),
        ("draft.made-my-day", .day),
        ("draft.arrived", .arrived),
        ("draft.greets", .greets),
        ("draft.likes-voice", .voice),
        ("draft.likes-music", .music),
        ("draft.likes-pictures", .pictures),
        ("draft.likes-recipe", .recipe),
        ("draft.likes-explaining", .explaining),
        ("draft.likes-cat", .cat),
        ("draft.likes-dog", .dog),
        ("draft.new-here", .newcomer),
        ("draft.likes-channel", .channel),
        ("draft.likes-video", .video),
        ("draft.blesses", .blessing),
    ]
    /// Bits before those of ``said``.
    private static let others = 4

    private static let bySignal: [String: FanMarks] = {
        var marks: [String: FanMarks] = [
            "draft.reservation": .reservation, "draft.asks": .asks,
            "draft.warning": .warning, "urgent.impersonation-plainly": .warning,
            "urgent.false-you-plainly": .falseCreator, "urgent.fake-of-you": .falseCreator,
            "urgent.name-misused": .falseCreator,
        ]
        for (place, one) in said.enumerated() { marks[one.signal] = FanMarks(rawValue: 1 << UInt32(place + others)) }
        return marks
    }()

    /// By signal of some rules.
    static func of(_ rules: RuleSet) -> [FanMarks] { rules.signals.map { bySignal[$0.name] ?? [] } }

    /// What to thank for in particular; nil: nothing that drafts have words for.
    var situation: ReplySituation? {
        let bits = rawValue >> UInt32(Self.others)
        return bits == 0 ? nil : Self.said[bits.trailingZeroBitCount].situation
    }
}

extension FanMarks {
    /// - Parameter marks: ``of(_:)`` of the rules that found the hits.
    init(_ hits: UnsafeBufferPointer<SignalHit>, _ marks: [FanMarks]) {
        self = hits.reduce(into: []) { $0.formUnion(marks[Int($1.signal)]) }
    }
}
