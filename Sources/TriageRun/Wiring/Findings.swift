package import TriageCore

/// What checks and tests found: findings are their data, so they go to standard output.
package enum Findings {
    /// Prints findings and a last line that counts them.
    ///
    /// - Throws: ``RunEnded`` with exit 1 when there is any.
    package static func report(_ findings: [TriageError], in scope: String) throws {
        var out = findings.map { $0.harmless + "\n" }.joined()
        out += findings.isEmpty ? "\(scope): no findings\n" : "\(scope): \(findings.count.of("finding"))\n"
        try CheckedWriter.standardOutput.write(Terminal.harmless(out))
        if !findings.isEmpty { throw RunEnded(status: .finding) }
    }
}

extension Int {
    /// The number with its noun: `1 signal`, `2 signals`.
    package func of(_ one: String, _ many: String? = nil) -> String { "\(self) \(self == 1 ? one : many ?? one + "s")" }
}
