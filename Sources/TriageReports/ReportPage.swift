import TriageCore
import TriageFormats
package import TriageInbox
import TriageRun
package import TriageStore

/// A report as one HTML file: no script, no external resources, and the same bytes for the same contents.
package struct ReportPage {
    package var contents: ReportContents
    /// Text that still has to be escaped.
    package var title: String
    /// Whether to show texts and names of people who wrote.
    package var hasTexts: Bool

    package init(contents: ReportContents, title: String, hasTexts: Bool) {
        self.contents = contents
        self.title = title
        self.hasTexts = hasTexts
    }

    /// Whether the page names or quotes anybody who wrote.
    package var showsPeople: Bool { hasTexts && !(contents.offers.isEmpty && contents.urgent.isEmpty) }

    package var counts: InboxStatistics { contents.counts }
    package var statistics: StatisticsText { StatisticsText(counts: counts) }

    package var html: String {
        let head = """
            <!DOCTYPE html>
            <html lang="en" dir="ltr">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(ReportStyle.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta name="generator" content="triage \(Version.current)">
            <title>\(PageText.plain(title))</title>
            <style>\(ReportStyle.css)</style>
            </head>
            <body>
            \(ReportStyle.symbols)

            """
        var parts = [header, "<main>", figures]
        if counts.all.messages > 0 {
            parts += [volumes, "<div class=\"pair\">", kinds, feelings, "</div>", urgentMessages, offers]
            parts += ["<div class=\"pair\">", faq, languages, "</div>"]
        }
        parts += ["<div class=\"pair\">", model, troubles, "</div>", "</main>", footer]
        return head + parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n</body>\n</html>\n"
    }

    private var header: String {
        """
        <header>
        <h1 dir="auto">\(PageText.html(title))</h1>
        <p class="soft">\(period)</p>
        </header>
        """
    }

    /// The newest message counts as today, so a report on the same messages is the same tomorrow.
    private var period: String {
        guard let first = counts.days.first?.day, let last = counts.days.last?.day else {
            return counts.all.messages == 0 ? "There are no messages." : "The messages have no dates."
        }
        let (from, to) = (Self.date(first), Self.date(last))
        return first == last ? "Messages from \(from)" : "Messages from \(from) to \(to), days in UTC"
    }

    private var figures: String {
        let all = counts.all
        let high = counts.faq.reduce(0) { $0 + $1.high }
        var tiles = [
            tile("Messages", "all.messages", all.messages, "from other people"),
            tile("Urgent", "all.urgent", all.urgent, "to look at within a day"),
            tile("Offers", "all.offers", all.offers, "with a score of 50 or more"),
            tile("Answered by your FAQ", nil, high, "certain matches"),
            tile("Spam", "all.spam", all.spam, "nobody has to read"),
        ]
        tiles.append(
            "<div><dt>Time saved</dt><dd><b>\(StatisticsText.duration(statistics.saved))</b>"
                + "<span>about, see below</span></dd></div>")
        var context: [String] = []
        if counts.own > 0 {
            context.append(number("own", counts.own) + (counts.own == 1 ? " message" : " messages") + " sent by you")
        }
        if counts.notMessages > 0 {
            context.append(
                number("not_messages", counts.notMessages)
                    + (counts.notMessages == 1 ? " notice" : " notices"))
        }
        let words = context.isEmpty ? "" : "\n<p class=\"soft\">Not counted: \(context.joined(separator: ", ")).</p>"
        return """
            <section aria-labelledby="figures">
            <h2 id="figures">At a glance</h2>
            <dl class="tiles">\(tiles.joined())</dl>\(words)
            </section>
            """
    }

    private func tile(_ name: String, _ figure: String?, _ count: Int, _ note: String) -> String {
        let shown = figure.map { number($0, count) } ?? MoneyText.count(count)
        return "<div><dt>\(name)</dt><dd><b>\(shown)</b><span>\(note)</span></dd></div>"
    }

    private var footer: String {
        let privacy =
            showsPeople
            ? "This page contains names and quotes of senders. `triage report --no-text` leaves them out."
            : "This page contains no names or quotes of senders."
        return """
            <footer>
            <p>\(code(privacy))</p>
            <p>Made by triage \(Version.current). The page needs no network and runs no script.</p>
            </footer>
            """
    }

    /// Text of the report itself, with backticks around what a user types.
    package func code(_ words: String) -> String {
        words.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { place, part in
            place % 2 == 1 ? "<code>\(part)</code>" : String(part)
        }.joined()
    }

    /// A number with its name in `triage stats`, so that the two can be compared.
    package func number(_ figure: String, _ count: Int) -> String {
        "<span data-figure=\"\(PageText.plain(figure))\">\(MoneyText.count(count))</span>"
    }

    /// A section of the page with its own heading.
    package func section(_ id: String, _ head: String, _ body: String) -> String {
        """
        <section aria-labelledby="\(id)">
        <h2 id="\(id)">\(head)</h2>
        \(body)
        </section>
        """
    }

    /// A plot with a description in words, and a table of its numbers.
    package func figure(_ id: String, _ words: String, _ svg: String, legend: String = "", table: String) -> String {
        """
        <figure>
        <figcaption id="\(id)-words">\(words)</figcaption>
        \(legend)\(svg)
        </figure>
        <details>
        <summary>The numbers</summary>
        \(table)
        </details>
        """
    }

    /// A table whose first column names its rows; cells are HTML.
    package func table(_ name: String, heads: [String], rows: [[String]]) -> String {
        var out = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table: \(name)\"><table>"
        out += "<caption class=\"unseen\">\(name)</caption><thead><tr>"
        out += heads.map { "<th scope=\"col\">\($0)</th>" }.joined() + "</tr></thead><tbody>"
        for row in rows {
            out += "<tr><th scope=\"row\">\(row.first ?? "")</th>"
            out += row.dropFirst().map { "<td>\($0)</td>" }.joined() + "</tr>\n"
        }
        return out + "</tbody></table></div>"
    }

    package static func date(_ day: Int) -> String { String(UTCTime.text(Int64(day) * 86_400).prefix(10)) }

    /// A share in percent, at most 100%.
    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part > 0 else { return "0%" }
        let share = Double(part) * 100 / Double(whole)
        return share < 1 ? "<1%" : share > 99 && part < whole ? "99%" : "\(Int(share.rounded()))%"
    }
}

