internal import ShippedLanguages
internal import TriageCore

/// Words for dates and money from the language files, folded like messages.
enum FactWords {
    /// Currencies for which some language has words; the first entry is unused, because index 0 means none.
    static let currencies: [Currency?] = [nil] + currencyCodes.map { Currency(parsing: $0) }

    private static let currencyEntries = ShippedLanguages.entries(of: "currencies")

    private static let currencyCodes: [String] = Set(currencyEntries.map(\.key)).sorted()

    static let roles: [String: WordRoles] = [
        "soon": .soon, "end-of-day": .endOfDay, "figures": .figures, "first-person": .firstPerson,
        "deadline-preposition": .deadlinePreposition, "reply": .reply, "deadline-noun": .deadlineNoun,
        "delivery": .delivery, "next": .next, "this": .this, "end-of": .endOf, "middle-of": .middleOf,
        "start-of": .startOf, "within": .within, "past": .past, "article": .article, "plus": .plus,
        "currency-prefix": .currencyPrefix, "weak-currency": .weakCurrency, "between": .between, "per": .per,
        "range-join": .rangeJoin, "offer": .offer, "pay": .pay, "price": .price, "worth": .worth, "revenue": .revenue,
        "invoice": .invoice, "owed": .owed, "you": .you, "yours": .yours, "ours": .ours, "we": .we,
        "countable": .countable, "not-money": .notMoney, "share": .share, "level": .level, "total": .total,
        "ago": .ago,
    ]

    static let leads: [String: WordLeads] = [
        "article": .article, "on": .on, "before-day": .beforeDay, "german-day": .germanDay,
        "calendar-week": .calendarWeek, "inside": .inside, "recurring": .recurring, "before-weekday": .beforeWeekday,
        "month-first": .monthFirst, "not-tomorrow": .notTomorrow, "after": .after, "day": .day,
        "day-after-tomorrow": .dayAfterTomorrow, "of": .of, "later": .later, "end": .end, "ordinal": .ordinal,
        "behind-may": .behindVerbMay, "buyer-verb": .buyerVerb, "vague-verb": .vagueVerb, "profit": .profit,
        "last": .last, "occasion": .occasion, "paid-once": .paidOnce, "views": .views, "entry": .entry,
        "weight": .weight,
    ]

    private static let units: [String: TimeUnit] = [
        "hour": .hour, "day": .day, "week": .week, "month": .month, "year": .year,
    ]

    /// Makes the table that the finders share; it must be sealed when it is complete.
    static func makeTable() -> WordTable {
        var table = WordTable()
        func each(_ entries: [ShippedLanguages.Entry], _ change: (String, inout WordInfo) -> Void) {
            for entry in entries {
                for word in entry.values { table.add(word.utf8) { change(entry.key, &$0) } }
            }
        }
        func each(_ section: String, _ change: (String, inout WordInfo) -> Void) {
            each(ShippedLanguages.entries(of: section), change)
        }
        let codes = Dictionary(
            currencyCodes.enumerated().map { ($1, UInt8(truncatingIfNeeded: $0 + 1)) },
            uniquingKeysWith: { first, _ in first })
        each(currencyEntries) { code, info in
            info.currency = codes[code] ?? 0
            info.roles.insert(.currency)
        }
        each("magnitudes") { power, info in
            info.magnitude = UInt8(power) ?? 0
            info.roles.insert(.magnitude)
        }
        each("numbers") { value, info in
            info.number = Int16(value) ?? 0
            info.roles.insert(.number)
        }
        each("months") { number, info in
            info.month = UInt8(number) ?? 0
            info.roles.insert(.month)
        }
        each("weak_months") { number, info in
            info.month = UInt8(number) ?? 0
            info.roles.insert(.weakMonth)
        }
        each("weekdays") { number, info in
            info.weekday = UInt8(number) ?? 0
            info.roles.insert(.weekday)
        }
        each("weak_weekdays") { number, info in
            info.weekday = UInt8(number) ?? 0
            info.roles.insert(.weakWeekday)
        }
        each("days") { offset, info in
            info.dayOffset = UInt8(offset) ?? 0
            info.roles.insert(.relativeDay)
        }
        each("units") { unit, info in
            info.unit = units[unit] ?? .none
            info.roles.insert(.unit)
        }
        each("day_parts") { hour, info in
            info.hour = UInt8(hour) ?? 0
            info.roles.insert(.partOfDay)
        }
        each("roles") { role, info in info.roles.formUnion(roles[role] ?? []) }
        each("leads") { lead, info in info.leads.formUnion(leads[lead] ?? []) }
        return table
    }
}
