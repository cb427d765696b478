import CRecordScan
package import TriageCore

/// Parses a batch's input lines into records: JSON syntax, fields, status, splice offset.
///
/// Any number of workers may share one reader; it allocates nothing per message. No line makes it fail: an invalid line
/// becomes a reject with a reason.
package final class RecordReader: Sendable {
    private let own: OwnIdentities
    private let ownHandles: OwnIdentities
    private let usesFastPath: Bool

    /// - Parameters:
    ///   - ownIdentities: the creator's own handles, names or ids; compared ignoring case and a leading `@`.
    ///   - ownHandles: likewise, but compared with handles only, because anybody may use the creator's handle as a
    ///     name.
    package convenience init(ownIdentities: [String] = [], ownHandles: [String] = []) {
        self.init(ownIdentities: ownIdentities, ownHandles: ownHandles, usesFastPath: true)
    }

    /// - Parameter usesFastPath: if false, every line goes through the exact checker; tests compare both paths.
    init(ownIdentities: [String], ownHandles: [String] = [], usesFastPath: Bool) {
        own = OwnIdentities(ownIdentities)
        self.ownHandles = OwnIdentities(ownHandles)
        self.usesFastPath = usesFastPath
    }

    /// Fills `batch.records`, `batch.arena` and `batch.rejects` from `batch.input`; the arrays must be empty.
    ///
    /// Every line gives one record, in order. A blank line gives a reject; readers already drop blank lines unless each
    /// line gets an answer.
    package func read(_ batch: inout Batch) {
        let textKey = batch.input.textKey.map { Array($0.utf8CString) } ?? []
        // A decoded value is never longer than its source, so one arena as large as the lines suffices; unused space is
        // released at the end.
        batch.arena.append(contentsOf: repeatElement(0, count: batch.input.bytes.count + InputBatch.padding))
        batch.records.append(contentsOf: repeatElement(Record(), count: batch.input.lines.count))
        var used = 0
        let memory = UnsafeMutableRawPointer.allocate(byteCount: TRS_MEMORY_SIZE, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: TRS_MEMORY_SIZE)
        // What needs the whole batch is rare; it is done after the pass over the lines.
        var rare: [(index: Int, outcome: Rarity)] = []
        batch.arena.withUnsafeMutableBufferPointer { arena in
            batch.records.withUnsafeMutableBufferPointer { records in
                batch.input.lines.withUnsafeBufferPointer { lines in
                    batch.input.bytes.withUnsafeBufferPointer { bytes in
                        textKey.withUnsafeBufferPointer { key in
                            for index in lines.indices {
                                records[index].line = index
                                if lines[index].reject != nil {
                                    rare.append((index, .refused))
                                    continue
                                }
                                let outcome = scan(
                                    lines[index].span.range, of: bytes, textKey: key.isEmpty ? nil : key.baseAddress,
                                    memory: usesFastPath ? memory : nil, into: &records[index], arena: arena,
                                    used: &used)
                                if let outcome { rare.append((index, outcome)) }
                            }
                        }
                    }
                }
            }
        }
        batch.arena.removeLast(batch.arena.count - used)
        for (index, outcome) in rare { settle(index, outcome, in: &batch) }
    }

    /// Rare outcomes that need more than the record's fields.
    private enum Rarity {
        /// The export's reader refused it.
        case refused
        case rejected(RejectReason)
        case cut([Range<Int>])
        /// Some fields were ignored.
        case odd
    }

    private func settle(_ index: Int, _ outcome: Rarity, in batch: inout Batch) {
        switch outcome {
        case .refused:
            if let reason = batch.input.lines[index].reject { reject(index, reason, in: &batch) }
            return
        case .rejected(let reason):
            reject(index, reason, in: &batch)
            return
        case .cut(let cuts):
            let first = batch.cuts.count
            batch.cuts += cuts
            batch.records[index].cuts = first..<batch.cuts.count
        case .odd: break
        }
        let ignored = batch.records[index].fields.ignored
        if !ignored.isEmpty {
            for problem in Self.problems(of: ignored) { batch.report(problem, at: index) }
        }
    }

    @inline(__always)
    private func scan(
        _ range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, textKey: UnsafePointer<CChar>?,
        memory: UnsafeMutableRawPointer?, into record: inout Record, arena: UnsafeMutableBufferPointer<UInt8>,
        used: inout Int
    ) -> Rarity? {
        guard range.upperBound + InputBatch.padding <= bytes.count else {
            // Never read past the end, even if a reader forgot the padding.
            return .rejected(
                RejectReason(
                    code: "input.unpadded", reason: "internal error: the batch lacks padding after its lines"))
        }
        guard let base = bytes.baseAddress, let target = arena.baseAddress else {
            return .rejected(RejectReason(code: Self.code(of: TRS_ARENA_FULL), reason: ""))
        }
        var found = trs_record()
        var offset = 0
        var reason: UnsafePointer<CChar>?
        let status = trs_scan(
            base + range.lowerBound, range.count, textKey, memory, target, arena.count, &used, &found, &offset,
            &reason)
        guard status == TRS_OK else {
            return .rejected(
                RejectReason(
                    code: Self.code(of: status), reason: reason.map { String(cString: $0) } ?? "", offset: offset))
        }
        fill(&record.fields, from: found)
        let values = UnsafeBufferPointer(arena)
        readTime(of: &record, in: values)
        record.status = standing(of: record.fields, in: values)
        record.closingBrace = Int(found.closing_brace)
        if found.cut_count > 0 { return .cut(Self.cuts(&found)) }
        return record.fields.ignored.isEmpty ? nil : .odd
    }

    private func reject(_ index: Int, _ reason: RejectReason, in batch: inout Batch) {
        batch.records[index].status = .rejected
        batch.records[index].reject = batch.rejects.count
        batch.rejects.append(Reject(line: batch.records[index].line, reason: reason))
    }

    private func fill(_ fields: inout RecordFields, from found: trs_record) {
        // Both span types represent absence in the same way.
        func span(_ value: trs_span) -> Span32 { Span32(start: Int(value.start), count: Int(value.count)) }
        fields.text = span(found.text)
        fields.id = span(found.id)
        fields.platform = span(found.platform)
        fields.conversationID = span(found.conversation_id)
        fields.conversationTitle = span(found.conversation_title)
        fields.senderID = span(found.sender_id)
        fields.senderHandle = span(found.sender_handle)
        fields.senderName = span(found.sender_name)
        fields.sentAt = span(found.sent_at)
        fields.lang = span(found.lang)
        fields.replyTo = span(found.reply_to)
        fields.kind = span(found.kind)
        fields.creator = span(found.creator)
        fields.isVerified = found.verified < 0 ? nil : found.verified == 1
        fields.isSelf = found.is_self < 0 ? nil : found.is_self == 1
        fields.followers = found.followers < 0 ? nil : found.followers
        fields.participants = found.participants
        fields.attachments = found.attachments
        fields.ignored = IgnoredFields(rawValue: found.ignored)
    }

    private func readTime(of record: inout Record, in arena: UnsafeBufferPointer<UInt8>) {
        let span = record.fields.sentAt
        guard span.isPresent else { return }
        record.sentAt = Timestamp.seconds(UnsafeBufferPointer(rebasing: arena[span.range]))
        if record.sentAt == nil { record.fields.ignored.insert(.sentAt) }
    }

    private func standing(of fields: RecordFields, in arena: UnsafeBufferPointer<UInt8>) -> Record.Status {
        if fields.isSelf == true { return .own }
        let handle = fields.senderHandle
        if !ownHandles.isEmpty, handle.count > 0,
            ownHandles.contains(UnsafeBufferPointer(rebasing: arena[handle.range]))
        {
            return .own
        }
        if !own.isEmpty {
            for span in [fields.senderHandle, fields.senderName, fields.senderID] where span.count > 0 {
                if own.contains(UnsafeBufferPointer(rebasing: arena[span.range])) { return .own }
            }
        }
        guard fields.kind.isPresent else { return .message }
        let kind = arena[fields.kind.range]
        if kind.elementsEqual("message".utf8) || kind.elementsEqual("comment".utf8) { return .message }
        return kind.elementsEqual("share".utf8) && fields.text.count > 0 ? .message : .notMessage
    }

    private static func cuts(_ found: inout trs_record) -> [Range<Int>] {
        let count = Int(found.cut_count)
        return withUnsafeBytes(of: &found.cuts) { bytes in
            let pairs = bytes.bindMemory(to: UInt32.self)
            return (0..<count).map { Int(pairs[2 * $0])..<Int(pairs[2 * $0 + 1]) }
        }
    }

    private static func problems(of ignored: IgnoredFields) -> [Problem] {
        ignored.list.map { name in
            Problem(
                stage: "input", code: "input.ignored-field",
                message: name == "sent_at"
                    ? "'sent_at' is not an RFC 3339 time and was ignored"
                    : "'\(name)' has the wrong type and was ignored")
        }
    }

    private static func code(of status: trs_status) -> String {
        switch status {
        case TRS_SYNTAX: "json.syntax"
        case TRS_DEPTH: "json.depth"
        case TRS_UTF8: "json.utf8"
        case TRS_NOT_OBJECT: "json.not-object"
        case TRS_NO_TEXT: "input.no-text"
        case TRS_TEXT_TYPE: "input.text-type"
        case TRS_EMPTY: "input.blank-line"
        case TRS_TOO_MANY_CUTS: "input.too-many-triage"
        default: "input.too-large"
        }
    }
}
