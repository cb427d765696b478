internal import ShippedLanguages
internal import TriageCore

/// Determines from the words around an amount whose money it is, and how often it is paid.
struct MoneyContext {
    let text: MessageText
    let table: WordIndex

    @inline(__always)
    private func info(_ token: Int) -> WordInfo { table.info(text.hash(token)) }

    @inline(__always)
    private func roles(_ token: Int) -> WordRoles { table.roles(text.hash(token)) }

    @inline(__always)
    private func leads(_ token: Int) -> WordLeads { table.leads(text.hash(token)) }

    /// Sets the role and the count of an amount.
    ///
    /// - Parameter token: a word close to the amount.
    func judge(_ find: inout MoneyFind, near token: Int) {
        let first = text.firstToken(from: find.start, near: token)
        let next = text.firstToken(from: find.end, near: first)
        find.role = role(first: first, next: next)
        if isPerThousand(first: first, next: next, end: find.end) {
            // Without a number of views the total is unknown.
            if let views = views(), find.role == .offer || find.role == .plain {
                find.count = max(1, views / 1000)
            } else {
                find.role = .rate
            }
        } else {
            find.count = count(first: first, next: next, end: find.end)
        }
        find.isPast = isPast(first: first, next: next)
        if find.currency == Currency("GBX") {
            find.currency = Currency("GBP")
            find.value /= 100
        }
    }

    // MARK: - Role

    private func role(first: Int, next: Int) -> MoneyFind.Role {
        var before: WordRoles = []
        var near: WordRoles = []
        var nearest: WordRoles = []
        var creatorActs = false
        var isYours = false
        var isOurs = false
        var i = first - 1
        var isOfOther = false
        while i >= 0, first - i <= 12, !text.breaks(before: i + 1) {
            var roles = roles(i)
            // In "a kiln worth $300 plus $1,500", the value belongs to the other amount.
            isOfOther = isOfOther || text.tokens[i].flags.contains(.digits)
            if isOfOther { roles.remove(.worth) }
            if first - i <= 2 { nearest.formUnion(roles) }
            if first - i <= 5 { near.formUnion(roles) }
            before.formUnion(roles)
            if roles.contains(.you), i + 1 < first, actsAsBuyer(i + 1, before: first) { creatorActs = true }
            if roles.contains(.invoice) {
                if i > 0, self.roles(i - 1).contains(.yours) { isYours = true }
                if i > 0, self.roles(i - 1).contains(.ours) { isOurs = true }
            }
            i -= 1
        }
        var after: WordRoles = []
        var afterNear: WordRoles = []
        i = text.breaks(from: max(0, first), to: next) ? text.tokens.count : next
        while i < text.tokens.count, i - next < 8, i == next || !text.breaks(before: i) {
            var roles = roles(i)
            if i - next < 2, roles.contains(.worth), isBeforeAmount(i) { roles.remove(.worth) }
            if i - next < 2 { afterNear.formUnion(roles) }
            after.formUnion(roles)
            i += 1
        }
        if near.contains(.worth) || afterNear.contains(.worth) || isLedByValue(first) { return .worth }
        if isDiscount(first: first, next: next) { return .price }
        if isYours { return .owedToCreator }
        if isOurs { return .owedByCreator }
        if before.contains(.invoice) || after.contains(.invoice) {
            if before.contains(.owed) || after.contains(.owed) { return .owedByCreator }
        }
        if after.contains(.owed), before.contains(.offer) == false, text.has("unpaid", in: 0..<text.bytes.count) {
            return .owedByCreator
        }
        if creatorActs { return .price }
        if isEarnings(first: first, near: near, afterNear: afterNear, after: after) { return .revenue }
        if near.contains(.price), !nearest.contains(.offer) || isEntryFee(first) { return .price }
        if afterNear.contains(.price), !near.contains(.offer) { return .price }
        if before.contains(.offer) || after.contains(.offer) || after.contains(.per) && before.contains(.we) {
            return .offer
        }
        return .plain
    }

    private static let valueWords = MoneyPhrases.of("value")
    private static let costsWords = MoneyPhrases.of("costs")

