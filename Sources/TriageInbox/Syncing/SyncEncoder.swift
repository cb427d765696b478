import TriageCore
import TriageFormats
import TriageStore

/// Turns an annotated batch into output lines and store rows; a pure function, so that workers run it in parallel.
struct SyncEncoder: Sendable {
    let ledger: SyncLedger
    let lines: JSONLRecordEncoder
    let object: TriageObjectEncoder
    let library: FAQLibrary
    /// Whether the store keeps messages, or only which ones it has seen.
    let keepsMessages: Bool
    let keepsOutput: Bool
    let keepsRejects: Bool
    let offersAbove: Int
    /// The model in use; nil: none.
    let llm: LLMName?
    let sources: @Sendable () -> [String]

    /// Failures caused by the message itself, for which retrying is useless.
    private static let final: Set<String> = ["llm.refused", "llm.too-long", "llm.bad-output"]

    func result(_ batch: inout Batch) -> BatchResult<SyncTally> {
        let notes = ledger.notes(of: batch.input.sequence)
        var owed: Set<Int> = []
        for index in batch.records.indices where isOwed(batch.records[index], in: batch) {
            owed.insert(index)
            // A retry failed again: leave everything as it is.
            if notes.repeated[index] != nil { batch.records[index].status = .filtered }
        }
        var out = OutputBuffer(capacity: batch.input.bytes.count + batch.records.count * 2048)
        lines.encode(&batch, into: &out)
        let block = out.finish()
        var tally = SyncTally(counts: RunCounts(batch, rejectsKept: keepsRejects ? 0 : 20))
        tally.changes = SyncChanges(batch, notes)
        block.withUnsafeBytes { bytes in
            var rest = bytes[...]
            for index in batch.records.indices where notes.identities.indices.contains(index) {
                switch batch.records[index].status {
                case .filtered: continue
                case .rejected: add(notes.identities[index], revision: 1, to: &tally)
                case .own, .notMessage, .message:
                    // Every record is one line without a line break inside.
                    let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                    let line = Array(rest[..<end])
                    rest = rest[min(end + 1, rest.endIndex)...]
                    add(index, line, isOwed: owed.contains(index), notes, batch, to: &tally)
                }
            }
        }
        tally.commit.conversations = notes.conversations.map { (key: $0.key, state: $0.value) }
        var rejected: [UInt8] = []
        if keepsRejects {
            for reject in batch.rejects {
                object.encodeReject(reject, of: batch, sources: sources(), into: &rejected)
                rejected.append(0x0A)
            }
        }
        return BatchResult(
            sequence: batch.input.sequence, output: keepsOutput ? block : ByteBlock([]), rejects: rejected,
            tally: tally, inputBytes: notes.repeated.isEmpty ? batch.input.bytes.count : 0)
    }

    private func add(_ identity: RecordIdentity, revision: Int, to tally: inout SyncTally) {
        tally.commit.known.append(InboxCommit.Known(identity: identity, revision: revision))
    }

    private func add(
        _ index: Int, _ line: [UInt8], isOwed: Bool, _ notes: SyncLedger.Notes, _ batch: borrowing Batch,
        to tally: inout SyncTally
    ) {
        let record = batch.records[index]
        let identity = notes.identities[index]
        let revision = Int(record.revision)
        add(identity, revision: revision, to: &tally)
        if keepsMessages {
            tally.commit.messages.append(
                InboxMessage(
                    record, of: batch, key: identity.key, revision: revision, id: id(of: record, in: batch), line: line,
                    library: library, llm: llm))
            if record.status == .own {
                tally.commit.replies.append((identity.key, batch.string(record.fields.replyTo)))
            }
            if let likeness = InboxLikeness(record, of: batch) {
                tally.commit.likenesses.append((identity.key, likeness))
            }
        }
        // A store that keeps no messages must not keep a text even for a retry.
        if isOwed, keepsMessages {
            tally.changes.owed += 1
            tally.commit.owed.append(
                OwedMessage(
                    identity: identity, revision: revision, line: line, textKey: batch.input.textKey,
                    context: notes.past[index]))
        } else if revision > 1 {
            // A pending answer for an earlier revision is obsolete.
            tally.commit.settled.append(identity.key)
            if notes.repeated[index] != nil { tally.changes.settled += 1 }
        }
        guard record.status == .message else { return }
        let score = record.opportunity?.score ?? 0
        guard record.urgency?.isUrgent == true || score > offersAbove else { return }
        let reference = SyncChanges.Reference(
            id: id(of: record, in: batch),
            platform: batch.string(record.fields.platform), conversation: batch.string(record.fields.conversationID),
            score: record.opportunity?.score)
        if record.urgency?.isUrgent == true { tally.changes.urgent.append(reference) }
        if score > offersAbove { tally.changes.offers.append(reference) }
    }

    private func id(of record: Record, in batch: borrowing Batch) -> String {
        batch.string(record.fields.id) ?? MadeID.text(for: record, in: batch)
    }

    /// Whether a language model should have answered but failed temporarily.
    private func isOwed(_ record: Record, in batch: borrowing Batch) -> Bool {
        guard record.status == .message, record.hasProblems else { return false }
        return batch.problems(of: record).contains {
            $0.code.hasPrefix("llm.") && !Self.final.contains($0.code)
        }
    }
}
