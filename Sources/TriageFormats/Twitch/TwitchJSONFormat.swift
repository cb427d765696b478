import TriageCore

/// The chat of a Twitch video, as saved by TwitchDownloader.
struct TwitchJSONFormat: ExportFormat {
    let name = "twitch-json"
    let summary = "the chat of a Twitch video, saved by TwitchDownloader (JSON)"

    func detect(_ opening: Opening) -> Detection? {
        guard opening.firstByte == UInt8(ascii: "{") else { return nil }
        var keys = Set<String>()
        var isChat = false
        var picker = JSONPicker(maximumLength: Opening.limit) { path, kind in
            if path.count == 1, let key = path[0].key { keys.insert(key) }
            if path.isEmpty || path == [.key("comments")] { return .enter }
            return path == [.key("comments"), .element(0)] && kind == .object ? .take : .skip
        }
        opening.bytes.withUnsafeBufferPointer { bytes in
            picker.feed(bytes) { event in
                guard case .value(_, let value, _, _) = event, let node = JSONNode(value) else { return }
                isChat = isChat || (node["content_offset_seconds"] != nil && node["commenter"] != nil)
            }
        }
        // An empty chat is recognized by its other members.
        guard isChat || keys.isSuperset(of: ["FileInfo", "streamer", "video", "comments"]) else { return nil }
        return Detection(format: name, reason: "comments with 'content_offset_seconds' and 'commenter'")
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { TwitchJSONReader(context) }
}

/// Reads the chat of a video; the details of the video come first.
private final class TwitchJSONReader: ExportReader {
    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private var member = Member(path: "", source: "")
    private var picker = JSONPicker(maximumLength: 0) { _, _ in .skip }
    private var streamer: JSONNode?
    private var video: JSONNode?
    private var index = 0

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .oldestFirst)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        context.assembler.beginSource(member.source)
        let (unread, source) = (context.unread, member.source)
        picker = JSONPicker(
            maximumLength: context.options.maximumLine, offset: opening.markLength,
            unread: { if StrayWords.areIn($1) { unread.note(source) } },
            choose: { path, kind in
                switch path.count {
                case 0: .enter
                case 1:
                    switch path[0].key {
                    case "comments": kind == .array ? .enter : .passOver
                    case "streamer", "video": .take
                    case "embeddedData", "chapters", "FileInfo": .skip
                    default: .passOver
                    }
                default: .take
                }
            })
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try picker.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault { try reject(fault, -1) } else { try picker.finish(take) }
    }

    func finish() throws { try buffer.flush() }

    private func take(_ event: JSONPicker.Event) throws {
        switch event {
        case .opened, .closed: break
        case .tooLong(let path, let offset, _):
            guard path.count == 2 else { return }
            index += 1
            try reject(RejectReason(code: "input.line-too-long", reason: "the entry is too long (--max-line)"), offset)
        case .fault(let reason, let offset, _): try reject(reason, offset)
        case .value(let path, let bytes, let offset, _):
            if path.count == 1 {
                if path[0].key == "streamer" { streamer = JSONNode(bytes) }
                if path[0].key == "video" { video = JSONNode(bytes) }
                return
            }
            defer { index += 1 }
            guard let node = JSONNode(bytes), node.isObject, let body = node["message"], body.isObject else {
                return try reject(
                    RejectReason(code: "twitch.no-message", reason: "the entry is not a message, or is over 1 MiB"),
                    offset)
            }
            try add(node, body)
        }
    }

    private func add(_ node: JSONNode, _ body: JSONNode) throws {
        var message = Message()
        message.platform = "twitch"
        message.id = Self.id(node["_id"]).map { "twitch:" + $0 }
        message.conversationID = Self.id(video?["id"]) ?? Self.id(node["content_id"])
        message.conversationTitle = video?["title"]?.string
        let commenter = node["commenter"]
        message.sender.id = Self.id(commenter?["_id"])
        message.sender.handle = commenter?["name"]?.string
        message.sender.name = commenter?["display_name"]?.string
        let badges = (body["user_badges"]?.elements ?? []).compactMap { $0["_id"]?.string }
        if badges.contains("partner") || badges.contains("verified") { message.sender.isVerified = true }
        // One id may be a number and the other a string.
        if let own = Self.id(streamer?["id"]), let sender = message.sender.id { message.sender.isSelf = own == sender }
        message.text =
            body["body"]?.string ?? (body["fragments"]?.elements ?? []).compactMap { $0["text"]?.string }.joined()
        if node.hasWords(besides: message.text) { context.unread.note(member.source) }
        let timeText = node["created_at"]?.string ?? ""
        let time = SourceTime.milliseconds(timeText)
        message.sentAt = time.flatMap(SourceTime.text)
        message.raw.append(("kind", .string("comment")))
        if let notice = body["user_notice_params"]?["msg_id"]?.string ?? body["user_notice_params"]?["msg-id"]?.string {
            message.raw.append(("notice", .string(notice)))
        }
        if let bits = body["bits_spent"]?.int, bits > 0 { message.raw.append(("bits", .int(bits))) }
        if !badges.isEmpty { message.raw.append(("badges", .array(badges.map { .string($0) }))) }
        message.raw.append(Message.source(member.path, index: index))
        try buffer.add(
            message, time: time, timeText: timeText, idPrefix: "twitch:", number: index + 1, source: member.source)
    }

    private static func id(_ node: JSONNode?) -> String? {
        switch node {
        case .string(let text), .number(let text): text.isEmpty ? nil : text
        default: nil
        }
    }

    private func reject(_ reason: RejectReason, _ offset: Int) throws {
        try context.reject(reason, in: member.source, number: index + 1, offset: offset)
    }
}
