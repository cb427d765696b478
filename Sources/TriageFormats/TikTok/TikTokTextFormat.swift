import TriageCore

/// TikTok's export as text files: conversations, and the owner's comments.
///
/// File names and labels are translated, so both are recognized by their form.
struct TikTokTextFormat: ExportFormat {
    let name = "tiktok-text"
    let summary = "a TikTok data export (TXT), such as Direct Messages.txt"

    /// The content of a TikTok text file.
    enum Content { case chats, comments, profile }

    /// The start of every conversation, in every language.
    static let marker = Array(">>> Chat History with ".utf8)

    func detect(_ opening: Opening) -> Detection? {
        switch Self.content(of: opening) {
        case .chats:
            Detection(
                format: name, reason: "a line '>>> Chat History with …'",
                missing: ["TikTok exports only contain the owner's comments, not those of others"])
        case .comments:
            Detection(
                format: name, reason: "blocks of a date and a comment",
                missing: ["these are only the owner's comments, so there is nothing to triage"])
        case .profile: Detection(format: name, reason: "the profile of a TikTok export", hasMessages: false)
        case nil: nil
        }
    }

    static func content(of opening: Opening) -> Content? {
        guard let first = opening.firstByte, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            first != UInt8(ascii: "<")
        else { return nil }
        var blocks: [[TikTokField]] = []
        var block: [TikTokField] = []
        var lines = 0
        let bytes = opening.bytes.prefix(1 << 16)
        for line in bytes.split(separator: 0x0A, maxSplits: 400, omittingEmptySubsequences: false).prefix(400) {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.allSatisfy(Opening.isBlank) {
                if !block.isEmpty { blocks.append(block) }
                block = []
                continue
            }
            lines += 1
            // At most a note precedes the first conversation; a marker further down is a quotation in something else.
            if lines <= 8, line.starts(with: marker), line.last == UInt8(ascii: ":") { return .chats }
            if let field = TikTokField(line) { block.append(field) } else { break }
        }
        if !block.isEmpty { blocks.append(block) }
        guard !blocks.isEmpty else { return nil }
        // The last block may be cut off.
        let whole = blocks.count > 1 && !opening.isWhole ? blocks.dropLast() : blocks[...]
        if whole.allSatisfy(TikTokField.isComment) { return .comments }
        return blocks.count == 1 && TikTokField.isProfile(block.isEmpty ? blocks[0] : block) ? .profile : nil
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { TikTokTextReader(context) }
}

/// Reads TikTok's text files line by line.
private final class TikTokTextReader: ExportReader {
    private let context: ReadingContext
    private let conversations: TikTokConversations
    private var member = Member(path: "", source: "")
    private var isComments = false

    // The line being read.
    private var line: [UInt8] = []
    private var isTooLong = false
    private var number = 1
    private var offset = 0

    // The message being read; further lines may follow.
    private var partner: String?
    private var handle = ""
    private var time = ""
    private var text: [UInt8] = []
    private var isOpen = false
    /// Whether the previous line began a section.
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
            // In an empty section, the only line says that there is nothing.
            isAtHeader = false
            emptySections += 1
        } else {
            try reject(
                RejectReason(code: "tiktok.no-message", reason: "the line belongs to no message"), at: number)
        }
    }

    /// Parses `2024-06-01 10:40:00 UTC zoe.k: text`, with or without the zone, into the places of handle and text.
    private static func message(_ line: [UInt8]) -> (handle: Range<Int>, text: Int)? {
        guard line.count > 21, line[10] == 0x20,
            TikTokField.isDate(String(decoding: line[..<19], as: UTF8.self)), line[19] == 0x20
        else { return nil }
        let start = line[20...].starts(with: Array("UTC ".utf8)) ? 24 : 20
        guard let colon = line[start...].firstIndex(where: { $0 == 0x3A || Opening.isBlank($0) }), colon > start,
            line[colon] == 0x3A
        else { return nil }
        // With an empty text, the space after the colon may be missing.
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
            // A comment with several lines.
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
        // The comment is the field labeled as one, else the one that is neither a date nor a URL.
        let said = rest.first(where: \.isCommentLabel) ?? rest.first { $0.kind == .text }
        message.text = said?.value ?? ""
        // A block has exactly one comment.
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
        message.raw = [("kind", .string(kind)), Message.source(member.path, line: first)]
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

/// A line `Label: value` in TikTok's text files, where labels are translated.
private struct TikTokField {
    /// The kind of value, judged by its form.
    enum Kind { case date, address, nothing, text }

    var label: String
    var value: String
    var kind: Kind

    /// nil: the line has another form.
    init?(_ line: some Collection<UInt8>) {
        let bytes = Array(line.prefix(1 << 16))
        var end = bytes.count
        for (index, byte) in bytes.prefix(80).enumerated() {
            // Some languages use a full-width colon.
            if byte == 0x3A || (byte == 0xEF && bytes[index...].starts(with: [0xEF, 0xBC, 0x9A])) {
                end = index
                break
            }
        }
        guard end > 0, end < bytes.count, bytes[0] >= 0x41 else { return nil }
        let rest = bytes[(end + (bytes[end] == 0x3A ? 1 : 3))...].drop { $0 == 0x20 }
        label = String(decoding: bytes[..<end], as: UTF8.self)
        value = String(decoding: rest, as: UTF8.self)
        if value.isEmpty || value == "N/A" {
            kind = .nothing
        } else if Self.isDate(value) {
            kind = .date
        } else {
            kind = value.hasPrefix("https://") || value.hasPrefix("http://") ? .address : .text
        }
    }

    /// Whether it is `2024-06-01 11:00:00`, with or without ` UTC`.
    static func isDate(_ text: String) -> Bool {
        let count = text.utf8.count
        return (count == 19 || (count == 23 && text.hasSuffix(" UTC"))) && SourceTime.milliseconds(text) != nil
    }

    /// Words for "comment" in many languages, as the beginning or end of TikTok's labels.
    private static let comments = [
        "comment", "coment", "komment", "reactie", "koment", "yorum", "комент", "коммент", "σχόλι", "bình luận",
        "ความคิดเห็น", "تعليق", "תגובה", "コメント", "댓글", "评论", "評論", "留言", "टिप्पणी", "opmerking", "hozzászól",
    ]

    var isCommentLabel: Bool {
        let label = label.lowercased()
        return Self.comments.contains { label.contains($0) }
    }

    /// Whether a block is a comment: a date and a text.
    ///
    /// Lists of searches and followers also have a date and a text, so the label must say that it is a comment, or the
    /// block must have the fields that newer exports add for missing photos and stickers.
    static func isComment(_ block: [TikTokField]) -> Bool {
        guard let first = block.first, first.kind == .date else { return false }
        return block.dropFirst().contains { $0.isCommentLabel } || block.count { $0.value == "N/A" } > 1
    }

    /// Whether a block is a profile: several fields without a leading date, one of them a picture's URL at TikTok.
    static func isProfile(_ block: [TikTokField]) -> Bool {
        block.count > 3 && block[0].kind != .date && block.contains { $0.value.contains(".tiktokcdn") }
    }
}
