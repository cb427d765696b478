import TriageCore

/// Reads the messages of a LinkedIn export, of all its eras.
///
/// Names are not unique, the addresses of profiles are: whoever has one goes by it. The owner is who sent the
/// invitations or has the profile's name, else whose address takes part in most conversations.
final class LinkedInCSVReader: ExportReader {
    private let context: ReadingContext
    private let shelf: MessageShelf
    private var member = Member(path: "", source: "")
    private var kind: LinkedInTable?
    private var rows: NamedRows?
    private var hold = MessageHold()
    private var tally = NameTally()
    private var ownName: String?
    private var ownSlug: String?
    private var isSettled = false

    init(_ context: ReadingContext) {
        self.context = context
        shelf = MessageShelf(context, order: .newestFirst)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        context.assembler.beginSource(member.source)
        kind = LinkedInTable(opening)
        rows = kind?.table.map { NamedRows($0, opening: opening, maximumLine: context.options.maximumLine) }
        guard kind == nil, context.paths.isEmpty || member.pass == 1 else { return }
        throw TriageError(
            "input.no-table", "these are not the columns of LinkedIn's messages", at: member.source,
            remedy: "read other tables with --from csv", exit: .badData)
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard rows != nil else { return false }
        try rows?.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            context.assembler.beginSource(member.source)
            try context.assembler.append(reject: fault, number: (rows?.line ?? 0) + 1, offset: -1)
        } else {
            try rows?.finish(take)
        }
    }

    func finish() throws {
        try settle()
        try shelf.flush()
    }

    private func take(_ event: NamedRows.Event) throws {
        switch event {
        case .fault(let reason, let row):
            guard kind?.hasMessages == true else { return }
            context.assembler.beginSource(member.source)
            try row.raw.withUnsafeBufferPointer {
                try context.assembler.append(
                    reject: reason, raw: $0.count <= 1 << 16 ? $0 : nil, number: row.line, offset: row.offset)
            }
        case .row(let row): try take(row)
        }
    }

    private func take(_ row: CSVParser.Row) throws {
        guard let kind, let table = kind.table else { return }
        func cell(_ name: String) -> String? { table.cell(name, row) }
        switch kind {
        case .profile:
            let parts = [cell("first name"), cell("last name")].compactMap { $0?.trimmingBlanks() }
            if ownName == nil, !parts.isEmpty { ownName = parts.joined(separator: " ") }
        case .invitations:
            if cell("direction")?.uppercased() == "OUTGOING", ownSlug == nil {
                ownSlug = cell("inviterprofileurl").flatMap(Self.slug)
            }
        case .messages:
            guard cell("is message draft")?.lowercased() != "yes" else { return }
            hold.add(item(row.line, cell))
            if hold.isFull { try settle() }
        case .other: break
        }
    }

    private func item(_ line: Int, _ cell: (String) -> String?) -> MessageHold.Item {
        var message = Message()
        message.platform = "linkedin"
        let slug = cell("sender profile url").flatMap(Self.slug)
        message.sender.id = slug
        message.sender.handle = slug
        message.sender.name = cell("from")
        switch cell("direction")?.uppercased() {
        case "OUTGOING": message.sender.isSelf = true
        case "INCOMING": message.sender.isSelf = false
        default: break
        }
        let receivers = (cell("recipient profile urls") ?? "").split(separator: ",").compactMap {
            Self.slug(String($0))
        }
        if receivers.count > 1 { message.participants = receivers.count + 1 }
        let people = [cell("from") ?? "", cell("to") ?? ""].sorted()
        message.conversationID =
            cell("conversation id")
            ?? "li:"
            + MessageDigest(
                platform: "linkedin", conversation: people.joined(separator: "\n"), time: "", sender: "", text: "",
                ordinal: 0
            ).hex
        message.conversationTitle = cell("conversation title")
        for slug in receivers + [slug].compactMap({ $0 }) { tally.add(slug, in: message.conversationID ?? "") }
        let body = Self.text(cell("content") ?? "")
        let subject = cell("subject").map(BasicEntities.decode)
        message.text = body.text
        if let subject, !body.text.contains(subject) {
            message.text = body.text.isEmpty ? subject : subject + "\n" + body.text
        }
        for address in (cell("attachments") ?? "").split(whereSeparator: { $0 == "," || $0.isWhitespace })
        where address.hasPrefix("http") {
            message.attachments.append(Message.Attachment(type: "file", url: String(address)))
        }
        let timeText = cell("date") ?? ""
        let time = TableTime(sample: []).read(timeText)
        message.sentAt = time.flatMap { Timestamp.text(seconds: $0.seconds, milliseconds: $0.milliseconds) }
        message.raw = [("kind", .string("message"))]
        if let folder = cell("folder") { message.raw.append(("folder", .string(folder.lowercased()))) }
        if let subject { message.raw.append(("subject", .string(subject))) }
        if cell("conversation title") == "Sponsored Conversation" || slug == nil && body.isHTML {
            message.raw.append(("sponsored", .bool(true)))
        }
        if let time, !time.hasZone { message.raw.append(("tz_assumed", .string("UTC"))) }
        if let precision = time?.precision { message.raw.append(("sent_at_precision", .string(precision))) }
        message.raw.append(
            (
                "source",
                .object([Message.RawMember("file", .string(member.path)), Message.RawMember("line", .int(line))])
            ))
        var item = MessageHold.Item(message: message, number: line, source: member.source)
        item.time = time.map { $0.seconds * 1000 + Int64($0.milliseconds) }
        item.timeText = timeText
        return item
    }

    /// Adverts and mails through LinkedIn are HTML; everything else is as it was typed.
    private static func text(_ content: String) -> (text: String, isHTML: Bool) {
        let marks = ["</p>", "<br>", "<br/>", "<br />", "</div>", "</a>", "</span>"]
        guard content.utf8.contains(0x3C), marks.contains(where: content.contains) else { return (content, false) }
        return (HTMLText.plain(content), true)
    }

    /// `zoe-k` of `https://www.linkedin.com/in/zoe-k`.
    private static func slug(_ address: String) -> String? {
        guard let mark = address.firstRange(of: "/in/") else { return nil }
        let slug = address[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && !$0.isWhitespace }
        return slug.isEmpty ? nil : String(slug)
    }

    private func settle() throws {
        if !isSettled, ownSlug == nil, ownName == nil { ownSlug = tally.most }
        isSettled = true
        for var item in hold.take() {
            if item.message.sender.isSelf == nil { item.message.sender.isSelf = isOwn(item.message.sender) }
            if item.message.conversationTitle == nil, item.message.sender.isSelf == false {
                item.message.conversationTitle = item.message.sender.name
            }
            try shelf.add(
                item.message, time: item.time, timeText: item.timeText, idPrefix: "li:", number: item.number,
                source: item.source)
        }
    }

    private func isOwn(_ sender: Message.Sender) -> Bool? {
        if let ownSlug, let slug = sender.id { return slug == ownSlug }
        guard let ownName, let name = sender.name else { return nil }
        // A company's or an unknown sender's name never has the owner's address.
        return name == ownName
    }
}
