import TriageCore
import TriageLLM

extension AskingStages {
    /// The stages that ask, with where their answers come from.
    ///
    /// - Parameters:
    ///   - model: answers offline what the settings leave to it; nil: the rules do.
    ///   - counts: what was asked.
    ///   - brake: ends the asking before its time.
    init(
        text: any AnswerSource<MessageQuestion, MessageVerdict>, drafts: any AnswerSource<DraftQuestion, Draft>,
        rules: RuleSet, settings: Settings, library: FAQLibrary,
        model: StatisticalModel?, counts: CascadeCounts = CascadeCounts(), brake: AskingBrake = AskingBrake()
    ) throws {
        let byModel = settings.modelHeads.contains(.urgent) ? model?.urgentThreshold : nil
        let urgentThreshold = settings.thresholds.urgent ?? byModel ?? 0.5
        let hints = SteeringHints(neighbors: try ShippedFiles.batchTalk())
        let steers: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool = { text in
            hints.suspects(String(decoding: text, as: UTF8.self))
        }
        self.init()
        if settings.escalation.asks {
            self.text = .remote(
                CascadeStage(
                    source: text, settings: settings, rules: rules, library: library,
                    urgentThreshold: urgentThreshold, steers: steers, counts: counts, brake: brake))
        }
        if settings.escalation.draft != .never {
            draft = .remote(
                DraftStage(source: drafts, settings: settings, library: library, steers: steers, brake: brake))
        }
    }
}
