import TriageCore

/// Makes a message of a row of a LinkedIn export.
struct LinkedInRow {
    var message = Message()
    var time: Int64?
    var timeText = ""
    /// Whoever takes part, as far as addresses say.
    var slugs: Set<String> = []
    /// To whom it went, by name; several names cannot be told apart.
    var recipient: String?
    var isDraft = false

    init(_ row: CSVParser.Row, _ columns: LinkedInTable, time order: TableTime, file: String, line: Int) {
        func cell(_ name: String) -> String? { columns.table.cell(name, row) }
        message.platform = "linkedin"
        message.sender.name = cell("from").map { $0.trimmingBlanks() }
        recipient = cell("to")
        var raw: [(key: String, value: Message.RawValue)] = [("kind", .string("message"))]
        if columns.kind == .invitations {
            readInvitation(cell)
            raw.append(("folder", .string("invitations")))
        } else {
            isDraft = cell("is message draft")?.lowercased() == "yes"
            if let folder = cell("folder") { raw.append(("folder", .string(folder.lowercased()))) }
            readMessage(cell, &raw)
        }
        switch cell("direction")?.lowercased() {
        case "outgoing": message.sender.isSelf = true
        case "incoming": message.sender.isSelf = false
        default: break
        }
        if message.conversationID == nil {
            let people = slugs.isEmpty ? [message.sender.name ?? "", recipient ?? ""] : Array(slugs)
            message.conversationID =
                MessageDigest(
                    platform: "linkedin", conversation: people.sorted().joined(separator: "\n"), time: "", sender: "",
                    text: "", ordinal: 0
                ).hex
        }
        if slugs.count > 2 { message.participants = slugs.count }
        timeText = cell(columns.kind == .invitations ? "sent at" : "date") ?? ""
        readTime(order, &raw)
        raw.append(
            ("source", .object([Message.RawMember("file", .string(file)), Message.RawMember("line", .int(line))])))
        message.raw = raw
    }

    private mutating func readInvitation(_ cell: (String) -> String?) {
        let isOwn = cell("direction")?.lowercased() == "outgoing"
        let inviter = cell("inviterprofileurl").flatMap(LinkedInTable.slug)
        message.sender.id = inviter
        message.sender.handle = inviter
        slugs = Set([inviter, cell("inviteeprofileurl").flatMap(LinkedInTable.slug)].compactMap { $0 })
        message.conversationTitle = isOwn ? recipient : message.sender.name
        message.text = cell("message") ?? ""
    }

    private mutating func readMessage(
        _ cell: (String) -> String?, _ raw: inout [(key: String, value: Message.RawValue)]
    ) {
        message.conversationID = cell("conversation id")
        message.conversationTitle = cell("conversation title")
        let sender = cell("sender profile url").flatMap(LinkedInTable.slug)
        message.sender.id = sender
        message.sender.handle = sender
        // Names have commas in them, addresses have none.
        let recipients = cell("recipient profile urls")?.split(separator: ",") ?? []
        slugs = Set(recipients.compactMap { LinkedInTable.slug(String($0)) } + [sender].compactMap { $0 })
        let content = cell("content") ?? ""
        let isPage = Self.isHTML(content)
        let page = isPage ? HTMLText.plain(content) : content
        // Nothing is left of it: then it was no page.
        message.text = page.isEmpty ? content : page
        if let subject = cell("subject") {
            raw.append(("subject", .string(subject)))
            if message.text.isEmpty {
                message.text = subject
            } else if message.text.firstRange(of: subject) == nil {
                message.text = subject + "\n" + message.text
            }
        }
        if message.conversationTitle == "Sponsored Conversation" || (isPage && sender == nil) {
            raw.append(("sponsored", .bool(true)))
        }
        for link in (cell("attachments") ?? "").split(whereSeparator: { " ,;\n".contains($0) }).prefix(100)
        where link.hasPrefix("http") {
            // What stands behind the path is the key to it.
            let address = link.prefix { $0 != "?" && $0 != "#" }
            message.attachments.append(Message.Attachment(type: "file", url: String(address)))
        }
    }

    private mutating func readTime(_ order: TableTime, _ raw: inout [(key: String, value: Message.RawValue)]) {
        guard !timeText.isEmpty else { return }
        guard let reading = order.read(timeText),
            let text = Timestamp.text(seconds: reading.seconds, milliseconds: reading.milliseconds)
        else { return raw.append(("time_text", .string(timeText))) }
        message.sentAt = text
        time = reading.seconds * 1000 + Int64(reading.milliseconds)
        if let precision = reading.precision { raw.append(("sent_at_precision", .string(precision))) }
        // Old exports leave out that it is UTC.
        if !reading.hasZone { raw.append(("tz_assumed", .string("UTC"))) }
    }

    private static let tags = [
        "p", "br", "a", "div", "span", "b", "i", "strong", "em", "ul", "ol", "li", "table", "html",
    ]

    /// Whether there is a tag of a page in it; `I <3 this` and `a < b` are no pages.
    static func isHTML(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[rest.index(after: mark)...]
            let isEnd = rest.first == UInt8(ascii: "/")
            let name = (isEnd ? rest.dropFirst() : rest).prefix(8).prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
            guard !name.isEmpty, tags.contains(String(Substring(name)).lowercased()) else { continue }
            let next = (isEnd ? rest.dropFirst() : rest).dropFirst(name.count).first
            let isTag = next == UInt8(ascii: ">") || next == UInt8(ascii: "/") || (!isEnd && next == 0x20)
            if isTag, rest.prefix(4096).contains(UInt8(ascii: ">")) { return true }
        }
        return false
    }
}
