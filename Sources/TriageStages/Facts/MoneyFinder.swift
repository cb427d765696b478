internal import TriageCore

/// Finds amounts of money in a folded text and determines what they mean to the creator.
///
/// Takes time linear in the text; at most ``limit`` amounts are kept.
struct MoneyFinder {
    static let limit = 32

    let text: MessageText
    let table: WordIndex

    /// Adds the amounts in the order of their places.
    ///
    /// - Parameter candidates: words with digits, and trigger words.
    func find(at candidates: UnsafeBufferPointer<Int32>, into finds: inout [MoneyFind]) {
        var end = 0
        for candidate in candidates where finds.count < Self.limit {
            let i = Int(candidate)
            guard text.start(i) >= end else { continue }
            guard var found = text.tokens[i].flags.contains(.digits) ? number(at: i) : words(at: i) else { continue }
            found.isAdded = finds.last.map { isAdded(found, to: $0, near: i) } ?? false
            if found.role != .percent { MoneyContext(text: text, table: table).judge(&found, near: i) }
            end = found.end
            finds.append(found)
        }
        // Whether a sum is refused only matters if there is another one.
        guard finds.count > 1 else { return }
        let context = MoneyContext(text: text, table: table)
        var token = 0
        for place in finds.indices where finds[place].role != .percent {
            token = text.firstToken(from: finds[place].start, near: token)
            finds[place].isRefused = context.isRefused(finds[place], near: token)
        }
    }

    @inline(__always)
    func info(_ token: Int) -> WordInfo { table.info(text.hash(token)) }

    @inline(__always)
    func roles(_ token: Int) -> WordRoles { table.roles(text.hash(token)) }

    private func number(at token: Int) -> MoneyFind? {
        let from = text.start(token)
        let word = text.word(token)
        guard let skip = word.firstIndex(where: isDigit) else { return nil }
        let digits = from + skip
        let before = text.byte(from - 1)
        // Parts of handles, links, codes and times are not amounts.
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
        guard var first = quantity(at: digits, in: token, hasCurrency: hasCurrency) else { return nil }
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
        // "R4k" and "P15,000" are sums; "R2D2", "P4" and "R1250GS" are not.
        if skip == 1, isLetter(text.byte(from)), value < 1000 || isWordByte(text.byte(first.end)) { return nil }
        return MoneyFind(value: value, currency: currency, start: start, end: first.end)
    }

    private static let percents = MoneyPhrases.of("percent")

    private func percentEnd(_ end: Int) -> Int? {
        if text.byte(end) == 0x25 { return end + 1 }
        if text.byte(end) == 0x20, text.byte(end + 1) == 0x25 { return end + 2 }
        guard text.byte(end) == 0x20 else { return nil }
        for word in Self.percents where text.has(word, at: end + 1) { return end + 1 + word.count }
        return nil
    }

    /// Returns the second number of a range.
    private func rangeEnd(behind first: Quantity, token: Int) -> (quantity: Quantity, isPercent: Bool)? {
        var at = first.end
        if text.byte(at) == 0x20 { at += 1 }
        if text.byte(at) == 0x2D || text.byte(at) == 0x7E {
            at += 1
        } else {
            guard at > first.end else { return nil }
            let next = text.firstToken(from: at, near: token)
            guard next < text.tokens.count, text.start(next) == at else { return nil }
            let roles = roles(next)
            guard roles.contains(.rangeJoin) else { return nil }
            if roles.contains(.plus), !isBetween(before: token) { return nil }
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
        } else if !isDigit(text.byte(at)), (0..<4).contains(where: { text.byte(at + $0) == 0x24 }) {
            // The longest of them has the dollar sign as its fourth byte.
            for (literal, found) in Self.dollars where text.has(literal, at: at) {
                at += literal.utf8CodeUnitCount
                currency = found
                hasCurrency = true
                break
            }
        }
        if text.byte(at) == 0x20 { at += 1 }
        if !hasCurrency, !isDigit(text.byte(at)) {
            let next = text.firstToken(from: at, near: token)
            if next < text.tokens.count, text.start(next) == at, roles(next).contains(.currencyPrefix) {
                currency = FactWords.currencies[Int(info(next).currency)]
                hasCurrency = true
                at = text.end(next) + (text.byte(text.end(next)) == 0x20 ? 1 : 0)
            }
        }
        guard isDigit(text.byte(at)), var second = quantity(at: at, in: token, hasCurrency: hasCurrency) else {
            return nil
        }
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
        for i in max(0, token - 4)..<token where roles(i).contains(.between) { return true }
        return false
    }

