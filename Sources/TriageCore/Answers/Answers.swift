/// The three categories of messages.
package enum Category: UInt8, Sendable, CaseIterable {
    case fan, business, spam

    package var name: String {
        switch self {
        case .fan: "fan"
        case .business: "business"
        case .spam: "spam"
        }
    }
}

/// The sentiment that a sender expresses.
package enum Sentiment: UInt8, Sendable, CaseIterable {
    case positive, negative, neutral

    package var name: String {
        switch self {
        case .positive: "positive"
        case .negative: "negative"
        case .neutral: "neutral"
        }
    }
}

/// How certain an answer is; the thresholds were chosen from data.
package enum Level: UInt8, Sendable {
    case high, medium, low

    package var name: String {
        switch self {
        case .high: "high"
        case .medium: "medium"
        case .low: "low"
        }
    }
}

/// The method that produced an answer, such as `category.rules`.
///
/// Encoders use the raw value as an index into tables made from ``allCases``.
package enum Decider: UInt8, Sendable, CaseIterable {
    case languageRules, categoryRules, sentimentRules, urgencyRules, opportunityRules, faqLexical, injectionRules
    case replyTemplate, categoryModel, sentimentModel, urgencyModel
    case categoryLLM, sentimentLLM, urgencyLLM, faqLLM, replyLLM
    case faqEmbeddings, faqTerms, faqEncoder, sentimentEncoder, urgencyEncoder

    package var name: String {
        switch self {
        case .languageRules: "language.rules"
        case .categoryRules: "category.rules"
        case .sentimentRules: "sentiment.rules"
        case .urgencyRules: "urgency.rules"
        case .opportunityRules: "opportunity.rules"
        case .faqLexical: "faq.lexical"
        case .injectionRules: "injection.rules"
        case .replyTemplate: "reply.template"
        case .categoryModel: "category.model"
        case .sentimentModel: "sentiment.model"
        case .urgencyModel: "urgency.model"
        case .categoryLLM: "category.llm"
        case .sentimentLLM: "sentiment.llm"
        case .urgencyLLM: "urgency.llm"
        case .faqLLM: "faq.llm"
        case .replyLLM: "reply.llm"
        case .faqEmbeddings: "faq.embeddings"
        case .faqTerms: "faq.terms"
        case .faqEncoder: "faq.encoder"
        case .sentimentEncoder: "sentiment.encoder"
        case .urgencyEncoder: "urgency.encoder"
        }
    }
}

/// The language that a text is written in.
package struct LanguageAnswer: Sendable {
    /// Index into the language table; see ``LanguageTable/tags``.
    package var language: UInt8
    /// 0–1.
    package var confidence: Float

    package init(language: UInt8, confidence: Float) {
        self.language = language
        self.confidence = confidence
    }
}

/// Fan, business or spam.
package struct CategoryAnswer: Sendable {
    /// nil only when the text is empty or there is no evidence at all.
    package var label: Category?
    /// Probabilities in the order of ``Category``; they sum to 1.
    package var scores: SIMD4<Float>
    package var level: Level
    package var by: Decider
    package var because: EvidenceRange

    package init(label: Category?, scores: SIMD4<Float>, level: Level, by: Decider, because: EvidenceRange) {
        self.label = label
        self.scores = scores
        self.level = level
        self.by = by
        self.because = because
    }

    /// Calibrated probability that ``label`` is correct.
    package var confidence: Float { label.map { scores[Int($0.rawValue)] } ?? 0 }
}

/// Positive, negative or neutral, and how strongly.
package struct SentimentAnswer: Sendable {
    package var label: Sentiment?
    package var confidence: Float
    package var level: Level
    /// 0–1.
    package var intensity: Float
    package var by: Decider
    package var because: EvidenceRange

    package init(
        label: Sentiment?, confidence: Float, level: Level, intensity: Float, by: Decider, because: EvidenceRange
    ) {
        self.label = label
        self.confidence = confidence
        self.level = level
        self.intensity = intensity
        self.by = by
        self.because = because
    }
}

/// How much positive and negative feeling the rules found, in log-odds without their biases.
///
/// The statistical model takes these as input.
package struct Feelings: Sendable {
    package var positive: Float = 0
    package var negative: Float = 0

    package init(positive: Float = 0, negative: Float = 0) {
        self.positive = positive
        self.negative = negative
    }
}

/// Whether a person should look at the message within a day.
package struct UrgencyAnswer: Sendable {
    package var isUrgent: Bool
    /// 0–1, calibrated.
    package var score: Float
    /// The kind of urgency; drafts choose their words by it.
    package var kind: Kind
    package var by: Decider
    package var because: EvidenceRange
    /// Whether somebody is in danger.
    ///
    /// Such a message stays urgent, is listed among the first and gets the fixed draft for its kind of danger,
    /// whatever the other answers say, even spam.
    package var isDanger: Bool

    package enum Kind: UInt8, Sendable { case none, selfHarm, threat, account, impersonation, legal, deadline, other }

    package init(
        isUrgent: Bool, score: Float, kind: Kind, by: Decider, because: EvidenceRange, isDanger: Bool = false
    ) {
        self.isDanger = isDanger
        self.isUrgent = isUrgent
        self.score = score
        self.kind = kind
        self.by = by
        self.because = because
    }
}

