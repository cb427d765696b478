import TriageStore

/// A brief entry for every message of a store, sorted: serves lists, counts and windows without querying the store.
struct ReviewIndex: Sendable {
    private(set) var outline = InboxOutline()
    /// Indices into ``InboxOutline/briefs``, by order; computed on first use.
    private var orders: [ReviewQuery.Order: [Int32]] = [:]

    /// The number of messages in each view.
    struct Counts: Equatable {
        var all = 0
        var fan = 0
        var business = 0
        var spam = 0
        var priority = 0
        /// The priority messages that nobody has decided on.
        var priorityOpen = 0
        var offers = 0
        var decided = 0
    }

    /// A part of a list.
    struct Window: Equatable {
        /// The numbers of the messages in the window, in order.
        var numbers: [Int64] = []
        /// How many more messages each row stands for.
        var alike: [Int] = []
        /// The number of rows in the list.
        var total = 0
        /// The highest number of any message, in the list or not; 0: there are no messages.
        var newest: Int64 = 0
        /// How many messages of the list are newer than those seen, and the position of the first.
        var newer = 0
        var firstNewer: Int?
        /// The positions of the messages that were asked for; nil: not in this list.
        var places: [Int?] = []
    }

    init(_ outline: InboxOutline = InboxOutline()) { self.outline = outline }

    /// Replaces the decisions on one message; empty: there are none any more.
    mutating func set(_ said: [InboxFeedback.Field: String], of number: Int64) {
        let settling = said.filter { $0.key.settles }
        outline.said[number] = settling.isEmpty ? nil : settling
    }

    /// The key of messages that share one row.
    ///
    /// They have nearly the same text from several senders, and they agree on whether they are urgent and on whether a
    /// person has decided on them.
    private struct Row: Hashable {
        var campaign: UInt64
        var isUrgent: Bool
        var isDecided: Bool
    }

    private func row(_ number: Int64, isUrgent: Bool) -> Row? {
        guard let campaign = outline.campaigns[number] else { return nil }
        let said = outline.said[number]
        return Row(
            campaign: campaign, isUrgent: said?[.urgent].map { $0 == "true" } ?? isUrgent, isDecided: said != nil)
    }

    private func row(_ number: Int64) -> Row? {
        guard outline.campaigns[number] != nil, let brief = brief(number) else { return nil }
        return row(number, isUrgent: brief.isUrgent)
    }

