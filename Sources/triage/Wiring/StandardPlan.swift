import TriageCore
import TriageMatching
import TriageStages

/// The one list of stages, in order.
///
/// Adding a stage is a line here.
enum StandardPlan {
    /// - Throws: ``TriageErrors`` when the stages do not fit together: a bug that the first start shows.
    static func make(
        rules: RuleSet, database: PatternDatabase, languages: LanguageModel, profile: CreatorProfile,
        library: FAQLibrary, settings: Settings
    ) throws -> StagePlan {
        let category = CategoryStage(rules: rules, settings: settings)
        return try StagePlan([
            .local(FoldStage()),
            .local(LanguageStage(model: languages)),
            .local(PatternScanStage(database: database)),
            .local(SignalDetectionStage(rules: rules, profile: profile, settings: settings)),
            .local(InjectionStage(rules: rules, settings: settings)),
            .local(SentimentStage(rules: rules, settings: settings)),
            .local(category),
            .ordered(ConversationStage(rules: rules, settings: settings, category: category)),
            .local(UrgencyStage(rules: rules, settings: settings)),
            .local(OpportunityStage(rules: rules, profile: profile, settings: settings)),
            .local(FAQStage(library: library, settings: settings, profile: profile)),
            .local(ReplyStage(library: library, profile: profile, settings: settings)),
            .local(PriorityStage()),
        ])
    }
}
