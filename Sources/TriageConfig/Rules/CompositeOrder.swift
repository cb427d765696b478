internal import TriageCore

/// Sorts signals so that every composite comes after the signals it refers to.
enum CompositeOrder {
    /// The signals with composites last, each after those it names; the others keep their order.
    ///
    /// Signals that are switched off never fire: they are removed from `any` and `none`, and a composite that needs one
    /// is removed too. Unknown names and cycles are faults.
    static func signals(from drafts: [SignalDraft], faults: FaultCollector) -> [Signal] {
        var drafts = drafts
        check(drafts, faults)
        let dependents = dependents(of: drafts)
        prune(&drafts, dependents)
        var ordered: [Signal] = []
        ordered.reserveCapacity(drafts.count)
        var waitsFor = [Int](repeating: 0, count: drafts.count)
        var ready: [Int] = []
        for (index, draft) in drafts.enumerated() where draft.isEnabled {
            if isComposite(draft) {
                waitsFor[index] = Set(draft.condition?.references.map(\.name) ?? []).count
                if waitsFor[index] == 0 { ready.append(index) }
            } else if let signal = draft.signal {
                ordered.append(signal)
            }
        }
        // Each composite waits for names; placing a name releases those that wait for it. Linear in the number of
        // references.
        var isPlaced = drafts.map { !isComposite($0) }
        func free(by name: String) {
            for index in dependents[name] ?? [] where drafts[index].isEnabled {
                waitsFor[index] -= 1
                if waitsFor[index] == 0 { ready.append(index) }
            }
        }
        for draft in drafts where draft.isEnabled && !isComposite(draft) { free(by: draft.name) }
        var next = 0
        while next < ready.count {
            let index = ready[next]
            next += 1
            isPlaced[index] = true
            if let signal = drafts[index].signal { ordered.append(signal) }
            free(by: drafts[index].name)
        }
        let stuck = drafts.indices.filter { drafts[$0].isEnabled && !isPlaced[$0] }
        if !stuck.isEmpty { reportCycle(stuck.map { drafts[$0] }, faults) }
        return ordered
    }

    private static func isComposite(_ draft: SignalDraft) -> Bool { draft.condition != nil && draft.detector == nil }

    /// For each name, the composites that refer to it, each once.
    private static func dependents(of drafts: [SignalDraft]) -> [String: [Int]] {
        var dependents: [String: [Int]] = [:]
        for (index, draft) in drafts.enumerated() where isComposite(draft) {
            for name in Set(draft.condition?.references.map(\.name) ?? []) {
                dependents[name, default: []].append(index)
            }
        }
        return dependents
    }

    private static func check(_ drafts: [SignalDraft], _ faults: FaultCollector) {
        let names = Set(drafts.map(\.name))
        for draft in drafts where draft.isEnabled {
            for reference in draft.condition?.references ?? [] where !names.contains(reference.name) {
                faults.add(
                    "rules.unknown-signal",
                    "'\(draft.name)' uses signal '\(reference.name.prefix(80))', which no file defines",
                    at: reference.place, remedy: remedy(for: reference.name, among: drafts))
            }
        }
    }

    /// A suggestion for a wrong signal name.
    static func remedy(for name: String, among drafts: [SignalDraft]) -> String {
        Suggestion.closest(to: name, among: drafts.map(\.name)).map { "did you mean '\($0)'?" }
            ?? "list them with `triage rules list`"
    }

    private static func prune(_ drafts: inout [SignalDraft], _ dependents: [String: [Int]]) {
        var off = drafts.filter { !$0.isEnabled }.map(\.name)
        while let name = off.popLast() {
            for index in dependents[name] ?? [] where drafts[index].isEnabled {
                guard var condition = drafts[index].condition else { continue }
                let hadAny = !condition.any.isEmpty
                let misses = condition.all.contains { $0.name == name }
                condition.any.removeAll { $0.name == name }
                condition.none.removeAll { $0.name == name }
                drafts[index].condition = condition
                if misses || (hadAny && condition.any.isEmpty) {
                    drafts[index].isEnabled = false
                    off.append(drafts[index].name)
                }
            }
        }
    }

    /// Follows the conditions from a composite that could not be placed until a name repeats.
    private static func reportCycle(_ stuck: [SignalDraft], _ faults: FaultCollector) {
        let byName = Dictionary(stuck.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var path: [String] = []
        var positions: [String: Int] = [:]
        var next = stuck.first { draft in
            draft.condition?.references.contains { byName[$0.name] != nil } ?? false
        }
        while let draft = next {
            if let start = positions[draft.name] {
                let names = path[start...]
                let shown = names.prefix(8).joined(separator: " → ") + (names.count > 8 ? " → …" : "")
                faults.add(
                    "rules.cycle", "signals depend on each other: \(shown) → \(draft.name)",
                    at: draft.condition?.place ?? draft.place, remedy: "remove one of them from a 'when'")
                return
            }
            positions[draft.name] = path.count
            path.append(draft.name)
            next = draft.condition?.references.lazy.compactMap { byName[$0.name] }.first
        }
    }
}
