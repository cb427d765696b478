/// What `triage.yaml` and flags decide; every key has a default.
public struct Settings: Sendable, Equatable {
    /// Maxima of the opportunity parts; whole numbers that add to 100.
    public var opportunity = OpportunityMaxima()
    public var thresholds = Thresholds()
    public var exchange = ExchangeRates.shipped
    /// The questions that are left to the statistical model, as `methods:` says; the others are for the rules.
    public var modelHeads = Set(ModelHead.allCases)
    /// Which questions are answered and printed; empty: all.
    public var questions: Set<Question> = []
    /// Handles, names or addresses that are the creator's own (`--me`).
    public var ownIdentities: [String] = []
    /// How many reasons an answer prints; `explain` shows all.
    public var evidenceLimit = 8

    public init() {}
}

/// The questions a message is asked.
public enum Question: String, Sendable, CaseIterable {
    case language, category, sentiment, urgency, opportunity, faq, injection, draft, priority
}

/// How many points each part of an opportunity may give.
public struct OpportunityMaxima: Sendable, Equatable {
    public var monetary = 40
    public var brandFit = 30
    public var legitimacy = 20
    public var urgency = 10
    public init() {}
}

/// Where answers become `high`, `medium` or `low`, and when an FAQ entry is offered.
public struct Thresholds: Sendable, Equatable {
    public var categoryHigh: Float = 0.9
    public var categoryMedium: Float = 0.7
    public var sentimentHigh: Float = 0.8
    public var sentimentMedium: Float = 0.6
    /// nil: ½ by the rules, by the model what its training chose.
    public var urgent: Float?
    public var injection: Float?
    public var faqHigh: Float = 0.84
    public var faqPossible: Float = 0.4
    public init() {}
}

/// Units of a currency that one US dollar buys, on a date; never fetched.
public struct ExchangeRates: Sendable, Equatable {
    /// The day the table is of, `YYYY-MM-DD`.
    public var date: String
    public var perUSD: [Currency: Double]

    public init(date: String, perUSD: [Currency: Double]) {
        self.date = date
        self.perUSD = perUSD
    }

    /// Rounded rates of 2026-10: good to a few per cent, which is what a band of the rubric needs.
    public static let shipped = ExchangeRates(
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
