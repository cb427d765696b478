/// What `triage.yaml` and flags decide; every key has a default.
package struct Settings: Sendable, Equatable {
    /// Maxima of the opportunity parts; whole numbers that add to 100.
    package var opportunity = OpportunityMaxima()
    package var thresholds = Thresholds()
    package var exchange = ExchangeRates.shipped
    /// The questions that are left to the statistical model, as `methods:` says; the others are for the rules.
    package var modelHeads = Set(ModelHead.allCases)
    /// The questions that the sentence encoder answers, too, as `methods: {faq: encoder}` says.
    package var encoder = EncoderUse()
    /// What is asked of a language model, if one is configured.
    package var escalation = Escalation()
    /// Which questions are answered and printed; empty: all.
    package var questions: Set<Question> = []
    /// Handles, names or addresses that are the creator's own (`--me`).
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

/// Which answers are left to a language model, and when.
///
/// The offline answer always comes first. `cascade` asks where its calibrated confidence is below a threshold; `always`
/// asks for every message. One request answers all questions, so a message is asked when any of them wants it.
package struct Escalation: Sendable, Equatable {
    package enum Mode: Sendable, Equatable { case never, cascade, always }

    package var category = Mode.cascade
    package var sentiment = Mode.cascade
    package var urgency = Mode.cascade
    package var opportunity = Mode.cascade
    package var faq = Mode.cascade
    /// `cascade`: offers worth a look and questions without an entry; `always`: whatever gets a draft.
    package var draft = Mode.never

    /// Least confidence that needs no second opinion, by question; for urgency, how far its score must be from the
    /// threshold of a yes; for the FAQ, the least confidence of a match.
    package var categoryBelow: Float = 0.8
    package var sentimentBelow: Float = 0.5
    package var urgencyWithin: Float = 0.15
    package var faqBelow: Float = 0

    package init() {}

    /// Whether any question but the draft is left to a model.
    package var asks: Bool { [category, sentiment, urgency, opportunity, faq].contains { $0 != .never } }

    /// Whether a run that prints these questions asks a model; empty: all of them.
    package func asksAnything(_ questions: Set<Question>) -> Bool {
        if draft != .never, questions.isEmpty || questions.contains(.draft) { return true }
        return asks && (questions.isEmpty || !questions.isSubset(of: [.language, .injection, .campaign]))
    }
}

/// The questions a message is asked.
package enum Question: String, Sendable, CaseIterable {
    case language, category, sentiment, urgency, opportunity, faq, injection, campaign, draft, priority
}

/// How many points each part of an opportunity may give.
package struct OpportunityMaxima: Sendable, Equatable {
    package var monetary = 40
    package var brandFit = 30
    package var legitimacy = 20
    package var urgency = 10
    package init() {}
}

/// Where answers become `high`, `medium` or `low`, and when an FAQ entry is offered.
package struct Thresholds: Sendable, Equatable {
    package var categoryHigh: Float = 0.9
    package var categoryMedium: Float = 0.7
    package var sentimentHigh: Float = 0.8
    package var sentimentMedium: Float = 0.6
    /// nil: ½ by the rules, by the model what its training chose.
    package var urgent: Float?
    package var injection: Float?
    package var faqHigh: Float = 0.84
    package var faqPossible: Float = 0.4
    package init() {}
}

/// Units of a currency that one US dollar buys, on a date; never fetched.
package struct ExchangeRates: Sendable, Equatable {
    /// The day the table is of, `YYYY-MM-DD`.
    package var date: String
    package var perUSD: [Currency: Double]

    package init(date: String, perUSD: [Currency: Double]) {
        self.date = date
        self.perUSD = perUSD
    }

    /// US dollars by the table; without a currency, or with one that is not in it, the number as it is.
    package func usd(_ amount: Double, _ currency: Currency?) -> Double {
        guard let currency else { return amount }
        if let rate = perUSD[currency], rate > 0 { return amount / rate }
        return currency == Currency("XOF") ? amount / 565 : amount
    }

    /// Rounded rates of 2026-10: good to a few per cent, which is what a band of the rubric needs.
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