extension ReportPage {
    // MARK: What it cost and saved

    package var model: String {
        let assumed = StatisticsText.assumed
        var items = [
            "Time saved: about <b data-figure=\"saved.seconds\" data-value=\"\(statistics.saved)\">"
                + "\(StatisticsText.duration(statistics.saved))</b>, if an accepted draft saves "
                + "\(assumed.accepted) s, an edited one \(assumed.edited) s, and an unread spam message "
                + "\(assumed.spam) s. These seconds are an assumption.",
            draftWords,
        ]
        if counts.all.messages > 0 {
            let without = max(0, counts.all.messages - contents.answeredByModel)
            items.append(
                "\(MoneyText.count(without)) of \(messages(counts.all.messages)) were answered by rules and the statistical "
                    + "model alone, which are free and need no network.")
        }
        items += contents.origin == .store ? spendWords : recordWords
        return section("model", "Cost and savings", list(items))
    }

    private var draftWords: String {
        let decided = counts.draftDecisions
        var words = number("drafts.made", counts.drafts) + (counts.drafts == 1 ? " draft" : " drafts")
        if decided.values.reduce(0, +) > 0 {
            words += "; you decided on some: "
            words += ["accepted", "edited", "dismissed"].map { "\(number("drafts.\($0)", decided[$0] ?? 0)) \($0)" }
                .joined(separator: ", ")
        }
        return words + "."
    }

    private var spendWords: [String] {
        let spend = counts.spend
        guard spend.requests > 0 else { return ["No LLM requests: cost $0."] }
        let priced = spend.requests - min(spend.unpriced, spend.requests)
        let cost = "$\(DecimalText.dollars(spend.cost))"
        var money = "Money: "
        if spend.unpriced == 0 {
            money += cost + "."
        } else if priced == 0 {
            money += "unknown, because no price is configured."
        } else {
            money += "\(cost) for \(MoneyText.count(priced)) requests; of the other "
            money += "\(MoneyText.count(spend.unpriced)) the price is unknown."
        }
        return [
            "LLM use in total: \(number("spend.requests", spend.requests)) "
                + "\(spend.requests == 1 ? "request" : "requests"), \(number("spend.input_tokens", spend.inputTokens)) "
                + "tokens in, \(number("spend.output_tokens", spend.outputTokens)) out.",
            money,
        ]
    }

