import Synchronization
package import TriageConfig
package import TriageCore

/// Says once which settings of a folder are ignored, and how to allow them.
package enum TrustNotice {
    private static let isTold = Mutex(false)

    /// Reports withheld settings, once per process.
    ///
    /// - Parameter asks: whether a model would be asked if the settings applied.
    package static func tell(_ withheld: Withheld?, asks: Bool) {
        guard let withheld, asks && withheld.asks || !withheld.outside.isEmpty else { return }
        let isNew = isTold.withLock { told in
            defer { told = true }
            return !told
        }
        guard isNew else { return }
        var parts: [String] = []
        if asks, withheld.asks { parts.append("\(withheld.ignoredModels) [config.untrusted]") }
        if !withheld.outside.isEmpty { parts.append("\(withheld.ignoredFiles) [config.outside-folder]") }
        let line = "\(withheld.path): \(parts.joined(separator: "; ")); \(withheld.remedy)"
        // Printed even with --quiet: anyone who relies on a model has to know that none is asked.
        Terminal.tell("triage: \(Terminal.harmlessLine(line))\n")
    }

    /// The error of a command that needs a model that may not be asked.
    package static func error(_ withheld: Withheld) -> TriageError {
        TriageError(
            "config.untrusted", withheld.ignoredModels, at: withheld.path,
            remedy: "\(withheld.remedy); or name it: \(withheld.flag)", exit: .badConfiguration)
    }
}
