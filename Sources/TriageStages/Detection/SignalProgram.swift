internal import TriageCore

/// A rule set compiled for the pass over hits: gates, limits, covers, detectors and composites by index.
///
/// Signals that composites ask for are numbered as members; which of them fired, and what a composite wants, are bits of
/// a few words, so that a composite is decided without a look at each of its members.
struct SignalProgram: Sendable {
    /// What the pass needs of a signal, in one place of memory.
    struct Entry: Sendable {
        /// Languages it is open to, one bit each; bit 0: undetermined.
        var languages: UInt64
        var facts: UInt64
        /// Its bit among the members, and the word that it is in; 0 for no member.
        var memberBit: UInt64 = 0
        var memberWord: UInt16 = 0
        /// Word of composites that it may complete, and their bits there.
        var compositeWord: UInt16 = 0
        var compositeBits: UInt64 = 0
        /// Whether it may complete composites of other words as well; ``completes`` has all of them.
        var completesMore = false
        var repeats: UInt8
        /// Feeds sentiment: a longer one hides a shorter one inside it.
        var isSentiment: Bool
        /// How many of its matches were kept in the message that ``message`` numbers.
        var kept: UInt8 = 0
        /// The last message that it fired in; what is noted of another one is void.
        var message: UInt32 = 0
        /// Where the last of the kept matches ended.
        var lastEnd: UInt32 = 0

        init(_ signal: Signal) {
            var mask: UInt64 = 0
            for tag in signal.onlyIn {
                if let index = LanguageTable.index(of: tag), index < 64 { mask |= 1 << UInt64(index) }
            }
            languages = mask == 0 ? .max : mask | 1
            let feeds = signal.feeds
            facts = feeds.facts
            // What takes feeling away is context: it counts once, and neither hides other matches nor is hidden.
            let isFeeling = feeds.feedsSentiment && feeds.positive >= 0 && feeds.negative >= 0
            isSentiment = isFeeling || feeds.modifier != .none
            // Every word of feeling counts, with less and less weight; its own stage bounds them.
            let isOnlySentiment =
                isSentiment && !feeds.feedsCategory && feeds.urgent == 0 && feeds.danger == 0
                && feeds.injection == 0
            repeats = isOnlySentiment ? 64 : UInt8(clamping: max(1, signal.repeatLimit))
        }
    }

    /// A signal made of others.
    struct Composite: Sendable {
        var signal: UInt16
        /// Whether it names signals of which one must be there.
        var asksAny: Bool
        /// Its part of ``conditions``.
        var firstCondition: UInt32 = 0
        var endOfConditions: UInt32 = 0
        /// Within how many bytes of the first signal of `all` the others must stand; 0: anywhere.
        var near: UInt32 = 0
        /// Its part of ``members``: `all`, the first of them in front, then `any`.
        var firstMember: UInt32 = 0
        var endOfAll: UInt32 = 0
        var endOfMembers: UInt32 = 0
    }

    /// Members of one word of which all, some and none must be there.
    struct Condition: Sendable {
        var word: Int
        var all: UInt64 = 0
        var any: UInt64 = 0
        var none: UInt64 = 0
    }

    let entries: [Entry]
    let composites: [Composite]
    /// Words that hold a bit of each member.
    let memberWords: Int
    /// Words that hold a bit of each composite.
    let compositeWords: Int
    /// Of each composite, one for each word that it has members in.
    let conditions: [Condition]
    /// Signals of the composites that ask how near they stand.
    let members: [UInt16]
    /// Of each signal, ``compositeWords`` words: composites that it may complete.
    let completes: [UInt64]
    /// Composites that ask only what is absent, in ``compositeWords`` words.
    let unconditional: [UInt64]
    /// Detectors that some signal asks for, one bit each.
    let askedDetectors: UInt64
    /// Signals of detectors in the order of ``DetectorName/allCases``: detector `n` has
    /// `detectorStarts[n]..<detectorStarts[n + 1]`.
    let detectorSignals: [UInt16]
    let detectorStarts: [UInt16]