    private var recordWords: [String] {
        [
            "Answered by an LLM: \(messages(contents.answeredByModel)). Records do not contain the cost, so it "
                + "is unknown here; a report from a store shows it."
        ]
    }

    // MARK: Problems

    package var troubles: String {
        var items: [String] = []
        if counts.injections > 0 {
            items.append(
                "\(number("injections", counts.injections)) "
                    + "\(counts.injections == 1 ? "message" : "messages") with a suspected prompt injection.")
        }
        if counts.edited > 0 {
            items.append("\(messages(counts.edited)) \(counts.edited == 1 ? "was" : "were") edited or answered again.")
        }
        if counts.owed > 0 {
            items.append(
                "\(number("owed", counts.owed)) still \(counts.owed == 1 ? "waits" : "wait") for an "
                    + "LLM answer.")
        }
        if contents.rejected > 0 {
            let place = contents.origin == .store ? ", in all runs" : ""
            items.append("\(lines(contents.rejected)) of the input \(were(contents.rejected)) rejected\(place).")
        }
        if contents.unreadable > 0 {
            items.append(
                "\(lines(contents.unreadable)) \(were(contents.unreadable)) not \(contents.unreadable == 1 ? "a record" : "records") and left out."
            )
        }
        if contents.unanswered > 0 {
            items.append(
                "\(contents.unanswered.of("record")) had no answers and \(were(contents.unanswered)) left out.")
        }
        if contents.withProblems > 0 {
            items.append("\(messages(contents.withProblems)) had a problem:")
        }
        var body = items.isEmpty ? "<p>There were none.</p>" : list(items)
        if !contents.problems.isEmpty {
            let rows = contents.problems.map { [PageText.html($0.code), MoneyText.count($0.messages)] }
            body += "\n" + table("Problems", heads: ["Problem", "Messages"], rows: rows)
        }
        return section("problems", "Problems", body)
    }

    private func lines(_ count: Int) -> String { "\(MoneyText.count(count)) \(count == 1 ? "line" : "lines")" }

    private func were(_ count: Int) -> String { count == 1 ? "was" : "were" }

    private func list(_ items: [String]) -> String {
        "<ul class=\"notes\">" + items.map { "<li>\($0)</li>" }.joined(separator: "\n") + "</ul>"
    }
}

extension ReportPage {
    // MARK: Volumes

    var volumes: String {
        guard !counts.days.isEmpty else { return "" }
        let volumes = VolumeBins(counts.days)
        let dated = counts.days.reduce(0) { $0 + $1.volume.messages }
        let step =
            switch volumes.step {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .years(let count): count == 1 ? "year" : "\(count) years"
            }
        var words = "\(messages(dated)) on \((contents.dayCount ?? counts.days.count).of("day"))"
        if let most = volumes.bins.max(by: { $0.volume.messages < $1.volume.messages }), volumes.bins.count > 1 {
            let place =
                switch volumes.step {
                case .day: "on \(most.name)"
                case .week: "in the week of \(most.name)"
                case .month: "in \(most.name)"
                case .years(let count): count == 1 ? "in \(most.name)" : "in the \(count) years from \(most.name)"
                }
            words += "; most of them \(place): \(MoneyText.count(most.volume.messages))"
        }
        words += "."
        if dated < counts.all.messages {
            words += " \(messages(counts.all.messages - dated)) more have no date."
        }
        // Days and weeks match those of `stats`.
        let list: String? = volumes.step == .day ? "days" : volumes.step == .week ? "weeks" : nil
        let rows = volumes.bins.filter { $0.volume.messages > 0 }.map { bin in
            [bin.name]
                + Self.columns(bin.volume).map { name, count in
                    list.map { number("\($0).\(bin.name).\(name)", count) } ?? MoneyText.count(count)
                }
        }
        let heads = [volumes.step.name, "Messages", "Fan", "Business", "Spam", "Urgent", "Offers"]
        return section(
            "volumes", "Messages by \(step)",
            figure(
                "volumes", words, VolumePlot.svg(volumes, label: "volumes-words"), legend: Self.legend,
                table: table("Messages by \(step)", heads: heads, rows: rows)))
    }

