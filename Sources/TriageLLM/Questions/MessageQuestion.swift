package import TriageCore

/// A message that a model is asked about, with its context.
package struct MessageQuestion: Sendable, Equatable {
    /// The decoded text as the sender wrote it; neutralized before it is sent, and never printed.
    package var text: String
    /// A BCP 47 tag, if known.
    package var language: String?
    /// The day of sending, `YYYY-MM-DD` with its weekday, to interpret "by Friday"; nil when unknown.
    package var day: String?
    /// The ids of the library entries that may answer it, best first.
    package var candidates: [String]
    /// The program's own answers; never sent.
    package var offline: OfflineView?

    package init(
        text: String, language: String? = nil, day: String? = nil, candidates: [String] = [],
        offline: OfflineView? = nil
    ) {
        self.text = text
        self.language = language
        self.day = day
        self.candidates = candidates
        self.offline = offline
    }
}

/// A model's checked answer about one message: every field is valid and in range.
package struct MessageVerdict: Sendable, Equatable {
    package var category: Category
    package var sentiment: Sentiment
    /// 0–1.
    package var intensity: Float = 0
    package var isUrgent = false
    package var urgencyKind = UrgencyAnswer.Kind.none
    package var steersReader = false
    /// The id of an offered entry; nil: no entry answers the message.
    package var faq: String?
    /// The facts of an offer; nil unless business.
    package var offer: OfferVerdict?
}

/// The facts of an offer, read by a model; code computes the score from them.
package struct OfferVerdict: Sendable, Equatable {
    /// In the currency's main unit, for the whole deal; positive and finite.
    package var amount: Double?
    package var currency: Currency?
    package var pay = Pay.unclear
    package var fit = Fit.neutral
    /// The day by which an answer is needed, else the day of the event or delivery: days since 1970.
    package var deadlineDay: Int32?
    package var deadlineIsReply = false
    package var signs: Signs = []

    /// How the creator would be paid.
    package enum Pay: String, Sendable, CaseIterable {
        case money, commission, product, none, unclear, creatorPays = "creator_pays"
    }
    /// How the offer's topic fits the creator's.
    package enum Fit: String, Sendable, CaseIterable { case core, related, neutral, off, excluded }

    package struct Signs: OptionSet, Sendable, Hashable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let company = Signs(rawValue: 1)
        package static let role = Signs(rawValue: 2)
        package static let contract = Signs(rawValue: 4)
        package static let brief = Signs(rawValue: 8)
        package static let deliverables = Signs(rawValue: 16)
        package static let asksFee = Signs(rawValue: 32)
        package static let asksCredentials = Signs(rawValue: 64)
        package static let pressure = Signs(rawValue: 128)
        package static let secrecy = Signs(rawValue: 256)
    }
}

/// The stored form of a verdict in a cache: our own JSON, the same bytes for equal verdicts.
extension MessageVerdict {
    /// Increased when the meaning of a field changes; stored answers are then requested again.
    private static let version = 1

    private static let kinds: [(UrgencyAnswer.Kind, String)] = [
        (.none, "none"), (.selfHarm, "self_harm"), (.threat, "threat"), (.account, "account"),
        (.impersonation, "impersonation"), (.legal, "legal"), (.deadline, "deadline"), (.other, "other"),
    ]

    /// Compact JSON that contains no text of the message, only labels, figures, and an id of the creator's library.
    var kept: [UInt8] {
        JSONValue.object([
            JSONMember("v", .number("\(Self.version)")),
            JSONMember("category", .string(category.name)),
            JSONMember("sentiment", .string(sentiment.name)),
            JSONMember("intensity", .number("\(intensity)")),
            JSONMember("urgent", .bool(isUrgent)),
            JSONMember("urgency", .string(Self.kinds.first { $0.0 == urgencyKind }?.1 ?? "none")),
            JSONMember("steers", .bool(steersReader)),
            JSONMember("faq", faq.map { .string($0) } ?? .null),
            JSONMember("offer", offer?.kept ?? .null),
        ]).encoded
    }

    /// Decodes ``kept``, and checks it like a new answer of a model.
    ///
    /// - Parameter candidates: the ids that are allowed; nil: any.
    /// - Returns: nil unless the bytes are exactly as written: for damaged or foreign data, or another version.
    init?(kept bytes: [UInt8], candidates: [String]?) {
        guard let value = try? StrictJSON.parse(bytes, limits: .answer), value["v"]?.integer == Self.version,
            let category = Category.allCases.first(where: { $0.name == value["category"]?.string }),
            let sentiment = Sentiment.allCases.first(where: { $0.name == value["sentiment"]?.string }),
            let intensity = value["intensity"]?.double, (0...1).contains(intensity),
            let isUrgent = value["urgent"]?.bool,
            let kind = Self.kinds.first(where: { $0.1 == value["urgency"]?.string })?.0,
            let steers = value["steers"]?.bool, let faq = value["faq"], let offer = value["offer"]
        else { return nil }
        self.init(
            category: category, sentiment: sentiment, intensity: Float(intensity), isUrgent: isUrgent,
            urgencyKind: kind, steersReader: steers, faq: faq.string)
        if let id = self.faq, let candidates, !candidates.contains(id) { return nil }
        if !offer.isNull {
            guard category == .business, let facts = OfferVerdict(kept: offer) else { return nil }
            self.offer = facts
        }
        // With additional or differently encoded content, the data is not ours.
        guard kept == bytes else { return nil }
    }
}

