internal import TriageCore

/// What a word can mean to the finders of dates and money.
struct WordRoles: OptionSet {
    let rawValue: UInt64
    init(rawValue: UInt64) { self.rawValue = rawValue }
    private init(_ bit: UInt64) { rawValue = 1 << bit }

    // Triggers: a text with no such word and no digit needs no search.
    static let month = WordRoles(0)
    /// The name of a month that is also an everyday word ("may", "mar", "set"): requires a day next to it.
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
    /// A currency that may precede its number.
    static let currencyPrefix = WordRoles(12)
    /// A currency that is also an everyday word: counts only after a magnitude.
    static let weakCurrency = WordRoles(13)
    static let between = WordRoles(14)

    // Words that mean something only next to a trigger.
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

    /// The roles of which a text without digits must have at least one before a finder examines it.
    static let triggers: WordRoles = [
        .month, .weakMonth, .weekday, .weakWeekday, .relativeDay, .unit, .soon, .endOfDay, .currency, .figures,
        .firstPerson, .creator,
    ]
    static let dateTriggers: WordRoles = [
        .month, .weakMonth, .weekday, .weakWeekday, .relativeDay, .unit, .soon, .endOfDay,
    ]
    static let moneyTriggers: WordRoles = [.currency, .figures]
    static let finderTriggers = dateTriggers.union(moneyTriggers)
    /// The roles that the one pass over a text picks out: triggers, and words for possible deliverables.
    static let picked = triggers.union(.countable)
}

/// Small words that determine the meaning of a date or an amount next to them.
struct WordLeads: OptionSet {
    let rawValue: UInt32
    init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ bit: UInt32) { rawValue = 1 << bit }

    static let article = WordLeads(0)
    static let on = WordLeads(1)
    static let beforeDay = WordLeads(2)
    static let germanDay = WordLeads(3)
    static let calendarWeek = WordLeads(4)
    static let inside = WordLeads(5)
    static let recurring = WordLeads(6)
    static let beforeWeekday = WordLeads(7)
    static let monthFirst = WordLeads(8)
    /// The word means morning here, not tomorrow: "guten Morgen", "por la mañana".
    static let notTomorrow = WordLeads(9)
    static let after = WordLeads(10)
    static let day = WordLeads(11)
    static let dayAfterTomorrow = WordLeads(12)
    static let of = WordLeads(13)
    static let later = WordLeads(14)
    static let end = WordLeads(15)
    static let ordinal = WordLeads(16)
    /// Words after "may" that show that it is the verb.
    static let behindVerbMay = WordLeads(17)

    /// What a buyer does.
    static let buyerVerb = WordLeads(18)
    /// Verbs with many meanings besides earning.
    static let vagueVerb = WordLeads(19)
    static let profit = WordLeads(20)
    static let entry = WordLeads(21)
    static let weight = WordLeads(22)
    /// "last", of a time or of the previous work.
    static let last = WordLeads(23)
    /// Nouns after "last" other than years, months and weeks.
    static let occasion = WordLeads(24)
    /// Things paid for by the thousand.
    static let views = WordLeads(25)
    /// Says that money was paid in the past.
    static let paidOnce = WordLeads(26)
}

/// The meanings of one word, with their values.
struct WordInfo {
    var roles: WordRoles = []
    var leads: WordLeads = []
    /// A number; months 1–12 have their own field.
    var number: Int16 = 0
    var month: UInt8 = 0
    /// Monday is 1.
    var weekday: UInt8 = 0
    /// Days from today.
    var dayOffset: UInt8 = 0
    var unit = TimeUnit.none
    /// Power of ten; 5 for lakh, 7 for crore.
    var magnitude: UInt8 = 0
    /// The hour that a word such as "noon" stands for.
    var hour: UInt8 = 0
    /// Index into ``FactWords/currencies``.
    var currency: UInt8 = 0
    /// Index into the creator's postings.
    var posting: UInt16 = 0
}

enum TimeUnit: UInt8 { case none, hour, day, week, month, year }

/// A hash table of words without collisions: a look-up takes two loads and no search.
///
/// Most words of a text are not in the table, and in an ordinary hash table the search for them ends at places that
/// branch prediction cannot foresee. Here each word belongs to one of ``groups`` groups, and each group has a factor
/// that spreads its words over free places.
struct WordTable: Sendable {
    fileprivate static let groups = 1024
    private static let filterBits = 1 << 16
    /// One bit per hash, for the words that the one pass over a text picks out.
    private var filter = [UInt64](repeating: 0, count: filterBits / 64)
    private var words: [UInt64: WordInfo] = [:]

    // Created by ``seal()``.
    private var factors: [UInt32] = []
    private var shift: UInt64 = 0
    private var keys: [UInt64] = []
    /// Indexed by place; the extra last element is the info of words that are not in the table.
    private var infos: [WordInfo] = []

    /// Adds meanings to a folded word.
    mutating func add(_ word: some Collection<UInt8>, _ change: (inout WordInfo) -> Void) {
        let hash = TextFolder.hash(word)
        // Hash 0 marks free places; a word has it only by chance.
        guard !word.isEmpty, hash != 0 else { return }
        change(&words[hash, default: WordInfo()])
        infos = []
    }