    private static func columns(_ volume: InboxStatistics.Volume) -> [(String, Int)] {
        [
            ("messages", volume.messages), ("fan", volume.fan), ("business", volume.business), ("spam", volume.spam),
            ("urgent", volume.urgent), ("offers", volume.offers),
        ]
    }

    private static let legend = """
        <ul class="legend" aria-hidden="true">\
        <li><svg width="12" height="12"><rect class="fan" width="12" height="12" rx="3"/></svg> fan</li>\
        <li><svg width="12" height="12"><rect class="business" width="12" height="12" rx="3"/></svg> business</li>\
        <li><svg width="12" height="12"><rect class="spam" width="12" height="12" rx="3"/></svg> spam</li></ul>

        """

    // MARK: Kinds and feelings

    var kinds: String {
        let all = counts.all
        let rest = all.messages - all.fan - all.business - all.spam
        var bars = [("fan", all.fan), ("business", all.business), ("spam", all.spam)]
        if rest > 0 { bars.append(("none", rest)) }
        let words =
            bars.map { "\(MoneyText.count($0.1)) \($0.0 == "none" ? "uncategorized" : $0.0)" }.joined(separator: ", ")
            + "."
        return section(
            "kinds", "Categories",
            figure(
                "kinds", words,
                BarPlot.svg(
                    bars.map { bar($0.0 == "none" ? "uncategorized" : $0.0, $0.1, style: $0.0) }, of: all.messages,
                    label: "kinds-words"),
                table: table("Categories", heads: ["Category", "Messages", "Share"], rows: bars.map { shares($0) })))
    }

    var feelings: String {
        let all = counts.all
        // Neutral messages say nothing about people's feelings; their number is in the table.
        let bars = [("positive", all.positive), ("negative", all.negative)]
        let rest = all.messages - all.positive - all.negative
        let words =
            bars.map { "\(MoneyText.count($0.1)) \($0.0)" }.joined(separator: ", ")
            + "; \(MoneyText.count(rest)) \(rest == 1 ? "shows" : "show") no clear sentiment."
        return section(
            "feelings", "Sentiment",
            figure(
                "feelings", words,
                BarPlot.svg(
                    bars.map { bar($0.0, $0.1, style: $0.0) }, of: all.messages, label: "feelings-words"),
                table: table(
                    "Messages by sentiment", heads: ["Sentiment", "Messages", "Share"],
                    rows: (bars + [("neutral", all.neutral)]).map { shares($0) })))
    }

    private func bar(_ name: String, _ count: Int, style: String) -> BarPlot.Bar {
        BarPlot.Bar(
            name: name, count: count, style: style,
            words: "\(MoneyText.count(count)) · \(Self.percent(count, of: counts.all.messages))")
    }

    private func shares(_ row: (String, Int)) -> [String] {
        [
            row.0 == "none" ? "uncategorized" : row.0,
            row.0 == "none" ? MoneyText.count(row.1) : number("all.\(row.0)", row.1),
            PageText.plain(Self.percent(row.1, of: counts.all.messages)),
        ]
    }

    // MARK: FAQ and languages

