public import TriageCore

/// Gathers faults, so that a configuration with three mistakes is fixed in one go.
public final class FaultCollector {
    public private(set) var faults: [TriageError] = []
    /// Faults beyond this many are counted, not kept.
    public static let limit = 200
    private var surplus = 0

    public init() {}

    public var isEmpty: Bool { faults.isEmpty }

    public func add(_ fault: TriageError) {
        if faults.count < Self.limit { faults.append(fault) } else { surplus += 1 }
    }

    /// Adds a fault of the configuration.
    public func add(_ code: String, _ what: String, at place: String?, remedy: String?) {
        add(TriageError(code, what, at: place, remedy: remedy, exit: .badConfiguration))
    }

    /// - Throws: ``TriageErrors`` with everything gathered, if anything was.
    public func throwIfAny() throws {
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
