package import TriageCore

/// Formats amounts of money for people and tables.
package enum MoneyText {
    /// The amount and its currency: `5000 USD`.
    ///
    /// Without a currency, only the number; cents only if they are not zero.
    package static func plain(_ money: MoneyAmount) -> String {
        let number = digits(money.amount, grouped: false)
        return money.currency.map { "\(number) \($0.code)" } ?? number
    }

    /// A short form: `$5,000`, `€800`, `40,000 INR`.
    package static func short(_ money: MoneyAmount) -> String {
        let number = digits(money.amount, grouped: true)
        switch money.currency?.code {
        case "USD": return "$" + number
        case "EUR": return "€" + number
        case "GBP": return "£" + number
        case let code?: return "\(number) \(code)"
        case nil: return number
        }
    }

    /// A whole number with thousands separators.
    package static func count(_ number: Int) -> String { digits(Double(number), grouped: true) }

    private static func digits(_ amount: Double, grouped: Bool) -> String {
        guard amount.isFinite else { return "0" }
        let cents = Int64((min(max(amount, 0), 1e15) * 100).rounded())
        var whole = String(cents / 100)
        if grouped {
            var place = whole.count - 3
            while place > 0 {
                whole.insert(",", at: whole.index(whole.startIndex, offsetBy: place))
                place -= 3
            }
        }
        let rest = cents % 100
        return rest == 0 ? whole : whole + (rest < 10 ? ".0\(rest)" : ".\(rest)")
    }
}

/// Formats amounts of money so that every reader of JSON and of metrics understands them.
package enum DecimalText {
    /// Six decimal places at most, and at least one.
    package static func dollars(_ amount: Double) -> String {
        guard amount.isFinite else { return "0" }
        let millionths = Int(min(max(amount, 0), 1e12) * 1e6 + 0.5)
        var places = String(millionths % 1_000_000)
        places = String(repeating: "0", count: 6 - places.count) + places
        while places.count > 1, places.last == "0" { places.removeLast() }
        return "\(millionths / 1_000_000).\(places)"
    }
}