    var faq: String {
        guard !counts.faq.isEmpty else {
            return section("faq", "Your FAQ", "<p>No FAQ entry answers any of the messages.</p>")
        }
        let ranked = counts.faq.sorted { ($1.high + $1.possible, $0.id) < ($0.high + $0.possible, $1.id) }
        let high = ranked.reduce(0) { $0 + $1.high }
        let possible = ranked.reduce(0) { $0 + $1.possible }
        var words = "\(messages(high)) with a certain match and \(MoneyText.count(possible)) with a possible one, "
        words += "in \(ranked.count == 1 ? "1 entry" : "\(MoneyText.count(ranked.count)) entries")."
        if let said = counts.agreement[.faq], said.asked > 0 {
            words += " Right in \(MoneyText.count(said.agreed)) of \(MoneyText.count(said.asked)) you rated."
        }
        let shown = ranked.prefix(8)
        let bars = shown.map { use in
            BarPlot.Bar(
                name: use.id, count: use.high, further: use.possible, style: "business",
                words: use.possible > 0
                    ? "\(MoneyText.count(use.high)) + \(MoneyText.count(use.possible)) possible"
                    : MoneyText.count(use.high))
        }
        let rows = ranked.prefix(100).map { use in
            ["<bdi>\(PageText.html(use.id))</bdi>"]
                + [("high", use.high), ("possible", use.possible), ("right", use.right), ("wrong", use.wrong)].map {
                    number("faq.\(use.id).\($0.0)", $0.1)
                }
        }
        var further = ""
        if ranked.count > shown.count { further = "<p class=\"soft\">The table below has all entries.</p>\n" }
        return section(
            "faq", "Your FAQ",
            figure(
                "faq", words,
                BarPlot.svg(bars, of: bars.map { $0.count + $0.further }.max() ?? 0, label: "faq-words") + further,
                table: table(
                    "Use of your FAQ", heads: ["Entry", "Sure", "Possible", "Right", "Wrong"], rows: rows)))
    }

    var languages: String {
        let ranked = contents.languages
        guard let first = ranked.first else { return "" }
        let words =
            ranked.count == 1
            ? "All messages are in one language: \(LanguageNames.name(of: first.tag))."
            : "\(ranked.count) languages; most are in \(LanguageNames.name(of: first.tag))."
        let shown = ranked.prefix(8)
        var rows = ranked.prefix(ReportContents.mostKinds).map { entry in
            [
                PageText.html(LanguageNames.name(of: entry.tag)), PageText.html(entry.tag),
                MoneyText.count(entry.messages),
            ]
        }
        let rest = ranked.dropFirst(ReportContents.mostKinds).reduce(0) { $0 + $1.messages }
        if rest > 0 { rows.append(["others", "", MoneyText.count(rest)]) }
        return section(
            "languages", "Languages",
            figure(
                "languages", PageText.html(words),
                BarPlot.svg(
                    shown.map { bar(LanguageNames.name(of: $0.tag), $0.messages, style: "language") },
                    of: counts.all.messages, label: "languages-words"),
                table: table("Messages by language", heads: ["Language", "Tag", "Messages"], rows: rows)))
    }

    func messages(_ count: Int) -> String { "\(MoneyText.count(count)) \(count == 1 ? "message" : "messages")" }
}

/// Counts side by side as horizontal bars: inline SVG that fills the available width.
private enum BarPlot {
    /// A bar with one or two segments.
    struct Bar {
        /// Text that still has to be escaped.
        var name: String
        var count: Int
        /// The count of the second segment.
        var further = 0
        /// The CSS class that colors the bar.
        var style: String
        /// The text after the name, such as `10 (59%)`.
        var words: String
    }

    private static let row = 44

    /// - Parameters:
    ///   - most: the count that fills the full width.
    ///   - label: id of the element that says the same in words.
    static func svg(_ bars: [Bar], of most: Int, label: String) -> String {
        let height = max(1, bars.count) * row
        var out = "<svg class=\"plot\" role=\"img\" aria-labelledby=\"\(label)\" width=\"100%\" height=\"\(height)\">"
        for (place, bar) in bars.enumerated() {
            let y = place * row
            let first = share(bar.count, of: most)
            let second = share(bar.further, of: most)
            out += "<text class=\"name\" x=\"0\" y=\"\(y + 16)\">\(PageText.plain(cut(bar.name)))</text>"
            out += "<text class=\"value\" x=\"100%\" y=\"\(y + 16)\" text-anchor=\"end\">"
            out += "\(PageText.plain(bar.words))</text>"
            out += "<rect class=\"track\" x=\"0\" y=\"\(y + 24)\" width=\"100%\" height=\"8\" rx=\"4\"/>"
            if bar.count > 0 {
                out += "<rect class=\"\(bar.style)\" x=\"0\" y=\"\(y + 24)\" width=\"\(VolumePlot.fixed(first))%\""
                out += " height=\"8\" rx=\"4\"/>"
            }
            if bar.further > 0 {
                out += "<rect class=\"\(bar.style) faint\" x=\"\(VolumePlot.fixed(first))%\" y=\"\(y + 25)\""
                out += " width=\"\(VolumePlot.fixed(second))%\" height=\"6\" rx=\"3\"/>"
            }
        }
        return out + "</svg>"
    }

