import TriageCore
import TriageFormats
package import TriageInbox
import TriageRun
package import TriageStore

/// A report as one HTML file: no script, nothing that is fetched, and the same bytes for the same contents.
package struct ReportPage {
    package var contents: ReportContents
    /// Text that is still to be escaped.
    package var title: String
    /// Whether words and names of people who wrote are shown.
    package var hasTexts: Bool

    package init(contents: ReportContents, title: String, hasTexts: Bool) {
        self.contents = contents
        self.title = title
        self.hasTexts = hasTexts
    }

    /// Whether anybody who wrote is named or quoted.
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

    /// The newest message stands for today: a report of the same messages is the same tomorrow.
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
            tile("Answered by your FAQ", nil, high, "sure matches"),
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

    /// Words of ours in which backticks stand around what is typed.
    package func code(_ words: String) -> String {
        words.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { place, part in
            place % 2 == 1 ? "<code>\(part)</code>" : String(part)
        }.joined()
    }

    /// A number of `triage stats`, with its name there, so that both can be held against each other.
    package func number(_ figure: String, _ count: Int) -> String {
        "<span data-figure=\"\(PageText.plain(figure))\">\(MoneyText.count(count))</span>"
    }

    /// A part of the page with a head of its own.
    package func section(_ id: String, _ head: String, _ body: String) -> String {
        """
        <section aria-labelledby="\(id)">
        <h2 id="\(id)">\(head)</h2>
        \(body)
        </section>
        """
    }

    /// A plot with what it says in words, and its numbers.
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

    /// A share in percent, of which there is never more than there is.
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
                    + "\(counts.injections == 1 ? "message" : "messages") suspected of injection.")
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
