import CRecordScan
import Synchronization
public import TriageCore

/// Makes records of a batch's input lines: grammar, fields, status, place of the splice.
///
/// Any number of workers may use one reader at a time. It keeps a parser for each, so after warm-up it allocates
/// nothing per message. No line can make it fail: what is no record becomes a reject with a reason.
public final class RecordReader: Sendable {
    private let own: OwnIdentities
    private let ownHandles: OwnIdentities
    private let usesFastPath: Bool
    private let idle = Mutex<[LineParser]>([])

    /// - Parameters:
    ///   - ownIdentities: handles, names or ids that are the creator's own; compared without regard to case and a
    ///     leading `@`.
    ///   - ownHandles: as these, but compared with handles alone: anybody may bear the creator's handle as a name.
    public convenience init(ownIdentities: [String] = [], ownHandles: [String] = []) {
        self.init(ownIdentities: ownIdentities, ownHandles: ownHandles, usesFastPath: true)
    }

    /// - Parameter usesFastPath: off, every line takes the exact checker; tests compare both ways.
    init(ownIdentities: [String], ownHandles: [String] = [], usesFastPath: Bool) {
        own = OwnIdentities(ownIdentities)
        self.ownHandles = OwnIdentities(ownHandles)
        self.usesFastPath = usesFastPath
    }

    /// Fills `batch.records`, `batch.arena` and `batch.rejects` from `batch.input`; both arrays must be empty.
    ///
    /// Every line gives one record, in order; a blank one gives a reject, because readers leave out those that nobody
    /// wants answered.
    public func read(_ batch: inout Batch) {
        let parser = idle.withLock { $0.popLast() } ?? LineParser(usesFastPath: usesFastPath)
        defer { idle.withLock { $0.append(parser) } }
        let textKey = batch.input.textKey.map { Array($0.utf8CString) }
        batch.records.reserveCapacity(batch.input.lines.count)
        for index in batch.input.lines.indices {
            var record = Record()
            record.line = index
            batch.records.append(record)
            if let reason = batch.input.lines[index].reject {
                reject(index, reason, in: &batch)
            } else {
                scan(batch.input.lines[index].span, with: parser, textKey: textKey, into: index, of: &batch)
            }
        }
    }

    private func scan(
        _ span: Span32, with parser: LineParser, textKey: [CChar]?, into index: Int, of batch: inout Batch
    ) {
        let range = span.range
        guard range.upperBound + InputBatch.padding <= batch.input.bytes.count else {
            // A reader that forgot the padding must not make us read past the end.
            reject(
                index, RejectReason(code: "input.unpadded", reason: "the batch has no padding behind its lines"),
                in: &batch)
            return
        }
        var found = trs_record()
        let result = parser.parse(batch.input.bytes, range, textKey: textKey, into: &found)
        if result.status != TRS_OK {
            let reason = RejectReason(
                code: Self.code(of: result.status), reason: String(cString: result.reason), offset: result.offset)
            reject(index, reason, in: &batch)
            return
        }
        let base = batch.arena.count
        batch.arena.append(contentsOf: result.values)
        batch.arena.withUnsafeBufferPointer { arena in
            fill(&batch.records[index], from: found, base: UInt32(truncatingIfNeeded: base), in: arena)
        }
        if found.cut_count > 0 {
            let first = batch.cuts.count
            batch.cuts += Self.cuts(&found)
            batch.records[index].cuts = first..<batch.cuts.count
        }
        let ignored = batch.records[index].fields.ignored
        if !ignored.isEmpty {
            for problem in Self.problems(of: ignored) { batch.report(problem, at: index) }
        }
    }

    private func fill(
        _ record: inout Record, from found: trs_record, base: UInt32, in arena: UnsafeBufferPointer<UInt8>
    ) {
        fill(&record.fields, from: found, base: base)
        readTime(of: &record, in: arena)
        record.status = standing(of: record.fields, in: arena)
        record.closingBrace = Int(found.closing_brace)
    }

    private func reject(_ index: Int, _ reason: RejectReason, in batch: inout Batch) {
        batch.records[index].status = .rejected
        batch.records[index].reject = batch.rejects.count
        batch.rejects.append(Reject(line: batch.records[index].line, reason: reason))
    }

    private func fill(_ fields: inout RecordFields, from found: trs_record, base: UInt32) {
        func span(_ value: trs_span) -> Span32 {
            guard value.start != UInt32.max else { return .absent }
            return Span32(start: Int(base &+ value.start), count: Int(value.count))
        }
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
                    ? "'sent_at' is no RFC 3339 time and is read as absent"
                    : "'\(name)' has a wrong type and is read as absent")
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
