internal import TriageCore

/// An amount found in a text, before it is turned into the offer.
struct MoneyFind: Equatable {
    /// What the amount is to the creator.
    enum Role: Equatable {
        /// Offered, in words that say so.
        case offer
        /// No word says what it is.
        case plain
        /// The creator, or anyone, would pay it.
        case price
        /// What a product or a company is worth.
        case worth
        /// Earnings of somebody, prizes, funding.
        case revenue
        case owedToCreator
        case owedByCreator
        case percent
    }

    /// In the currency's main unit; the middle of a range.
    var value: Double
    var currency: Currency?
    var role = Role.plain
    /// How often it is paid; 1 when it is paid once.
    var count = 1.0
    /// Whether it adds to the amount before it ("+ €500", "plus").
    var isAdded = false
    /// Offsets in the folded text.
    var start: Int
    var end: Int

    /// Over the whole deal.
    var total: Double { value * count }
}

/// Finds amounts of money in a folded text and tells what they are to the creator.
///
/// Linear in the text; at most ``limit`` amounts are kept.
struct MoneyFinder {
    static let limit = 32

    let text: MessageText
    let table: WordIndex

    /// Adds the amounts in order of their place.
    ///
    /// - Parameter candidates: words with digits, and words that trigger.
    func find(at candidates: [Int32], into finds: inout [MoneyFind]) {
        var end = 0
        for candidate in candidates where finds.count < Self.limit {
            let i = Int(candidate)
            guard text.start(i) >= end else { continue }
            guard var found = text.tokens[i].flags.contains(.digits) ? number(at: i) : words(at: i) else { continue }
            found.isAdded = finds.last.map { isAdded(found, to: $0) } ?? false
            if found.role != .percent { MoneyContext(text: text, table: table).judge(&found) }
            end = found.end
            finds.append(found)
        }
    }

    private func info(_ token: Int) -> WordInfo {
        token >= 0 && token < text.tokens.count ? table.info(text.tokens[token].hash) : WordInfo()
    }

    // MARK: - Amounts in digits

    /// A number with what stands around it.
    private struct Quantity {
        var value: Double
        var end: Int
        var hasMagnitude: Bool
        var currency: Currency?
        var hasCurrency = false
        var plain: Double
        var number: NumberReader
    }

    private func number(at token: Int) -> MoneyFind? {
        let from = text.start(token)
        let word = text.word(token)
        guard let skip = word.firstIndex(where: isDigit) else { return nil }
        let digits = from + skip
        let before = text.byte(from - 1)
        // Parts of handles, links, codes and times are no amounts.
        if before == 0x23 || before == 0x5F || before == 0x40 || before == 0x3A && isDigit(text.byte(from - 2)) {
            return nil
        }
        var start = digits
        var currency: Currency?
        var hasCurrency = false
        if let (found, at) = currencyBefore(digits, token: token, skip: skip) {
            currency = found
            hasCurrency = true
            start = at
        } else if skip > 0 {
            return nil
        }
        guard var first = quantity(at: digits, hasCurrency: hasCurrency) else { return nil }
        if text.byte(first.end) == 0x3A, isDigit(text.byte(first.end + 1)) { return nil }
        if let end = percentEnd(first.end) {
            return MoneyFind(value: first.value, currency: nil, role: .percent, start: digits, end: end)
        }
        if first.hasCurrency, !hasCurrency {
            currency = first.currency
            hasCurrency = true
        }
        if hasCurrency, let refined = refinedDollar(currency, at: first.end) { currency = refined }
        var value = first.value
        if let second = rangeEnd(behind: first, token: token) {
            if second.isPercent {
                return MoneyFind(
                    value: (first.value + second.quantity.value) / 2, currency: nil, role: .percent, start: digits,
                    end: second.quantity.end)
            }
            let other = second.quantity
            if other.hasMagnitude, !first.hasMagnitude, first.plain < other.plain * 1.5, first.plain < 1000 {
                value = first.plain * (other.value / max(other.plain, 1e-9))
            }
            if other.hasCurrency || hasCurrency, other.value >= value {
                if !hasCurrency {
                    currency = other.currency
                    hasCurrency = true
                }
                value = (value + other.value) / 2
                first.end = other.end
                first.hasMagnitude = first.hasMagnitude || other.hasMagnitude
            } else if !hasCurrency, other.value > value, isBare(first, token: token, end: other.end) {
                return MoneyFind(value: (value + other.value) / 2, currency: nil, start: start, end: other.end)
            }
        }
        if !hasCurrency {
            guard isBare(first, token: token, end: first.end) else { return nil }
        }
        guard value > 0, value < 1e12 else { return nil }
        return MoneyFind(value: value, currency: currency, start: start, end: first.end)
    }

