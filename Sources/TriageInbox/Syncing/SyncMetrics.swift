import TriageCore
import TriageFormats
import TriageRun
import TriageStore

extension SyncReport {
    /// The run in the text format of Prometheus, for the textfile collector of its node exporter.
    ///
    /// - Parameter store: the store's path, which tells several from each other.
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

/// The text format of Prometheus, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""
    /// Borne by every sample.
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
