import Synchronization
package import TriageConfig
package import TriageCore

/// Says once what of a folder's settings does not count, and how to allow it.
package enum TrustNotice {
    private static let isTold = Mutex(false)

    /// Tells of settings that are withheld, once in a process.
    ///
    /// - Parameter asks: whether a model would be asked if it counted.
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
        // Also with --quiet: who counts on a model has to hear that none is asked.
        Terminal.tell("triage: \(Terminal.harmlessLine(line))\n")
    }

    /// What a command that is about a model has to say when it may not be asked.
    package static func error(_ withheld: Withheld) -> TriageError {
        TriageError(
            "config.untrusted", withheld.ignoredModels, at: withheld.path,
            remedy: "\(withheld.remedy); or name it: \(withheld.flag)", exit: .badConfiguration)
    }
}