    /// Whether the amount is the value of a gift: "Valorado en 250 €", "avaliado em R$ 350", "vale 600 €".
    private func isLedByValue(_ first: Int) -> Bool {
        guard first > 0, !text.breaks(before: first), text.byte(text.end(first - 1)) == 0x20 else { return false }
        if Self.costsWords.contains(where: { text.has($0, at: text.start(first - 1)) }) { return true }
        for i in max(0, first - 2)..<first where Self.valueWords.contains(where: { text.has($0, at: text.start(i)) }) {
            return true
        }
        return false
    }

    private static let saveWords = MoneyPhrases.of("save")
    private static let discounts = MoneyPhrases.of("discount")

    /// Whether the amount is a discount for buyers, which is nobody's budget: "$20 off", "save $30", "10 € de
    /// réduction".
    private func isDiscount(first: Int, next: Int) -> Bool {
        if first > 0, !text.breaks(before: first),
            Self.saveWords.contains(where: { text.has($0, at: text.start(first - 1)) })
        {
            return true
        }
        guard next < text.tokens.count, !text.breaks(before: next) else { return false }
        if text.tokens[next].count == 3, text.has("off", at: text.start(next)) { return true }
        for i in next..<min(next + 2, text.tokens.count) where i == next || !text.breaks(before: i) {
            if Self.discounts.contains(where: { text.has($0, at: text.start(i)) }) { return true }
        }
        return false
    }

    private static let refusals = MoneyPhrases.of("refusal")
    private static let eagerness = MoneyPhrases.of("eagerness")
    private static let askedPrices = MoneyPhrases.of("asked-price")
    private static let tooMuch = MoneyPhrases.of("too-much")

    /// Whether the clause around an amount says that it will not be paid.
    ///
    /// - Parameter first: the first word of the amount.
    func isRefused(_ find: MoneyFind, near first: Int) -> Bool {
        let next = text.firstToken(from: find.end, near: first)
        var i = first - 1
        while i >= 0, first - i <= 7, !text.breaks(before: i + 1), text.byte(text.end(i)) != 0x2C,
            !text.tokens[i].flags.contains(.digits)
        {
            let start = text.start(i)
            if Self.refusals.contains(where: { text.has($0, at: start) }) {
                return !Self.eagerness.contains { text.has($0, in: start..<text.start(first)) }
            }
            if Self.askedPrices.contains(where: { text.has($0, at: start) }) { return true }
            i -= 1
        }
        i = next
        while i < text.tokens.count, i - next < 4, !text.breaks(before: i) {
            if Self.tooMuch.contains(where: { text.has($0, at: text.start(i)) }) { return true }
            if text.tokens[i].flags.contains(.digits) { return false }
            i += 1
        }
        return false
    }

    /// Whether a word introduces an amount of its own: "$1,500 + product worth $300".
    private func isBeforeAmount(_ token: Int) -> Bool {
        var i = token + 1
        while i < text.tokens.count, i - token <= 2, !text.breaks(before: i), text.byte(text.end(i - 1)) != 0x2C {
            if text.tokens[i].flags.contains(.digits) { return true }
            i += 1
        }
        return false
    }

    /// Whether the creator is addressed as a buyer: "you pay", "you'd have to buy", "u only pay".
    private func actsAsBuyer(_ token: Int, before first: Int) -> Bool {
        for i in token..<min(first, token + 5) {
            // "we pay you": the verb belongs to somebody else.
            if roles(i).contains(.we) { return false }
            if leads(i).contains(.buyerVerb) { return true }
        }
        return false
    }

    private func isEarnings(first: Int, near: WordRoles, afterNear: WordRoles, after: WordRoles) -> Bool {
        // `near` has the roles of the words that the loop would examine.
        for i in max(0, first - 5)..<first where near.contains(.revenue) {
            guard roles(i).contains(.revenue), !text.breaks(from: i, to: first) else { continue }
            // Ambiguous verbs mean earnings only directly before the amount.
            if !leads(i).contains(.vagueVerb) || first - i <= 2 { return true }
        }
        if afterNear.contains(.revenue) { return true }
        return after.contains(.revenue) && hasProfitWord(after: first)
    }

