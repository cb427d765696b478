import TriageCore

/// Reads Instagram or Facebook conversations from HTML pages, the format of Meta's exports unless JSON is chosen.
///
/// - Messages are emitted oldest first within their conversation; parts are merged, and duplicates are dropped by id.
/// - A page is held until its end, 24 MiB at most, because its title and senders show who the other person is.
/// - A message with an unreadable time is emitted without one. An entry with a message's structure but without a sender
///   is rejected with its position.
final class MetaHTMLReader: ExportReader {
    /// Maximum bytes held of a page's messages.
    static let heldLimit = 24 << 20

    private let context: ReadingContext
    private let platform: MetaPlatform?
    private let guess: MetaPlatform
    private let said: OwnIdentities
    private let buffer: ConversationBuffer
    private var clock: MetaHTMLClock
    private var unreadable = 0
    private var empty = 0

    // The page being read.
    private var member = Member(path: "", source: "")
    private var path: MetaPath?
    private var isHeader = false
    private var scanner = HTMLScanner()
    private var page = MetaHTMLPage()
    private var pageClock = MetaHTMLClock(zone: "")
    private var held: [(entry: MetaHTMLEntry, index: Int)] = []
    private var weight = 0
    private var senders = Set<String>()
    private var index = 0
    /// The last bytes, where a complete page has its end; nil: the page has no beginning either.
    private var tail: [UInt8]?

    /// - Parameter guess: the platform to assume when neither the path nor the structure shows it.
    init(_ context: ReadingContext, otherwise guess: MetaPlatform) {
        self.context = context
        self.guess = guess
        platform = MetaPlatform(paths: context.paths, container: context.container)
        said = OwnIdentities(context.options.ownIdentities)
        buffer = ConversationBuffer(context, order: .newestFirst)
        clock = MetaHTMLClock(zone: context.options.timeZone)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        path = MetaPath(page: member.path)
        isHeader = member.pass == 0 && !context.paths.isEmpty
        scanner = HTMLScanner()
        page = MetaHTMLPage()
        pageClock = clock
        held = []
        weight = 0
        senders = []
        index = 0
        tail = opening.bytes.prefix(4096).firstRange(of: Array("<html".utf8)) == nil ? nil : []
        if !isHeader {
            try context.assembler.useTextKey(nil)
            context.assembler.beginSource(member.source)
        }
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        tail = tail.map { Array(($0 + bytes.suffix(64)).suffix(64)) }
        try scanner.feed(bytes) { try page.take($0, hold) }
        // The first page shows when the export was made; it has no messages.
        if isHeader, let offset = page.offset {
            clock.header = offset
            return false
        }
        if weight > Self.heldLimit { try handOn() }
        return true
    }

    func end(fault: RejectReason?) throws {
        try scanner.finish { try page.take($0, hold) }
        guard !isHeader else {
            clock.header = clock.header ?? page.offset
            return
        }
        try handOn()
        context.unread.note(member.source, page.strays)
        if index == 0 { context.notices("\(member.source) contains no readable messages") }
        let isCut = tail.map { $0.firstRange(of: Array("</html>".utf8)) == nil } ?? false
        let cut = RejectReason(code: "html.truncated", reason: "the page is truncated; the rest is missing")
        if let fault = fault ?? (isCut ? cut : nil) {
            try context.assembler.append(reject: fault, number: index + 1, offset: -1)
        }
    }

    func finish() throws {
        try buffer.flush()
        if unreadable > 0 {
            context.notices(
                "unreadable times: \(unreadable); raw.time_text has them (--date-order may help)")
        }
        guard empty > 0 else { return }
        context.notices(
            empty == 1
                ? "1 empty entry was skipped" : "\(empty) empty entries were skipped")
    }

    private func hold(_ entry: MetaHTMLEntry) throws {
        // The list of members has the structure of a message, too.
        guard !isHeader, entry.hasBody || !entry.sender.isEmpty || !entry.time.isEmpty else { return }
        context.unread.note(member.source, entry.strays)
        defer { index += 1 }
        guard !entry.sender.isEmpty, entry.hasBody, !entry.time.isEmpty else {
            let what = entry.sender.isEmpty ? "sender" : entry.hasBody ? "time" : "text"
            try context.assembler.append(
                reject: RejectReason(code: "html.entry", reason: "the message has no \(what)"), number: index + 1,
                offset: -1)
            return
        }
        if senders.count < 3 { senders.insert(entry.sender) }
        guard !entry.isEmpty else {
            empty += 1
            return
        }
        held.append((entry, index))
        weight += entry.weight
    }

