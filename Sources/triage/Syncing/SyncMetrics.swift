import TriageCore
import TriageFormats
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
                "triage_sync_last_success_timestamp_seconds", "When a run last came to a good end.",
                [([], "\(lastSuccess)")])
        }
        out.gauge(
            "triage_sync_last_run_duration_seconds", "How long the last run took.",
            [([], DecimalText.dollars(duration))])
        out.gauge("triage_sync_last_run_exit_code", "What the last run exited with.", [([], "\(run.exit ?? 70)")])
        out.gauge(
            "triage_sync_last_run_records", "Records that the last run read, by what they were to the store.",
            [
                ([("state", "new")], "\(changes.new)"), ([("state", "edited")], "\(changes.edited)"),
                ([("state", "known")], "\(changes.known)"), ([("state", "rejected")], "\(counts.rejected)"),
            ])
        out.gauge(
            "triage_sync_last_run_messages", "Messages that the last run answered, by category.",
            Category.allCases.map {
                ([("category", $0.name)], "\(counts.categories[Int($0.rawValue)])")
            })
        out.gauge("triage_sync_last_run_urgent", "Urgent messages of the last run.", [([], "\(counts.urgent)")])
        out.gauge(
            "triage_sync_owed_messages", "Messages that a language model owes an answer.", [([], "\(owed)")])
        out.gauge(
            "triage_sync_last_run_llm_requests", "Requests of the last run to language models.",
            [([], "\(run.spend.requests)")])
        if run.spend.unpriced == 0 {
            out.gauge(
                "triage_sync_last_run_cost_dollars", "What the last run paid language models, in US dollars.",
                [([], DecimalText.dollars(run.spend.cost))])
        }
        if spentToday.unpriced == 0 {
            out.gauge(
                "triage_sync_today_cost_dollars", "What language models were paid today (UTC), in US dollars.",
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