    /// Lays out the words; must be called after the last addition and before the first look-up.
    mutating func seal() {
        for (hash, info) in words where !info.roles.isDisjoint(with: .picked) {
            filter[Int(hash >> 6 & 0x3FF)] |= 1 << (hash & 63)
        }
        var members = [[UInt64]](repeating: [], count: Self.groups)
        for hash in words.keys.sorted() { members[Int(hash % UInt64(Self.groups))].append(hash) }
        // Large groups first, while most places are free.
        let order = members.indices.sorted { (members[$1].count, $0) < (members[$0].count, $1) }
        var bits: UInt64 = 4
        while 1 << bits < words.count * 3 / 2 { bits += 1 }
        // Doubling the number of places is enough to find a factor for a group that did not fit.
        while !layOut(members, order, bits) { bits += 1 }
    }

    /// Finds a factor for each group; returns false when none is found with reasonable effort and more places are
    /// needed.
    private mutating func layOut(_ members: [[UInt64]], _ order: [Int], _ bits: UInt64) -> Bool {
        shift = 64 - bits
        keys = [UInt64](repeating: 0, count: 1 << bits)
        infos = [WordInfo](repeating: WordInfo(), count: 1 << bits + 1)
        factors = [UInt32](repeating: 1, count: Self.groups)
        for group in order where !members[group].isEmpty {
            let factor = stride(from: UInt32(1), to: 1 << 16, by: 2).first { place(members[group], by: $0) }
            guard let factor else { return false }
            factors[group] = factor
        }
        return true
    }

    /// Puts a group's words at the places given by a factor; puts none of them if one of the places is taken.
    private mutating func place(_ group: [UInt64], by factor: UInt32) -> Bool {
        for (i, hash) in group.enumerated() {
            let place = WordIndex.place(of: hash, by: factor, shift)
            guard keys[place] == 0 else {
                for hash in group[..<i] { keys[WordIndex.place(of: hash, by: factor, shift)] = 0 }
                return false
            }
            keys[place] = hash
        }
        for hash in group { infos[WordIndex.place(of: hash, by: factor, shift)] = words[hash] ?? WordInfo() }
        return true
    }

    /// Calls `body` with a view that is cheap to copy.
    func withIndex<R>(_ body: (WordIndex) throws -> R) rethrows -> R {
        precondition(!infos.isEmpty, "sealed before it is asked")
        return try filter.withUnsafeBufferPointer { filter in
            try factors.withUnsafeBufferPointer { factors in
                try keys.withUnsafeBufferPointer { keys in
                    try infos.withUnsafeBufferPointer { infos in
                        try body(
                            WordIndex(
                                filter: filter.baseAddress.unsafelyUnwrapped,
                                factors: factors.baseAddress.unsafelyUnwrapped, shift: shift,
                                keys: keys.baseAddress.unsafelyUnwrapped, none: keys.count,
                                infos: infos.baseAddress.unsafelyUnwrapped))
                    }
                }
            }
        }
    }
}

/// A ``WordTable`` while its buffers are borrowed; small, because every finder holds a copy.
struct WordIndex {
    fileprivate let filter: UnsafePointer<UInt64>
    fileprivate let factors: UnsafePointer<UInt32>
    fileprivate let shift: UInt64
    fileprivate let keys: UnsafePointer<UInt64>
    /// The place used for words that are not in the table.
    fileprivate let none: Int
    fileprivate let infos: UnsafePointer<WordInfo>

    /// Returns 1 for a word that may have a role in ``WordRoles/picked``, and 0 for most others.
    @inline(__always)
    func mayBePicked(_ hash: UInt64) -> UInt64 { filter[Int(hash >> 6 & 0x3FF)] &>> (hash & 63) & 1 }

    @inline(__always)
    fileprivate static func place(of hash: UInt64, by factor: UInt32, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &* UInt64(factor)) &>> shift)
    }

    @inline(__always)
    private func place(of hash: UInt64) -> Int {
        let factor = factors[Int(truncatingIfNeeded: hash) & (WordTable.groups &- 1)]
        let place = Self.place(of: hash, by: factor, shift)
        // Compiled to a conditional move instead of a branch, because it is unpredictable which words are known.
        return keys[place] == hash ? place : none
    }

    /// Returns the meanings of a word; empty for an unknown word and for hash 0.
    @inline(__always)
    func info(_ hash: UInt64) -> WordInfo { infos[place(of: hash)] }

    /// Roles of a word.
    @inline(__always)
    func roles(_ hash: UInt64) -> WordRoles { infos[place(of: hash)].roles }

    /// Leads of a word.
    @inline(__always)
    func leads(_ hash: UInt64) -> WordLeads { infos[place(of: hash)].leads }
}

/// A fixed set of folded words, which can be queried by bytes without creating a string.
struct WordSet: Sendable {
    private var slots: [UInt64]

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - words: folded words, separated by blanks.
    ///   - hash: the hash function used for look-ups.
    init(_ words: String, by hash: (Substring.UTF8View) -> UInt64 = { TextFolder.hash($0) }) {
        let all = words.split(separator: " ")
        var capacity = 16
        while capacity < all.count * 2 { capacity *= 2 }
        slots = [UInt64](repeating: 0, count: capacity)
        for word in all {
            let hash = hash(word.utf8)
            slots[slot(of: hash)] = hash
        }
    }

    private func slot(of hash: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash >> 20) & mask
        while slots[slot] != 0, slots[slot] != hash { slot = (slot + 1) & mask }
        return slot
    }

    func contains(_ bytes: some Sequence<UInt8>) -> Bool { contains(hash: TextFolder.hash(bytes)) }

    @inline(__always)
    func contains(hash: UInt64) -> Bool { slots[slot(of: hash)] == hash }
}
