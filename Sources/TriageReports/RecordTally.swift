import TriageCore
import TriageFormats
import TriageLLM
import TriageRun
import TriageStore

/// Counts annotated records one by one, as a store counts its messages; it keeps only numbers and the top messages.
struct RecordTally {
    private var contents = ReportContents(origin: .records)
    private var days = DayVolumes()
    private var uses: [String: InboxStatistics.FAQUse] = [:]
    private var languages: [String: Int] = [:]
    private var problems: [String: Int] = [:]
    private var offers = RankedList<ReportOffer>(most: ReportContents.most)
    private var urgent = RankedList<ReportMessage>(most: ReportContents.most)

    /// The number of library entries that are counted separately.
    private static let mostEntries = 10_000

    /// The counts so far.
    var result: ReportContents {
        var contents = contents
        contents.counts.days = days.sorted
        contents.dayCount = days.count
        contents.counts.faq = uses.values.sorted { $0.id < $1.id }
        contents.languages = ReportContents.sorted(languages).map { ($0.0, $0.1) }
        contents.problems = ReportContents.sorted(problems).map { ($0.0, $0.1) }
        contents.offers = offers.elements
        contents.moreOffers = offers.leftOut
        contents.urgent = urgent.elements
        contents.moreUrgent = urgent.leftOut
        return contents
    }

    /// Counts a line that is not a readable record.
    ///
    /// - Parameter isRejected: whether the line itself says that it was refused when records were annotated.
    mutating func addUnreadable(isRejected: Bool) {
        if isRejected { contents.rejected += 1 } else { contents.unreadable += 1 }
    }

    mutating func addUnanswered() { contents.unanswered += 1 }

    /// Counts a record with answers.
    ///
    /// - Parameters:
    ///   - answers: its member `triage`.
    ///   - corrections: its member `corrections`, as `triage export --corrections` writes it.
    ///   - message: makes the message to show, with the effective category; called only if it is among the top
    ///     messages.
    mutating func add(
        _ answers: JSONValue, corrections: JSONValue?, sentAt: Int64?, message: (String?) -> ReportMessage
    ) {
        if let skipped = answers["skipped"]?.string {
            if skipped == "own" { contents.counts.own += 1 } else { contents.counts.notMessages += 1 }
            return
        }
        let category = corrected(.category, corrections?["category"], answers["category"]?["label"]?.string)
        let sentiment = corrected(.sentiment, corrections?["sentiment"], answers["sentiment"]?["label"]?.string)
        var isUrgent = answers["urgency"]?["urgent"]?.bool ?? false
        if let said = corrections?["urgent"]?.bool {
            note(.urgent, agrees: said == isUrgent)
            isUrgent = said
        }
        let opportunity = answers["opportunity"]
        let score = opportunity?["score"]?.integer
        var volume = InboxStatistics.Volume()
        volume.messages = 1
        switch category {
        case "fan": volume.fan = 1
        case "business": volume.business = 1
        case "spam": volume.spam = 1
        default: break
        }
        switch sentiment {
        case "positive": volume.positive = 1
        case "negative": volume.negative = 1
        case "neutral": volume.neutral = 1
        default: break
        }
        volume.urgent = isUrgent ? 1 : 0
        volume.offers = (score ?? 0) >= 50 ? 1 : 0
        contents.counts.all.add(volume)
        if let sentAt { days.add(volume, on: UTCTime.day(sentAt)) }
        if let tier = opportunity?["tier"]?.string, ReportOffer.tiers.contains(tier) {
            contents.counts.tiers[tier, default: 0] += 1
        }
        countFAQ(answers["faq"], corrections?["faq"]?.string)
        countRest(answers, corrections)
        if isUrgent {
            urgent.add(min(max(answers["priority"]?.integer ?? 0, 0), 100)) {
                var shown = message(category)
                shown.isUpset = sentiment == "negative"
                return shown
            }
        }
        let isDismissed = corrections?["opportunity"]?.string == "dismissed"
        if isDismissed { contents.counts.dismissedOffers += 1 }
        if let score, category == "business", !isDismissed {
            offers.add(score) { ReportOffer(message(category), score: score, opportunity: opportunity) }
        }
    }

