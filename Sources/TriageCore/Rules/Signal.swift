/// A named, additive reason that rule files define: when it fires, and what it feeds with which weight.
package struct Signal: Sendable, Equatable {
    /// `family.kebab-name`, unique.
    package var name: String
    /// One line for people.
    package var why: String
    /// Languages its patterns are in; informational.
    package var languages: [String]
    /// Fires only when the detected language is one of these or undetermined; empty: always.
    package var onlyIn: [String]
    package var trigger: Trigger
    /// Of a composite: within how many bytes of the first signal of `all` the others must stand; 0: anywhere.
    package var near: Int
    package var feeds: Feeds
    /// How often it may count in one message.
    package var repeatLimit: Int
    package var examples: Examples
    /// `file:line` of its definition.
    package var place: String

    /// What makes it fire.
    package enum Trigger: Sendable, Equatable {
        case patterns([Pattern])
        /// A detector in code, by name.
        case detector(String)
        /// Other signals of the same message, by name.
        case composite(all: [String], any: [String], none: [String])
    }

    /// Texts that must and must not make it fire.
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
        /// A whole word or phrase: no letter or digit stands beside it.
        case word
        /// A substring.
        case literal
        /// Vectorscan syntax on the folded text.
        case regex
    }

    package var kind: Kind
    package var text: String
    /// The file it stands in; thousands of patterns share one string.
    package var file: String
    /// 1-based; 0 when unknown.
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

/// What a signal adds to which question; log-odds.
package struct Feeds: Sendable, Equatable {
    /// fan, business, spam, in the order of ``Category``; lane 3 is unused.
    package var category = SIMD4<Float>(repeating: 0)
    package var feedsCategory = false
    package var urgent: Float = 0
    /// How much it speaks for somebody being in danger, which no other answer takes back.
    package var danger: Float = 0
    package var injection: Float = 0
    package var positive: Float = 0
    package var negative: Float = 0
    /// Whether it names positive or negative at all: 0 neutralises what it covers.
    package var feedsSentiment = false
    package var modifier = Modifier.none
    /// Scale of an intensifier or diminisher.
    package var scale: Float = 1
    /// `fact.*` tags as bits of ``FactTag``.
    package var facts: UInt64 = 0
    /// `kind.*`: what kind of urgency it is a sign of.
    package var urgencyKind = UrgencyAnswer.Kind.none
    /// Whether it tells of somebody in danger.
    package var tellsOfDanger: Bool { danger > 0 || urgencyKind == .selfHarm || urgencyKind == .threat }
    /// Whether it tells, by a weight that only plain words have, of danger, of an account that is lost, of fraud in the
    /// creator's name, of the law, or of another emergency, such as a fire.
    package var isUrgentByItself: Bool {
        switch urgencyKind {
        case .selfHarm, .threat, .account, .impersonation, .legal, .other: urgent >= 5
        default: false
        }
    }

    package enum Modifier: UInt8, Sendable { case none, negation, intensifier, diminisher, contrast }

    package init() {}
}

/// Biases of the additive models.
package struct RuleBiases: Sendable, Equatable {
    package var category = SIMD4<Float>(repeating: 0)
    package var urgent: Float = -3
    package var danger: Float = -4
    package var injection: Float = -4
    package var positive: Float = -2
    package var negative: Float = -2

    package init() {}
}

/// Every signal of a run: the shipped files with the user's on top.
package struct RuleSet: Sendable, Equatable {
    package var signals: [Signal]
    package var biases: RuleBiases
    /// Kinds of business matters; of several that fit, the first.
    package var kinds: [OfferKind]
    /// First 12 hex digits of the SHA-256 over the sources, for `provenance`.
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
    /// A longer hit that feeds the same question covers it: it does not count there.
    package var isCovered: Bool
    /// Offsets in the message's folded text; start > end where it is not in the text (detectors on senders, composites).
    package var start: UInt32
    package var end: UInt32

    @inlinable
    package init(signal: UInt16, start: UInt32, end: UInt32, isCovered: Bool = false) {
        self.signal = signal
        self.isCovered = isCovered
        self.start = start
        self.end = end
    }

    /// A hit without a place.
    @inlinable
    package init(signal: UInt16) { self.init(signal: signal, start: 1, end: 0) }

    /// Whether it has a place in the text.
    @inlinable
    package var hasPlace: Bool { start <= end }
}

/// Names that evidence refers to: the rule set's signals first, then those that stages raise themselves.
package struct SignalNames: Sendable {
    package private(set) var names: [String]

    /// Signals that code raises outside the rule files; their indices follow the rule set's.
    package static let builtIn = [
        "money.offer", "money.none", "money.kind", "fit.niche", "fit.work", "fit.excluded", "fit.generic",
        "fit.assumed", "fit.no-profile",
        "legitimacy.base", "legitimacy.company", "legitimacy.address", "legitimacy.role", "legitimacy.reach",
        "legitimacy.deliverables", "legitimacy.contract", "legitimacy.free-mail", "legitimacy.short-link",
        "legitimacy.pressure", "legitimacy.credentials", "legitimacy.injection", "urgency.deadline", "urgency.soon",
        "thread.inherited", "language.words", "faq.overlap", "model.word",
        "model.context", "encoder.sentence", "llm.answer", "llm.offer",
    ]

    package init(rules: RuleSet) { names = rules.signals.map(\.name) + Self.builtIn }

    /// Index of a built-in name; traps on a name that is not listed, which a test of each stage reaches.
    package func builtIn(_ name: String) -> UInt16 {
        UInt16(names.count - Self.builtIn.count + Self.builtIn.firstIndex(of: name)!)
    }
}

/// A kind of business matter, as the table `kinds` of a rule file describes it: what tells it, how it is scored, and
/// what an answer to it asks for.
package struct OfferKind: Sendable, Equatable {
    /// Short and stable, such as `hire`; stands in the output.
    package var id: String
    /// One line for people.
    package var why: String
    /// Names of signals of which any tells it.
    package var signals: [String]
    /// `fact.*` tags of which any tells it, as bits of ``FactTag``.
    package var facts: UInt64
    /// `fact.*` tags of which none may be there.
    package var unless: UInt64
    /// Whether it is of this kind only where no sum is offered.
    package var isWithoutBudget: Bool
    /// Whether somebody offers something; a bill, a dispute and a claim do not.
    package var isOffer: Bool
    /// Rubric points for money where the text names neither a sum nor how it is paid.
    package var pay: Int8
    /// Whether words that only hint at pay, or at a gift, count in it.
    package var takesHints: Bool
    /// Rubric points for the fit, where the kind decides it; nil: the topic does.
    package var fit: Int8?
    /// The words for a draft, such as `business.rates`.
    package var reply: String
    /// What has to be known before it can be agreed, such as `quantity`; ``fee`` and ``date`` are left out where the
    /// text says them.
    package var asks: [String]

    package static let fee = "fee"
    package static let date = "date"
    /// Kinds of a rule set; a set of them is held in 32 bits.
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
