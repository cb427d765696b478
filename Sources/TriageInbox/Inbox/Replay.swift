import Synchronization
import TriageConfig
import TriageCore
import TriageFormats
import TriageLLM
package import TriageRun
import TriageStages
package import TriageStore

/// Computes new answers for all stored messages in order of arrival, using the models' stored answers; no model is
/// called.
package struct Replay {
    private let store: InboxStore
    private let loaded: LoadedRun
    private let stored: StoredAnswers
    private let memory = ReplayMemory()
    private let reader: RecordReader
    private static let batchSize = 512

    /// - Throws: ``TriageErrors`` with every fault in every file.
    package init(
        store: InboxStore, configuration: ConfigurationOptions, me: [String],
        notice: @escaping @Sendable (String) -> Void
    ) throws {
        self.store = store
        let files = try LoadedConfiguration.load(
            .ofProcess(
                config: configuration.config, creator: configuration.creator, faq: configuration.faq,
                rules: configuration.rules, voice: configuration.voice))
        stored = StoredAnswers(
            privateTexts: LLMSession.privateTexts(files.creator, files.faq),
            promises: try ShippedFiles.draftPromises(), judge: ShippedFiles.draftJudge, library: files.faq,
            contact: files.creator.offerAddress, voice: files.creator.voice)
        loaded = try LoadedRun(
            configuration: configuration, me: me, questions: [], answering: stored,
            storedVoice: {
                try StoredVoice(store).voice(VoiceLearner(library: $0.faq, profile: $0.creator))
            }, memory: memory, notice: notice)
        hasModel = files.knowsLLM
        reader = RecordReader(ownIdentities: loaded.settings.ownIdentities, ownHandles: loaded.profile.handles)
    }

    /// A message with its old and new answers.
    package struct Answered {
        package var old: InboxEntry
        package var new: InboxMessage
        /// The sketch of its text for finding similar texts; nil: the text is too short.
        package var likeness: InboxLikeness?
    }

    /// Whether a language model is configured; without one, stored model answers are ignored.
    package let hasModel: Bool

    package var rules: String { loaded.rules.digest }
    /// Messages that would be sent to a model but have no stored answer from one.
    package var missing: Int { stored.missing }
    /// The final state of each conversation.
    package var conversations: [UInt64: [UInt8]] { memory.all }

    /// Calls `body` with old and new answers, one batch at a time.
    ///
    /// - Returns: how many records could not be read again and stay unchanged.
    /// - Throws: ``TriageError``, and what `body` throws.
    package func run(_ body: ([Answered]) throws -> Void) async throws -> Int {
        let pipeline = Pipeline(
            plan: loaded.plan, jobs: 1, read: { [reader] in reader.read(&$0) },
            encode: { BatchResult(sequence: $0.input.sequence, output: ByteBlock([]), rejects: [], tally: RunCounts()) }
        )
        var last: Int64 = 0
        var sequence = 0
        var skipped = 0
        while true {
            let portion = try store.entries(after: last, limit: Self.batchSize)
            guard let end = portion.last else { return skipped }
            last = end.number
            var answered: [Answered] = []
            for part in parts(of: portion) {
                answered += try await answer(part, sequence, pipeline)
                sequence += 1
            }
            skipped += portion.count - answered.count
            try body(answered)
        }
    }

    /// Consecutive messages whose text is in the same JSON member and that were answered by the same model.
    private struct Part {
        var entries: [InboxEntry] = []
        var textKey: String?
        var llm: LLMName?
    }

    private func parts(of entries: [InboxEntry]) -> [Part] {
        var parts: [Part] = []
        for entry in entries {
            let key = Self.textKey(entry.message)
            let llm = entry.message.facts.flatMap { KeptAnswers($0) }.map {
                LLMName(
                    model: $0.model, textPrompt: $0.textPrompt, draftPrompt: $0.draftPrompt, draftModel: $0.draftModel)
            }
            // Two equal texts with model answers go into different parts, so that each keeps its own answers.
            let isSame = parts.last.map { part in
                part.textKey == key && (llm == nil || part.llm == nil || part.llm == llm)
                    && (entry.message.facts == nil || !part.entries.contains { $0.message.text == entry.message.text })
            }
            if isSame == true {
                parts[parts.count - 1].entries.append(entry)
                parts[parts.count - 1].llm = parts[parts.count - 1].llm ?? llm
            } else {
                parts.append(Part(entries: [entry], textKey: key, llm: llm))
            }
        }
        return parts
    }

    /// Name of the JSON member that holds the text; nil: `text`, which is almost always so.
    private static func textKey(_ message: InboxMessage) -> String? {
        // Leave out the answers, which are most of the record.
        var own = message.record
        if let end = StoredRecord.answersStart(in: own) {
            own.removeSubrange(end...)
            if own.last == UInt8(ascii: ",") { own.removeLast() }
            own.append(UInt8(ascii: "}"))
        }
        let members = StoredRecord(own).value?.members ?? []
        // The stored column ends at U+0000.
        func isText(_ member: JSONMember) -> Bool {
            member.value.string?.utf8.prefix { $0 != 0 }.elementsEqual(message.text.utf8) == true
        }
        // Compare values too: a member called `text` may hold something else.
        if members.contains(where: { $0.key == "text" && isText($0) }) { return nil }
        return members.last(where: isText)?.key
    }

    private func answer(
        _ part: Part, _ sequence: Int, _ pipeline: Pipeline<RunCounts>
    ) async throws -> [Answered] {
        var answers: [String: KeptAnswers] = [:]
        var entries: [String: StoredAnswers.Entry] = [:]
        var input = InputBatch(sequence: sequence)
        input.textKey = part.textKey
        for entry in part.entries {
            let message = entry.message
            if let kept = message.facts.flatMap({ KeptAnswers($0) }) { answers[message.text] = kept }
            if let id = message.faq, let confidence = Self.vectorConfidence(message) {
                entries[message.text] = StoredAnswers.Entry(
                    id: id, isHigh: message.faqMatch == "high", confidence: Float(confidence))
            }
            let start = input.bytes.count
            input.bytes += message.record
            input.lines.append(
                InputLine(
                    span: Span32(start: start, count: message.record.count), number: Int(clamping: entry.number),
                    offset: -1, source: 0))
        }
        input.bytes.append(contentsOf: repeatElement(0, count: InputBatch.padding))
        stored.set(answers, entries: entries)
        let kinds = part.entries.map(\.message)
        var batch = try await pipeline.annotateAsking(input) { batch in
            for (index, message) in kinds.enumerated() where batch.records.indices.contains(index) {
                batch.records[index].revision = UInt32(clamping: message.revision)
                // Whose message it is was decided on arrival.
                switch (batch.records[index].status, message.kind) {
                case (.rejected, _): break
                // A message counts as own if the creator's identity became known after it arrived.
                case (.own, .message): break
                case (_, .message): batch.records[index].status = .message
                case (_, .own): batch.records[index].status = .own
                case (_, .notMessage): batch.records[index].status = .notMessage
                }
            }
        }
        return encode(&batch, part)
    }

    /// The confidence of an FAQ entry found by embeddings; nil: it was found by its words.
    private static func vectorConfidence(_ message: InboxMessage) -> Double? {
        let mark = Array("faq.embeddings".utf8)
        guard message.record.contains(mark) else { return nil }
        let record = StoredRecord(message.record)
        guard record.answer("faq", "by")?.string == "faq.embeddings" else { return nil }
        return record.answer("faq", "confidence")?.double
    }

    private func encode(_ batch: inout Batch, _ part: Part) -> [Answered] {
        let encoder = JSONLRecordEncoder(object: loaded.object(llm: part.llm))
        var out = OutputBuffer(capacity: batch.input.bytes.count + batch.records.count * 2048)
        encoder.encode(&batch, into: &out)
        let block = out.finish()
        return block.withUnsafeBytes { bytes in
            var rest = bytes[...]
            var found: [Answered] = []
            for (index, entry) in part.entries.enumerated() where batch.records.indices.contains(index) {
                let record = batch.records[index]
                guard record.status != .rejected, record.status != .filtered else { continue }
                // Every record is one line without a line break inside.
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                let line = Array(rest[..<end])
                rest = rest[min(end + 1, rest.endIndex)...]
                var message = InboxMessage(
                    record, of: batch, key: entry.message.key, revision: entry.message.revision, id: entry.message.id,
                    line: line, library: loaded.library, llm: nil)
                message.facts = entry.message.facts
                found.append(Answered(old: entry, new: message, likeness: InboxLikeness(record, of: batch)))
            }
            return found
        }
    }
}

/// The memory of all conversations during a replay: what a store would remember, from the first message on.
final class ReplayMemory: ConversationMemory, CampaignMemory {
    private let states = Mutex<[UInt64: [UInt8]]>([:])

    /// The current state of every conversation.
    var all: [UInt64: [UInt8]] { states.withLock { $0 } }

    func recall(_ keys: [UInt64]) -> [UInt64: [UInt8]] {
        states.withLock { states in
            var found: [UInt64: [UInt8]] = [:]
            for key in keys { found[key] = states[key] }
            return found
        }
    }

    func keep(_ states: [UInt64: [UInt8]], past: [Int: [UInt8]], of sequence: Int) {
        self.states.withLock { $0.merge(states) { _, new in new } }
    }

    /// Empty, because a replay begins with the first text.
    func recallTexts(limit: Int) -> [RememberedText] { [] }

    func isRepeated(_ index: Int, of sequence: Int) -> Bool { false }

    func past(_ index: Int, of sequence: Int) -> [UInt8]? { nil }
}
