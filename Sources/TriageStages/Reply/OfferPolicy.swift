internal import TriageCore

/// What the creator does not take: terms that the profile or the library rules out, and fees far below the rates.
struct OfferPolicy: Sendable {
    /// What is offered in place of a fee.
    enum Terms: String, CaseIterable {
        case commission, gifted, unpaid
    }

    /// What a fee is beside the lowest rate of the profile.
    enum Fee { case fair, low, paltry }

    private let refused: Set<Terms>
    /// In US dollars; 0: the profile names none.
    private let leastRate, minimum: Double

    /// A fee below the creator's minimum, or below this share of the lowest rate, is declined; below the other one it gets no draft.
    private static let (paltry, low) = (0.1, 0.5)

    init(profile: CreatorProfile, library: FAQLibrary, exchange: ExchangeRates) {
        let folder = TextFolder()
        let texts = ([profile.rates, profile.voice] + library.entries.map(\.answer)).map {
            String(decoding: folder.fold($0), as: UTF8.self)
        }
        refused = Set(
            Terms.allCases.filter { terms in
                let phrases = ReplyTemplates.refusals(terms.rawValue)
                return texts.contains { text in phrases.contains { text.contains($0) } }
            })
        let rates = Self.sums(in: profile.rates)
        leastRate = rates.map { exchange.usd($0.amount, $0.currency) }.min() ?? 0
        let least = Self.sums(in: profile.minimumFee).first
        let amount = least?.amount ?? Self.number(profile.minimumFee[...]) ?? 0
        minimum = (least?.currency ?? rates.first?.currency).map { exchange.usd(amount, $0) } ?? 0
    }

    func refuses(_ terms: Terms) -> Bool { refused.contains(terms) }

    /// - Parameter usd: the fee in US dollars.
    func fee(_ usd: Double) -> Fee {
        usd < max(minimum, leastRate * Self.paltry) ? .paltry : usd < leastRate * Self.low ? .low : .fair
    }

    /// Whether a fee is far below the lowest rate.
    func isLow(_ budget: MoneyAmount?) -> Bool { budget.map { fee($0.usd) != .fair } ?? false }

    /// The sums with a currency code beside them, or its sign: "GBP 1,900", "2,400 EUR", "£350".
    static func sums(in rates: String) -> [(amount: Double, currency: Currency)] {
        let words = rates.split { $0.isWhitespace || $0 == "(" || $0 == ")" || $0 == ";" }
        return words.indices.compactMap { place in
            let word = words[place]
            let digits = word.drop { !$0.isASCII || !$0.isNumber }
            guard let amount = number(digits) else { return nil }
            let beside = [place - 1, place + 1].filter(words.indices.contains).map { words[$0] }
            let named = beside.lazy.compactMap { code($0) }.first
            return (named ?? signs[word.prefix { !$0.isNumber }]).map { (amount, $0) }
        }
    }

    private static let signs: [Substring: Currency] = [
        "$": Currency("USD"), "£": Currency("GBP"), "€": Currency("EUR"), "¥": Currency("JPY"),
        "R$": Currency("BRL"), "₹": Currency("INR"), "₺": Currency("TRY"),
    ]

    private static func code(_ word: Substring) -> Currency? {
        if word.hasPrefix("zł") { return Currency("PLN") }
        let letters = word.prefix { $0.isASCII && $0.isUppercase }
        guard letters.count == 3, word.dropFirst(3).allSatisfy(\.isPunctuation) else { return nil }
        return Currency(parsing: String(letters))
    }

    /// "1,900", "1.900", "350." and "12.50"; a sign between thousands stands before three digits.
    private static func number(_ text: Substring) -> Double? {
        let parts = text.prefix(longestNumber).prefix { $0.isASCII && ($0.isNumber || $0 == "," || $0 == ".") }
            .split { $0 == "," || $0 == "." }
        guard let first = parts.first else { return nil }
        var whole = String(first)
        for part in parts.dropFirst() {
            guard part.count == 3 else { break }
            whole += part
        }
        return Double(whole)
    }

    private static let longestNumber = 16
}
