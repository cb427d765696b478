import TriageCore

/// What all messages of a chat share.
struct WhatsAppChat {
    var survey: WhatsAppSurvey
    var title: String?
    /// The owner's names; nil: unknown.
    var owner: Set<String>?
}

/// Makes a message from a header and the lines after it.
struct WhatsAppMessage {
    let header: WhatsAppHeader
    let chat: WhatsAppChat
    let zone: TimeZoneRules
    let zoneName: String

    /// Seconds since 1970; nil when day and month cannot be distinguished.
    var seconds: Int64? {
        chat.survey.order.flatMap { header.seconds($0) }.map { zone.utc(ofLocal: $0) }
    }

    /// - Parameters:
    ///   - rest: what follows the header, with marks, lines separated by LF.
    ///   - timeText: the header as written.
    ///   - members: names of the files beside the chat.
    func message(_ rest: [UInt8], timeText: String, members: Set<String>, file: String, line: Int) -> Message {
        var message = Message()
        message.platform = "whatsapp"
        message.conversationTitle = chat.title
        message.conversationID = chat.title.map { $0.lowercased() }
        if chat.survey.speakers.count > 2 { message.participants = chat.survey.speakers.count }
        let body: WhatsAppBody
        var isUnsaved = false
        if let author = author(rest) {
            let said = Array(rest.dropFirst(author.length))
            if chat.survey.systemAuthors.contains(author.name) {
                body = WhatsAppBody(notice: said)
            } else {
                body = WhatsAppBody(said, author: author.name, members: members)
                isUnsaved = WhatsAppAuthor.isUnsaved(author.name)
                let name = isUnsaved ? WhatsAppMarks.plain(author.name.utf8.drop { $0 == 0x7E }) : author.name
                message.sender.name = name
                message.sender.id = WhatsAppAuthor.number(name)
                message.sender.isSelf = chat.owner.map { $0.contains(author.name) }
            }
        } else {
            body = WhatsAppBody(notice: rest)
        }
        message.text = body.text
        message.attachments = body.attachments
        message.raw = [("kind", .string(body.kind))]
        if let seconds, let text = Timestamp.text(seconds: seconds) {
            message.sentAt = text
            if !header.hasSeconds { message.raw.append(("sent_at_precision", .string("minute"))) }
            message.raw.append(("tz_assumed", .string(zoneName)))
        } else {
            message.raw.append(("time_text", .string(timeText)))
        }
        if let order = chat.survey.order { message.raw.append(("date_order", .string(order.rawValue))) }
        if body.isEdited { message.raw.append(("edited", .bool(true))) }
        if let placeholder = body.placeholder { message.raw.append(("placeholder", .string(placeholder))) }
        if isUnsaved { message.raw.append(("unsaved", .bool(true))) }
        if !body.options.isEmpty { message.raw.append(("poll_options", .array(body.options))) }
        message.raw.append(Message.source(file, line: line))
        return message
    }

    private func author(_ rest: [UInt8]) -> WhatsAppAuthor? {
        let known = chat.survey.known
        guard let author = rest.withUnsafeBufferPointer({ WhatsAppAuthor.split($0, known: known) }) else { return nil }
        // A notice that contains a colon, such as a group's new name.
        if !known.contains(author.name), WhatsAppNotices.isNoticeName(author.name, count: 1) { return nil }
        return author
    }
}

/// The speaker in a line: the text between its header and a colon.
struct WhatsAppAuthor {
    /// The name without marks and with plain spaces, as used in all comparisons.
    var name: String
    /// Number of bytes between the header and the text.
    var length: Int

    /// The name must end within this many bytes.
    private static let limit = 160

    /// Splits the author off the text after a header; nil: it is a notice by WhatsApp.
    ///
    /// - Parameter known: names seen before; the longest match is used because names may contain colons.
    static func split(_ rest: UnsafeBufferPointer<UInt8>, known: Set<String>) -> WhatsAppAuthor? {
        let end = min(rest.firstIndex(of: 0x0A) ?? rest.count, rest.count)
        var line = end
        while line > 0, rest[line - 1] == 0x0D || rest[line - 1] == 0x20 { line -= 1 }
        var first: (at: Int, length: Int)?
        var best: WhatsAppAuthor?
        for at in 0..<min(line, limit) where rest[at] == UInt8(ascii: ":") {
            let isFull = at + 1 == line || rest[at + 1] == 0x20
            let length = at + 1 < end && rest[at + 1] == 0x20 ? at + 2 : at + 1
            if isFull, first == nil { first = (at, length) }
            guard !known.isEmpty else {
                if first != nil { break }
                continue
            }
            let name = WhatsAppMarks.plain(rest[..<at])
            if known.contains(name) { best = WhatsAppAuthor(name: name, length: length) }
        }
        if let best { return best }
        guard let first else { return nil }
        let name = WhatsAppMarks.plain(rest[..<first.at])
        return name.isEmpty ? nil : WhatsAppAuthor(name: name, length: first.length)
    }

    /// Whether the person is not in the phone's contacts: `~ Zoë`.
    static func isUnsaved(_ name: String) -> Bool { name.hasPrefix("~") }

    /// The phone number, with a plus sign, of a person shown by number; nil: it is a name.
    static func number(_ name: String) -> String? {
        var digits = "+"
        for scalar in name.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.unicodeScalars.append(scalar)
            case "+", " ", "-", "(", ")", ".", "/", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}": break
            default: return nil
            }
        }
        return digits.utf8.count >= 8 && digits.utf8.count <= 21 ? digits : nil
    }
}
