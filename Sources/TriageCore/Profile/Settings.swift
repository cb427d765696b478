/// What `triage.yaml` and flags set; every key has a default.
package struct Settings: Sendable, Equatable {
    /// Maxima of the four opportunity parts; integers that add up to 100.
    package var opportunity = OpportunityMaxima()
    package var thresholds = Thresholds()
    package var exchange = ExchangeRates.shipped
    /// The questions answered by the statistical model, as `methods:` says; the rules answer the others.
    package var modelHeads = Set(ModelHead.allCases)
    /// The questions that the sentence encoder answers, too, as `methods: {faq: encoder}` says.
    package var encoder = EncoderUse()
    /// Which questions are put to a language model, if one is configured.
    package var escalation = Escalation()
    /// The questions that are answered and printed; empty: all.
    package var questions: Set<Question> = []
    /// The creator's own handles, names or addresses (`--me`).
    package var ownIdentities: [String] = []
    /// How many reasons an answer prints; `explain` shows all.
    package var evidenceLimit = 8

    package init() {}
}

/// Which questions the sentence encoder answers beside the cheaper methods.
package struct EncoderUse: Sendable, Equatable {
    package var faq = true
    /// nil: only for a known creator, because thousands of messages would take minutes instead of a second.
    package var sentiment: Bool?
    package var urgency: Bool?

    package init() {}

    /// With none of the answers left open.
    ///
    /// - Parameter isCreatorKnown: whether there is a profile or a library of answers.
    package func settled(isCreatorKnown: Bool) -> (sentiment: Bool, urgency: Bool) {
        (sentiment ?? isCreatorKnown, urgency ?? isCreatorKnown)
    }
}

/// Which answers a language model gives, and when.
///
/// The offline answer always comes first. `cascade` asks the model when the calibrated confidence of that answer is
/// below a threshold; `always` asks for every message. One request covers all questions, so the model is asked about a
/// message as soon as one question needs it.
package struct Escalation: Sendable, Equatable {
    package enum Mode: Sendable, Equatable { case never, cascade, always }

    package var category = Mode.cascade
    package var sentiment = Mode.cascade
    package var urgency = Mode.cascade
    package var opportunity = Mode.cascade
    package var faq = Mode.cascade
    /// `cascade`: offers worth a look and questions without an FAQ entry; `always`: every message that gets a draft.
    package var draft = Mode.never

    /// The confidence below which the model is asked, by question.
    ///
    /// For urgency: how close the score must be to the threshold of "urgent". For the FAQ: the confidence of a match.
    package var categoryBelow: Float = 0.8
    package var sentimentBelow: Float = 0.5
    package var urgencyWithin: Float = 0.15
    package var faqBelow: Float = 0

    package init() {}

    /// Whether the model is asked any question other than the draft.
    package var asks: Bool { [category, sentiment, urgency, opportunity, faq].contains { $0 != .never } }

    /// Whether a run that prints these questions asks a model; an empty set means all questions.
    package func asksAnything(_ questions: Set<Question>) -> Bool {
        if draft != .never, questions.isEmpty || questions.contains(.draft) { return true }
        return asks && (questions.isEmpty || questions.contains(where: \.needsLLM))
    }
}

/// The questions that are answered for each message.
package enum Question: String, Sendable, CaseIterable {
    case language, category, sentiment, urgency, opportunity, faq, injection, campaign, draft, priority

    /// Whether an LLM may answer it, or something that it is computed from; the others are always answered offline.
    package var needsLLM: Bool {
        switch self {
        case .category, .sentiment, .urgency, .opportunity, .faq, .draft, .priority: true
        case .language, .injection, .campaign: false
        }
    }
}

/// The maximum number of points for each part of an opportunity.
package struct OpportunityMaxima: Sendable, Equatable {
    package var monetary = 40
    package var brandFit = 30
    package var legitimacy = 20
    package var urgency = 10
    package init() {}
}

/// Where confidence becomes `high` or `medium`, and from which confidence an FAQ entry is offered.
package struct Thresholds: Sendable, Equatable {
    package var categoryHigh: Float = 0.9
    package var categoryMedium: Float = 0.7
    package var sentimentHigh: Float = 0.8
    package var sentimentMedium: Float = 0.6
    /// nil: ½ for the rules; for the model, the threshold that its training chose.
    package var urgent: Float?
    package var injection: Float?
    package var faqHigh: Float = 0.84
    package var faqPossible: Float = 0.4
    package init() {}
}

/// How many units of a currency one US dollar buys, on a given date; never fetched from the network.
package struct ExchangeRates: Sendable, Equatable {
    /// The date of the table, `YYYY-MM-DD`.
    package var date: String
    package var perUSD: [Currency: Double]

    /// Converts to US dollars; without a currency, or with one that is not in the table, returns the number unchanged.
    package func usd(_ amount: Double, _ currency: Currency?) -> Double {
        guard let currency else { return amount }
        if let rate = perUSD[currency], rate > 0 { return amount / rate }
        return currency == Currency("XOF") ? amount / 565 : amount
    }

    /// Rounded rates of 2026-10, good to a few per cent: enough for the bands of the rubric.
    package static let shipped = ExchangeRates(
        date: "2026-10-01",
        perUSD: [
            Currency("USD"): 1, Currency("EUR"): 0.86, Currency("GBP"): 0.75, Currency("CHF"): 0.8,
            Currency("CAD"): 1.39, Currency("AUD"): 1.52, Currency("NZD"): 1.72, Currency("JPY"): 150,
            Currency("CNY"): 7.1, Currency("HKD"): 7.8, Currency("SGD"): 1.29, Currency("INR"): 88,
            Currency("BRL"): 5.4, Currency("MXN"): 18.4, Currency("ARS"): 1400, Currency("CLP"): 950,
            Currency("COP"): 3900, Currency("PEN"): 3.5, Currency("SEK"): 9.4, Currency("NOK"): 10,
            Currency("DKK"): 6.4, Currency("PLN"): 3.65, Currency("CZK"): 21, Currency("HUF"): 335,
            Currency("RON"): 4.35, Currency("TRY"): 42, Currency("RUB"): 81, Currency("UAH"): 42,
            Currency("ILS"): 3.3, Currency("AED"): 3.67, Currency("SAR"): 3.75, Currency("EGP"): 47.5,
            Currency("MAD"): 9.1, Currency("ZAR"): 17.3, Currency("NGN"): 1460, Currency("KES"): 129,
            Currency("GHS"): 11, Currency("KRW"): 1430, Currency("IDR"): 16600, Currency("MYR"): 4.2,
            Currency("THB"): 32.5, Currency("PHP"): 58, Currency("VND"): 26300, Currency("PKR"): 281,
            Currency("BDT"): 122, Currency("LKR"): 303, Currency("TWD"): 30.7,
        ])
}