    /// Whether the words around a number without a currency show that it is money.
    private func isBare(_ quantity: Quantity, token: Int, end: Int) -> Bool {
        let before = text.byte(text.start(token) - 1)
        guard before == 0x20 || before == 0 || before == 0x3A || before == 0x28 else { return false }
        if !quantity.hasMagnitude {
            guard quantity.value >= 50, quantity.value < 1e7 else { return false }
            // Excludes years and long numbers.
            if !quantity.number.hasSeparator, (1990...2050).contains(quantity.value) { return false }
            if !quantity.number.hasSeparator, quantity.number.wholeDigits > 6 { return false }
        }
        let next = text.firstToken(from: end, near: token)
        if text.byte(end) == 0x2F || text.byte(end) == 0x2D { return false }
        if next < text.tokens.count, text.start(next) - end <= 1 {
            let after = roles(next)
            let isRate = after.contains(.per) && !after.contains(.notMoney)
            if !isRate, !after.isDisjoint(with: [.notMoney, .countable, .unit, .month, .weakMonth]) {
                return false
            }
            if text.tokens[next].flags.contains(.digits) { return false }
        }
        if text.byte(end) == 0x25 { return false }
        if isPriceOfThing(next, end: end) { return true }
        // "We can pay 500", "budget 3-4 k", "our budget is around 1500".
        var distance = 0
        var i = token - 1
        while i >= 0, distance < 4, !text.breaks(from: i, to: token) {
            let roles = roles(i)
            if roles.contains(.offer) {
                // A noun after the number would make it a count of something.
                return true
            }
            if !roles.isDisjoint(with: [.countable, .deadlinePreposition]) { return false }
            i -= 1
            distance += 1
        }
        return false
    }

    private static let forThing = MoneyPhrases.of("for-thing")

    /// Whether a thing to be made follows its price: "400 for one reel", "36 mil por un reel".
    private func isPriceOfThing(_ next: Int, end: Int) -> Bool {
        guard next < text.tokens.count, text.byte(end) == 0x20, text.start(next) == end + 1,
            Self.forThing.contains(where: { text.has($0, at: text.start(next)) })
        else { return false }
        var i = next + 1
        while i < text.tokens.count, i - next <= 4, !text.breaks(before: i) {
            if roles(i).contains(.countable), info(i).unit == .none { return true }
            i += 1
        }
        return false
    }

    /// Whether an amount adds to the one before it.
    private func isAdded(_ find: MoneyFind, to previous: MoneyFind, near token: Int) -> Bool {
        guard find.start >= previous.end, find.start - previous.end < 60, find.role != .percent else { return false }
        if text.has("+", in: previous.end..<find.start) { return true }
        var i = text.firstToken(from: previous.end, near: token)
        while i < text.tokens.count, text.start(i) < find.start {
            let start = text.start(i)
            if text.has("plus", at: start), text.tokens[i].count == 4 { return true }
            if text.has("zuzuglich", at: start) { return true }
            i += 1
        }
        return false
    }
}

/// Amounts written in words.
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
            // "cinq cents euros": only before a currency, because elsewhere "cents" is a coin.
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

/// Numbers with their magnitudes and currencies.
extension MoneyFinder {
    /// A number together with its context.
    struct Quantity {
        var value: Double
        var end: Int
        var hasMagnitude: Bool
        var currency: Currency?
        var hasCurrency = false
        var plain: Double
        var number: NumberReader
    }

