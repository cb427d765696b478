import TriageConfig
package import TriageCore
import TriageLLM
import TriageRun
package import TriageStages
package import TriageStore

/// The creator's voice, learned from a store: from replies that `sync` read, and from accepted or edited drafts.
///
/// A sync learns only when it completes, and all of its drafts use the voice learned before it began. A run that is
/// killed and resumed therefore writes the same output as an uninterrupted one.
package struct StoredVoice {
    private let store: InboxStore

    /// The number of pairs used for drafts, the latest ones: more would slow down the start of every run and add
    /// little.
    package static let limit = 1_000
    /// The minimum number of pairs to learn from: one reply is not a habit, and drafts should not imitate it.
    private static let least = 10
    /// The voice is learned again when the new pairs are at least a tenth of the learned ones.
    private static let growth = 10

    package init(_ store: InboxStore) { self.store = store }

    /// The voice to write drafts in; nil: nothing was learned yet.
    ///
    /// - Parameter learner: for the current library and profile. If the voice was learned with others, it is learned
    ///   again for this run only. nil: use the voice as it was learned.
    /// - Throws: ``TriageError``.
    package func voice(_ learner: VoiceLearner? = nil) throws -> Voice? {
        guard let kept = try store.voice() else { return nil }
        let pairs = try store.pairs(limit: Self.limit, isLearned: true)
        guard !pairs.isEmpty else { return nil }
        var voice = Voice()
        if let learner, learner.digest != kept.library {
            voice = learner.learn(try exchanges(pairs)).voice
        } else {
            voice.pairs = pairs.map(Self.pair)
        }
        voice.habits = VoiceFile.read(name: "habits", bytes: kept.habits, faults: FaultCollector()).habits
        voice.digest = String(SHA256.hex(VoiceFile.text(voice)).prefix(12))
        return voice
    }

    /// Learns the voice again if there are enough new pairs, or if the library or the profile has changed.
    ///
    /// - Throws: ``TriageError``.
    package func learn(_ learner: VoiceLearner) throws {
        try store.keep(try decisions())
        let count = try store.pairCounts()
        let isOld = try store.voice().map { $0.library != learner.digest } ?? false
        guard isOld || count.new > 0 && count.new * Self.growth >= count.learned else { return }
        let pairs = try store.pairs(limit: Self.limit)
        guard pairs.count >= Self.least else { return }
        let voice = learner.learn(try exchanges(pairs)).voice
        var habits = Voice()
        habits.habits = voice.habits
        let lessons = zip(pairs, voice.pairs).map { old, new in
            (old.number, InboxLesson(id: new.id, intent: new.intent, language: new.language, reuse: new.reuse))
        }
        try store.keep(InboxVoice(habits: VoiceFile.text(habits), library: learner.digest), lessons)
    }

    /// Every message with its answer, including accepted and edited drafts, in order of arrival.
    ///
    /// - Throws: ``TriageError``.
    package func exchanges(limit: Int) throws -> [VoiceLearner.Exchange] {
        let pairs = try store.pairs(limit: limit)
        let decisions = try decisions().map(\.pair)
        let made = Set(decisions.map(\.number))
        let all = (pairs.filter { !made.contains($0.number) } + decisions).sorted { $0.number < $1.number }
        return try exchanges(all.suffix(limit))
    }

    /// Drafts of the store together with people's edited versions.
    ///
    /// - Throws: ``TriageError``.
    package func edits() throws -> [WordingSuggester.Edit] {
        try store.editedDrafts(limit: Self.editLimit).compactMap { decision in
            let record = StoredRecord(decision.pair.record)
            guard let draft = record.answer("draft", "text")?.string else { return nil }
            var edit = WordingSuggester.Edit()
            edit.number = decision.pair.number
            edit.basis = record.answer("draft", "based_on")?.string ?? ""
            edit.language = record.answer("draft", "language")?.string ?? ""
            edit.senderName = Self.name(decision.pair)
            (edit.draft, edit.edited) = (draft, decision.pair.answered)
            return edit
        }
    }

    private static let editLimit = 10_000

    private func decisions() throws -> [InboxDecision] {
        try store.decidedDrafts().compactMap { decision in
            var decision = decision
            if decision.pair.answered.isEmpty {
                decision.pair.answered = StoredRecord(decision.pair.record).answer("draft", "text")?.string ?? ""
            }
            // A draft with an unfilled blank was never sent.
            return decision.pair.answered.isEmpty || decision.pair.answered.contains("{") ? nil : decision
        }
    }

    private func exchanges(_ pairs: [InboxPair]) throws -> [VoiceLearner.Exchange] {
        let intents = Dictionary(
            pairs.compactMap(\.lesson).map { ($0.id, $0.intent) }, uniquingKeysWith: { first, _ in first })
        var exchanges = pairs.map { pair in
            var exchange = VoiceLearner.Exchange()
            exchange.asked = pair.asked
            exchange.answered = pair.answered
            exchange.sender = Self.sender(pair)
            exchange.senderName = Self.name(pair)
            exchange.senderHandle = pair.handle ?? ""
            exchange.conversation = pair.conversation ?? ""
            exchange.platform = pair.platform ?? ""
            exchange.day = pair.at.map { UTCTime.day($0) }
            exchange.language = pair.lesson?.language ?? pair.language ?? ""
            exchange.intent = pair.lesson?.intent ?? Self.intent(pair, intents)
            return exchange
        }
        let new = pairs.indices.filter { pairs[$0].lesson == nil }
        if !new.isEmpty { ReplyLanguages.tell(&exchanges, at: new, model: try ShippedFiles.languageModel()) }
        return exchanges
    }

    private static func sender(_ pair: InboxPair) -> String { pair.handle ?? pair.senderID ?? pair.sender ?? "" }

    /// The sender's name; empty where it is only the handle or the id.
    private static func name(_ pair: InboxPair) -> String {
        guard let name = pair.sender, name != pair.handle, name != pair.senderID else { return "" }
        return name
    }

    private static func pair(_ stored: InboxPair) -> VoicePair {
        var pair = VoicePair()
        if let lesson = stored.lesson {
            (pair.id, pair.intent, pair.language) = (lesson.id, lesson.intent, lesson.language)
            pair.reuse = lesson.reuse ?? ""
        }
        (pair.sender, pair.name) = (sender(stored), name(stored))
        (pair.platform, pair.day) = (stored.platform ?? "", stored.at.map { UTCTime.day($0) })
        (pair.asked, pair.answered) = (stored.asked, stored.answered)
        return pair
    }

    /// The intent that was recognized in a message.
    ///
    /// - Parameter intents: by pair id, for drafts that reuse an earlier reply.
    private static func intent(_ pair: InboxPair, _ intents: [String: String]) -> String {
        if pair.category == "spam" { return "spam" }
        let category = pair.category == "business" ? "business" : "fan"
        let record = StoredRecord(pair.record)
        if let reason = record.answer("no_draft")?.string {
            // An FAQ match too uncertain for an answer still shows what the question was about.
            if reason == NoDraft.needsAFact.name, let id = record.answer("faq", "id")?.string,
                let confidence = record.answer("faq", "confidence")?.double,
                Float(confidence) >= VoiceLearner.leastConfidence
            {
                return "faq:\(id)"
            }
            return "\(category).\(reason)"
        }
        if let basis = record.answer("draft", "based_on")?.string {
            for name in ["template:", "own-reply:"] where basis.hasPrefix(name) {
                let rest = String(basis.dropFirst(name.count))
                if name == "template:" { return rest }
                if let intent = intents[rest] { return intent }
            }
            if basis.hasPrefix("faq:") { return basis }
        }
        if let entry = pair.faq { return "faq:\(entry)" }
        return category == "business" ? "business.offer" : "fan.unsure"
    }
}
