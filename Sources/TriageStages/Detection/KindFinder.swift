internal import TriageCore

/// Tells of which kind a business matter is, by the rules' table.
struct KindFinder: Sendable {
    private let kinds: [OfferKind]
    /// By signal: the kinds that it tells, as bits.
    private let bySignal: [UInt32]

    init(rules: RuleSet) {
        kinds = Array(rules.kinds.prefix(OfferKind.limit))
        var byName: [String: UInt32] = [:]
        for (index, kind) in kinds.enumerated() {
            for name in kind.signals { byName[name, default: 0] |= 1 << UInt32(index) }
        }
        bySignal = rules.signals.map { byName[$0.name] ?? 0 }
    }

    /// The first kind that a signal or a fact tells; −1 when none does.
    func kind(of hits: UnsafeBufferPointer<SignalHit>, _ facts: Facts) -> Int8 {
        var told: UInt32 = 0
        for hit in hits { told |= bySignal[Int(hit.signal)] }
        guard told != 0 || facts.tags != 0 else { return -1 }
        for (index, kind) in kinds.enumerated() {
            let isTold = told >> UInt32(index) & 1 != 0 || facts.tags & kind.facts != 0
            guard isTold, facts.tags & kind.unless == 0, !kind.isWithoutBudget || facts.budget == nil else { continue }
            return Int8(index)
        }
        return -1
    }
}
