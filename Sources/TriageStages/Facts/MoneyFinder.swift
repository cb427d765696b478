internal import TriageCore

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
        // Whether a sum is refused matters only beside another one.
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

    /// The second number of a range.
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
            // The longest of them has its sign at its fourth byte.
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
                // A noun behind the number would make it a count of something.
                return true
            }
            if !roles.isDisjoint(with: [.countable, .deadlinePreposition]) { return false }
            i -= 1
            distance += 1
        }
        return false
    }

    private static let forThing = MoneyPhrases.of("for-thing")

    /// "400 for one reel", "36 mil por un reel": what is to be made follows its price.
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
