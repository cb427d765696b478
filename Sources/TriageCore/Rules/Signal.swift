/// A named, additive reason that rule files define: when it fires, and what it feeds with which weight.
public struct Signal: Sendable, Equatable {
    /// `family.kebab-name`, unique.
    public var name: String
    /// One line for people.
    public var why: String
    /// Languages its patterns are in; informational.
    public var languages: [String]
    /// Fires only when the detected language is one of these or undetermined; empty: always.
    public var onlyIn: [String]
    public var trigger: Trigger
    /// Of a composite: within how many bytes of the first signal of `all` the others must stand; 0: anywhere.
    public var near: Int
    public var feeds: Feeds
    /// How often it may count in one message.
    public var repeatLimit: Int
    public var examples: Examples
    /// `file:line` of its definition.
    public var place: String

    /// What makes it fire.
    public enum Trigger: Sendable, Equatable {
        case patterns([Pattern])
        /// A detector in code, by name.
        case detector(String)
        /// Other signals of the same message, by name.
        case composite(all: [String], any: [String], none: [String])
    }

    /// Texts that must and must not make it fire.
    public struct Examples: Sendable, Equatable {
        public var match: [String]
        public var noMatch: [String]
        public init(match: [String] = [], noMatch: [String] = []) {
            self.match = match
            self.noMatch = noMatch
        }
    }

    public init(
        name: String, why: String, languages: [String] = [], onlyIn: [String] = [], trigger: Trigger, near: Int = 0,
        feeds: Feeds, repeatLimit: Int = 1, examples: Examples = Examples(), place: String
    ) {
        self.name = name
        self.why = why
        self.languages = languages
        self.onlyIn = onlyIn
        self.trigger = trigger
        self.near = near
        self.feeds = feeds
        self.repeatLimit = repeatLimit
        self.examples = examples
        self.place = place
    }
}

/// One pattern of a signal, as written in the file.
public struct Pattern: Sendable, Equatable {
    public enum Kind: UInt8, Sendable {
        /// A whole word or phrase: no letter or digit stands beside it.
        case word
        /// A substring.
        case literal
        /// Vectorscan syntax on the folded text.
        case regex
    }

    public var kind: Kind
    public var text: String
    /// The file it stands in; thousands of patterns share one string.
    public var file: String
    /// 1-based; 0 when unknown.
    public var line: Int

    public init(kind: Kind, text: String, file: String, line: Int) {
        self.kind = kind
        self.text = text
        self.file = file
        self.line = line
    }

    /// `file:line`.
    public var place: String { line > 0 ? "\(file):\(line)" : file }
}

/// What a signal adds to which question; log-odds.
public struct Feeds: Sendable, Equatable {
    /// fan, business, spam, in the order of ``Category``; lane 3 is unused.
    public var category = SIMD4<Float>(repeating: 0)
    public var feedsCategory = false
    public var urgent: Float = 0
    /// How much it speaks for somebody being in danger, which no other answer takes back.
    public var danger: Float = 0
    public var injection: Float = 0
    public var positive: Float = 0
    public var negative: Float = 0
    /// Whether it names positive or negative at all: 0 neutralises what it covers.
    public var feedsSentiment = false
    public var modifier = Modifier.none
    /// Scale of an intensifier or diminisher.
    public var scale: Float = 1
    /// `fact.*` tags as bits of ``FactTag``.
    public var facts: UInt64 = 0
    /// `kind.*`: what kind of urgency it is a sign of.
    public var urgencyKind = UrgencyAnswer.Kind.none
    /// Whether it tells of somebody in danger.
    public var tellsOfDanger: Bool { danger > 0 || urgencyKind == .selfHarm || urgencyKind == .threat }
    /// Whether it tells, by a weight that only plain words have, of danger, of an account that is lost, of fraud in the
    /// creator's name, of the law, or of another emergency, such as a fire.
    public var isUrgentByItself: Bool {
        switch urgencyKind {
        case .selfHarm, .threat, .account, .impersonation, .legal, .other: urgent >= 5
        default: false
        }
    }

    public enum Modifier: UInt8, Sendable { case none, negation, intensifier, diminisher, contrast }

    public init() {}
}

/// Biases of the additive models.
public struct RuleBiases: Sendable, Equatable {
    public var category = SIMD4<Float>(repeating: 0)
    public var urgent: Float = -3
    public var danger: Float = -4
    public var injection: Float = -4
    public var positive: Float = -2
    public var negative: Float = -2

    public init() {}
}

/// Every signal of a run: the shipped files with the user's on top.
public struct RuleSet: Sendable, Equatable {
    public var signals: [Signal]
    public var biases: RuleBiases
    /// Kinds of business matters; of several that fit, the first.
    public var kinds: [OfferKind]
    /// First 12 hex digits of the SHA-256 over the sources, for `provenance`.
    public var digest: String

    public init(
        signals: [Signal] = [], biases: RuleBiases = RuleBiases(), kinds: [OfferKind] = [], digest: String = ""
    ) {
        self.signals = signals
        self.biases = biases
        self.kinds = kinds
        self.digest = digest
    }
}

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