    /// Reads a number, its magnitude and the currency after it.
    ///
    /// - Parameter token: a word close to the number.
    func quantity(at digits: Int, in token: Int, hasCurrency: Bool) -> Quantity? {
        guard let number = NumberReader(text, at: digits) else { return nil }
        var result = Quantity(
            value: number.value, end: number.end, hasMagnitude: false, plain: number.value, number: number)
        // "1.200,- €": the dash stands for the cents.
        if text.byte(number.end) == 0x2C || text.byte(number.end) == 0x2E, text.byte(number.end + 1) == 0x2D {
            result.end += text.byte(number.end + 2) == 0x2D ? 3 : 2
        }
        if isBesidePlainWord(result.end, near: token) { return result }
        readMagnitude(&result, near: token, hasCurrency: hasCurrency)
        if !hasCurrency, let (currency, end) = currencyAfter(result.end, result, near: token) {
            result.currency = currency
            result.hasCurrency = true
            result.end = end
        }
        return result
    }

    /// Whether a blank and a word that is neither magnitude nor currency follow, as after most numbers.
    private func isBesidePlainWord(_ end: Int, near token: Int) -> Bool {
        guard text.byte(end) == 0x20, isLetter(text.byte(end + 1)) else { return false }
        let next = text.firstToken(from: end + 1, near: token)
        guard next < text.tokens.count, text.start(next) == end + 1 else { return false }
        // The "us" of "us$" is a plain word; a word followed by a sign is read as a whole elsewhere.
        let behind = text.byte(text.end(next))
        guard behind != 0x24, !isWordByte(behind) else { return false }
        let info = info(next)
        return info.currency == 0 && !info.roles.contains(.magnitude)
    }

    private func readMagnitude(_ result: inout Quantity, near token: Int, hasCurrency: Bool) {
        let end = result.end
        // Also matches "6 万元".
        let eastern = text.byte(end) == 0x20 ? end + 1 : end
        if text.byte(eastern) >= 0xE0 {
            for (literal, power) in Self.eastern where text.has(literal, at: eastern) {
                result.value *= pow10(power)
                result.end = eastern + literal.utf8CodeUnitCount
                result.hasMagnitude = true
                return
            }
        }
        let isAttached = isWordByte(text.byte(end))
        let from = isAttached ? end : text.byte(end) == 0x20 ? end + 1 : -1
        guard from >= 0, from < text.bytes.count, isWordByte(text.byte(from)), !isDigit(text.byte(from)) else { return }
        var to = from
        while isWordByte(text.byte(to)), !isDigit(text.byte(to)), !isSymbol(at: to) { to += 1 }
        guard to > from, !isDigit(text.byte(to)) else { return }
        let info = word(from..<to, near: token)
        guard info.roles.contains(.magnitude) else { return }
        let isLetter = to - from == 1
        // "5 m" and "10m" are metres or minutes unless money is mentioned.
        if info.magnitude == 6, to - from <= 2, text.byte(from) == 0x6D, !hasCurrency,
            currencyAfter(to, result, near: token) == nil
        {
            return
        }
        if isLetter, !isAttached, info.magnitude != 3, !hasCurrency { return }
        // "5 mm", "2 cr" and similar also require a currency.
        if info.magnitude == 7, to - from <= 2, !hasCurrency, currencyAfter(to, result, near: token) == nil { return }
        result.value *= pow10(Double(info.magnitude))
        result.end = to
        result.hasMagnitude = true
        // "5 juta", "8 triệu": a number word used in one country, mostly for its money.
        if info.currency != 0, !hasCurrency, !isCounted(to, near: token) {
            result.currency = FactWords.currencies[Int(info.currency)]
            result.hasCurrency = true
        }
    }

    /// Whether the number counts the thing that follows: "10 juta penonton", "5 triệu views".
    private func isCounted(_ end: Int, near token: Int) -> Bool {
        let next = text.firstToken(from: end, near: token)
        guard next < text.tokens.count, text.start(next) - end <= 1 else { return false }
        return !roles(next).isDisjoint(with: [.countable, .notMoney])
            || table.leads(text.hash(next)).contains(.views)
    }

    /// Whether a currency symbol is here, as after the letter in "3k€".
    private func isSymbol(at place: Int) -> Bool {
        guard text.byte(place) >= 0x80 else { return false }
        return Self.symbols.contains { text.has($0.0, at: place) }
    }