    private func hasProfitWord(after first: Int) -> Bool {
        for i in first..<min(text.tokens.count, first + 6) {
            if leads(i).contains(.profit) { return true }
        }
        return false
    }

    private func isEntryFee(_ first: Int) -> Bool {
        for i in max(0, first - 5)..<first {
            if leads(i).contains(.entry) { return true }
        }
        return false
    }

    /// Whether the amount was paid in the past: "Last year we paid Ann $50,000".
    ///
    /// What was paid to the creator, as in "last time we paid you", may well be offered again.
    private func isPast(first: Int, next: Int) -> Bool {
        // After the amount, only the words that directly follow belong to it: "50.000 € gezahlt", "$50,000 last year".
        let isClose = next < text.tokens.count && text.byte(text.start(next) - 2) != 0x2C && !text.breaks(before: next)
        var wasPaid = isClose && leads(next).contains(.paidOnce)
        var i = first - 1
        while i >= 0, first - i <= 8, !text.breaks(before: i + 1), !text.tokens[i].flags.contains(.digits) {
            if roles(i).contains(.you) { return false }
            wasPaid = wasPaid || leads(i).contains(.paidOnce)
            i -= 1
        }
        return wasPaid && (isClose && isLastTime(next) || (i + 1..<first).contains(where: isLastTime))
    }

    /// Whether a word and the next one say "last year" or "la última vez".
    private func isLastTime(_ token: Int) -> Bool {
        guard token + 1 < text.tokens.count, leads(token).union(leads(token + 1)).contains(.last),
            !text.breaks(before: token + 1)
        else { return false }
        // "For the last time" does not refer to the past.
        if token > 0, text.has("for", at: text.start(token - 1)) || text.has("por", at: text.start(token - 1)) {
            return false
        }
        let (one, other) = (leads(token), leads(token + 1))
        return one.contains(.last) && (isTime(token + 1) || other.contains(.occasion))
            || other.contains(.last) && isTime(token)
    }

    private func isTime(_ token: Int) -> Bool {
        switch info(token).unit {
        case .year, .month, .week: true
        default: false
        }
    }

    // MARK: - Count

    /// Whether the amount is paid per thousand views: "$12 CPM", "a CPM of $12", "$5 per 1,000 views".
    private func isPerThousand(first: Int, next: Int, end: Int) -> Bool {
        for i in [next, first - 1, first - 2, first - 3] where i >= 0 && i < text.tokens.count {
            guard text.tokens[i].count == 3,
                text.has("cpm", at: text.start(i)) || text.has("tkp", at: text.start(i))
            else { continue }
            if !text.breaks(from: min(i, max(0, first)), to: max(i, first)) { return true }
        }
        guard next + 2 < text.tokens.count, roles(next).contains(.per), text.start(next) - end <= 1 else {
            return false
        }
        let isThousand = info(next + 1).magnitude == 3 || NumberReader(text, at: text.start(next + 1))?.value == 1000
        guard isThousand || text.has("1k", at: text.start(next + 1)) else { return false }
        return (next + 2...min(next + 3, text.tokens.count - 1)).contains { leads($0).contains(.views) }
    }

    /// Returns the number of views in the text; the "1,000" in a price per thousand views does not count.
    private func views() -> Double? {
        for i in 1..<max(1, text.tokens.count) where leads(i).contains(.views) && !text.breaks(before: i) {
            var from = i - 1
            while from > 0, i - from < 3, text.tokens[from - 1].flags.contains(.digits),
                text.end(from - 1) + 1 == text.start(from)
            {
                from -= 1
            }
            guard text.tokens[from].flags.contains(.digits), let number = NumberReader(text, at: text.start(from))
            else {
                continue
            }
            let suffix = text.byte(number.end)
            let value = number.value * (suffix == 0x6B ? 1000 : suffix == 0x6D ? 1_000_000 : 1)
            if value > 1000, value <= 100_000_000 { return value }
        }
        return nil
    }

