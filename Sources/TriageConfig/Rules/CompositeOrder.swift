internal import TriageCore

/// Puts signals into an order in which a composite follows everything it asks for.
enum CompositeOrder {
    /// The signals with composites last, each behind those it names; others keep their order.
    ///
    /// Names that are switched off never fire: they are taken out of `any` and `none`, and a composite that needs one
    /// goes too. Unknown names and cycles are faults.
    static func signals(from drafts: [SignalDraft], faults: FaultCollector) -> [Signal] {
        var drafts = drafts
        check(drafts, faults)
        prune(&drafts)
        var ordered: [Signal] = []
        ordered.reserveCapacity(drafts.count)
        var composites: [SignalDraft] = []
        var done: Set<String> = []
        for draft in drafts where draft.isEnabled {
            if draft.condition != nil, draft.detector == nil {
                composites.append(draft)
            } else if let signal = draft.signal {
                ordered.append(signal)
                done.insert(draft.name)
            }
        }
        // Each round takes what is ready; the order within a round is that of the files.
        while !composites.isEmpty {
            var waiting: [SignalDraft] = []
            for draft in composites {
                let isReady = draft.condition?.references.allSatisfy { done.contains($0.name) } ?? true
                if isReady, let signal = draft.signal {
                    ordered.append(signal)
                    done.insert(draft.name)
                } else {
                    waiting.append(draft)
                }
            }
            if waiting.count == composites.count {
                reportCycle(waiting, faults)
                break
            }
            composites = waiting
        }
        return ordered
    }

    private static func check(_ drafts: [SignalDraft], _ faults: FaultCollector) {
        let names = Set(drafts.map(\.name))
        for draft in drafts where draft.isEnabled {
            for reference in draft.condition?.references ?? [] where !names.contains(reference.name) {
                faults.add(
                    "rules.unknown-signal",
                    "'\(draft.name)' asks for signal '\(reference.name.prefix(80))', which no file defines",
                    at: reference.place, remedy: remedy(for: reference.name, among: drafts))
            }
        }
    }

    /// A guess at the signal that a wrong name meant.
    static func remedy(for name: String, among drafts: [SignalDraft]) -> String {
        Suggestion.closest(to: name, among: drafts.map(\.name)).map { "did you mean '\($0)'?" }
            ?? "`triage rules list` shows them all"
    }

    private static func prune(_ drafts: inout [SignalDraft]) {
        var off = Set(drafts.filter { !$0.isEnabled }.map(\.name))
        var hasChanged = !off.isEmpty
        while hasChanged {
            hasChanged = false
            for index in drafts.indices where drafts[index].isEnabled {
                guard var condition = drafts[index].condition, drafts[index].detector == nil else { continue }
                let hadAny = !condition.any.isEmpty
                let misses = condition.all.contains { off.contains($0.name) }
                condition.any.removeAll { off.contains($0.name) }
                condition.none.removeAll { off.contains($0.name) }
                drafts[index].condition = condition
                if misses || (hadAny && condition.any.isEmpty) {
                    drafts[index].isEnabled = false
                    off.insert(drafts[index].name)
                    hasChanged = true
                }
            }
        }
    }

    /// Follows the conditions from one stuck composite until a name comes again.
    private static func reportCycle(_ stuck: [SignalDraft], _ faults: FaultCollector) {
        let byName = Dictionary(stuck.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var path: [String] = []
        var next = stuck.first { draft in
            draft.condition?.references.contains { byName[$0.name] != nil } ?? false
        }
        while let draft = next {
            if let start = path.firstIndex(of: draft.name) {
                let cycle = (path[start...] + [draft.name]).joined(separator: " → ")
                faults.add(
                    "rules.cycle", "signals wait for each other: \(cycle)", at: draft.condition?.place ?? draft.place,
                    remedy: "take one of them out of a 'when'")
                return
            }
            path.append(draft.name)
            next = draft.condition?.references.lazy.compactMap { byName[$0.name] }.first
        }
    }
}