    private func handOn() throws {
        if pageClock.header == nil { pageClock.header = page.offset }
        let known = platform ?? page.platform
        for (entry, index) in held {
            var (message, time) = make(entry, known ?? guess)
            if known == nil { message.raw.append(("platform_guess", .bool(true))) }
            message.raw.append(Message.source(member.path, index: index))
            try buffer.add(
                message, time: time, timeText: entry.time, idPrefix: (known ?? guess) == .instagram ? "ig:" : "fb:",
                number: index + 1, source: member.source)
        }
        held = []
        weight = 0
    }

    private func make(_ entry: MetaHTMLEntry, _ platform: MetaPlatform) -> (message: Message, time: Int64?) {
        var message = Message()
        message.platform = platform.rawValue
        if let path, !path.folder.isEmpty { message.conversationID = path.thread }
        message.conversationTitle = page.title.isEmpty ? nil : page.title
        message.sender.name = entry.sender
        message.sender.isSelf = isOwn(entry.sender)
        message.attachments = entry.files.map {
            Message.Attachment(type: $0.type, url: MetaMessage.withoutToken($0.path))
        }
        for link in entry.links {
            message.attachments.append(
                Message.Attachment(type: link.contains("/stories/") ? "story_reply" : "share", url: link))
        }
        message.reactions = entry.reactions.map { Message.Reaction(emoji: $0.emoji, by: $0.by) }
        let hasThings = !message.attachments.isEmpty
        var kind = "message"
        message.text = entry.text
        var placeholder: String?
        let isOwn = message.sender.isSelf
        if hasThings, MetaPhrases.isAttachmentNotice(entry.text, sender: entry.sender, isOwn: isOwn) {
            placeholder = entry.text
            message.text = ""
        } else if !hasThings, MetaPhrases.isReactionNotice(entry.text) {
            kind = "reaction_notice"
        } else if !hasThings,
            MetaPhrases.isSystemNotice(
                entry.text, sender: entry.sender, isOwn: isOwn, people: senders.sorted() + [page.title])
        {
            kind = "system"
        }
        if message.text.isEmpty, !entry.links.isEmpty {
            kind = "share"
            message.text = entry.more
        }
        message.raw = [("kind", .string(kind))]
        if let placeholder { message.raw.append(("placeholder", .string(placeholder))) }
        if let section = path?.section, !section.isEmpty { message.raw.append(("folder", .string(section))) }
        if let story = entry.links.first(where: { $0.contains("/stories/") }) {
            message.raw.append(("story_reply", .string(story)))
        }
        if kind != "share", !entry.more.isEmpty {
            message.raw.append((entry.links.isEmpty ? "note" : "share_text", .string(entry.more)))
        }
        guard let time = MetaHTMLTime(entry.time, order: context.options.dateOrder) else {
            unreadable += 1
            message.raw.append(("time_text", .string(entry.time)))
            return (message, nil)
        }
        let (seconds, assumed) = pageClock.moment(of: time, platform)
        message.sentAt = Timestamp.text(seconds: seconds)
        if !time.hasSeconds { message.raw.append(("sent_at_precision", .string("minute"))) }
        if let assumed { message.raw.append(("tz_assumed", .string(assumed))) }
        return (message, seconds * 1000)
    }

    /// Whether a sender is the owner: with two people, the other one is the one in the title; nil: unknown.
    private func isOwn(_ sender: String) -> Bool? {
        if senders.contains(where: { said.contains($0) }) || said.contains(sender) { return said.contains(sender) }
        guard !page.isGroup, senders.count <= 2, senders.contains(page.title) else { return nil }
        return sender != page.title
    }
}

/// Conversations of an Instagram export as HTML pages: a folder, a zip or one of its pages.
struct InstagramHTMLFormat: ExportFormat {
    let name = "instagram-html"
    let summary = "an Instagram export as web pages, as folder, zip or one message_1.html"

    func detect(_ opening: Opening) -> Detection? { MetaHTMLPage.detection(of: opening, .instagram, format: name) }

    func claim(_ paths: [String]) -> Claim? { MetaClaim.pages(in: paths, of: .instagram, format: name) }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaHTMLReader(context, otherwise: .instagram) }
}

/// Conversations of a Facebook export as HTML pages: a folder, a zip or one of its pages.
struct MessengerHTMLFormat: ExportFormat {
    let name = "messenger-html"
    let summary = "messages of a Facebook export as web pages, as folder, zip or one message_1.html"

    func detect(_ opening: Opening) -> Detection? { MetaHTMLPage.detection(of: opening, .messenger, format: name) }

    func claim(_ paths: [String]) -> Claim? { MetaClaim.pages(in: paths, of: .messenger, format: name) }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MetaHTMLReader(context, otherwise: .messenger) }
}
