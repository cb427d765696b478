internal import TriageCore

/// Amounts in words.
extension MoneyFinder {
    /// "four figures", "mid-five-figure", "two thousand dollars".
    func words(at token: Int) -> MoneyFind? {
        let info = info(token)
        if info.roles.contains(.figures) { return figures(at: token) }
        guard info.currency != 0, token > 0 else { return nil }
        var value = 0.0
        var factor = 1.0
        var hasMagnitude = false
        var first = token
        var i = token - 1
        while i >= 0, token - i <= 5, !text.breaks(from: i, to: token), !text.tokens[i].flags.contains(.digits) {
            let word = self.info(i)
            // "cinq cents euros": only before a currency, for cents are none elsewhere.
            let isCents = i == token - 1 && text.tokens[i].count == 5 && text.has("cents", at: text.start(i))
            if isCents, i > 0, self.info(i - 1).number > 1 {
                value += Double(self.info(i - 1).number) * 100
                hasMagnitude = true
                first = i - 1
                i -= 1
            } else if word.roles.contains(.magnitude), word.magnitude >= 2 {
                if text.tokens[i].count == 1 { break }
                factor =
                    hasMagnitude && factor < pow10(Double(word.magnitude))
                    ? pow10(Double(word.magnitude)) : factor * pow10(Double(word.magnitude))
                hasMagnitude = true
                first = i
                if i == 0 || !self.info(i - 1).roles.contains(.number) || self.info(i - 1).number == 0 {
                    value += factor
                }
            } else if word.roles.contains(.number), word.number > 0, hasMagnitude || word.number >= 200 {
                value += Double(word.number) * factor
                hasMagnitude = true
                first = i
            } else if text.has("and", at: text.start(i)), text.tokens[i].count == 3, hasMagnitude {
                // "two thousand and five hundred"
            } else {
                break
            }
            i -= 1
        }
        guard hasMagnitude, value >= 100, value < 1e12 else { return nil }
        return MoneyFind(
            value: value, currency: FactWords.currencies[Int(info.currency)], start: text.start(first),
            end: text.end(token))
    }

    private func figures(at token: Int) -> MoneyFind? {
        guard token > 0 else { return nil }
        let previous = info(token - 1)
        var digits = Int(previous.number)
        if text.tokens[token - 1].flags.contains(.digits), text.tokens[token - 1].count == 1 {
            digits = Int(text.byte(text.start(token - 1)) &- 0x30)
        }
        guard (3...7).contains(digits) else { return nil }
        var value = 3.0
        var first = token - 1
        if token > 1, info(token - 2).roles.contains(.level) {
            first = token - 2
            switch text.byte(text.start(token - 2)) {
            case 0x6C: value = 2
            case 0x6D: value = 5
            case 0x68, 0x75: value = 8
            default: break
            }
        }
        for _ in 1..<digits { value *= 10 }
        // The currency may follow: "low five figures (GBP)", "in EUR".
        var currency: Currency? = nil
        for i in (token + 1)..<max(token + 1, min(text.tokens.count, token + 4)) {
            let next = info(i)
            if next.currency != 0, !next.roles.contains(.weakCurrency) {
                currency = FactWords.currencies[Int(next.currency)]
                break
            }
        }
        return MoneyFind(value: value, currency: currency, start: text.start(first), end: text.end(token))
    }
}
