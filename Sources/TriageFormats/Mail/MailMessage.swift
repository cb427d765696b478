import TriageCore

extension Mail {
    /// The record of an email, without ``Message/Sender/isSelf``.
    ///
    /// - Parameters:
    ///   - separatorTime: the time in the separator line before it, for emails without a date.
    ///   - left: number of bytes left out because the email is too large.
    func message(labels: GmailLabels, separatorTime: Int64?, left: Int) -> Message {
        var message = Message()
        message.platform = "email"
        message.id = messageID.map { "mail:" + $0 }
        message.conversationID = thread ?? firstReference ?? inReplyTo ?? messageID
        let (title, isForward) = MailPhrases.title(subject ?? "")
        message.conversationTitle = title.isEmpty ? nil : title
        let people = Set(to + cc + [fromAddress].compactMap { $0 })
        message.participants = people.count > 2 ? people.count : nil
        message.sender.id = fromAddress
        message.sender.handle = fromAddress
        message.sender.name = fromName == fromAddress ? nil : fromName
        message.sentAt = (date ?? separatorTime ?? received).flatMap { Timestamp.text(seconds: $0) }
        message.replyTo = inReplyTo.map { "mail:" + $0 }
        message.attachments = attachments.map { Message.Attachment(type: Self.type(of: $0.mime), name: $0.name) }
        let (body, hidden) = plainBody(marksQuotes: !isForward)
        let isReply = inReplyTo != nil || firstReference != nil || MailPhrases.isReply(subject ?? "")
        let text = MailText(body, isForward: isForward, isReply: isReply)
        message.text = text.text
        message.raw = raw(labels)
        if !text.quoted.isEmpty { message.raw.append(("quoted", .string(text.quoted.joined(separator: "\n")))) }
        if !text.signature.isEmpty {
            message.raw.append(("signature", .string(text.signature.joined(separator: "\n"))))
        }
        if !hidden.isEmpty { message.raw.append(("hidden", .string(String(decoding: hidden, as: UTF8.self)))) }
        if left > 0 { message.raw.append(("cut", .int(left))) }
        return message
    }

    /// The best known time, in seconds since 1970.
    func time(separatorTime: Int64?) -> Int64? { date ?? separatorTime ?? received }

    /// Whether the email was sent in bulk by a program.
    var isBulk: Bool {
        if listID != nil || hasUnsubscribe { return true }
        if let precedence, ["bulk", "list", "junk"].contains(precedence.lowercased()) { return true }
        guard let automatic = autoSubmitted?.lowercased() else { return false }
        return !automatic.hasPrefix("no")
    }

    /// The text of all parts that a reader would see one below the other, and the text hidden in HTML.
    private func plainBody(marksQuotes: Bool) -> (text: [UInt8], hidden: [UInt8]) {
        var text: [UInt8] = []
        var hidden: [UInt8] = []
        for part in parts {
            var plain = part.bytes
            if part.isHTML {
                let page = part.bytes.withUnsafeBufferPointer { HTMLText.parts(of: $0, marksQuotes: marksQuotes) }
                plain = page.text
                if !page.hidden.isEmpty { hidden += (hidden.isEmpty ? [] : [0x0A]) + page.hidden }
            } else if part.isFlowed {
                plain = MailText.unflowed(part.bytes, deletesSpace: part.deletesSpace)
            }
            if !text.isEmpty, text.last != 0x0A { text.append(0x0A) }
            text += plain
        }
        return (text, hidden)
    }