    /// Number, magnitude and the currency behind it.
    private func quantity(at digits: Int, hasCurrency: Bool) -> Quantity? {
        guard let number = NumberReader(text, at: digits) else { return nil }
        var result = Quantity(
            value: number.value, end: number.end, hasMagnitude: false, plain: number.value, number: number)
        readMagnitude(&result, hasCurrency: hasCurrency)
        if !hasCurrency, let (currency, end) = currencyAfter(result.end, result) {
            result.currency = currency
            result.hasCurrency = true
            result.end = end
        }
        return result
    }

    private func readMagnitude(_ result: inout Quantity, hasCurrency: Bool) {
        let end = result.end
        if text.byte(end) >= 0xE0 {
            for (literal, power) in Self.eastern where text.has(literal, at: end) {
                result.value *= pow10(power)
                result.end = end + literal.utf8CodeUnitCount
                result.hasMagnitude = true
                return
            }
        }
        let isAttached = isWordByte(text.byte(end))
        let from = isAttached ? end : text.byte(end) == 0x20 ? end + 1 : -1
        guard from >= 0, from < text.bytes.count, isWordByte(text.byte(from)), !isDigit(text.byte(from)) else { return }
        var to = from
        while isWordByte(text.byte(to)), !isDigit(text.byte(to)) { to += 1 }
        guard !isDigit(text.byte(to)) else { return }
        let word = UnsafeBufferPointer(rebasing: text.bytes[from..<to])
        let info = table.info(TextFolder.hash(word))
        guard info.roles.contains(.magnitude) else { return }
        let isLetter = to - from == 1
        // "5 m" and "10m" are meters or minutes unless money is named.
        if info.magnitude == 6, to - from <= 2, !hasCurrency, currencyAfter(to, result) == nil { return }
        if isLetter, !isAttached, info.magnitude != 3, !hasCurrency { return }
        // "5 mm", "2 cr" and the like need their money too.
        if info.magnitude == 7, to - from <= 2, !hasCurrency, currencyAfter(to, result) == nil { return }
        result.value *= pow10(Double(info.magnitude))
        result.end = to
        result.hasMagnitude = true
    }

    private static let eastern: [(StaticString, Double)] = [("万", 4), ("萬", 4), ("億", 8), ("千", 3), ("만", 4)]
    private static let easternCurrencies: [(StaticString, Currency)] = [
        ("円", Currency("JPY")), ("元", Currency("CNY")), ("ドル", Currency("USD")), ("ユーロ", Currency("EUR")),
        ("ポンド", Currency("GBP")), ("원", Currency("KRW")), ("달러", Currency("USD")), ("บาท", Currency("THB")),
        ("美元", Currency("USD")), ("欧元", Currency("EUR")),
    ]
    private static let dollarsBehind: [(StaticString, Currency)] = [
        ("cad", Currency("CAD")), ("can", Currency("CAD")), ("ca", Currency("CAD")), ("aud", Currency("AUD")),
        ("mxn", Currency("MXN")), ("nzd", Currency("NZD")), ("sgd", Currency("SGD")), ("hkd", Currency("HKD")),
    ]
    private static let weights = WordSet(
        "lose lost losing gain gained weigh weighs weight heavy dumbbell dumbbells drop shed lift lifted "
            + "plates overweight")
    private static let percents: [StaticString] = [
        " percent", " prozent", " per cent", " por ciento", " por cento", " pour cent", " per cento", " процент",
    ]

