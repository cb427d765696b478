/// A signal that fired in a message.
public struct SignalHit: Sendable, Equatable {
    /// Index into ``RuleSet/signals``.
    public var signal: UInt16
    /// A longer hit that feeds the same question covers it: it does not count there.
    public var isCovered: Bool
    /// Offsets in the message's folded text; start > end where it is not in the text (detectors on senders, composites).
    public var start: UInt32
    public var end: UInt32

    @inlinable
    public init(signal: UInt16, start: UInt32, end: UInt32, isCovered: Bool = false) {
        self.signal = signal
        self.isCovered = isCovered
        self.start = start
        self.end = end
    }

    /// A hit without a place.
    @inlinable
    public init(signal: UInt16) { self.init(signal: signal, start: 1, end: 0) }

    /// Whether it has a place in the text.
    @inlinable
    public var hasPlace: Bool { start <= end }
}

/// Names that evidence refers to: the rule set's signals first, then those that stages raise themselves.
public struct SignalNames: Sendable {
    public private(set) var names: [String]

    /// Signals that code raises outside the rule files; their indices follow the rule set's.
    public static let builtIn = [
        "money.offer", "money.none", "money.kind", "fit.niche", "fit.work", "fit.excluded", "fit.generic",
        "fit.assumed", "fit.no-profile",
        "legitimacy.base", "legitimacy.company", "legitimacy.address", "legitimacy.role", "legitimacy.reach",
        "legitimacy.deliverables", "legitimacy.contract", "legitimacy.free-mail", "legitimacy.short-link",
        "legitimacy.pressure", "legitimacy.credentials", "legitimacy.injection", "urgency.deadline", "urgency.soon",
        "thread.inherited", "language.words", "faq.overlap", "model.word",
        "model.context", "llm.answer", "llm.offer",
    ]

    public init(rules: RuleSet) { names = rules.signals.map(\.name) + Self.builtIn }

    /// Index of a built-in name; traps on a name that is not listed, which a test of each stage reaches.
    public func builtIn(_ name: String) -> UInt16 {
        UInt16(names.count - Self.builtIn.count + Self.builtIn.firstIndex(of: name)!)
    }
}
