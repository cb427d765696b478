internal import TriageCore

/// Numbers with their magnitudes and currencies.
extension MoneyFinder {
    /// A number with what stands around it.
    struct Quantity {
        var value: Double
        var end: Int
        var hasMagnitude: Bool
        var currency: Currency?
        var hasCurrency = false
        var plain: Double
        var number: NumberReader
    }

    /// Number, magnitude and the currency behind it.
    ///
    /// - Parameter token: a word close by.
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

    /// Whether a blank and a word that is neither magnitude nor currency follow, as behind most numbers.
    private func isBesidePlainWord(_ end: Int, near token: Int) -> Bool {
        guard text.byte(end) == 0x20, isLetter(text.byte(end + 1)) else { return false }
        let next = text.firstToken(from: end + 1, near: token)
        guard next < text.tokens.count, text.start(next) == end + 1 else { return false }
        // The "us" of "us$" is a plain word; and what goes on with a sign is read as a whole elsewhere.
        let behind = text.byte(text.end(next))
        guard behind != 0x24, !isWordByte(behind) else { return false }
        let info = info(next)
        return info.currency == 0 && !info.roles.contains(.magnitude)
    }

    private func readMagnitude(_ result: inout Quantity, near token: Int, hasCurrency: Bool) {
        let end = result.end
        // "6 万元" as well.
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
        // "5 m" and "10m" are meters or minutes unless money is named.
        if info.magnitude == 6, to - from <= 2, text.byte(from) == 0x6D, !hasCurrency,
            currencyAfter(to, result, near: token) == nil
        {
            return
        }
        if isLetter, !isAttached, info.magnitude != 3, !hasCurrency { return }
        // "5 mm", "2 cr" and the like need their money too.
        if info.magnitude == 7, to - from <= 2, !hasCurrency, currencyAfter(to, result, near: token) == nil { return }
        result.value *= pow10(Double(info.magnitude))
        result.end = to
        result.hasMagnitude = true
        // "5 juta", "8 triệu": a number word of one country, which counts its money and little else.
        if info.currency != 0, !hasCurrency, !isCounted(to, near: token) {
            result.currency = FactWords.currencies[Int(info.currency)]
            result.hasCurrency = true
        }
    }

    /// Whether what follows is counted: "10 juta penonton", "5 triệu views".
    private func isCounted(_ end: Int, near token: Int) -> Bool {
        let next = text.firstToken(from: end, near: token)
        guard next < text.tokens.count, text.start(next) - end <= 1 else { return false }
        return !roles(next).isDisjoint(with: [.countable, .notMoney])
            || table.leads(text.hash(next)).contains(.views)
    }

    /// Whether a sign of a currency is here, as behind the letter of "3k€".
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

    /// What is known of the word in a range; it is hashed only where it is not a word of the text as a whole.
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

    /// Longest first; behind all of them a bare `$`.
    static let dollars: [(StaticString, Currency)] = [
        ("us$", Currency("USD")), ("u$s", Currency("USD")), ("ca$", Currency("CAD")), ("au$", Currency("AUD")),
        ("nz$", Currency("NZD")), ("hk$", Currency("HKD")), ("mx$", Currency("MXN")), ("nt$", Currency("TWD")),
        ("sg$", Currency("SGD")), ("r$", Currency("BRL")), ("c$", Currency("CAD")), ("a$", Currency("AUD")),
        ("s$", Currency("SGD")), ("usd$", Currency("USD")), ("us $", Currency("USD")), ("$", Currency("USD")),
    ]

    /// The currency directly before a number (or one blank away), and where it starts.
    func currencyBefore(_ digits: Int, token: Int, skip: Int) -> (Currency?, Int)? {
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
            let info = word((digits - skip)..<digits, near: token)
            guard info.roles.contains(.currencyPrefix) else { return nil }
            return (FactWords.currencies[Int(info.currency)], digits - skip)
        }
        // "rs. 500", "eur 2,800", "usd: 500"
        if last == 0x2E || last == 0x3A { at -= 1 }
        guard token > 0, text.end(token - 1) == at else { return nil }
        let info = info(token - 1)
        // A letter alone is a currency only where it touches its number.
        guard info.roles.contains(.currencyPrefix), text.tokens[token - 1].count > 1 else { return nil }
        return (FactWords.currencies[Int(info.currency)], text.start(token - 1))
    }

    /// The currency behind a number, and where it ends.
    private func currencyAfter(_ end: Int, _ quantity: Quantity, near token: Int) -> (Currency?, Int)? {
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
        let info = word(at..<to, near: token)
        guard info.currency != 0 else { return nil }
        if info.roles.contains(.weakCurrency) {
            let isRuble = text.has("р", at: at)
            guard quantity.hasMagnitude || isRuble else { return nil }
        }
        // "5 m" lost: kilograms' cousins.
        if text.has("pounds", at: at), isWeight(around: at, near: token) { return nil }
        if text.has("us", at: to + 1), !isWordByte(text.byte(to + 3)), text.has("$", at: to + 3) {
            return (Currency("USD"), to + 4)
        }
        // "dolares canadienses", "canadian dollars" stay US dollars: a few per cent of a band.
        return (FactWords.currencies[Int(info.currency)], to)
    }

    /// `$ CA`, `$ US`, `$ CAD` behind an amount in dollars.
    func refinedDollar(_ currency: Currency?, at end: Int) -> Currency? {
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

    private func isWeight(around at: Int, near token: Int) -> Bool {
        let token = text.firstToken(from: at, near: token)
        for i in max(0, token - 6)..<min(text.tokens.count, token + 4) {
            if table.leads(text.tokens[i].hash).contains(.weight) { return true }
        }
        return false
    }
}