    /// Longest first.
    private static let eastern: [(StaticString, Double)] = [
        ("천만", 7), ("백만", 6), ("万", 4), ("萬", 4), ("億", 8), ("亿", 8), ("千", 3), ("만", 4), ("억", 8),
    ]
    private static let easternCurrencies: [(StaticString, Currency)] = [
        ("円", Currency("JPY")), ("元", Currency("CNY")), ("ドル", Currency("USD")), ("ユーロ", Currency("EUR")),
        ("ポンド", Currency("GBP")), ("원", Currency("KRW")), ("달러", Currency("USD")), ("บาท", Currency("THB")),
        ("美元", Currency("USD")), ("欧元", Currency("EUR")), ("유로", Currency("EUR")),
        ("파운드", Currency("GBP")),
        ("엔", Currency("JPY")), ("块", Currency("CNY")), ("塊", Currency("TWD")),
    ]
    private static let dollarsBehind: [(StaticString, Currency)] = [
        ("cad", Currency("CAD")), ("can", Currency("CAD")), ("ca", Currency("CAD")), ("aud", Currency("AUD")),
        ("mxn", Currency("MXN")), ("nzd", Currency("NZD")), ("sgd", Currency("SGD")), ("hkd", Currency("HKD")),
    ]

    /// Returns the meanings of the word in a range; it is hashed only if the range is not a whole word of the text.
    private func word(_ range: Range<Int>, near token: Int) -> WordInfo {
        let whole = text.firstToken(from: range.lowerBound, near: token)
        if whole < text.tokens.count, text.start(whole) == range.lowerBound, text.end(whole) == range.upperBound {
            return info(whole)
        }
        return table.info(TextFolder.hash(UnsafeBufferPointer(rebasing: text.bytes[range])))
    }

    func pow10(_ power: Double) -> Double {
        var result = 1.0
        for _ in 0..<Int(power) { result *= 10 }
        return result
    }

    static let symbols: [(StaticString, Currency)] = [
        ("€", Currency("EUR")), ("£", Currency("GBP")), ("¥", Currency("JPY")), ("₹", Currency("INR")),
        ("₽", Currency("RUB")), ("₩", Currency("KRW")), ("₺", Currency("TRY")), ("₦", Currency("NGN")),
        ("₱", Currency("PHP")), ("₫", Currency("VND")), ("₴", Currency("UAH")), ("₪", Currency("ILS")),
        ("฿", Currency("THB")), ("₵", Currency("GHS")), ("﷼", Currency("SAR")),
    ]

    /// Longest first; a bare `$` comes after all of them.
    static let dollars: [(StaticString, Currency)] = [
        ("us$", Currency("USD")), ("u$s", Currency("USD")), ("ca$", Currency("CAD")), ("au$", Currency("AUD")),
        ("nz$", Currency("NZD")), ("hk$", Currency("HKD")), ("mx$", Currency("MXN")), ("nt$", Currency("TWD")),
        ("sg$", Currency("SGD")), ("r$", Currency("BRL")), ("c$", Currency("CAD")), ("a$", Currency("AUD")),
        ("s$", Currency("SGD")), ("usd$", Currency("USD")), ("us $", Currency("USD")), ("$", Currency("USD")),
    ]

