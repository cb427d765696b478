import TriageCore
import TriageMatching
import TriageStages

/// The one list of stages, in order.
///
/// Adding a stage is a line here.
enum StandardPlan {
    /// - Parameter model: answers category, sentiment, urgency and injection; nil: the rules do.
    /// - Throws: ``TriageErrors`` when the stages do not fit together: a bug that the first start shows.
    static func make(
        rules: RuleSet, database: PatternDatabase, languages: LanguageModel, profile: CreatorProfile,
        library: FAQLibrary, settings: Settings, model: StatisticalModel? = nil
    ) throws -> StagePlan {
        let reading: [StageSlot] = [
            .local(FoldStage()),
            .local(LanguageStage(model: languages)),
            .local(PatternScanStage(database: database)),
            .local(SignalDetectionStage(rules: rules, profile: profile, settings: settings)),
            .local(SentimentStage(rules: rules, settings: settings)),
        ]
        let judging: [StageSlot]
        if let model {
            let text = ModelStage(
                model: model, heads: [.category, .sentiment, .injection], rules: rules, settings: settings)
            judging = [
                .local(text),
                .ordered(ConversationStage(rules: rules, settings: settings, model: text)),
                .local(UrgencyModelStage(model: model, rules: rules, settings: settings)),
            ]
        } else {
            let category = CategoryStage(rules: rules, settings: settings)
            judging = [
                .local(InjectionStage(rules: rules, settings: settings)),
                .local(category),
                .ordered(ConversationStage(rules: rules, settings: settings, category: category)),
                .local(UrgencyStage(rules: rules, settings: settings)),
            ]
        }
        return try StagePlan(
            reading + judging + [
                .local(OpportunityStage(rules: rules, profile: profile, settings: settings)),
                .local(FAQStage(library: library, settings: settings, profile: profile)),
                .local(ReplyStage(library: library, profile: profile, settings: settings)),
                .local(PriorityStage()),
            ])
    }
}
