import TriageConfig
package import TriageCore
import TriageMatching
import TriageStages

/// Sends single texts through the stages that find signals, the very ones of a run.
package struct StageProbe: SignalProbe {
    private let stages: [any LocalStage]
    private let names: [String]

    package init(rules: RuleSet, profile: CreatorProfile, settings: Settings) throws {
        let plan = try StandardPlan.make(
            rules: rules, database: try PatternDatabase(rules: rules), languages: try ShippedFiles.languageModel(),
            profile: profile, library: FAQLibrary(), settings: settings)
        let local = plan.slots.compactMap { slot in
            if case .local(let stage) = slot { stage } else { nil }
        }
        // Everything up to the last stage that raises signals.
        let last = local.lastIndex { $0.writes.contains(.hits) } ?? local.endIndex - 1
        stages = Array(local.prefix(last + 1))
        names = rules.signals.map(\.name)
    }

    package func signals(firing text: String) -> Set<String> {
        var batch = Batch()
        batch.arena = Array(text.utf8)
        var record = Record()
        record.fields.text = Span32(start: 0, count: batch.arena.count)
        batch.records = [record]
        batch.input.lines = [InputLine(span: Span32(start: 0, count: 0), number: 1, offset: 0, source: 0)]
        for stage in stages { stage.annotate(&batch) }
        return Set(
            batch.hits[batch.records[0].hits].lazy.map { Int($0.signal) }.filter(names.indices.contains).map {
                names[$0]
            })
    }
}
