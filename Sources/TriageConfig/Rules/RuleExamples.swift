package import TriageCore

/// Tests signals with the examples in their files.
package struct RuleExamples: Sendable {
    /// The number of examples that were tried.
    package private(set) var tried = 0
    /// The number of signals that have examples.
    package private(set) var signals = 0
    /// The examples that failed, in the order of the files.
    package private(set) var failures: [TriageError] = []

    /// - Parameters:
    ///   - names: the signals to test; empty: all.
    ///   - probe: the matcher.
    package init(_ rules: RuleSet, names: Set<String> = [], probe: some SignalProbe) {
        for signal in rules.signals where names.isEmpty || names.contains(signal.name) {
            let examples = signal.examples
            if examples.match.isEmpty, examples.noMatch.isEmpty { continue }
            signals += 1
            for (number, text) in examples.match.enumerated() {
                check(text, number + 1, signal, mustFire: true, probe)
            }
            for (number, text) in examples.noMatch.enumerated() {
                check(text, number + 1, signal, mustFire: false, probe)
            }
        }
    }

    private mutating func check(
        _ text: String, _ number: Int, _ signal: Signal, mustFire: Bool, _ probe: some SignalProbe
    ) {
        tried += 1
        let fired = probe.signals(firing: text)
        guard fired.contains(signal.name) != mustFire else { return }
        // Creators write the examples for this file, so they may be shown.
        let shown = text.count > 80 ? "\(text.prefix(80))…" : text
        failures.append(
            mustFire
                ? TriageError(
                    "rules.example-missed",
                    "'\(signal.name)' does not fire on its example \(number) under match: \(shown)", at: signal.place,
                    remedy: "add a pattern that is in the text, or fix the example", exit: .finding)
                : TriageError(
                    "rules.example-fired", "'\(signal.name)' fires on its example \(number) under no_match: \(shown)",
                    at: signal.place, remedy: "make the patterns narrower, or fix the example", exit: .finding))
    }
}

/// Runs a text through the matcher that messages go through.
package protocol SignalProbe {
    /// Names of the signals that fire in a text.
    func signals(firing text: String) -> Set<String>
}

/// Finds parts of rule files that are valid but questionable.
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
