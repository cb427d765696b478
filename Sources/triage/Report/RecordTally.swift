import TriageCore
import TriageFormats
import TriageLLM
import TriageStore

/// Counts annotated records one by one, as a store counts what it holds; of a record only numbers stay, and the best.
struct RecordTally {
    private var contents = ReportContents(origin: .records)
    private var days = DayVolumes()
    private var uses: [String: InboxStatistics.FAQUse] = [:]
    private var languages: [String: Int] = [:]
    private var problems: [String: Int] = [:]
    private var offers = RankedList<ReportOffer>(most: ReportContents.most)
    private var urgent = RankedList<ReportMessage>(most: ReportContents.most)

    /// Entries of a library that are told apart.
    private static let mostEntries = 10_000

    /// What was counted.
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

    /// A line that is no record.
    ///
    /// - Parameter isRejected: whether it says so itself, because it was refused when records were annotated.
    mutating func addUnreadable(isRejected: Bool) {
        if isRejected { contents.rejected += 1 } else { contents.unreadable += 1 }
    }

    mutating func addUnanswered() { contents.unanswered += 1 }

    /// A record with answers.
    ///
    /// - Parameters:
    ///   - answers: its member `triage`.
    ///   - corrections: its member `corrections`, as `triage export --corrections` writes it.
    ///   - message: makes what is shown of it, with the category that counts; called where it is among the first.
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
        // Of what a language model was asked the prompt is named.
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

    /// What a person said, else what was answered.
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
