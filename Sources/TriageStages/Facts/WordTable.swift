internal import TriageCore

/// What a word can mean to the finders of dates and money.
struct WordRoles: OptionSet {
    let rawValue: UInt64
    init(rawValue: UInt64) { self.rawValue = rawValue }
    private init(_ bit: UInt64) { rawValue = 1 << bit }

    // Words that make a finder look: no such word and no digit, no work.
    static let month = WordRoles(0)
    /// A month's name that is also an everyday word ("may", "mar", "set"): needs a day beside it.
    static let weakMonth = WordRoles(1)
    static let weekday = WordRoles(2)
    static let weakWeekday = WordRoles(3)
    static let relativeDay = WordRoles(4)
    static let unit = WordRoles(5)
    static let soon = WordRoles(6)
    static let endOfDay = WordRoles(7)
    static let currency = WordRoles(8)
    static let figures = WordRoles(9)
    static let firstPerson = WordRoles(10)
    static let creator = WordRoles(11)
    /// A currency that may stand before its number.
    static let currencyPrefix = WordRoles(12)
    /// A currency that is an everyday word as well: counts only behind a magnitude.
    static let weakCurrency = WordRoles(13)
    static let between = WordRoles(14)

    // Words that only tell something beside one of those.
    static let number = WordRoles(20)
    static let magnitude = WordRoles(21)
    static let deadlinePreposition = WordRoles(22)
    static let reply = WordRoles(23)
    static let deadlineNoun = WordRoles(24)
    static let delivery = WordRoles(25)
    static let next = WordRoles(26)
    static let this = WordRoles(27)
    static let endOf = WordRoles(28)
    static let middleOf = WordRoles(29)
    static let startOf = WordRoles(30)
    static let within = WordRoles(31)
    static let past = WordRoles(32)
    static let article = WordRoles(33)
    static let partOfDay = WordRoles(34)
    static let plus = WordRoles(35)
    static let per = WordRoles(36)
    static let rangeJoin = WordRoles(37)
    static let offer = WordRoles(38)
    static let price = WordRoles(39)
    static let worth = WordRoles(40)
    static let revenue = WordRoles(41)
    static let invoice = WordRoles(42)
    static let owed = WordRoles(43)
    static let you = WordRoles(44)
    static let we = WordRoles(45)
    static let countable = WordRoles(46)
    static let notMoney = WordRoles(47)
    static let share = WordRoles(48)
    static let ago = WordRoles(49)
    static let pay = WordRoles(50)
    static let level = WordRoles(51)
    static let total = WordRoles(52)
    static let yours = WordRoles(53)
    static let ours = WordRoles(54)

    /// Roles of which one must be there before a finder looks at a text without digits.
    static let triggers: WordRoles = [
        .month, .weakMonth, .weekday, .weakWeekday, .relativeDay, .unit, .soon, .endOfDay, .currency, .figures,
        .firstPerson, .creator,
    ]
    static let dateTriggers: WordRoles = [
        .month, .weakMonth, .weekday, .weakWeekday, .relativeDay, .unit, .soon, .endOfDay,
    ]
    static let moneyTriggers: WordRoles = [.currency, .figures]
    static let finderTriggers = dateTriggers.union(moneyTriggers)
}

/// The meanings of one word, with their values.
struct WordInfo {
    var roles: WordRoles = []
    /// A number, months 1–12 apart.
    var number: Int16 = 0
    var month: UInt8 = 0
    /// Monday is 1.
    var weekday: UInt8 = 0
    /// Days from today.
    var dayOffset: UInt8 = 0
    var unit = TimeUnit.none
    /// Power of ten; 5 for lakh, 7 for crore.
    var magnitude: UInt8 = 0
    /// Hour of the day a word such as "noon" stands for.
    var hour: UInt8 = 0
    /// Index into ``FactWords/currencies``.
    var currency: UInt8 = 0
    /// Index into the creator's postings.
    var posting: UInt16 = 0
}

enum TimeUnit: UInt8 { case none, hour, day, week, month, year }

