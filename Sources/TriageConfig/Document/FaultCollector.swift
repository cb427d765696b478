package import TriageCore

/// Collects faults, so that a configuration with three mistakes can be fixed in one go.
package final class FaultCollector {
    package private(set) var faults: [TriageError] = []
    /// Faults beyond this many are counted but not kept.
    package static let limit = 200
    private var surplus = 0

    package init() {}

    package var isEmpty: Bool { faults.isEmpty }

    package func add(_ fault: TriageError) {
        if faults.count < Self.limit { faults.append(fault) } else { surplus += 1 }
    }

    /// Adds a fault of the configuration.
    package func add(_ code: String, _ what: String, at place: String?, remedy: String?) {
        add(TriageError(code, what, at: place, remedy: remedy, exit: .badConfiguration))
    }

    /// - Throws: ``TriageErrors`` with everything collected, if there is anything.
    package func throwIfAny() throws {
        guard !faults.isEmpty else { return }
        var all = faults
        if surplus > 0 {
            all.append(
                TriageError(
                    "config.more-faults", "\(surplus) more errors are not shown", remedy: "fix those above first",
                    exit: .badConfiguration))
        }
        throw TriageErrors(all)
    }
}