    private func pow10(_ power: Double) -> Double {
        var result = 1.0
        for _ in 0..<Int(power) { result *= 10 }
        return result
    }

    private static let symbols: [(StaticString, Currency)] = [
        ("€", Currency("EUR")), ("£", Currency("GBP")), ("¥", Currency("JPY")), ("₹", Currency("INR")),
        ("₽", Currency("RUB")), ("₩", Currency("KRW")), ("₺", Currency("TRY")), ("₦", Currency("NGN")),
        ("₱", Currency("PHP")), ("₫", Currency("VND")), ("₴", Currency("UAH")), ("₪", Currency("ILS")),
        ("฿", Currency("THB")), ("₵", Currency("GHS")), ("﷼", Currency("SAR")),
    ]

    /// Longest first; behind all of them a bare `$`.
    private static let dollars: [(StaticString, Currency)] = [
        ("us$", Currency("USD")), ("u$s", Currency("USD")), ("ca$", Currency("CAD")), ("au$", Currency("AUD")),
        ("nz$", Currency("NZD")), ("hk$", Currency("HKD")), ("mx$", Currency("MXN")), ("nt$", Currency("TWD")),
        ("sg$", Currency("SGD")), ("r$", Currency("BRL")), ("c$", Currency("CAD")), ("a$", Currency("AUD")),
        ("s$", Currency("SGD")), ("usd$", Currency("USD")), ("us $", Currency("USD")), ("$", Currency("USD")),
    ]

    /// The currency directly before a number (or one blank away), and where it starts.
    private func currencyBefore(_ digits: Int, token: Int, skip: Int) -> (Currency?, Int)? {
        var at = digits
        if skip == 0, text.byte(at - 1) == 0x20 { at -= 1 }
        let last = text.byte(at - 1)
        if last == 0x24 {
            for (literal, currency) in Self.dollars where text.has(literal, before: at) {
                let start = at - literal.utf8CodeUnitCount
                // "plus$" ends in "s$" by accident.
                if literal.utf8CodeUnitCount > 1, isWordByte(text.byte(start - 1)) { continue }
                return (currency, start)
            }
        }
        if last >= 0x80 {
            for (literal, currency) in Self.symbols where text.has(literal, before: at) {
                return (currency, at - literal.utf8CodeUnitCount)
            }
        }
        if skip > 0 {
            let word = UnsafeBufferPointer(rebasing: text.bytes[(digits - skip)..<digits])
            let info = table.info(TextFolder.hash(word))
            guard info.roles.contains(.currencyPrefix) else { return nil }
            return (FactWords.currencies[Int(info.currency)].code, digits - skip)
        }
        // "rs. 500", "eur 2,800", "usd: 500"
        if last == 0x2E || last == 0x3A { at -= 1 }
        guard token > 0, text.end(token - 1) == at else { return nil }
        let info = info(token - 1)
        guard info.roles.contains(.currencyPrefix) else { return nil }
        return (FactWords.currencies[Int(info.currency)].code, text.start(token - 1))
    }