extension MessageVerdict {
    /// Decodes an answer stored long ago: an entry that is no longer among `candidates` is dropped.
    init?(kept bytes: [UInt8], asOf candidates: [String]) {
        self.init(kept: bytes, candidates: nil)
        if let id = faq, !candidates.contains(id) { faq = nil }
    }
}

extension OfferVerdict {
    /// 0001-01-01 to 9999-12-31: the range of dates.
    private static let days = -719_162...2_932_896

    fileprivate var kept: JSONValue {
        .object([
            JSONMember("amount", amount.map { .number("\($0)") } ?? .null),
            JSONMember("currency", currency.map { .string($0.code) } ?? .null),
            JSONMember("pay", .string(pay.rawValue)),
            JSONMember("fit", .string(fit.rawValue)),
            JSONMember("due", deadlineDay.map { .number("\($0)") } ?? .null),
            JSONMember("reply", .bool(deadlineIsReply)),
            JSONMember("signs", .number("\(signs.rawValue)")),
        ])
    }

    fileprivate init?(kept value: JSONValue) {
        guard let amount = value["amount"], let currency = value["currency"], let due = value["due"],
            let pay = value["pay"]?.string.flatMap(Pay.init), let fit = value["fit"]?.string.flatMap(Fit.init),
            let isReply = value["reply"]?.bool, let signs = value["signs"]?.integer, (0..<512).contains(signs)
        else { return nil }
        self.init(pay: pay, fit: fit, deadlineIsReply: isReply, signs: Signs(rawValue: signs))
        if !amount.isNull {
            guard let sum = amount.double, sum > 0 else { return nil }
            self.amount = sum
        }
        if !currency.isNull {
            guard let code = currency.string.flatMap(Currency.init(parsing:)) else { return nil }
            self.currency = code
        }
        if !due.isNull {
            guard let day = due.integer, Self.days.contains(day) else { return nil }
            deadlineDay = Int32(day)
        }
    }
}

/// A message for which a reply should be drafted.
package struct DraftQuestion: Sendable, Equatable {
    package var message: MessageQuestion
    /// The id of the library entry found for the message; nil: none was found.
    package var entry: String?
    /// Whether it came by e-mail, the only channel where many people use greetings and signatures.
    package var isMail: Bool
    /// The creator's replies to similar messages, best first; they leave the machine only if the creator allowed it.
    package var examples: [DraftExample]

    package init(
        message: MessageQuestion, entry: String? = nil, isMail: Bool = false, examples: [DraftExample] = []
    ) {
        self.message = message
        self.entry = entry
        self.isMail = isMail
        self.examples = examples
    }
}

/// A past message and the creator's reply, without anything that would identify people.
package struct DraftExample: Sendable, Equatable {
    package var asked: String
    package var answered: String

    package init(asked: String, answered: String) {
        self.asked = asked
        self.answered = answered
    }
}

/// The result of asking for a reply.
package struct Draft: Sendable, Equatable {
    /// The checked text for a person to read, edit and send; nil: there should be no reply, or the text was dropped.
    package var text: String?
    /// The ids of the library entries whose answers it gives, at most ``DraftFormat/entryLimit``.
    package var entries: [String] = []
    /// Why there should be no reply; nil: there is one, or the model did not say.
    package var none: NoDraft?
    /// Why the text was dropped.
    package var objection: DraftGuard.Objection?
    /// The text as the model wrote it, with placeholders for redacted parts; nil when it was dropped.
    var written: String?
}

/// A source of a language model's answers to one kind of question.
package protocol AnswerSource<Question, Answer>: Sendable {
    associatedtype Question: Sendable
    associatedtype Answer: Sendable

    /// One result per question, in order; never throws: a cancelled task gets `.cancelled`.
    func ask(_ questions: [Question]) async -> [Result<Answer, CallFailure>]

    /// Like ``ask(_:)``, but returns at the deadline, with `.deadline` for questions without an answer by then.
    ///
    /// The default implementation ignores the deadline.
    func ask(
        _ questions: [Question], until deadline: ContinuousClock.Instant?
    ) async -> [Result<Answer, CallFailure>]
}

extension AnswerSource {
    package func ask(
        _ questions: [Question], until deadline: ContinuousClock.Instant?
    ) async -> [Result<Answer, CallFailure>] {
        await ask(questions)
    }
}