    private func raw(_ labels: GmailLabels) -> [(key: String, value: Message.RawValue)] {
        var raw: [(key: String, value: Message.RawValue)] = [("kind", .string("message"))]
        if labels.places.contains(.inbox) {
            raw.append(("folder", .string("inbox")))
        } else if labels.places.contains(.sent) {
            raw.append(("folder", .string("sent")))
        }
        if let subject { raw.append(("subject", .string(subject))) }
        // A longer list is a mailing, and the other recipients' addresses are private.
        if !to.isEmpty { raw.append(("to", .array(to.prefix(20).map { .string($0) }))) }
        if !cc.isEmpty { raw.append(("cc", .array(cc.prefix(20).map { .string($0) }))) }
        if let replyTo, replyTo != fromAddress { raw.append(("reply_to", .string(replyTo))) }
        if !labels.names.isEmpty { raw.append(("labels", .array(labels.names.map { .string($0) }))) }
        if let listID { raw.append(("list_id", .string(listID))) }
        if let autoSubmitted { raw.append(("auto_submitted", .string(autoSubmitted))) }
        if let precedence { raw.append(("precedence", .string(precedence))) }
        if isBulk { raw.append(("bulk", .bool(true))) }
        return raw
    }

    private static func type(of mime: String) -> String {
        for type in ["image", "video", "audio"] where mime.hasPrefix(type + "/") { return type }
        return mime == "text/vcard" || mime == "text/x-vcard" ? "contact" : "file"
    }
}

/// Gmail's labels of a message, in the language of the account.
struct GmailLabels {
    enum Place: String { case spam, trash, drafts, chats, sent, inbox }

    let names: [String]
    private(set) var places = Set<Place>()

    init(_ header: String?) {
        names = (header ?? "").split(separator: ",").map { label in
            var text = label.drop { $0 == " " || $0 == "\"" }
            while text.last == " " || text.last == "\"" { text = text.dropLast() }
            return String(text)
        }.filter { !$0.isEmpty }
        for name in names { if let place = Self.places[name.lowercased()] { places.insert(place) } }
    }

    /// Why the creator need not read the message; nil: they should.
    var reasonToSkip: Place? { [.spam, .trash, .drafts, .chats].first { places.contains($0) } }

    private static let places: [String: Place] = {
        let words: [(Place, [String])] = [
            (.spam, ["spam", "junk", "skräppost", "søppelpost", "roskaposti", "спам", "迷惑メール", "垃圾邮件", "스팸함"]),
            (
                .trash,
                [
                    "trash", "bin", "papierkorb", "corbeille", "papelera", "lixeira", "lixo", "cestino", "prullenbak",
                    "kosz", "papperskorgen", "papirkurv", "roskakori", "çöp kutusu", "koš", "корзина", "ゴミ箱",
                    "已删除邮件", "휴지통",
                ]
            ),
            (
                .drafts,
                [
                    "drafts", "draft", "entwürfe", "entwurf", "brouillons", "brouillon", "borradores", "borrador",
                    "rascunhos", "rascunho", "bozze", "concepten", "wersje robocze", "utkast", "kladder",
                    "luonnokset", "taslaklar", "koncepty", "черновики", "下書き", "草稿", "임시보관함",
                ]
            ),
            (.chats, ["chat", "chats", "hangouts"]),
            (
                .sent,
                [
                    "sent", "gesendet", "messages envoyés", "envoyés", "enviados", "enviado", "enviadas",
                    "posta inviata", "inviati", "inviata", "verzonden", "wysłane", "skickat", "sendt", "lähetetyt",
                    "gönderilmiş postalar", "odeslaná pošta", "отправленные", "送信済みメール", "已发邮件", "보낸편지함",
                ]
            ),
            (
                .inbox,
                [
                    "inbox", "posteingang", "boîte de réception", "recibidos", "bandeja de entrada", "caixa de entrada",
                    "entrada", "posta in arrivo", "postvak in", "odebrane", "inkorg", "innboks", "indbakke",
                    "postilaatikko", "gelen kutusu", "doručená pošta", "входящие", "受信トレイ", "收件箱", "받은편지함",
                ]
            ),
        ]
        var table: [String: Place] = [:]
        for (place, names) in words { for name in names { table[name] = place } }
        return table
    }()
}