    /// The currency behind a number, and where it ends.
    private func currencyAfter(_ end: Int, _ quantity: Quantity) -> (Currency?, Int)? {
        var at = end
        if text.byte(at) == 0x20 || text.byte(at) == 0x2D && !isDigit(text.byte(at + 1)) { at += 1 }
        let first = text.byte(at)
        if first == 0x24 {
            // In "5 $300" the sign belongs to what follows.
            if isDigit(text.byte(at + 1)) { return nil }
            return (refinedDollar(Currency("USD"), at: at + 1) ?? Currency("USD"), at + 1)
        }
        if first == 0x75, text.has("us$", at: at) { return (Currency("USD"), at + 3) }
        if first == 0x72, text.has("r$", at: at), !isDigit(text.byte(at + 2)) { return (Currency("BRL"), at + 2) }
        if first >= 0x80 {
            for (literal, currency) in Self.symbols where text.has(literal, at: at) {
                let next = at + literal.utf8CodeUnitCount
                if isDigit(text.byte(next)) { return nil }
                return (currency, next)
            }
            for (literal, currency) in Self.easternCurrencies where text.has(literal, at: at) {
                return (currency, at + literal.utf8CodeUnitCount)
            }
        }
        guard isWordByte(first), !isDigit(first) else { return nil }
        var to = at
        while isWordByte(text.byte(to)), to - at < 32 { to += 1 }
        // "30p a word": pence, and only with a rate behind it.
        if to - at == 1, first == 0x70, at == end, !quantity.hasMagnitude,
            text.has(" a ", at: to) || text.has(" per ", at: to) || text.has("/", at: to)
        {
            return (Currency("GBX"), to)
        }
        let info = table.info(TextFolder.hash(UnsafeBufferPointer(rebasing: text.bytes[at..<to])))
        guard info.currency != 0 else { return nil }
        if info.roles.contains(.weakCurrency) {
            let isRuble = text.has("р", at: at)
            guard quantity.hasMagnitude || isRuble else { return nil }
        }
        // "5 m" lost: kilograms' cousins.
        if text.has("pounds", at: at), isWeight(around: at) { return nil }
        if text.has("us", at: to + 1), !isWordByte(text.byte(to + 3)), text.has("$", at: to + 3) {
            return (Currency("USD"), to + 4)
        }
        // "dolares canadienses", "canadian dollars" stay US dollars: a few per cent of a band.
        return (FactWords.currencies[Int(info.currency)].code, to)
    }

    /// `$ CA`, `$ US`, `$ CAD` behind an amount in dollars.
    private func refinedDollar(_ currency: Currency?, at end: Int) -> Currency? {
        guard currency == Currency("USD") else { return nil }
        let at = text.byte(end) == 0x20 ? end + 1 : end
        guard isLetter(text.byte(at)) else { return nil }
        for (literal, refined) in Self.dollarsBehind where text.has(literal, at: at) {
            // "can" is French for Canadian dollars only at the end of a clause.
            let next = text.byte(at + literal.utf8CodeUnitCount)
            if isWordByte(next) || literal.utf8CodeUnitCount == 3 && next == 0x20 && text.has("can", at: at) {
                continue
            }
            return refined
        }
        return nil
    }

    private func isWeight(around at: Int) -> Bool {
        let token = text.firstToken(from: at)
        for i in max(0, token - 6)..<min(text.tokens.count, token + 4) {
            if Self.weights.contains(hash: text.tokens[i].hash) { return true }
        }
        return false
    }

    private func percentEnd(_ end: Int) -> Int? {
        if text.byte(end) == 0x25 { return end + 1 }
        if text.byte(end) == 0x20, text.byte(end + 1) == 0x25 { return end + 2 }
        // All of them begin with a Latin or Cyrillic p.
        guard text.byte(end) == 0x20, text.byte(end + 1) == 0x70 || text.byte(end + 1) == 0xD0 else { return nil }
        for word in Self.percents where text.has(word, at: end) { return end + word.utf8CodeUnitCount }
        return nil
    }