    /// The share of the width, in percent.
    private static func share(_ count: Int, of most: Int) -> Double {
        most > 0 ? min(100, max(0, 100 * Double(count) / Double(most))) : 0
    }

    /// Cuts a name to share a line with its count on a small phone.
    private static func cut(_ name: String) -> String {
        var out = ""
        var columns = 0
        for scalar in name.unicodeScalars {
            columns += max(1, TerminalText.width(scalar))
            if columns > 20 { return out + "…" }
            out.unicodeScalars.append(scalar)
        }
        return out
    }
}

/// Names of languages in English, the language of the page.
private enum LanguageNames {
    /// The name of a language, or the tag itself, which still has to be escaped.
    static func name(of tag: String) -> String { names[tag] ?? tag }

    private static let names = [
        "und": "unknown", "en": "English", "es": "Spanish", "pt": "Portuguese", "fr": "French", "de": "German",
        "it": "Italian", "nl": "Dutch", "tr": "Turkish", "id": "Indonesian", "hi-Latn": "Hindi (Latin)",
        "pl": "Polish", "ro": "Romanian", "sv": "Swedish", "da": "Danish", "no": "Norwegian", "fi": "Finnish",
        "cs": "Czech", "hu": "Hungarian", "vi": "Vietnamese", "tl": "Tagalog", "sw": "Swahili", "ru": "Russian",
        "uk": "Ukrainian", "bg": "Bulgarian", "sr": "Serbian", "el": "Greek", "ar": "Arabic", "fa": "Persian",
        "ur": "Urdu", "he": "Hebrew", "hi": "Hindi", "bn": "Bengali", "ta": "Tamil", "th": "Thai", "ja": "Japanese",
        "zh": "Chinese", "ko": "Korean", "ms": "Malay", "ca": "Catalan",
    ]
}

extension ReportPage {
    // MARK: Urgent

    var urgentMessages: String {
        guard counts.all.urgent > 0 else {
            return section("urgent", "Urgent", "<p>Nothing is urgent.</p>")
        }
        let items = contents.urgent.enumerated().map { place, message in
            var out = "<li>\n<h3>\(sender(message) ?? "Message \(place + 1)")</h3>\n<p class=\"facts\">"
            var facts: [String] = ["<span class=\"badge urgent\">urgent</span>"]
            if let category = kind(message.category) {
                facts.append("<span class=\"badge \(category)\">\(category)</span>")
            }
            if message.isUpset { facts.append("<span class=\"badge negative\">negative</span>") }
            if let priority = message.priority { facts.append("<span>priority \(priority)</span>") }
            out += (facts + about(message)).joined(separator: " ") + "</p>"
            if hasTexts, !message.text.isEmpty { out += "\n" + quote(message) }
            return out + "\n</li>"
        }
        let words = "\(messages(counts.all.urgent)) to look at within a day."
        return section(
            "urgent", "Urgent",
            "<p>\(words)</p>\n<ol class=\"cards\">\(items.joined(separator: "\n"))</ol>"
                + more(contents.moreUrgent, "`triage list --view priority`"))
    }

    // MARK: Offers

    var offers: String {
        guard !contents.offers.isEmpty else {
            return section("offers", "Offers", "<p>There are no offers.</p>")
        }
        let tiers = ReportOffer.tiers.map { tier in
            "\(number("tiers.\(tier)", counts.tiers[tier] ?? 0)) \(tier)"
        }.joined(separator: ", ")
        var words = "\(MoneyText.count(contents.offers.count + contents.moreOffers)) open, best first. "
        words += "All offers by tier: \(tiers)."
        if counts.dismissedOffers > 0 {
            words += " You dismissed \(number("dismissed_offers", counts.dismissedOffers))."
        }
        let items = contents.offers.enumerated().map { offer($1, place: $0 + 1) }
        return section(
            "offers", "Offers",
            "<p>\(words)</p>\n<ol class=\"cards offers\">\(items.joined(separator: "\n"))</ol>"
                + more(contents.moreOffers, "`triage list --view business`"))
    }

