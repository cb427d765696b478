import TriageCore

/// Base of readers for JSON of any size: picks values, makes messages of them, and emits these oldest first.
class ShelvedJSONReader: ExportReader {
    let context: ReadingContext
    let buffer: ConversationBuffer
    private(set) var member = Member(path: "", source: "")
    private var documents: JSONDocuments?
    /// Index of the next message in its file, from 0.
    private(set) var index = 0
    private var line = 1

    init(_ context: ReadingContext, order: ConversationBuffer.Order) {
        self.context = context
        buffer = ConversationBuffer(context, order: order)
    }

    /// Which values of a file to take, enter or skip.
    func chooser(_ opening: Opening) -> ([JSONPicker.Step], JSONPicker.Kind) -> JSONPicker.Choice { { _, _ in .take } }

    /// Handles a taken value.
    ///
    /// - Returns: whether it could be read; false makes it a reject.
    func take(_ node: JSONNode, at path: [JSONPicker.Step]) throws -> Bool { false }

    /// Called when a JSON document in the file begins or ends.
    func documentChanged() {}

    /// Maximum bytes of an entry.
    var maximumLength: Int { min(4 << 20, context.options.maximumLine) }

    final func begin(_ member: Member, opening: Opening) throws {
        context.assembler.beginSource(member.source)
        try context.assembler.useTextKey(nil)
        self.member = member
        index = 0
        line = 1
        documentChanged()
        let (unread, source) = (context.unread, member.source)
        documents = JSONDocuments(
            opening, maximumLength: maximumLength,
            unread: { if StrayWords.areIn($1) { unread.note(source) } }, choose: chooser(opening))
    }

    final func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try documents?.feed(bytes, take)
        return true
    }

    final func end(fault: RejectReason?) throws {
        if fault == nil { try documents?.finish(take) }
        try buffer.flush()
        if let fault { try context.assembler.append(reject: fault, number: index + 1, offset: -1) }
    }

    func finish() throws {}

    /// Adds a message to the buffer, with its position.
    ///
    /// - Parameter node: the JSON that the message was made from.
    final func add(_ message: Message, of node: JSONNode, time: Int64?, idPrefix: String = "yt:") throws {
        if node.hasWords(besides: message.text) { noteUnread() }
        var placed = message
        placed.raw.append(Message.source(member.path, index: index))
        index += 1
        try buffer.add(
            placed, time: time, timeText: message.sentAt ?? "", idPrefix: idPrefix, number: index, source: member.source
        )
    }

    /// Reports that the file contains unread text.
    final func noteUnread() { context.unread.note(member.source) }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .value(let path, let bytes, let offset, let line):
            self.line = line
            if let node = JSONNode(bytes, limit: maximumLength), try take(node, at: path) { return }
            // Even without its bytes, the reject can be found by its position.
            let raw = bytes.count <= 1 << 16 ? bytes : nil
            let reason = RejectReason(code: "json.syntax", reason: "the entry is not a comment")
            try context.assembler.append(reject: reason, raw: raw, number: line, offset: offset)
        case .opened(let path), .closed(let path): if path.isEmpty { documentChanged() }
        case .tooLong(_, let offset, let line):
            let reason = RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)")
            try context.assembler.append(reject: reason, number: line, offset: offset)
        case .fault(let reason, let offset, let line):
            try context.assembler.append(reject: reason, number: line, offset: offset)
        }
    }
}