    /// Returns how often the amount is paid: "3 reels at $800 each", "$500 a month for 6 months".
    private func count(first: Int, next: Int, end: Int) -> Double {
        if let times = times(before: first) { return min(400, max(1, times)) }
        var unitToken = -1
        var isEach = false
        if next < text.tokens.count {
            let gap = text.start(next) - end
            let roles = roles(next)
            if Self.each.contains(where: { text.has($0, at: text.start(next)) }) {
                isEach = true
            } else if gap <= 3, text.byte(text.start(next) - 1) == 0x2F || text.byte(text.start(next) - 2) == 0x2F {
                if !roles.isDisjoint(with: [.unit, .countable]) || text.has("mo", at: text.start(next)) {
                    unitToken = next
                }
            } else if Self.monthly.contains(where: { text.has($0, at: text.start(next)) }) {
                unitToken = next
            } else if roles.contains(.per), gap <= 2, next + 1 < text.tokens.count,
                !self.roles(next + 1).isDisjoint(with: [.unit, .countable]),
                !text.tokens[next + 1].flags.contains(.digits)
            {
                unitToken = next + 1
            }
        }
        if !isEach, isLedByEach(first) { isEach = unitToken < 0 }
        if unitToken < 0, !isEach { unitToken = unitBefore(first) }
        if unitToken < 0, !isEach { return 1 }
        if isEach { return min(400, countedThings(near: first, next: next, like: nil) ?? 1) }
        let unit = info(unitToken).unit
        let isMonth = unit == .month || text.has("mo", at: text.start(unitToken)) && text.tokens[unitToken].count == 2
        if isMonth { return months(around: unitToken) }
        if unit == .year { return 1 }
        return min(5000, countedThings(near: first, next: next, like: unitToken) ?? 1)
    }

    private static let each = MoneyPhrases.of("each")
    private static let monthly = MoneyPhrases.of("monthly")

    /// Whether a word for "each" precedes the amount: "3 Reels zu je 400 €", "3 vidéos à 400 €".
    private func isLedByEach(_ first: Int) -> Bool {
        guard first > 1, !text.breaks(before: first) else { return false }
        let start = text.start(first - 1)
        let length = text.tokens[first - 1].count
        if text.has("jeweils", at: start) || length == 2 && text.has("je", at: start) { return true }
        // Elsewhere "a" is an article, so the thing must come directly before it, with its number.
        return length == 1 && text.has("a", at: start) && roles(first - 2).contains(.countable)
            && info(first - 2).unit == .none && numeral(before: first - 2) != nil
    }

    /// Returns the factor before an amount: "2 x $750", "2x $750", "3 reels x $400".
    private func times(before first: Int) -> Double? {
        guard first > 0, !text.breaks(before: first) else { return nil }
        let word = text.word(first - 1)
        guard word.last == 0x78, word.count <= 3, word.dropLast().allSatisfy(isDigit) else { return nil }
        if word.count > 1 { return word.dropLast().reduce(0) { $0 * 10 + Double($1 - 0x30) } }
        guard first > 1, !text.breaks(before: first - 1) else { return nil }
        if roles(first - 2).contains(.countable) { return numeral(before: first - 2) }
        let number = text.word(first - 2)
        guard number.count <= 2, number.allSatisfy(isDigit) else { return nil }
        return number.reduce(0) { $0 * 10 + Double($1 - 0x30) }
    }

    private static let perThing = MoneyPhrases.of("per-thing")

    /// Returns the word of the unit before an amount: "day rate £550", "ayda 35.000", "pro Reel 400 €".
    private func unitBefore(_ first: Int) -> Int {
        if first > 1, !text.breaks(before: first), !roles(first - 1).isDisjoint(with: [.unit, .countable]),
            text.tokens[first - 2].count == 3,
            Self.perThing.contains(where: { text.has($0, at: text.start(first - 2)) })
        {
            return first - 1
        }
        for i in stride(from: first - 1, through: max(0, first - 4), by: -1) where i >= 0 {
            if text.has("rate", at: text.start(i)), i > 0, info(i - 1).unit != .none { return i - 1 }
            if text.has("tagessatz", at: text.start(i)) || text.has("ayda", at: text.start(i))
                || text.has("monthly", at: text.start(i))
            {
                return i
            }
        }
        return -1
    }