    private mutating func countRest(_ answers: JSONValue, _ corrections: JSONValue?) {
        if answers["injection"]?["suspected"]?.bool == true { contents.counts.injections += 1 }
        if (answers["revision"]?.integer ?? 1) > 1 { contents.counts.edited += 1 }
        if answers["draft"]?.members != nil { contents.counts.drafts += 1 }
        if let fate = corrections?["draft"]?.string, ["accepted", "edited", "dismissed"].contains(fate) {
            contents.counts.draftDecisions[fate, default: 0] += 1
        }
        let tag = answers["language"]?["tag"]?.string.flatMap { ReportMessage.tag($0) } ?? "und"
        ReportContents.count(tag, in: &languages)
        // Only a language model that was asked has a prompt in its provenance.
        let models = answers["provenance"]?["models"]?.array ?? []
        if models.contains(where: { $0["prompt"]?.string != nil }) { contents.answeredByModel += 1 }
        if ReportContents.count(problems: answers["problems"], in: &problems) { contents.withProblems += 1 }
    }

    private mutating func countFAQ(_ answer: JSONValue?, _ said: String?) {
        let id = answer?["id"]?.string.map { ReportMessage.cut($0, 200) }
        if let said { note(.faq, agrees: said == "right") }
        guard let id, uses[id] != nil || uses.count < Self.mostEntries else { return }
        var use = uses[id] ?? .init(id: id)
        if answer?["match"]?.string == "possible" { use.possible += 1 } else { use.high += 1 }
        if let said {
            if said == "right" { use.right += 1 } else { use.wrong += 1 }
        }
        uses[id] = use
    }

    /// What a person said, or else the answer.
    private mutating func corrected(
        _ field: InboxFeedback.Field, _ said: JSONValue?, _ answered: String?
    ) -> String? {
        guard let said = said?.string else { return answered }
        note(field, agrees: said == answered)
        return said
    }

    private mutating func note(_ field: InboxFeedback.Field, agrees: Bool) {
        contents.counts.agreement[field, default: .init()].asked += 1
        if agrees { contents.counts.agreement[field, default: .init()].agreed += 1 }
    }
}

/// Messages by day, in bounded memory however many different days occur.
///
/// Beyond ``most`` days, they are added up by year. The page looks the same: so many days span more years than it could
/// show in shorter steps.
struct DayVolumes {
    /// The number of days kept apart; this is more days than ``VolumeBins/most`` months have.
    static let most = 20_000

    /// Keyed by day, or by the first of January once `isByYear`.
    private var volumes: [Int: InboxStatistics.Volume] = [:]
    private var isByYear = false
    /// One bit for each day with messages; the key is the day divided by 64.
    private var named: [Int: UInt64] = [:]
    private var (first, last) = (Int.max, Int.min)

    /// The number of days with messages.
    private(set) var count = 0

    mutating func add(_ volume: InboxStatistics.Volume, on day: Int) {
        let bit: UInt64 = 1 << UInt64(day & 63)
        if named[day >> 6, default: 0] & bit == 0 {
            named[day >> 6, default: 0] |= bit
            count += 1
            (first, last) = (min(first, day), max(last, day))
            if count > Self.most, !isByYear { joinYears() }
        }
        volumes[isByYear ? Self.newYear(day) : day, default: .init()].add(volume)
    }

    /// By day, sorted; the first and the last are days that really occurred.
    var sorted: [(day: Int, volume: InboxStatistics.Volume)] {
        var days = volumes.sorted { $0.key < $1.key }.map { (day: $0.key, volume: $0.value) }
        if isByYear {
            days[0].day = first
            days[days.count - 1].day = last
        }
        return days
    }

    private mutating func joinYears() {
        isByYear = true
        let days = volumes
        volumes = [:]
        for (day, volume) in days { volumes[Self.newYear(day), default: .init()].add(volume) }
    }

    private static func newYear(_ day: Int) -> Int {
        CivilDate(year: CivilDate(daysSince1970: day).year, month: 1, day: 1).daysSince1970
    }
}

/// Keeps the elements with the highest rank; among equal ranks, the earliest.
struct RankedList<Element> {
    let most: Int
    /// The number of elements offered.
    private(set) var offered = 0
    private var ranked: [(rank: Int, element: Element)] = []

    init(most: Int) { self.most = most }

    /// The elements, highest rank first.
    var elements: [Element] { ranked.map(\.element) }
    /// The number of elements that were offered but not kept.
    var leftOut: Int { offered - ranked.count }

    /// - Parameter make: called only when there is room for the element.
    mutating func add(_ rank: Int, _ make: () -> Element) {
        offered += 1
        if ranked.count == most {
            guard let last = ranked.last, rank > last.rank else { return }
            ranked.removeLast()
        }
        let place = ranked.firstIndex { $0.rank < rank } ?? ranked.endIndex
        ranked.insert((rank, make()), at: place)
    }
}
