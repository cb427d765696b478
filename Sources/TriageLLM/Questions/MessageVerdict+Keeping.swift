import TriageCore

/// How a verdict is kept in a cache: JSON of ours, the same bytes for equal verdicts.
extension MessageVerdict {
    /// Raised when a field changes its meaning: what was kept before is then asked for again.
    private static let version = 1

    private static let kinds: [(UrgencyAnswer.Kind, String)] = [
        (.none, "none"), (.selfHarm, "self_harm"), (.threat, "threat"), (.account, "account"),
        (.impersonation, "impersonation"), (.legal, "legal"), (.deadline, "deadline"), (.other, "other"),
    ]

    /// Compact JSON; holds no text of the message, only labels, figures, and an id of the creator's library.
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

    /// Reads ``kept`` back, and checks it as if a model had just said it.
    ///
    /// - Parameter candidates: ids that may be named; nil: any.
    /// - Returns: nil for what is not exactly as it was written: damaged, foreign, or of another version.
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
        // Whatever else was there, or was written otherwise, is not ours.
        guard kept == bytes else { return nil }
    }
}

extension MessageVerdict {
    /// Reads what was kept for long: an entry that is not among `candidates` any more is left out.
    init?(kept bytes: [UInt8], asOf candidates: [String]) {
        self.init(kept: bytes, candidates: nil)
        if let id = faq, !candidates.contains(id) { faq = nil }
    }
}

extension OfferVerdict {
    /// 0001-01-01 to 9999-12-31: what a date can be.
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