    /// Returns for how many months a monthly amount is paid.
    private func months(around unit: Int) -> Double {
        for i in max(0, unit - 200)..<min(text.tokens.count, unit + 200) where i != unit {
            let word = info(i)
            if word.unit == .month, let n = numeral(before: i), n > 1 { return min(n, 60) }
            if word.unit == .year, isHalf(before: i) { return 6 }
            if word.unit == .year, let n = numeral(before: i), i > unit || n > 1 { return min(n * 12, 60) }
        }
        return 1
    }

    /// Whether a word for "half" precedes a year: "half a year", "ein halbes Jahr", "medio año".
    private func isHalf(before year: Int) -> Bool {
        for i in max(0, year - 2)..<year where Self.half.contains(where: { text.has($0, at: text.start(i)) }) {
            return true
        }
        return false
    }

    private static let half = MoneyPhrases.of("half")

    /// Returns the count of a thing in the text, preferring the nearest one.
    private func countedThings(near first: Int, next: Int, like unit: Int?) -> Double? {
        var best: Double?
        var bestDistance = Int.max
        for i in max(0, first - 150)..<min(text.tokens.count, first + 60) where i != unit {
            let isSame = unit.map { isSameThing($0, i) } ?? false
            if !isSame {
                guard unit == nil else { continue }
                let info = info(i)
                guard info.roles.contains(.countable), info.unit == .none else { continue }
            }
            // The amount itself is not a count of what follows it.
            guard i < first || i > next + 1 else { continue }
            guard let n = numeral(before: i), n > 1 else { continue }
            // Minutes and seconds are lengths, not counts.
            if !isSame,
                text.has("min", at: text.start(i)) || text.has("word", at: text.start(i))
                    || text.has("page", at: text.start(i))
            {
                continue
            }
            let distance = abs(i - first)
            if distance < bestDistance {
                bestDistance = distance
                best = n
            }
        }
        if best == nil, unit != nil { return countedThings(near: first, next: next, like: nil) }
        return best
    }

    private func isSameThing(_ a: Int, _ b: Int) -> Bool {
        let one = Int(text.tokens[a].count)
        let other = Int(text.tokens[b].count)
        let shared = min(4, one, other)
        guard shared >= 3, abs(one - other) <= 3 else { return false }
        var i = 0
        while i < shared, text.byte(text.start(a) + i) == text.byte(text.start(b) + i) { i += 1 }
        return i == shared
    }

    /// Returns the number before a word, with at most two adjectives in between ("3 vertical clips").
    func numeral(before token: Int) -> Double? {
        for i in stride(from: token - 1, through: max(0, token - 3), by: -1) where i >= 0 {
            if text.breaks(from: i, to: token) { return nil }
            if text.tokens[i].flags.contains(.digits) {
                let word = text.word(i)
                if word.count == 3, i > 0, text.tokens[i - 1].flags.contains(.digits),
                    text.start(i) - text.end(i - 1) == 1,
                    let whole = NumberReader(text, at: text.start(i - 1)), whole.end == text.end(i)
                {
                    return whole.value
                }
                if word.allSatisfy(isDigit), word.count <= 4 { return word.reduce(0) { $0 * 10 + Double($1 - 0x30) } }
                if word.count <= 3, word.last == 0x78 {
                    return word.dropLast().reduce(0) { $0 * 10 + Double($1 &- 0x30) }
                }
                return nil
            }
            let info = info(i)
            if info.roles.contains(.number), info.number > 0 {
                // An article counts as one only directly before the word.
                return info.number > 1 || i == token - 1 ? Double(info.number) : nil
            }
            if !info.roles.isDisjoint(with: [.countable, .unit]) { return nil }
        }
        return nil
    }
}

/// Beginnings of texts next to an amount that tell what it is, from the language files.
///
/// They are compared with folded text at the beginning of a word; a trailing space means that the word must end
/// there.
enum MoneyPhrases {
    private static let byKind = Dictionary(
        grouping: ShippedLanguages.entries(of: "money_phrases"), by: \.key
    ).mapValues { entries in
        // A word that two languages share is one phrase.
        Set(entries.flatMap(\.values)).sorted().map { Array($0.utf8) }
    }

    /// Returns the phrases of a kind that is defined in `LanguageSchema`.
    static func of(_ kind: String) -> [[UInt8]] { byKind[kind] ?? [] }
}