/// Whether the text looks like a prompt injection, that is, tries to give orders to an automated reader.
package struct InjectionAnswer: Sendable {
    package var isSuspected: Bool
    package var score: Float
    package var because: EvidenceRange

    package init(isSuspected: Bool, score: Float, because: EvidenceRange) {
        self.isSuspected = isSuspected
        self.score = score
        self.because = because
    }
}

/// Tells that several senders sent nearly the same text.
///
/// It is evidence, and lets a person decide on all of the messages at once. It is never a reason to leave a message
/// out.
package struct CampaignAnswer: Sendable, Equatable {
    /// Derived from the first text of the campaign.
    package var id: UInt64
    /// Number of distinct senders so far, in input order, including this one.
    package var senders: UInt32
    /// Number of messages that this answer adds to the campaigns of the run: this message, and for the first answer of
    /// a campaign also the messages before it.
    package var added: UInt32
    /// Whether this is the first answer of its campaign in this run.
    package var isFirst: Bool

    /// The smallest number of senders that makes a campaign.
    package static let leastSenders = 3

    package init(id: UInt64, senders: UInt32, added: UInt32 = 1, isFirst: Bool = false) {
        self.id = id
        self.senders = senders
        self.added = added
        self.isFirst = isFirst
    }

    /// The printed name: `c-` and 16 hex digits.
    package var name: String { Self.name(of: id) }

    /// Returns the printed name of the campaign with this id.
    package static func name(of id: UInt64) -> String { "c-" + id.hex }
}

/// The entry of the creator's FAQ library that answers the message.
package struct FAQAnswer: Sendable {
    /// Index into ``FAQLibrary/entries``.
    package var entry: Int
    /// true: `high`; false: `possible`.
    package var isHigh: Bool
    package var confidence: Float
    package var by: Decider

    package init(entry: Int, isHigh: Bool, confidence: Float, by: Decider) {
        self.entry = entry
        self.isHigh = isHigh
        self.confidence = confidence
        self.by = by
    }
}

/// Why a message gets no draft: no draft is better than a wrong one.
package enum NoDraft: UInt8, Sendable, CaseIterable {
    /// It is a joke; an earnest answer would be out of place.
    case joke
    /// It insults or threatens; answering makes it worse.
    case abuse
    /// It asks for nothing and says nothing that a reply could pick up.
    case nothingToAnswer
    /// It asks something that only the creator can answer.
    case needsAFact
    /// The other answers are too uncertain to put words into the creator's mouth.
    case unsure

    /// The name as written in the output.
    package var name: String {
        switch self {
        case .joke: "joke"
        case .abuse: "abuse"
        case .nothingToAnswer: "nothing-to-answer"
        case .needsAFact: "needs-a-fact"
        case .unsure: "unsure"
        }
    }
}

/// A draft of a reply.
package struct DraftAnswer: Sendable {
    /// The draft's text, a span of ``Batch/generated``.
    package var text: Span32
    /// The language of the draft, an index into ``LanguageTable/tags``.
    package var language: UInt8
    /// What the draft is based on, such as `faq:camera` or `template:business.rates`; a span of ``Batch/generated``.
    package var basedOn: Span32
    /// Names of the placeholders that a person must fill in: a range of ``Batch/generatedSpans``.
    package var fill: Range<Int>
    package var by: Decider

    package init(text: Span32, language: UInt8, basedOn: Span32, fill: Range<Int>, by: Decider) {
        self.text = text
        self.language = language
        self.basedOn = basedOn
        self.fill = fill
        self.by = by
    }
}

/// One reason for an answer.
package struct Evidence: Sendable, Equatable {
    /// Index into the run's ``SignalNames``.
    package var signal: UInt16
    /// How far it moved the answer, in log-odds.
    package var weight: Float
    /// UTF-8 byte offsets into the decoded text; −1 when the evidence is not in the text.
    package var start: Int32
    package var end: Int32

    package init(signal: UInt16, weight: Float, start: Int32 = -1, end: Int32 = -1) {
        self.signal = signal
        self.weight = weight
        self.start = start
        self.end = end
    }
}

/// A range of ``Batch/evidence``, strongest first.
package typealias EvidenceRange = Range<Int>

/// The languages that `triage` can name.
///
/// Answers store an index into this table, which takes one byte.
package enum LanguageTable {
    /// BCP 47 tags; index 0 is undetermined.
    package static let tags: [String] = [
        "und", "en", "es", "pt", "fr", "de", "it", "nl", "tr", "id", "hi-Latn", "pl", "ro", "sv", "da", "no", "fi",
        "cs", "hu", "vi", "tl", "sw", "ru", "uk", "bg", "sr", "el", "ar", "fa", "ur", "he", "hi", "bn", "ta", "th",
        "ja", "zh", "ko", "ms", "ca",
    ]

    package static let undetermined: UInt8 = 0

    /// Returns the index of a tag, or nil if the tag is not listed.
    ///
    /// Regions and scripts are ignored unless they are listed (`pt-BR` → `pt`).
    package static func index(of tag: String) -> UInt8? {
        if let i = tags.firstIndex(of: tag) { return UInt8(i) }
        let parts = tag.split(separator: "-")
        if parts.count >= 2, parts[0].lowercased() == "hi", parts[1].lowercased() == "latn" {
            return index(of: "hi-Latn")
        }
        guard let primary = parts.first?.lowercased(), primary != tag else { return nil }
        return tags.firstIndex(of: primary).map { UInt8($0) }
    }
}