    /// The second number of a range.
    private func rangeEnd(behind first: Quantity, token: Int) -> (quantity: Quantity, isPercent: Bool)? {
        var at = first.end
        if text.byte(at) == 0x20 { at += 1 }
        if text.byte(at) == 0x2D || text.byte(at) == 0x7E {
            at += 1
        } else {
            let next = text.firstToken(from: at)
            guard next < text.tokens.count, text.start(next) == at, at > first.end else { return nil }
            let word = info(next)
            guard word.roles.contains(.rangeJoin) else { return nil }
            if word.roles.contains(.plus), !isBetween(before: token) { return nil }
            at = text.end(next)
        }
        if text.byte(at) == 0x20 { at += 1 }
        var hasCurrency = false
        var currency: Currency?
        if text.byte(at) >= 0x80 {
            for (literal, found) in Self.symbols where text.has(literal, at: at) {
                at += literal.utf8CodeUnitCount
                currency = found
                hasCurrency = true
                break
            }
        } else if !isDigit(text.byte(at)) {
            for (literal, found) in Self.dollars where text.has(literal, at: at) {
                at += literal.utf8CodeUnitCount
                currency = found
                hasCurrency = true
                break
            }
        }
        if text.byte(at) == 0x20 { at += 1 }
        if !hasCurrency {
            let next = text.firstToken(from: at)
            if next < text.tokens.count, text.start(next) == at, info(next).roles.contains(.currencyPrefix) {
                currency = FactWords.currencies[Int(info(next).currency)].code
                hasCurrency = true
                at = text.end(next) + (text.byte(text.end(next)) == 0x20 ? 1 : 0)
            }
        }
        guard isDigit(text.byte(at)), var second = quantity(at: at, hasCurrency: hasCurrency) else { return nil }
        if hasCurrency {
            second.currency = currency
            second.hasCurrency = true
        }
        if let end = percentEnd(second.end) {
            second.end = end
            return (second, true)
        }
        if first.plain <= 31, second.plain <= 31, !second.hasMagnitude, !second.hasCurrency, !first.hasCurrency {
            return nil
        }
        return (second, false)
    }

    private func isBetween(before token: Int) -> Bool {
        for i in max(0, token - 4)..<token where info(i).roles.contains(.between) { return true }
        return false
    }

    /// Whether a number without currency is money by the words around it.
    private func isBare(_ quantity: Quantity, token: Int, end: Int) -> Bool {
        let before = text.byte(text.start(token) - 1)
        guard before == 0x20 || before == 0 || before == 0x3A || before == 0x28 else { return false }
        if !quantity.hasMagnitude {
            guard quantity.value >= 50, quantity.value < 1e7 else { return false }
            // Years and long numbers.
            if !quantity.number.hasSeparator, (1990...2050).contains(quantity.value) { return false }
            if !quantity.number.hasSeparator, quantity.number.wholeDigits > 6 { return false }
        }
        let next = text.firstToken(from: end)
        if text.byte(end) == 0x2F || text.byte(end) == 0x2D { return false }
        if next < text.tokens.count, text.start(next) - end <= 1 {
            let after = info(next)
            let isRate = after.roles.contains(.per) && !after.roles.contains(.notMoney)
            if !isRate, !after.roles.isDisjoint(with: [.notMoney, .countable, .unit, .month, .weakMonth]) {
                return false
            }
            if text.tokens[next].flags.contains(.digits) { return false }
        }
        if text.byte(end) == 0x25 { return false }
        // "We can pay 500", "budget 3-4 k", "our budget is around 1500".
        var distance = 0
        var i = token - 1
        while i >= 0, distance < 4, !text.breaks(from: i, to: token) {
            let roles = info(i).roles
            if roles.contains(.offer) {
                // A noun behind the number would make it a count of something.
                return true
            }
            if !roles.isDisjoint(with: [.countable, .deadlinePreposition]) { return false }
            i -= 1
            distance += 1
        }
        return false
    }

    // MARK: - Amounts in words

    /// "four figures", "mid-five-figure", "two thousand dollars".
    private func words(at token: Int) -> MoneyFind? {
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
            if word.roles.contains(.magnitude), word.magnitude >= 2 {
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
            value: value, currency: FactWords.currencies[Int(info.currency)].code, start: text.start(first),
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
                currency = FactWords.currencies[Int(next.currency)].code
                break
            }
        }
        return MoneyFind(value: value, currency: currency, start: text.start(first), end: text.end(token))
    }

    /// Whether an amount adds to the one before it.
    private func isAdded(_ find: MoneyFind, to previous: MoneyFind) -> Bool {
        guard find.start >= previous.end, find.start - previous.end < 60, find.role != .percent else { return false }
        if text.has("+", in: previous.end..<find.start) { return true }
        for i in text.firstToken(from: previous.end)..<text.tokens.count where text.start(i) < find.start {
            let start = text.start(i)
            if text.has("plus", at: start), text.tokens[i].count == 4 { return true }
            if text.has("zuzuglich", at: start) { return true }
        }
        return false
    }
}