    init(_ rules: RuleSet) {
        // Hits name signals in 16 bits; the loader refuses more.
        let signals = rules.signals.prefix(Int(UInt16.max))
        var entries = signals.map { Entry($0) }
        let names = Dictionary(
            signals.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var wants: [(all: [Int], any: [Int], none: [Int])] = []
        var composites: [Composite] = []
        var near: [UInt16] = []
        var byDetector: [String: [UInt16]] = [:]
        for (index, signal) in signals.enumerated() {
            switch signal.trigger {
            case .detector(let name): byDetector[name, default: []].append(UInt16(index))
            case .composite(let all, let any, let none):
                // A name that is not there can never fire: the loader reports it, and here it only keeps `all` from firing.
                let wanted = all.compactMap { names[$0] }
                guard wanted.count == all.count else { continue }
                wants.append((wanted, any.compactMap { names[$0] }, none.compactMap { names[$0] }))
                var composite = Composite(signal: UInt16(index), asksAny: wants.last?.any.isEmpty == false)
                if signal.near > 0, !wanted.isEmpty {
                    composite.near = UInt32(clamping: signal.near)
                    composite.firstMember = UInt32(near.count)
                    near += wanted.map { UInt16($0) }
                    composite.endOfAll = UInt32(near.count)
                    near += any.compactMap { names[$0].map { UInt16($0) } }
                    composite.endOfMembers = UInt32(near.count)
                }
                composites.append(composite)
            case .patterns: break
            }
        }
        let asked = Set(wants.flatMap { $0.all + $0.any + $0.none }).sorted()
        for (number, member) in asked.enumerated() {
            entries[member].memberWord = UInt16(number / 64)
            entries[member].memberBit = 1 << UInt64(number % 64)
        }
        let memberWords = asked.count / 64 + 1
        let compositeWords = composites.count / 64 + 1
        var conditions: [Condition] = []
        var completes = [UInt64](repeating: 0, count: signals.count * compositeWords)
        var unconditional = [UInt64](repeating: 0, count: compositeWords)
        for (number, want) in wants.enumerated() {
            var words = (0..<memberWords).map { Condition(word: $0) }
            for member in want.all { words[Int(entries[member].memberWord)].all |= entries[member].memberBit }
            for member in want.any { words[Int(entries[member].memberWord)].any |= entries[member].memberBit }
            for member in want.none { words[Int(entries[member].memberWord)].none |= entries[member].memberBit }
            let first = conditions.count
            conditions += words.filter { $0.all | $0.any | $0.none != 0 }
            composites[number].firstCondition = UInt32(first)
            composites[number].endOfConditions = UInt32(conditions.count)
            let bit: UInt64 = 1 << UInt64(number % 64)
            for member in want.all + want.any { completes[member * compositeWords + number / 64] |= bit }
            if want.all.isEmpty, want.any.isEmpty { unconditional[number / 64] |= bit }
        }
        for signal in entries.indices {
            let words = completes[signal * compositeWords..<(signal + 1) * compositeWords]
            let word = words.firstIndex { $0 != 0 } ?? words.startIndex
            entries[signal].compositeWord = UInt16(word - words.startIndex)
            entries[signal].compositeBits = words[word]
            entries[signal].completesMore = words[(word + 1)...].contains { $0 != 0 }
        }
        let lists = DetectorName.allCases.map { byDetector[$0.rawValue] ?? [] }
        askedDetectors = lists.indices.reduce(0) { lists[$1].isEmpty ? $0 : $0 | 1 << UInt64($1) }
        detectorSignals = lists.flatMap { $0 }
        detectorStarts = lists.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt16($1.count)) }
        self.entries = entries
        self.composites = composites
        self.memberWords = memberWords
        self.compositeWords = compositeWords
        self.conditions = conditions
        members = near
        self.completes = completes
        self.unconditional = unconditional
    }
}
