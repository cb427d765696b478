import TriageConfig
package import TriageCore
import TriageLLM
import TriageRun
package import TriageStages
package import TriageStore

/// The creator's voice as a store has it: learned from the replies that `sync` read, and from drafts that were accepted or
/// edited.
///
/// A sync that comes to its end learns; drafts are in the voice that was learned before they began. So a run that is killed
/// and goes on writes what a run that was not killed writes.
package struct StoredVoice {
    private let store: InboxStore

    /// Pairs that drafts are made of, the ones that came last: more cost each run time when it begins, and say little more.
    package static let limit = 1_000
    /// Fewer are no habit: nobody asked for the drafts to sound like one reply.
    private static let least = 10
    /// It is learned again once so many pairs came that it grows by a tenth.
    private static let growth = 10

    package init(_ store: InboxStore) { self.store = store }

    /// The voice that drafts are written in; nil: nothing was learned yet.
    ///
    /// - Parameter learner: of the library and profile that hold; learns again, for this run alone, where others held then.
    ///   nil: as it was learned.
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

    /// Learns, if enough is new or another library or profile holds now.
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

    /// Every message with its answer, drafts that were accepted or edited among them, in the order in which they came.
    ///
    /// - Throws: ``TriageError``.
    package func exchanges(limit: Int) throws -> [VoiceLearner.Exchange] {
        let pairs = try store.pairs(limit: limit)
        let decisions = try decisions().map(\.pair)
        let made = Set(decisions.map(\.number))
        let all = (pairs.filter { !made.contains($0.number) } + decisions).sorted { $0.number < $1.number }
        return try exchanges(all.suffix(limit))
    }

    /// Drafts of the store, and what a person made of them.
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
            // A blank that nobody filled in was never sent.
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

    /// The name that is shown; empty where it is the handle or the id.
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

    /// What a message was to the program.
    ///
    /// - Parameter intents: by the ids of pairs, of drafts that say a reply again.
    private static func intent(_ pair: InboxPair, _ intents: [String: String]) -> String {
        if pair.category == "spam" { return "spam" }
        let category = pair.category == "business" ? "business" : "fan"
        let record = StoredRecord(pair.record)
        if let reason = record.answer("no_draft")?.string {
            // What was not sure enough to be said still tells what was asked.
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
