import TriageConfig
package import TriageCore
package import TriageMatching
package import TriageStages

/// The one list of stages, in order.
///
/// A stage is listed here and nowhere else; a new question needs more, see the guide "Adding a stage".
package enum StandardPlan {
    /// - Parameter model: answers what ``Settings/modelHeads`` leaves to it; nil: the rules answer everything.
    /// - Parameter asking: the stages that ask a model; nil: nothing leaves the machine.
    /// - Parameter voice: how the creator answers; nil: drafts are in plain words.
    /// - Parameter memory: of conversations and texts beyond this run; nil: there is none.
    /// - Throws: ``TriageErrors`` when the stages do not fit together: a bug that the first start shows.
    package static func make(
        rules: RuleSet, database: PatternDatabase, languages: LanguageIdentifier, profile: CreatorProfile,
        library: FAQLibrary, settings: Settings, model: StatisticalModel? = nil, asking: LLMStages? = nil,
        voice: Voice? = nil, wordings: OwnWordings = OwnWordings(), memory: (any RunMemory)? = nil
    ) throws -> StagePlan {
        let heads = model == nil ? [] : settings.modelHeads
        let reading: [StageSlot] = [
            .local(FoldStage()),
            .local(LanguageStage(model: languages)),
            .local(PatternScanStage(database: database)),
            .local(SignalDetectionStage(rules: rules, profile: profile, settings: settings)),
            .local(SentimentStage(rules: rules, settings: settings, isExplained: !heads.contains(.sentiment))),
        ]
        var judging: [StageSlot] = []
        if !heads.contains(.injection) { judging.append(.local(InjectionStage(rules: rules, settings: settings))) }
        let text = model.flatMap { model in
            heads.isEmpty ? nil : ModelStage(model: model, heads: heads, rules: rules, settings: settings)
        }
        let conversation: ConversationStage
        let campaign: CampaignStage
        if let text, heads.contains(.category) {
            conversation = ConversationStage(rules: rules, settings: settings, model: text, memory: memory)
            campaign = CampaignStage(rules: rules, settings: settings, model: text, memory: memory)
        } else {
            let category = CategoryStage(rules: rules, settings: settings)
            judging.append(.local(category))
            conversation = ConversationStage(rules: rules, settings: settings, category: category, memory: memory)
            campaign = CampaignStage(rules: rules, settings: settings, category: category, memory: memory)
        }
        if let text { judging.append(.local(text)) }
        judging.append(.local(SketchStage(rules: rules)))
        // Before the conversation, which remembers what a message is called in the end.
        judging.append(.ordered(campaign))
        judging.append(.ordered(conversation))
        if let model, heads.contains(.urgent) {
            judging.append(.local(UrgencyModelStage(model: model, rules: rules, settings: settings)))
        } else {
            judging.append(.local(UrgencyStage(rules: rules, settings: settings)))
        }
        let isCreatorKnown = profile != CreatorProfile() || !library.entries.isEmpty
        let encoder = settings.encoder.settled(isCreatorKnown: isCreatorKnown)
        if encoder.sentiment || encoder.urgency {
            judging.append(.local(SentenceStage()))
            judging.append(.local(MatterStage(rules: rules, profile: profile)))
            judging.append(.local(ThanksStage()))
            if encoder.urgency { judging.append(.local(DangerStage())) }
            judging.append(
                .local(
                    EncoderStage(
                        sentiment: encoder.sentiment, urgency: encoder.urgency, rules: rules, settings: settings)))
        }
        let answers = FAQStage(library: library, settings: settings, profile: profile)
        judging.append(.local(answers))
        if let faq = asking?.faq { judging.append(faq) }
        if let text = asking?.text { judging.append(text) }
        var closing: [StageSlot] = [
            .local(OpportunityStage(rules: rules, profile: profile, settings: settings)),
            .local(
                ReplyStage(
                    library: library, profile: profile, rules: rules, settings: settings, voice: voice,
                    contacts: answers.contacts, wordings: wordings,
                    readsEncoder: encoder.sentiment || encoder.urgency,
                    readsDanger: encoder.urgency, languages: languages)),
        ]
        if let draft = asking?.draft { closing.append(draft) }
        closing.append(.local(PriorityStage()))
        return try StagePlan(reading + judging + closing)
    }
}

/// What is remembered beyond a run: conversations, and texts to compare with.
package typealias RunMemory = ConversationMemory & CampaignMemory

/// The stages that ask a model, in the places where they stand.
package struct LLMStages {
    /// Behind the offline FAQ stage.
    package var faq: StageSlot?
    /// Behind the offline answers, before what is computed from them.
    package var text: StageSlot?
    /// Behind the templates.
    package var draft: StageSlot?
}

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