    private func offer(_ offer: ReportOffer, place: Int) -> String {
        let message = offer.message
        var out = "<li>\n<h3>\(sender(message) ?? "Offer \(place)")</h3>\n"
        out += "<p class=\"score\"><b>\(offer.score)</b> <span class=\"soft\">of 100</span> "
        if let tier = offer.tier { out += "<span class=\"badge \(tier)\">\(tier)</span> " }
        let stars = "\(offer.stars / 10).\(offer.stars % 10)"
        out += "<span class=\"stars\">\(Self.stars(offer.stars))<span>\(stars) of 5 stars</span></span></p>\n"
        var facts: [String] = []
        if let budget = offer.budget { facts.append("<span>Budget <b>\(PageText.html(budget))</b></span>") }
        if let deadline = offer.deadline { facts.append("<span>Deadline <b>\(deadline)</b></span>") }
        facts += about(message)
        if !facts.isEmpty { out += "<p class=\"facts\">\(facts.joined(separator: " "))</p>\n" }
        if !offer.parts.isEmpty {
            out += "<dl class=\"parts\">"
            for part in offer.parts {
                out += "<div><dt>\(part.name)</dt><dd>\(part.points) of \(part.most)</dd>"
                out += "<dd aria-hidden=\"true\">\(Self.bar(part.points, of: part.most))</dd></div>"
            }
            out += "</dl>\n"
        }
        if hasTexts, !offer.insights.isEmpty {
            out += "<ul class=\"insights\">"
            for insight in offer.insights { out += "<li><bdi dir=\"auto\">\(PageText.html(insight))</bdi></li>" }
            out += "</ul>\n"
        }
        return out + "</li>"
    }

    private static func stars(_ tenths: Int) -> String {
        // Five stars are 80 units wide; the cut-off part on the right is what is missing from five stars.
        let width = VolumePlot.fixed(Double(tenths) * 1.6)
        return "<svg width=\"80\" height=\"16\" aria-hidden=\"true\"><use href=\"#stars\" class=\"track\" width=\"80\" "
            + "height=\"16\"/><svg width=\"\(width)\" height=\"16\"><use href=\"#stars\" class=\"gold\" width=\"80\" "
            + "height=\"16\"/></svg></svg>"
    }

    private static func bar(_ points: Int, of most: Int) -> String {
        let share = most > 0 ? 100 * Double(points) / Double(most) : 0
        return "<svg width=\"100%\" height=\"8\"><rect class=\"track\" width=\"100%\" height=\"8\" rx=\"4\"/>"
            + "<rect class=\"ai\" width=\"\(VolumePlot.fixed(share))%\" height=\"8\" rx=\"4\"/></svg>"
    }

    // MARK: Pieces

    private func sender(_ message: ReportMessage) -> String? {
        guard hasTexts else { return nil }
        return message.sender.map { "<bdi dir=\"auto\">\(PageText.html($0))</bdi>" } ?? "Unknown sender"
    }

    /// Where and when the message was sent, and the name to find it by.
    private func about(_ message: ReportMessage) -> [String] {
        var facts: [String] = []
        if let platform = message.platform { facts.append("<span>on <bdi>\(PageText.html(platform))</bdi></span>") }
        if let day = message.day { facts.append("<span>sent \(day)</span>") }
        // A record's id may name its sender; a number in a store names nobody.
        if let name = message.name, hasTexts || contents.origin == .store {
            facts.append("<span class=\"id\"><bdi>\(PageText.html(name))</bdi></span>")
        }
        return facts
    }

    private func quote(_ message: ReportMessage) -> String {
        let language = message.language.flatMap { $0 == "und" ? nil : " lang=\"\($0)\"" } ?? ""
        return "<blockquote dir=\"auto\"\(language)>\(PageText.html(message.text))</blockquote>"
    }

    private func kind(_ category: String?) -> String? {
        category.flatMap { ["fan", "business", "spam"].contains($0) ? $0 : nil }
    }

    private func more(_ count: Int, _ command: String) -> String {
        guard count > 0 else { return "" }
        let place = contents.origin == .store ? ": \(command) shows all" : ""
        return "\n<p class=\"soft\">And \(MoneyText.count(count)) more\(code(place)).</p>"
    }
}
