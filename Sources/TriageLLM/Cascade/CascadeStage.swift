import Synchronization
package import TriageCore

/// Asks a language model about messages whose offline answers are uncertain, and weighs its answers.
///
/// It refines the offline answers for category, sentiment, urgency and FAQ, and reads the facts of offers, from which
/// the rubric computes points later. Messages that may be injections are not sent. A message that no model answered
/// keeps its offline answer and gets a problem. The model alone never lifts a message to a higher priority band.
package struct CascadeStage: RemoteStage {
    package let name = "text.llm"
    package let reads: Set<Field> = [
        .secondOpinion, .fields, .folded, .hits, .facts, .language, .category, .sentiment, .urgency, .injection, .faq,
    ]
    package let writes: Set<Field> = [
        .category, .sentiment, .urgency, .faq, .injection, .secondOpinion,
    ]

    private let source: any AnswerSource<MessageQuestion, MessageVerdict>
    private let rule: EscalationRule
    private let merge: VerdictMerge
    private let library: FAQLibrary
    private let urgentThreshold: Float
    private let steers: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool
    private let counts: CascadeCounts
    private let cancellation: LLMCancellation

    /// - Parameters:
    ///   - source: asks the model.
    ///   - settings: what is left to the model, and when.
    ///   - urgentThreshold: the score from which the offline answer is urgent.
    ///   - steers: whether a text addresses an automated reader.
    ///   - counts: what was asked, for the summary of the run.
    ///   - cancellation: stops the asking early.
    package init(
        source: any AnswerSource<MessageQuestion, MessageVerdict>, settings: Settings, rules: RuleSet,
        library: FAQLibrary, urgentThreshold: Float,
        steers: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool, counts: CascadeCounts,
        cancellation: LLMCancellation = LLMCancellation()
    ) {
        self.source = source
        rule = EscalationRule(escalation: settings.escalation, urgentThreshold: urgentThreshold)
        merge = VerdictMerge(settings: settings, rules: rules, library: library, urgentThreshold: urgentThreshold)
        self.library = library
        self.urgentThreshold = urgentThreshold
        self.steers = steers
        self.counts = counts
        self.cancellation = cancellation
    }

    package func annotate(_ batch: inout Batch) async throws {
        let chosen = choose(batch)
        guard !chosen.isEmpty else { return }
        let questions = chosen.map { question(batch.records[$0], in: batch) }
        try await cancellation.ask(questions, of: source, for: name, about: chosen, in: &batch) {
            verdict, index, batch in
            merge.apply(verdict, to: index, of: &batch)
            batch.note(verdict.kept, for: .text, at: index)
        }
    }

    /// The records to ask about, in order.
    private func choose(_ batch: borrowing Batch) -> [Int] {
        var chosen: [Int] = []
        var (messages, withheld) = (0, 0)
        batch.records.withUnsafeBufferPointer { records in
            batch.arena.withUnsafeBufferPointer { arena in
                for index in records.indices where records[index].isAsked {
                    messages += 1
                    let choice = rule.choice(records[index]) {
                        steers(UnsafeBufferPointer(rebasing: arena[records[index].fields.text.range]))
                    }
                    switch choice {
                    case .sure: break
                    case .asked: chosen.append(index)
                    case .withheld: withheld += 1
                    }
                }
            }
        }
        counts.add(messages: messages, asked: chosen.count, withheld: withheld)
        return chosen
    }

    private func question(_ record: borrowing Record, in batch: borrowing Batch) -> MessageQuestion {
        let language = record.language?.language ?? LanguageTable.undetermined
        var day: String?
        if let sentAt = record.sentAt, (0..<253_402_300_800).contains(sentAt) {
            var text: [UInt8] = []
            let date = CivilDate(daysSince1970: Int(sentAt / 86_400))
            date.append(to: &text)
            day = String(decoding: text, as: UTF8.self) + " " + Self.weekdays[date.weekday]
        }
        return MessageQuestion(
            text: batch.string(record.fields.text) ?? "",
            language: language == LanguageTable.undetermined ? nil : LanguageTable.tags[Int(language)], day: day,
            candidates: library.entries.map(\.id), offline: view(of: record))
    }

    /// The offline answers for a record; nil when there is nothing to contradict.
    private func view(of record: borrowing Record) -> OfflineView? {
        guard let category = record.category, let label = category.label else { return nil }
        let faq = record.faq.flatMap { library.entries.indices.contains($0.entry) ? library.entries[$0.entry].id : nil }
        return OfflineView(
            scores: category.scores, category: label, sentiment: record.sentiment?.label,
            sentimentConfidence: record.sentiment?.confidence ?? 0, isUrgent: record.urgency?.isUrgent ?? false,
            urgency: record.urgency?.score ?? 0, urgentThreshold: urgentThreshold, faq: faq)
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
}

/// Decides which messages deserve a second opinion.
private struct EscalationRule: Sendable {
    let escalation: Escalation
    /// The score from which a message is urgent.
    let urgentThreshold: Float

    /// Whether a message is asked about, and if not, why.
    enum Choice: Equatable {
        case sure
        case asked
        /// It may be an injection, so no model may read it.
        case withheld
    }

    func choice(_ record: borrowing Record, steers: () -> Bool) -> Choice {
        guard record.folded.span.count > 0, wants(record) else { return .sure }
        return record.injection?.isSuspected == true || steers() ? .withheld : .asked
    }

    private func wants(_ record: borrowing Record) -> Bool {
        let category = record.category
        switch escalation.category {
        case .always: return true
        case .cascade where (category?.confidence ?? 0) < escalation.categoryBelow: return true
        default: break
        }
        switch escalation.sentiment {
        case .always: return true
        case .cascade where (record.sentiment?.confidence ?? 0) < escalation.sentimentBelow: return true
        default: break
        }
        switch escalation.urgency {
        case .always: return true
        case .cascade:
            // What is certainly spam is not urgent, whatever it threatens.
            if category?.label != .spam, let urgency = record.urgency,
                abs(urgency.score - urgentThreshold) < escalation.urgencyWithin
            {
                return true
            }
        case .never: break
        }
        switch escalation.faq {
        case .always: if category?.label != .spam { return true }
        case .cascade:
            if let faq = record.faq, !faq.isHigh, faq.confidence < escalation.faqBelow { return true }
        case .never: break
        }
        return escalation.opportunity == .always && category?.label == .business
    }
}

/// What a cascade asked, summed over batches.
package final class CascadeCounts: Sendable {
    package struct Totals: Sendable, Equatable {
        /// Messages with text.
        package var messages = 0
        /// Messages that were to be sent to a model.
        package var asked = 0
        /// Messages that needed a second opinion but were withheld from the model, because they may be injections.
        package var withheld = 0

        package init() {}

        /// The share of messages that were asked about, 0–1.
        package var share: Double { messages > 0 ? Double(asked) / Double(messages) : 0 }
    }

    private let state = Mutex(Totals())

    package init() {}

    package var totals: Totals { state.withLock { $0 } }

    func add(messages: Int, asked: Int, withheld: Int) {
        state.withLock {
            $0.messages += messages
            $0.asked += asked
            $0.withheld += withheld
        }
    }
}
