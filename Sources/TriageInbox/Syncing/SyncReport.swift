import TriageCore
import TriageFormats
import TriageRun
import TriageStore

/// The results of a sync, for its store, its summary and its monitoring.
struct SyncReport: Sendable {
    var run: InboxRun
    var counts = RunCounts()
    var changes = SyncChanges()
    /// Messages still waiting for a model, from earlier runs too.
    var owed = 0
    /// Spending on the day on which the run ended.
    var spentToday = InboxSpend()
    /// The run's duration in seconds.
    var duration = 0.0
    /// When a run last succeeded, in seconds since 1970; nil: never.
    var lastSuccess: Int64?

    /// The counts as a JSON object.
    static func counts(_ counts: RunCounts, _ changes: SyncChanges) -> String {
        var out = JSONObjectText()
        out.add("read", counts.read + changes.known)
        out.add("new", changes.new)
        out.add("edited", changes.edited)
        out.add("known", changes.known)
        out.add("messages", counts.messages)
        out.add("own", counts.own)
        out.add("not_messages", counts.notMessages)
        out.add("rejected", counts.rejected)
        for category in Category.allCases { out.add(category.name, counts.categories[Int(category.rawValue)]) }
        out.add("urgent", counts.urgent)
        out.add("with_problems", counts.withProblems)
        out.add("owed", changes.owed)
        out.add("settled", changes.settled)
        return out.text
    }

    /// The whole run as a JSON object for the user's own notifications; names messages by id and holds no text.
    var summary: String {
        var out = JSONObjectText()
        out.add("schema", 1)
        out.add("run", Int(run.id))
        out.add("version", run.version)
        out.add("rules", run.rules)
        out.add("started", UTCTime.text(run.started))
        out.add("ended", run.ended.map { UTCTime.text($0) })
        out.add("state", run.state.rawValue)
        out.add("exit", run.exit.map { Int($0) })
        out.add(raw: "inputs", run.inputs)
        out.add(raw: "counts", Self.counts(counts, changes))
        out.add("owed", owed)
        out.add(raw: "spend", Self.spend(run.spend))
        out.add(raw: "spent_today", Self.spend(spentToday))
        out.add(raw: "urgent", Self.list(changes.urgent))
        out.add(raw: "offers", Self.list(changes.offers.sorted { ($0.score ?? 0) > ($1.score ?? 0) }))
        return out.text
    }

    private static func spend(_ spend: InboxSpend) -> String {
        var out = JSONObjectText()
        out.add("requests", spend.requests)
        out.add("input_tokens", spend.inputTokens)
        out.add("output_tokens", spend.outputTokens)
        // An unknown cost is null, not zero.
        out.add(raw: "usd", spend.unpriced > 0 ? "null" : DecimalText.dollars(spend.cost))
        return out.text
    }

    private static func list(_ references: [SyncChanges.Reference]) -> String {
        let items = references.map { reference in
            var out = JSONObjectText()
            out.add("id", reference.id)
            out.add("platform", reference.platform)
            out.add("conversation_id", reference.conversation)
            if let score = reference.score { out.add("score", score) }
            return out.text
        }
        return "[" + items.joined(separator: ",") + "]"
    }
}

extension SyncReport {
    /// The run's metrics in the Prometheus text format, for the node exporter's textfile collector.
    ///
    /// - Parameter store: the store's path, a label that distinguishes several stores.
    func metrics(store: String) -> String {
        var out = PrometheusText(labels: [("store", store)])
        out.gauge(
            "triage_sync_last_run_timestamp_seconds", "When the last run ended.", [([], "\(run.ended ?? run.started)")])
        if let lastSuccess {
            out.gauge(
                "triage_sync_last_success_timestamp_seconds", "When a run last succeeded.",
                [([], "\(lastSuccess)")])
        }
        out.gauge(
            "triage_sync_last_run_duration_seconds", "How long the last run took.",
            [([], DecimalText.dollars(duration))])
        out.gauge("triage_sync_last_run_exit_code", "Exit code of the last run.", [([], "\(run.exit ?? 70)")])
        out.gauge(
            "triage_sync_last_run_records", "Records read by the last run, by their state in the store.",
            [
                ([("state", "new")], "\(changes.new)"), ([("state", "edited")], "\(changes.edited)"),
                ([("state", "known")], "\(changes.known)"), ([("state", "rejected")], "\(counts.rejected)"),
            ])
        out.gauge(
            "triage_sync_last_run_messages", "Messages answered by the last run, by category.",
            Category.allCases.map {
                ([("category", $0.name)], "\(counts.categories[Int($0.rawValue)])")
            })
        out.gauge("triage_sync_last_run_urgent", "Urgent messages in the last run.", [([], "\(counts.urgent)")])
        out.gauge(
            "triage_sync_owed_messages", "Messages waiting for an LLM answer.", [([], "\(owed)")])
        out.gauge(
            "triage_sync_last_run_llm_requests", "LLM requests of the last run.",
            [([], "\(run.spend.requests)")])
        if run.spend.unpriced == 0 {
            out.gauge(
                "triage_sync_last_run_cost_dollars", "LLM cost of the last run, in US dollars.",
                [([], DecimalText.dollars(run.spend.cost))])
        }
        if spentToday.unpriced == 0 {
            out.gauge(
                "triage_sync_today_cost_dollars", "LLM cost today (UTC), in US dollars.",
                [([], DecimalText.dollars(spentToday.cost))])
        }
        return out.text
    }
}

/// Writes the Prometheus text format, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""
    /// Labels added to every sample.
    private let labels: [(String, String)]

    init(labels: [(String, String)]) { self.labels = labels }

    mutating func gauge(_ name: String, _ help: String, _ samples: [(labels: [(String, String)], value: String)]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
        for sample in samples {
            let pairs = (labels + sample.labels).map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
            text += "\(name){\(pairs.joined(separator: ","))} \(sample.value)\n"
        }
    }

    private static func escaped(_ value: String) -> String {
        var out = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            case "\n": out += "\\n"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
