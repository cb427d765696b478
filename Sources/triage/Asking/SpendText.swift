import TriageFormats
import TriageLLM

/// What asking came to, in words for people.
enum SpendText {
    static func lines(
        model: String, cascade: CascadeCounts.Totals, asking: AskingCounts, drafting: AskingCounts,
        spend: SpendReport
    ) -> [String] {
        var first =
            "\(model): asked about \(MoneyText.count(cascade.asked)) of \(MoneyText.count(cascade.messages)) messages"
        if cascade.messages > 0 { first += " (\(percent(cascade.share)))" }
        if cascade.withheld > 0 { first += ", kept \(MoneyText.count(cascade.withheld)) from it that may steer it" }
        var lines = [first]
        var second: [String] = []
        if drafting.asked > 0 { second.append("\(MoneyText.count(drafting.asked)) drafts") }
        let kept = asking.fromCache + drafting.fromCache
        if kept > 0 { second.append("\(MoneyText.count(kept)) answers from the cache") }
        second.append("\(MoneyText.count(spend.requests)) \(spend.requests == 1 ? "request" : "requests")")
        let unsent = spend.attempts - spend.requests
        if unsent > 0 { second.append("\(MoneyText.count(unsent)) more that did not get there") }
        if spend.retries > 0 { second.append("\(MoneyText.count(spend.retries)) tried again") }
        let tokens = spend.usage.input + spend.usage.output
        if tokens > 0 {
            let about = spend.usage.isEstimated ? "about " : ""
            second.append(
                "\(about)\(MoneyText.count(spend.usage.input)) + \(MoneyText.count(spend.usage.output)) tokens")
        }
        if spend.requests > 0 { second.append(money(spend.cost)) }
        lines.append(second.joined(separator: ", "))
        if let saved = saved(cascade: cascade, asking: asking, spend: spend) { lines.append(saved) }
        let failed = asking.failures.merging(drafting.failures) { $0 + $1 }.sorted {
            ($1.value, $0.key) < ($0.value, $1.key)
        }
        if !failed.isEmpty {
            lines.append(
                "answered offline after all: "
                    + failed.map { "\(MoneyText.count($0.value)) \($0.key)" }.joined(separator: ", "))
        }
        return lines
    }

    /// What asking about every message would have taken more, by what the messages took that were asked about.
    private static func saved(
        cascade: CascadeCounts.Totals, asking: AskingCounts, spend: SpendReport
    ) -> String? {
        let paid = asking.asked - asking.fromCache - asking.coalesced
        let spared = cascade.messages - cascade.asked - cascade.withheld + asking.fromCache + asking.coalesced
        guard paid > 0, spared > 0 else { return nil }
        let factor = Double(spared) / Double(paid)
        let tokens = Double(spend.usage.input + spend.usage.output) * factor
        var text = "saved about \(MoneyText.count(Int(min(tokens, 1e15)))) tokens"
        if let cost = spend.cost { text += ", \(money(cost * factor))," }
        return text + " of asking about every message"
    }

    /// An amount of dollars; what is unknown is never called nothing.
    static func money(_ dollars: Double?) -> String {
        guard let dollars else { return "cost unknown (no price in triage.yaml)" }
        let tenThousandths = Int((min(max(dollars, 0), 1e9) * 10_000).rounded(.up))
        let whole = tenThousandths / 10_000
        let rest = String(tenThousandths % 10_000 + 10_000).dropFirst()
        return "$\(whole).\(rest)"
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