    /// Returns the currency directly before a number (or one blank away), and where it starts.
    func currencyBefore(_ digits: Int, token: Int, skip: Int) -> (Currency?, Int)? {
        var at = digits
        if skip == 0, text.byte(at - 1) == 0x20 { at -= 1 }
        let last = text.byte(at - 1)
        if last == 0x24 {
            for (literal, currency) in Self.dollars where text.has(literal, before: at) {
                let start = at - literal.utf8CodeUnitCount
                // "plus$" ends in "s$" only by accident.
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
            let info = word((digits - skip)..<digits, near: token)
            guard info.roles.contains(.currencyPrefix) else { return nil }
            return (FactWords.currencies[Int(info.currency)], digits - skip)
        }
        // "rs. 500", "eur 2,800", "usd: 500"
        if last == 0x2E || last == 0x3A { at -= 1 }
        guard token > 0, text.end(token - 1) == at else { return nil }
        let info = info(token - 1)
        // A single letter is a currency only if it touches its number.
        guard info.roles.contains(.currencyPrefix), text.tokens[token - 1].count > 1 else { return nil }
        return (FactWords.currencies[Int(info.currency)], text.start(token - 1))
    }

    /// Returns the currency after a number, and where it ends.
    private func currencyAfter(_ end: Int, _ quantity: Quantity, near token: Int) -> (Currency?, Int)? {
        var at = end
        if text.byte(at) == 0x20 || text.byte(at) == 0x2D && !isDigit(text.byte(at + 1)) { at += 1 }
        let first = text.byte(at)
        if first == 0x24 {
            // In "5 $300" the sign belongs to the number after it.
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
        // "30p a word" is pence, but only if a rate follows.
        if to - at == 1, first == 0x70, at == end, !quantity.hasMagnitude,
            text.has(" a ", at: to) || text.has(" per ", at: to) || text.has("/", at: to)
        {
            return (Currency("GBX"), to)
        }
        let info = word(at..<to, near: token)
        guard info.currency != 0 else { return nil }
        if info.roles.contains(.weakCurrency) {
            let isRuble = text.has("р", at: at)
            guard quantity.hasMagnitude || isRuble else { return nil }
        }
        // "Lost 5 pounds": a weight, not money.
        if text.has("pounds", at: at), isWeight(around: at, near: token) { return nil }
        if text.has("us", at: to + 1), !isWordByte(text.byte(to + 3)), text.has("$", at: to + 3) {
            return (Currency("USD"), to + 4)
        }
        // "dolares canadienses" and "canadian dollars" remain US dollars: the error is small next to a band.
        return (FactWords.currencies[Int(info.currency)], to)
    }

    /// Returns the dollar that a suffix such as `$ CA`, `$ US` or `$ CAD` specifies.
    func refinedDollar(_ currency: Currency?, at end: Int) -> Currency? {
        guard currency == Currency("USD") else { return nil }
        let at = text.byte(end) == 0x20 ? end + 1 : end
        guard isLetter(text.byte(at)) else { return nil }
        for (literal, refined) in Self.dollarsBehind where text.has(literal, at: at) {
            // "can" means Canadian dollars in French only at the end of a clause.
            let next = text.byte(at + literal.utf8CodeUnitCount)
            if isWordByte(next) || literal.utf8CodeUnitCount == 3 && next == 0x20 && text.has("can", at: at) {
                continue
            }
            return refined
        }
        return nil
    }

    private func isWeight(around at: Int, near token: Int) -> Bool {
        let token = text.firstToken(from: at, near: token)
        for i in max(0, token - 6)..<min(text.tokens.count, token + 4) {
            if table.leads(text.tokens[i].hash).contains(.weight) { return true }
        }
        return false
    }
}

/// An amount found in a text, before the offer is determined.
struct MoneyFind: Equatable {
    /// What the amount means to the creator.
    enum Role: Equatable {
        /// Explicitly offered.
        case offer
        /// No word says what it is.
        case plain
        /// The creator, or anyone, would pay it.
        case price
        /// The value of a product or a company.
        case worth
        /// Somebody's earnings, prizes, funding.
        case revenue
        /// Paid per thousand views, without a number of views.
        case rate
        case owedToCreator
        case owedByCreator
        case percent
    }

    /// In the currency's main unit; the midpoint of a range.
    var value: Double
    var currency: Currency?
    var role = Role.plain
    /// How many times it is paid; 1 for a single payment.
    var count = 1.0
    /// Whether it was paid to somebody in the past and so is not a current offer.
    var isPast = false
    /// Whether the sender refuses to pay it: "we can't do $2,000", "your rate of $2,000 is over our budget"; only
    /// determined if the text names another sum.
    var isRefused = false
    /// Whether it adds to the amount before it ("+ €500", "plus").
    var isAdded = false
    /// Offsets in the folded text.
    var start: Int
    var end: Int

    /// The amount over the whole deal.
    var total: Double { value * count }
}