/// Words by hash, with a small filter in front so that most words of most messages cost one load.
struct WordTable: Sendable {
    private static let filterBits = 1 << 16
    private var filter = [UInt64](repeating: 0, count: filterBits / 64)
    /// The same for the few hundred words of ``WordRoles/countable``.
    private var countables = [UInt64](repeating: 0, count: 1 << 7)
    private var keys: [UInt64]
    private var infos: [WordInfo]
    private var used = 0

    init() {
        keys = [UInt64](repeating: 0, count: 4096)
        infos = [WordInfo](repeating: WordInfo(), count: 4096)
    }

    /// Adds meanings to a folded word.
    mutating func add(_ word: [UInt8], _ change: (inout WordInfo) -> Void) {
        guard !word.isEmpty else { return }
        if used * 2 > keys.count { grow() }
        let hash = TextFolder.hash(word)
        let slot = self.slot(of: hash)
        if keys[slot] == 0 {
            keys[slot] = hash
            used += 1
        }
        change(&infos[slot])
        if !infos[slot].roles.isDisjoint(with: .triggers) {
            filter[Int(hash >> 6 & 0x3FF)] |= 1 << (hash & 63)
        }
        if infos[slot].roles.contains(.countable) { countables[Int(hash >> 6 & 0x7F)] |= 1 << (hash & 63) }
    }

    private mutating func grow() {
        let oldKeys = keys
        let oldInfos = infos
        keys = [UInt64](repeating: 0, count: oldKeys.count * 2)
        infos = [WordInfo](repeating: WordInfo(), count: oldKeys.count * 2)
        for (key, info) in zip(oldKeys, oldInfos) where key != 0 {
            let slot = self.slot(of: key)
            keys[slot] = key
            infos[slot] = info
        }
    }

    private func slot(of hash: UInt64) -> Int {
        let mask = keys.count - 1
        // FNV's low bits feed the filter; the table takes others.
        var slot = Int(truncatingIfNeeded: hash >> 20) & mask
        while keys[slot] != 0, keys[slot] != hash { slot = (slot + 1) & mask }
        return slot
    }

    /// Calls `body` with a view that costs nothing to copy.
    func withIndex<R>(_ body: (WordIndex) throws -> R) rethrows -> R {
        try filter.withUnsafeBufferPointer { filter in
            try countables.withUnsafeBufferPointer { countables in
                try keys.withUnsafeBufferPointer { keys in
                    try infos.withUnsafeBufferPointer { infos in
                        try body(WordIndex(filter: filter, countables: countables, keys: keys, infos: infos))
                    }
                }
            }
        }
    }
}

/// A ``WordTable`` while its buffers are borrowed.
struct WordIndex {
    fileprivate let filter: UnsafeBufferPointer<UInt64>
    fileprivate let countables: UnsafeBufferPointer<UInt64>
    fileprivate let keys: UnsafeBufferPointer<UInt64>
    fileprivate let infos: UnsafeBufferPointer<WordInfo>

    /// Whether a word may be one that makes a finder look.
    @inline(__always)
    func mayTrigger(_ hash: UInt64) -> Bool { filter[Int(hash >> 6 & 0x3FF)] >> (hash & 63) & 1 != 0 }

    /// Whether a word may be one of ``WordRoles/countable``.
    @inline(__always)
    func mayBeCountable(_ hash: UInt64) -> Bool { countables[Int(hash >> 6 & 0x7F)] >> (hash & 63) & 1 != 0 }

    /// Meanings of a word; none for an unknown one.
    @inline(__always)
    func info(_ hash: UInt64) -> WordInfo {
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: hash >> 20) & mask
        // The table is never more than half full: there is always an empty slot.
        // An empty slot has no meanings.
        while keys[slot] != hash, keys[slot] != 0 { slot = (slot + 1) & mask }
        return infos[slot]
    }

    /// Roles of a word.
    @inline(__always)
    func roles(_ hash: UInt64) -> WordRoles { info(hash).roles }
}
