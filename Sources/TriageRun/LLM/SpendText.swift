import TriageFormats
package import TriageLLM

/// Summarizes requests and spending for people.
package enum SpendText {
    package static func lines(
        model: String, cascade: CascadeCounts.Totals, asking: LLMCounts, drafting: LLMCounts,
        spend: SpendReport
    ) -> [String] {
        let isAskedForDraftsOnly = cascade.messages == 0 && drafting.asked > 0
        var first =
            isAskedForDraftsOnly
            ? "\(model): asked for \(MoneyText.count(drafting.asked)) drafts"
            : "\(model): sent \(MoneyText.count(cascade.asked)) of \(MoneyText.count(cascade.messages)) messages"
        if cascade.messages > 0 { first += " (\(percent(cascade.share)))" }
        if cascade.withheld > 0 { first += ", withheld \(MoneyText.count(cascade.withheld)) (possible injection)" }
        var lines = [first]
        var second: [String] = []
        if drafting.asked > 0, !isAskedForDraftsOnly { second.append("\(MoneyText.count(drafting.asked)) drafts") }
        let kept = asking.fromCache + drafting.fromCache
        if kept > 0 { second.append("\(MoneyText.count(kept)) answers from the cache") }
        second.append("\(MoneyText.count(spend.requests)) \(spend.requests == 1 ? "request" : "requests")")
        let unsent = spend.attempts - spend.requests
        if unsent > 0 { second.append("\(MoneyText.count(unsent)) more that did not reach the server") }
        if spend.retries > 0 { second.append("\(MoneyText.count(spend.retries)) retried") }
        let tokens = spend.usage.input + spend.usage.output
        if tokens > 0 {
            let about = spend.usage.isEstimated ? "about " : ""
            second.append(
                "\(about)\(MoneyText.count(spend.usage.input)) + \(MoneyText.count(spend.usage.output)) tokens")
        }
        if spend.requests > 0 { second.append(money(spend.cost)) }
        lines.append(second.joined(separator: ", "))
        if let saved = saved(cascade: cascade, asking: asking, spend: spend) { lines.append(saved) }
        if !spend.refused.isEmpty {
            lines.append(
                "the server refused \(spend.refused.refusedNames.joined(separator: ", ")); requests were sent without, for the whole run"
            )
        }
        return lines + failures(asking, drafting, spend)
    }

    /// Failures caused by the message itself: neither another time nor another server would help.
    private static let own: Set<String> = ["llm.refused", "llm.too-long", "llm.bad-output"]

    /// Says what the model left unanswered, and why, in the server's words.
    private static func failures(
        _ asking: LLMCounts, _ drafting: LLMCounts, _ spend: SpendReport
    ) -> [String] {
        func codes(_ counts: [String: Int]) -> String {
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\(MoneyText.count($0.value)) \($0.key)" }.joined(separator: ", ")
        }
        var lines: [String] = []
        let failed = asking.failures.merging(drafting.failures) { $0 + $1 }
        let explanations = asking.explanations.merging(drafting.explanations) { first, _ in first }
        let unasked = failed.filter { !own.contains($0.key) }
        let (texts, drafts) = (Self.unasked(asking.failures), Self.unasked(drafting.failures))
        if !unasked.isEmpty {
            var what = texts > 0 ? ["\(texts.of("message"))"] : []
            if drafts > 0 { what.append("\(drafts.of("draft"))") }
            lines.append("\(what.joined(separator: " and ")) got no LLM answer: \(codes(unasked))")
            for code in unasked.keys.sorted() where code != "llm.cancelled" {
                if let text = explanations[code] { lines.append("  \(code): \(text)") }
            }
        }
        let answeredOffline = failed.filter { own.contains($0.key) }
        if !answeredOffline.isEmpty { lines.append("kept their offline answer: \(codes(answeredOffline))") }
        for (code, words) in spend.said.sorted(by: { $0.key < $1.key }) {
            lines.append("  the server said (\(code)) \(Terminal.harmlessLine(words.description))")
        }
        return lines
    }

    private static func unasked(_ failures: [String: Int]) -> Int {
        failures.reduce(0) { $0 + (own.contains($1.key) ? 0 : $1.value) }
    }

    /// What asking about every message would have cost in addition, estimated from the messages that were asked about.
    private static func saved(
        cascade: CascadeCounts.Totals, asking: LLMCounts, spend: SpendReport
    ) -> String? {
        let paid = asking.asked - asking.fromCache - asking.coalesced
        let spared = cascade.messages - cascade.asked - cascade.withheld + asking.fromCache + asking.coalesced
        guard paid > 0, spared > 0 else { return nil }
        let factor = Double(spared) / Double(paid)
        let tokens = Double(spend.usage.input + spend.usage.output) * factor
        var text = "saved about \(MoneyText.count(Int(min(tokens, 1e15)))) tokens"
        if let cost = spend.cost { text += ", \(money(cost * factor))," }
        return text + " compared with sending every message"
    }

    /// An amount in dollars; an unknown cost is never shown as zero.
    package static func money(_ dollars: Double?) -> String {
        guard let dollars else { return "cost unknown (no price in triage.yaml)" }
        let tenThousandths = Int((min(max(dollars, 0), 1e9) * 10_000).rounded(.up))
        let whole = tenThousandths / 10_000
        let rest = String(tenThousandths % 10_000 + 10_000).dropFirst()
        return "$\(whole).\(rest)"
    }

    package static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
