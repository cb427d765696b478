import TriageCore
import TriageFormats
import TriageRun
package import TriageStore

/// Renders a store's statistics as text and as JSON.
package struct StatisticsText {
    package var counts: InboxStatistics
    /// How many of the latest days and weeks the text shows; the JSON has all of them.
    package var latest = 14

    package init(counts: InboxStatistics, latest: Int = 14) {
        self.counts = counts
        self.latest = latest
    }

    /// The time, in seconds, that a person is assumed to need; stated wherever a figure is based on it.
    package static let assumed = (accepted: 60, edited: 30, spam: 5)

    /// Seconds saved under that assumption.
    package var saved: Int {
        let accepted = counts.draftDecisions["accepted"] ?? 0
        let edited = counts.draftDecisions["edited"] ?? 0
        return accepted * Self.assumed.accepted + edited * Self.assumed.edited + counts.all.spam * Self.assumed.spam
    }

    /// Weekly volumes by Monday, as days since 1970.
    private var weeks: [(day: Int, volume: InboxStatistics.Volume)] {
        var found: [(day: Int, volume: InboxStatistics.Volume)] = []
        for (day, volume) in counts.days {
            // 1970-01-01 was a Thursday.
            let monday = day - ((day + 3) % 7 + 7) % 7
            if found.last?.day == monday {
                found[found.count - 1].volume.add(volume)
            } else {
                found.append((monday, volume))
            }
        }
        return found
    }

    // MARK: - Text

    package var words: String {
        func n(_ number: Int) -> String { MoneyText.count(number) }
        let all = counts.all
        var out = "\(n(all.messages)) \(all.messages == 1 ? "message" : "messages")"
        if counts.own > 0 { out += ", \(n(counts.own)) own" }
        if counts.notMessages > 0 { out += ", \(n(counts.notMessages)) notices" }
        out += "\n"
        if counts.edited > 0 { out += "  \(n(counts.edited)) edited or answered again\n" }
        if counts.owed > 0 { out += "  \(n(counts.owed)) still wait for an LLM answer\n" }
        out += "\nKind      fan \(n(all.fan)) · business \(n(all.business)) · spam \(n(all.spam))\n"
        out += "Feeling   positive \(n(all.positive)) · negative \(n(all.negative)) · neutral \(n(all.neutral))\n"
        out += "Urgent    \(n(all.urgent))\n"
        let tiers = ["gold", "blue", "gray"].map { "\($0) \(n(counts.tiers[$0] ?? 0))" }.joined(separator: " · ")
        out += "Offers    \(tiers)"
        if counts.dismissedOffers > 0 { out += " · \(n(counts.dismissedOffers)) dismissed" }
        out += "\nInjection \(n(counts.injections)) suspected\n"
        out += faqWords + draftWords
        out += agreementWords
        out += "Saved     about \(Self.duration(saved)), if an accepted draft saves \(Self.assumed.accepted) s, "
        out += "an edited one \(Self.assumed.edited) s, and an unread spam message \(Self.assumed.spam) s\n"
        out += "LLM       " + spendWords + "\n"
        out += table("Day", counts.days.suffix(latest)) + table("Week of", weeks.suffix(latest))
        return out
    }

    private var faqWords: String {
        guard !counts.faq.isEmpty else { return "" }
        let high = counts.faq.reduce(0) { $0 + $1.high }
        let possible = counts.faq.reduce(0) { $0 + $1.possible }
        var out = "FAQ       \(MoneyText.count(high)) answered, \(MoneyText.count(possible)) possibly"
        if let said = counts.agreement[.faq], said.asked > 0 {
            out += "; right in \(said.agreed) of \(said.asked) you rated"
        }
        out += "\n"
        for use in counts.faq.sorted(by: { ($1.high + $1.possible, $0.id) < ($0.high + $0.possible, $1.id) }).prefix(10)
        {
            out += "            " + TerminalText.padded(TerminalText.line(use.id, columns: 24), columns: 24)
            out += " \(use.high) + \(use.possible) possible"
            if use.right + use.wrong > 0 { out += ", \(use.right) right, \(use.wrong) wrong" }
            out += "\n"
        }
        return out
    }

    private var draftWords: String {
        let decided = counts.draftDecisions
        let total = decided.values.reduce(0, +)
        var out = "Drafts    \(MoneyText.count(counts.drafts))"
        if total > 0 {
            out += "; of \(total) you decided on: "
            out += ["accepted", "edited", "dismissed"].map { "\(decided[$0] ?? 0) \($0)" }.joined(separator: ", ")
        }
        let rated = counts.draftRatings.values.reduce(0, +)
        if rated > 0 { out += "; \(counts.draftRatings["good"] ?? 0) of \(rated) rated good" }
        return out + "\n"
    }

    private var agreementWords: String {
        let said = [InboxFeedback.Field.category, .sentiment, .urgent].compactMap { field in
            counts.agreement[field].flatMap { $0.asked > 0 ? "\(field.rawValue) \($0.agreed) of \($0.asked)" : nil }
        }
        return said.isEmpty ? "" : "Agreement " + said.joined(separator: ", ") + "\n"
    }

    package var spendWords: String {
        let spend = counts.spend
        guard spend.requests > 0 else { return "no requests" }
        var out = "\(MoneyText.count(spend.requests)) requests, \(MoneyText.count(spend.inputTokens)) + "
        out += "\(MoneyText.count(spend.outputTokens)) tokens, $\(DecimalText.dollars(spend.cost))"
        if spend.unpriced > 0 { out += " and \(MoneyText.count(spend.unpriced)) requests at unknown price" }
        return out
    }

    private func table(_ name: String, _ rows: ArraySlice<(day: Int, volume: InboxStatistics.Volume)>) -> String {
        guard !rows.isEmpty else { return "" }
        let heads = ["messages", "fan", "business", "spam", "urgent", "offers"]
        var out = "\n" + TerminalText.padded(name, columns: 12)
        for head in heads { out += TerminalText.paddedBefore(head, columns: 10) }
        out += "\n"
        for (day, volume) in rows {
            out += TerminalText.padded(Self.date(day), columns: 12)
            for number in [
                volume.messages, volume.fan, volume.business, volume.spam, volume.urgent, volume.offers,
            ] {
                out += TerminalText.paddedBefore(MoneyText.count(number), columns: 10)
            }
            out += "\n"
        }
        return out
    }

    package static func duration(_ seconds: Int) -> String {
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3600 { return "\(seconds / 60) min" }
        return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }

    private static func date(_ day: Int) -> String { String(UTCTime.text(Int64(day) * 86_400).prefix(10)) }

    // MARK: - JSON

    package var json: String {
        var out = JSONObjectText()
        out.add(raw: "all", Self.json(counts.all))
        out.add("own", counts.own)
        out.add("not_messages", counts.notMessages)
        out.add("edited", counts.edited)
        out.add("owed", counts.owed)
        out.add("injections", counts.injections)
        out.add("runs", counts.runs)
        var tiers = JSONObjectText()
        for tier in ["gold", "blue", "gray"] { tiers.add(tier, counts.tiers[tier] ?? 0) }
        out.add(raw: "tiers", tiers.text)
        out.add("dismissed_offers", counts.dismissedOffers)
        out.add(raw: "faq", Self.list(counts.faq.map(Self.json)))
        var drafts = JSONObjectText()
        drafts.add("made", counts.drafts)
        for fate in ["accepted", "edited", "dismissed"] { drafts.add(fate, counts.draftDecisions[fate] ?? 0) }
        for rating in ["good", "bad"] { drafts.add(rating, counts.draftRatings[rating] ?? 0) }
        out.add(raw: "drafts", drafts.text)
        var agreement = JSONObjectText()
        for field in InboxFeedback.Field.allCases {
            guard let said = counts.agreement[field] else { continue }
            agreement.add(raw: field.rawValue, "{\"asked\":\(said.asked),\"agreed\":\(said.agreed)}")
        }
        out.add(raw: "agreement", agreement.text)
        out.add(
            raw: "saved",
            "{\"seconds\":\(saved),\"assumed_seconds\":{\"draft_accepted\":\(Self.assumed.accepted),"
                + "\"draft_edited\":\(Self.assumed.edited),\"spam\":\(Self.assumed.spam)}}")
        let spend = counts.spend
        out.add(
            raw: "spend",
            "{\"requests\":\(spend.requests),\"input_tokens\":\(spend.inputTokens),"
                + "\"output_tokens\":\(spend.outputTokens),\"usd\":\(DecimalText.dollars(spend.cost)),"
                + "\"unpriced_requests\":\(spend.unpriced)}")
        out.add(raw: "days", Self.list(counts.days.map { Self.json($0.volume, day: $0.day) }))
        out.add(raw: "weeks", Self.list(weeks.map { Self.json($0.volume, day: $0.day) }))
        return out.text
    }

    private static func list(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

    private static func json(_ use: InboxStatistics.FAQUse) -> String {
        var out = JSONObjectText()
        out.add("id", use.id)
        out.add("high", use.high)
        out.add("possible", use.possible)
        out.add("right", use.right)
        out.add("wrong", use.wrong)
        return out.text
    }

    private static func json(_ volume: InboxStatistics.Volume, day: Int? = nil) -> String {
        var out = JSONObjectText()
        out.add("day", day.map(date))
        out.add("messages", volume.messages)
        out.add("fan", volume.fan)
        out.add("business", volume.business)
        out.add("spam", volume.spam)
        out.add("positive", volume.positive)
        out.add("negative", volume.negative)
        out.add("neutral", volume.neutral)
        out.add("urgent", volume.urgent)
        out.add("offers", volume.offers)
        return out.text
    }
}
