/// A named, additive reason defined in a rule file: when it fires, and which answers it feeds with which weight.
package struct Signal: Sendable, Equatable {
    /// `family.kebab-name`, unique.
    package var name: String
    /// A one-line explanation for people.
    package var why: String
    /// The languages of its patterns; informational only.
    package var languages: [String]
    /// Fires only when the detected language is one of these or undetermined; empty: always.
    package var onlyIn: [String]
    package var trigger: Trigger
    /// For a composite: the maximum distance in bytes of the other signals from the first one in `all`; 0: no limit.
    package var near: Int
    package var feeds: Feeds
    /// How many times it may count in one message.
    package var repeatLimit: Int
    package var examples: Examples
    /// `file:line` of the definition.
    package var place: String

    /// What makes it fire.
    package enum Trigger: Sendable, Equatable {
        case patterns([Pattern])
        /// A detector in code, by name.
        case detector(String)
        /// Other signals of the same message, by name.
        case composite(all: [String], any: [String], none: [String])
    }

    /// Texts that must, and texts that must not, make it fire.
    package struct Examples: Sendable, Equatable {
        package var match: [String]
        package var noMatch: [String]
        package init(match: [String] = [], noMatch: [String] = []) {
            self.match = match
            self.noMatch = noMatch
        }
    }

    package init(
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
package struct Pattern: Sendable, Equatable {
    package enum Kind: UInt8, Sendable {
        /// A whole word or phrase: no letter or digit may adjoin it.
        case word
        /// A substring.
        case literal
        /// A regular expression in Vectorscan syntax, matched on the folded text.
        case regex
    }

    package var kind: Kind
    package var text: String
    /// The file that contains it; thousands of patterns share one string.
    package var file: String
    /// Line number from 1; 0 when unknown.
    package var line: Int

    package init(kind: Kind, text: String, file: String, line: Int) {
        self.kind = kind
        self.text = text
        self.file = file
        self.line = line
    }

    /// `file:line`.
    package var place: String { line > 0 ? "\(file):\(line)" : file }
}

/// What a signal adds to each question, in log-odds.
package struct Feeds: Sendable, Equatable {
    /// fan, business, spam, in the order of ``Category``; lane 3 is unused.
    package var category = SIMD4<Float>(repeating: 0)
    package var feedsCategory = false
    package var urgent: Float = 0
    /// Evidence that somebody is in danger; no other answer overrides it.
    package var danger: Float = 0
    package var injection: Float = 0
    package var positive: Float = 0
    package var negative: Float = 0
    /// Whether it names positive or negative at all: a weight of 0 neutralises the hits that it covers.
    package var feedsSentiment = false
    package var modifier = Modifier.none
    /// The factor of an intensifier or diminisher.
    package var scale: Float = 1
    /// `fact.*` tags, as bits of ``FactTag``.
    package var facts: UInt64 = 0
    /// `kind.*`: the kind of urgency that it indicates.
    package var urgencyKind = UrgencyAnswer.Kind.none
    /// Whether it indicates that somebody is in danger.
    package var tellsOfDanger: Bool { danger > 0 || urgencyKind == .selfHarm || urgencyKind == .threat }
    /// Whether it alone makes a message urgent: its weight is one that only unambiguous words have, and it indicates
    /// danger, a lost account, fraud in the creator's name, a legal matter, or another emergency such as a fire.
    package var isUrgentByItself: Bool {
        switch urgencyKind {
        case .selfHarm, .threat, .account, .impersonation, .legal, .other: urgent >= 5
        default: false
        }
    }

    package enum Modifier: UInt8, Sendable { case none, negation, intensifier, diminisher, contrast }

    package init() {}
}

/// The biases of the additive models.
package struct RuleBiases: Sendable, Equatable {
    package var category = SIMD4<Float>(repeating: 0)
    package var urgent: Float = -3
    package var danger: Float = -4
    package var injection: Float = -4
    package var positive: Float = -2
    package var negative: Float = -2

    package init() {}
}

/// All signals of a run: those of the shipped rule files, plus or replaced by the user's.
package struct RuleSet: Sendable, Equatable {
    package var signals: [Signal]
    package var biases: RuleBiases
    /// Kinds of business matters; if several match, the first one applies.
    package var kinds: [OfferKind]
    /// First 12 hex digits of the SHA-256 of the sources, for `provenance`.
    package var digest: String

    package init(
        signals: [Signal] = [], biases: RuleBiases = RuleBiases(), kinds: [OfferKind] = [], digest: String = ""
    ) {
        self.signals = signals
        self.biases = biases
        self.kinds = kinds
        self.digest = digest
    }
}

/// A signal that fired in a message.
package struct SignalHit: Sendable, Equatable {
    /// Index into ``RuleSet/signals``.
    package var signal: UInt16
    /// Whether a longer hit that feeds the same question covers it, in which case it does not count there.
    package var isCovered: Bool
    /// Offsets in the message's folded text; start > end when it has no place there (sender detectors, composites).
    package var start: UInt32
    package var end: UInt32

    @inlinable
    package init(signal: UInt16, start: UInt32, end: UInt32, isCovered: Bool = false) {
        self.signal = signal
        self.isCovered = isCovered
        self.start = start
        self.end = end
    }

    /// Creates a hit without a place.
    @inlinable
    package init(signal: UInt16) { self.init(signal: signal, start: 1, end: 0) }

    /// Whether it has a place in the text.
    @inlinable
    package var hasPlace: Bool { start <= end }
}

/// The names that evidence refers to: first the rule set's signals, then the built-in ones that stages raise.
package struct SignalNames: Sendable {
    package private(set) var names: [String]

    /// Signals raised by code instead of rule files; their indices follow those of the rule set.
    package static let builtIn = [
        "money.offer", "money.none", "money.kind", "fit.niche", "fit.work", "fit.excluded", "fit.generic",
        "fit.assumed", "fit.no-profile", "legitimacy.base", "legitimacy.company", "legitimacy.address",
        "legitimacy.role", "legitimacy.reach", "legitimacy.deliverables", "legitimacy.contract", "legitimacy.free-mail",
        "legitimacy.short-link", "legitimacy.pressure", "legitimacy.credentials", "legitimacy.injection",
        "urgency.deadline", "urgency.soon", "thread.inherited", "language.words", "faq.overlap", "model.word",
        "model.context", "encoder.sentence", "llm.answer", "llm.offer",
    ]

    package init(rules: RuleSet) { names = rules.signals.map(\.name) + Self.builtIn }

    /// Returns the index of a built-in name; traps on an unknown name, which a test of each stage would reach.
    package func builtIn(_ name: String) -> UInt16 {
        UInt16(names.count - Self.builtIn.count + Self.builtIn.firstIndex(of: name)!)
    }
}

/// A kind of business matter from the table `kinds` of a rule file: how it is recognised and scored, and what a reply
/// asks.
package struct OfferKind: Sendable, Equatable {
    /// Short and stable, such as `hire`; appears in the output.
    package var id: String
    /// A one-line explanation for people.
    package var why: String
    /// Names of signals, any one of which indicates this kind.
    package var signals: [String]
    /// `fact.*` tags, any one of which indicates this kind, as bits of ``FactTag``.
    package var facts: UInt64
    /// `fact.*` tags that rule this kind out.
    package var unless: UInt64
    /// Whether the kind applies only when no sum is offered.
    package var isWithoutBudget: Bool
    /// Whether somebody offers something; false for a bill, a dispute or a claim.
    package var isOffer: Bool
    /// Rubric points for money when the text names neither a sum nor the form of payment.
    package var pay: Int8
    /// Whether words that only hint at pay or at a gift count.
    package var takesHints: Bool
    /// Rubric points for the fit when the kind determines it; nil: the topic does.
    package var fit: Int8?
    /// The situation that chooses the draft's wording, such as `business.rates`.
    package var reply: String
    /// What must be known before it can be agreed, such as `quantity`; ``fee`` and ``date`` are left out when the text
    /// states them.
    package var asks: [String]

    package static let fee = "fee"
    package static let date = "date"
    /// The maximum number of kinds in a rule set; a set of kinds is stored in 32 bits.
    package static let limit = 32

    package init(
        id: String, why: String = "", signals: [String] = [], facts: UInt64 = 0, unless: UInt64 = 0,
        isWithoutBudget: Bool = false, isOffer: Bool = true, pay: Int8 = 0, takesHints: Bool = true, fit: Int8? = nil,
        reply: String = "business.offer", asks: [String] = []
    ) {
        self.id = id
        self.why = why
        self.signals = signals
        self.facts = facts
        self.unless = unless
        self.isWithoutBudget = isWithoutBudget
        self.isOffer = isOffer
        self.pay = pay
        self.takesHints = takesHints
        self.fit = fit
        self.reply = reply
        self.asks = asks
    }
}
