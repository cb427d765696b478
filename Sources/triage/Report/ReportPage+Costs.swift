import TriageFormats
import TriageStore

extension ReportPage {
    // MARK: What it cost and saved

    var model: String {
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

    var troubles: String {
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