    private func brief(_ number: Int64) -> InboxBrief? {
        var (low, high) = (0, outline.briefs.count)
        while low < high {
            let middle = (low + high) / 2
            if outline.briefs[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < outline.briefs.count && outline.briefs[low].number == number ? outline.briefs[low] : nil
    }

    /// The numbers of the other messages that the row of a message stands for.
    func alike(_ number: Int64) -> [Int64] {
        guard let own = row(number) else { return [] }
        return outline.campaigns.keys.filter { $0 != number && row($0) == own }.sorted()
    }

    /// A window of a list.
    ///
    /// Of messages with nearly the same text, it shows the first in its order. A search shows each message by itself.
    ///
    /// - Parameter matches: only these messages, in order; nil: all.
    mutating func page(_ query: ReviewQuery, matches: [Int64]?) -> Window {
        let isWanted = matches.map { places(of: $0) }
        var window = Window()
        window.newest = outline.briefs.last?.number ?? 0
        window.places = query.asked.map { _ in nil }
        let folds = matches == nil && !outline.campaigns.isEmpty
        /// For each row, its position and how many more messages it stands for.
        var rows: [Row: (place: Int, more: Int)] = [:]
        if folds {
            for number in outline.campaigns.keys { if let row = row(number) { rows[row, default: (-1, -1)].more += 1 } }
        }
        for place in places(in: query.order) {
            if let isWanted, !isWanted[Int(place)] { continue }
            let brief = outline.briefs[Int(place)]
            guard isIn(brief, query.view, query.decided) else { continue }
            var more = 0
            if folds, let row = row(brief.number, isUrgent: brief.isUrgent), let known = rows[row] {
                if known.place >= 0 {
                    for (index, number) in query.asked.enumerated() where number == brief.number {
                        window.places[index] = known.place
                    }
                    continue
                }
                rows[row]?.place = window.total
                more = known.more
            }
            if window.total >= query.offset, window.numbers.count < query.limit {
                window.numbers.append(brief.number)
                window.alike.append(more)
            }
            if let seen = query.seen, brief.number > seen {
                window.newer += 1
                if window.firstNewer == nil { window.firstNewer = window.total }
            }
            if !query.asked.isEmpty {
                for (place, number) in query.asked.enumerated() where number == brief.number {
                    window.places[place] = window.total
                }
            }
            window.total += 1
        }
        return window
    }

    var counts: Counts {
        var counts = Counts()
        for brief in outline.briefs {
            let said = outline.said[brief.number]
            counts.all += 1
            if said != nil { counts.decided += 1 }
            switch Self.category(brief, said) {
            case .fan: counts.fan += 1
            case .spam: counts.spam += 1
            case .business:
                if said?[.opportunity] != "dismissed" {
                    counts.business += 1
                    if brief.score ?? 0 >= 50 { counts.offers += 1 }
                }
            case .none: break
            }
            if Self.isFirst(brief, said) {
                counts.priority += 1
                if said == nil { counts.priorityOpen += 1 }
            }
        }
        return counts
    }

    /// For each brief, whether its number is among these; both are in the same order.
    private func places(of numbers: [Int64]) -> [Bool] {
        var found = [Bool](repeating: false, count: outline.briefs.count)
        var place = 0
        for number in numbers {
            while place < outline.briefs.count, outline.briefs[place].number < number { place += 1 }
            guard place < outline.briefs.count else { break }
            if outline.briefs[place].number == number { found[place] = true }
        }
        return found
    }

    private func isIn(_ brief: InboxBrief, _ view: ReviewQuery.View, _ decided: ReviewQuery.Decided) -> Bool {
        let said = outline.said.isEmpty ? nil : outline.said[brief.number]
        switch decided {
        case .any: break
        case .no: if said != nil { return false }
        case .yes: if said == nil { return false }
        }
        switch view {
        case .all: return true
        case .fan: return Self.category(brief, said) == .fan
        case .spam: return Self.category(brief, said) == .spam
        case .business: return Self.category(brief, said) == .business && said?[.opportunity] != "dismissed"
        case .offers:
            return brief.score ?? 0 >= 50 && Self.category(brief, said) == .business
                && said?[.opportunity] != "dismissed"
        case .priority: return Self.isFirst(brief, said)
        }
    }

    private static func category(
        _ brief: InboxBrief, _ said: [InboxFeedback.Field: String]?
    ) -> InboxBrief.Category {
        said?[.category].map { InboxBrief.Category(name: $0) } ?? brief.category
    }

    private static func isFirst(_ brief: InboxBrief, _ said: [InboxFeedback.Field: String]?) -> Bool {
        let isUrgent = said?[.urgent].map { $0 == "true" } ?? brief.isUrgent
        let isNegative = said?[.sentiment].map { $0 == "negative" } ?? brief.isStronglyNegative
        guard category(brief, said) == .spam else { return isUrgent || isNegative }
        // The same as in `InboxQuery`: danger outranks spam, whoever called it spam; ill-tempered spam does not count.
        let isCalledSpam = said?[.category] == "spam" && said?[.urgent] != "true"
        return isUrgent && (!isCalledSpam || brief.priority ?? 0 >= InboxQuery.dangerPriority)
    }

    private mutating func places(in order: ReviewQuery.Order) -> [Int32] {
        if let places = orders[order] { return places }
        let briefs = outline.briefs
        // Messages without a value go last. Among equals the first to arrive goes first, except in the order `latest`.
        let key: (InboxBrief) -> Double =
            switch order {
            case .priority: { $0.priority.map { Double($0) } ?? -1 }
            case .recent: { $0.sentAt.map { Double($0) } ?? -.infinity }
            case .score: { $0.score.map { 1000 + Double($0) } ?? ($0.priority.map { Double($0) } ?? -1) }
            case .value: { $0.usd.map { Double($0) } ?? -1 }
            }
        let keys = briefs.map(key)
        let isLatestFirst = order == .recent
        let places = (0..<Int32(briefs.count)).sorted { a, b in
            let (x, y) = (keys[Int(a)], keys[Int(b)])
            return x == y ? (isLatestFirst ? a > b : a < b) : x > y
        }
        orders[order] = places
        return places
    }
}

/// Which messages a page wants to list, and in which order.
struct ReviewQuery: Equatable, Sendable {
    enum View: String, CaseIterable, Sendable {
        case all, fan, business, spam
        /// Urgent, or strongly negative and not spam.
        case priority
        /// Offers with a score of 50 or more.
        case offers
    }

    enum Order: String, CaseIterable, Hashable, Sendable {
        case priority, recent, score, value
    }

    /// Whether a person has decided on a message.
    enum Decided: String, Sendable { case no, yes, any }

    var view = View.all
    var order = Order.priority
    var decided = Decided.any
    var words = ""
    var offset = 0
    var limit = 50
    /// The highest number that the page has shown; messages above it are counted as newer.
    var seen: Int64?
    /// The messages whose positions in the list are wanted.
    var asked: [Int64] = []

    static let limitMost = 200
    static let askedMost = 8

    init() {}

    /// Reads the parameters of a request; nil if any is not understood.
    init?(_ parameters: [String: [UInt8]]) {
        for (name, bytes) in parameters {
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            switch name {
            case "view":
                guard let view = View(rawValue: text) else { return nil }
                self.view = view
            case "sort":
                guard let order = Order(rawValue: text) else { return nil }
                self.order = order
            case "decided":
                guard let decided = Decided(rawValue: text) else { return nil }
                self.decided = decided
            case "q": words = text
            case "offset":
                guard let number = Int(text), number >= 0 else { return nil }
                offset = number
            case "limit":
                guard let number = Int(text), (1...Self.limitMost).contains(number) else { return nil }
                limit = number
            case "seen":
                guard let number = Int64(text), number >= 0 else { return nil }
                seen = number
            case "places":
                let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
                guard numbers.count <= Self.askedMost else { return nil }
                asked = numbers.compactMap { $0 }
                guard asked.count == numbers.count else { return nil }
            default: return nil
            }
        }
    }
}
