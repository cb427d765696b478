import TriageCore

/// Reads TikTok's text files line by line.
final class TikTokTextReader: ExportReader {
    private let context: ReadingContext
    private let conversations: TikTokConversations
    private var member = Member(path: "", source: "")
    private var isComments = false

    // The line that is being read.
    private var line: [UInt8] = []
    private var isTooLong = false
    private var number = 1
    private var offset = 0

    // The message that is being read; lines may follow.
    private var partner: String?
    private var handle = ""
    private var time = ""
    private var text: [UInt8] = []
    private var isOpen = false
    /// Whether the line before began a section.
    private var isAtHeader = false
    private var emptySections = 0
    private var first = 1
    private var block: [TikTokField] = []

    init(_ context: ReadingContext) {
        self.context = context
        conversations = TikTokConversations(context)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        isComments = TikTokTextFormat.content(of: opening) == .comments
        offset = opening.markLength
        number = 1
        partner = nil
        isAtHeader = false
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        var start = 0
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            keep(bytes[start..<end])
            try endLine(length: end - start + 1)
            start = end + 1
        }
        keep(bytes[start...])
        offset += bytes.count - start
        return true
    }

    func end(fault: RejectReason?) throws {
        if !line.isEmpty, fault == nil { try endLine(length: 0) }
        try close()
        line = []
        if let fault { try reject(fault, at: number) }
    }

    func finish() throws {
        try conversations.finish()
        if emptySections > 0 { context.notices("sections without a message: \(emptySections)") }
    }

    private func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        if isTooLong || line.count + bytes.count > context.options.maximumLine {
            isTooLong = true
            line = []
        } else {
            line.append(contentsOf: bytes)
        }
    }

    private func endLine(length: Int) throws {
        defer {
            line.removeAll(keepingCapacity: line.capacity <= 1 << 20)
            isTooLong = false
            number += 1
            offset += length
        }
        guard !isTooLong else {
            return try reject(
                RejectReason(code: "input.line-too-long", reason: "the line is too long (--max-line)"), at: number)
        }
        if line.last == 0x0D { line.removeLast() }
        if isComments { try takeField() } else { try takeLine() }
    }

    // MARK: Conversations

    private func takeLine() throws {
        if line.starts(with: TikTokTextFormat.marker), line.last == UInt8(ascii: ":") {
            try close()
            partner = TikTokText.partner(String(decoding: line.dropFirst(4), as: UTF8.self))
            isAtHeader = true
            return
        }
        if let start = Self.message(line) {
            try close()
            isOpen = true
            isAtHeader = false
            first = number
            time = String(decoding: line[..<19], as: UTF8.self)
            handle = String(decoding: line[start.handle], as: UTF8.self)
            text = Array(line[start.text...])
            return
        }
        if isOpen, text.count + line.count < context.options.maximumLine {
            text.append(0x0A)
            text += line
        } else if !isOpen, line.allSatisfy(Opening.isBlank) {
            return
        } else if !isOpen, isAtHeader, line.count <= 80, !line.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) {
            // The one line of an empty section says that there is nothing.
            isAtHeader = false
            emptySections += 1
        } else {
            try reject(
                RejectReason(code: "tiktok.no-message", reason: "the line belongs to no message"), at: number)
        }
    }

    /// `2024-06-01 10:40:00 UTC zoe.k: text`, with or without the zone; where handle and text stand.
    private static func message(_ line: [UInt8]) -> (handle: Range<Int>, text: Int)? {
        guard line.count > 21, line[10] == 0x20,
            TikTokField.isDate(String(decoding: line[..<19], as: UTF8.self)), line[19] == 0x20
        else { return nil }
        let start = line[20...].starts(with: Array("UTC ".utf8)) ? 24 : 20
        guard let colon = line[start...].firstIndex(where: { $0 == 0x3A || Opening.isBlank($0) }), colon > start,
            line[colon] == 0x3A
        else { return nil }
        // An empty text may have lost the blank behind the colon.
        guard colon + 1 < line.count else { return (start..<colon, line.count) }
        return line[colon + 1] == 0x20 ? (start..<colon, colon + 2) : nil
    }

    private func close() throws {
        if isComments { return try closeBlock() }
        guard isOpen else { return }
        isOpen = false
        while text.last == 0x0A { text.removeLast() }
        let said = TikTokText(String(decoding: text, as: UTF8.self))
        var message = Message()
        message.conversationID = partner
        message.conversationTitle = partner
        message.sender.handle = handle
        message.text = said.text
        if let attachment = said.attachment { message.attachments.append(attachment) }
        try add(message, kind: said.kind, isPair: partner != nil)
        text = []
    }

    // MARK: Comments

    private func takeField() throws {
        if line.allSatisfy(Opening.isBlank) { return try closeBlock() }
        if let field = TikTokField(line), block.count < 32, field.kind != .date || block.isEmpty {
            if block.isEmpty { first = number }
            block.append(field)
        } else if let last = block.indices.last, block[last].value.utf8.count < context.options.maximumLine {
            // A comment of several lines.
            block[last].value += "\n" + String(decoding: line, as: UTF8.self)
            if block[last].kind == .nothing { block[last].kind = .text }
        } else {
            try reject(
                RejectReason(code: "tiktok.no-message", reason: "the line belongs to no comment"), at: number)
        }
    }

    private func closeBlock() throws {
        defer { block = [] }
        guard let date = block.first(where: { $0.kind == .date }) else {
            if !block.isEmpty {
                try reject(RejectReason(code: "tiktok.no-message", reason: "the block has no date"), at: first)
            }
            return
        }
        time = date.value
        var message = Message()
        message.sender.isSelf = true
        let rest = block.filter { $0.kind != .nothing && $0.kind != .date }
        // The comment is what is called so, else what is neither a date nor an address.
        let said = rest.first(where: \.isCommentLabel) ?? rest.first { $0.kind == .text }
        message.text = said?.value ?? ""
        // A block has one comment.
        let texts = rest.filter { $0.isCommentLabel || $0.kind == .text }
        if texts.count > 1 { context.unread.note(member.source, texts.count - 1) }
        for field in rest where field.kind == .address && field.label != said?.label {
            message.attachments.append(
                Message.Attachment(type: "link", url: TikTokText.withoutToken(field.value[...])))
        }
        try add(message, kind: "comment", isPair: false)
    }

    private func add(_ message: Message, kind: String, isPair: Bool) throws {
        var message = message
        message.platform = "tiktok"
        let milliseconds = SourceTime.milliseconds(time)
        message.sentAt = milliseconds.flatMap(SourceTime.text)
        message.raw = [
            ("kind", .string(kind)),
            (
                "source",
                .object([Message.RawMember("file", .string(member.path)), Message.RawMember("line", .int(first))])
            ),
        ]
        try conversations.add(
            MessageHold.Item(
                message: message, time: milliseconds, timeText: time, number: first, source: member.source),
            isPair: isPair)
    }

    private func reject(_ reason: RejectReason, at line: Int) throws {
        context.assembler.beginSource(member.source)
        try context.assembler.append(reject: reason, number: line, offset: offset)
    }
}
