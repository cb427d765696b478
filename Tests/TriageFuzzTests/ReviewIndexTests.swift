import Testing
import TriageStore

@testable import TriageReview

/// Lists of the page out of memory: the same as a plain filter and a plain sort would give.
@Suite struct `An index of messages in brief` {
    private static func outline(_ seed: UInt64) -> InboxOutline {
        var random = SeededGenerator(seed: seed)
        var outline = InboxOutline()
        for number in 1...Int64.random(in: 1...60, using: &random) where Bool.random(using: &random) {
            let category = InboxBrief.Category(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .none
            outline.briefs.append(
                InboxBrief(
                    number: number, sentAt: [nil, 1, 2, 3].randomElement(using: &random) ?? nil,
                    usd: [nil, 0, 5].randomElement(using: &random) ?? nil,
                    score: category == .business ? [nil, 20, 50, 90].randomElement(using: &random) ?? nil : nil,
                    priority: [nil, 0, 70, 100].randomElement(using: &random) ?? nil, category: category,
                    isUrgent: Int.random(in: 0..<4, using: &random) == 0,
                    isStronglyNegative: Int.random(in: 0..<4, using: &random) == 0))
            let words: [(InboxFeedback.Field, String)] = [
                (.category, "spam"), (.category, "business"), (.sentiment, "negative"), (.sentiment, "neutral"),
                (.urgent, "true"), (.urgent, "false"), (.opportunity, "dismissed"), (.seen, "true"),
            ]
            if Bool.random(using: &random), let (field, value) = words.randomElement(using: &random) {
                outline.said[number] = [field: value]
            }
        }
        return outline
    }

    /// What a list is, said plainly.
    private func numbers(_ outline: InboxOutline, _ query: ReviewQuery) -> [Int64] {
        let wanted = outline.briefs.filter { brief in
            let said = outline.said[brief.number]
            if query.decided == .no, said != nil { return false }
            if query.decided == .yes, said == nil { return false }
            let category = said?[.category].map { InboxBrief.Category(name: $0) } ?? brief.category
            let isOffer = category == .business && said?[.opportunity] == nil
            switch query.view {
            case .all: return true
            case .fan: return category == .fan
            case .spam: return category == .spam
            case .business: return isOffer
            case .offers: return isOffer && (brief.score ?? 0) >= 50
            case .priority:
                let isUrgent = said?[.urgent].map { $0 == "true" } ?? brief.isUrgent
                let isNegative = said?[.sentiment].map { $0 == "negative" } ?? brief.isStronglyNegative
                // Of spam only who is in danger, and what the program found urgent and nobody called spam.
                if category != .spam { return isUrgent || isNegative }
                return isUrgent && ((brief.priority ?? 0) >= 90 || said?[.category] != "spam")
            }
        }
        func value(_ brief: InboxBrief) -> Double {
            switch query.order {
            case .priority: Double(brief.priority ?? -1)
            case .recent: Double(brief.sentAt ?? -1)
            case .score: brief.score.map { 1000 + Double($0) } ?? Double(brief.priority ?? -1)
            case .value: Double(brief.usd ?? -1)
            }
        }
        return wanted.sorted { a, b in
            if value(a) != value(b) { return value(a) > value(b) }
            return query.order == .recent ? a.number > b.number : a.number < b.number
        }.map(\.number)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `gives every list, window and count as plain words would have it`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let outline = Self.outline(seed)
        var index = ReviewIndex(outline)
        for view in ReviewQuery.View.allCases {
            for order in ReviewQuery.Order.allCases {
                for decided in [ReviewQuery.Decided.any, .no, .yes] {
                    var query = ReviewQuery()
                    (query.view, query.order, query.decided) = (view, order, decided)
                    query.limit = Int.random(in: 1...20, using: &random)
                    query.offset = Int.random(in: 0...20, using: &random)
                    let all = numbers(outline, query)
                    let page = index.page(query, matches: nil)
                    #expect(
                        page.total == all.count
                            && page.numbers == Array(all.dropFirst(query.offset).prefix(query.limit)))
                    let matches = (1...70).filter { _ in Bool.random(using: &random) }.map { Int64($0) }
                    let found = index.page(query, matches: matches)
                    let kept = all.filter { matches.contains($0) }
                    #expect(
                        found.total == kept.count
                            && found.numbers == Array(kept.dropFirst(query.offset).prefix(query.limit)))
                    guard decided == .any else { continue }
                    let counts = index.counts
                    let count =
                        switch view {
                        case .all: counts.all
                        case .fan: counts.fan
                        case .business: counts.business
                        case .spam: counts.spam
                        case .priority: counts.priority
                        case .offers: counts.offers
                        }
                    #expect(count == all.count)
                }
            }
        }
    }

    @Test func `takes in what is said, and what is taken back`() {
        var index = ReviewIndex(InboxOutline())
        #expect(index.page(ReviewQuery(), matches: nil).numbers == [])
        var outline = InboxOutline()
        outline.briefs = [InboxBrief(number: 7, category: .fan), InboxBrief(number: 9, category: .spam)]
        index = ReviewIndex(outline)
        var query = ReviewQuery()
        query.view = .spam
        #expect(index.page(query, matches: nil).numbers == [9])
        index.set([.category: "spam"], of: 7)
        #expect(index.page(query, matches: nil).numbers == [7, 9] && index.counts.decided == 1)
        index.set([:], of: 7)
        #expect(index.page(query, matches: nil).numbers == [9] && index.counts.decided == 0)
    }
}
