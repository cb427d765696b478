package import TriageCore

/// What is legal in a rule file and still no good.
package enum RuleLint {
    /// Findings in the order of the signals.
    package static func findings(in rules: RuleSet) -> [TriageError] {
        var findings: [TriageError] = []
        for signal in rules.signals {
            func find(_ code: String, _ what: String, _ remedy: String) {
                findings.append(TriageError(code, what, at: signal.place, remedy: remedy, exit: .finding))
            }
            if signal.why.isEmpty {
                find("rules.no-why", "'\(signal.name)' has no 'why'", "add 'why: …', one line for people to read")
            }
            guard case .patterns = signal.trigger else { continue }
            if signal.examples.match.isEmpty || signal.examples.noMatch.isEmpty {
                let missing = signal.examples.match.isEmpty ? "match" : "no_match"
                find(
                    "rules.no-examples", "'\(signal.name)' has no example under \(missing)",
                    "add examples: {match: [\"…\"], no_match: [\"…\"]}")
            }
        }
        return findings
    }
}
