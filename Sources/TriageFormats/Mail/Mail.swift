import CMailScan

/// One decoded email.
struct Mail {
    struct Attachment {
        var name: String?
        /// The MIME type in lower case, such as `image/png`.
        var mime: String
    }

    /// A piece of the text; other parts, such as pictures, may lie between two pieces.
    struct Part {
        var isHTML: Bool
        /// Almost always UTF-8; invalid bytes are replaced on conversion to a string.
        var bytes: [UInt8]
        var isFlowed: Bool
        var deletesSpace: Bool
    }

    var fromName: String?
    /// The sender's address; addresses are in lower case.
    var fromAddress: String?
    var replyTo: String?
    var to: [String]
    var cc: [String]
    var deliveredTo: [String]
    var subject: String?
    /// Without angle brackets.
    var messageID: String?
    var inReplyTo: String?
    var firstReference: String?
    var thread: String?
    var labels: String?
    var listID: String?
    var precedence: String?
    var autoSubmitted: String?
    var hasUnsubscribe: Bool
    /// The date as written in the header.
    var dateText: String?
    /// The time in the header, and the time in its last `Received`, in seconds since 1970.
    var date: Int64?
    var received: Int64?
    var parts: [Part]
    var attachments: [Attachment]
}

/// Decodes emails with GMime, one at a time; use each parser on one thread only.
final class MailParser {
    private let parser: OpaquePointer?

    init() { parser = cms_new() }

    deinit { cms_free(parser) }

    /// Parses an email; nil when it has no header.
    func parse(_ bytes: consuming [UInt8]) -> Mail? {
        // A blank line ends a header, so skip those before it.
        guard let start = bytes.firstIndex(where: { !Opening.isBlank($0) }), let parser else { return nil }
        return bytes.withUnsafeMutableBufferPointer { buffer -> Mail? in
            guard let base = buffer.baseAddress, let found = cms_parse(parser, base + start, buffer.count - start),
                found.pointee.header_count > 0
            else { return nil }
            return Mail(found.pointee)
        }
    }
}

extension Mail {
    fileprivate init(_ mail: cms_message) {
        fromName = Self.string(mail.from_name)
        fromAddress = Self.string(mail.from_address)
        replyTo = Self.string(mail.reply_to)
        to = Self.strings(mail.to, mail.to_count)
        cc = Self.strings(mail.cc, mail.cc_count)
        deliveredTo = Self.strings(mail.delivered_to, mail.delivered_to_count)
        subject = Self.string(mail.subject)
        messageID = Self.string(mail.message_id)
        inReplyTo = Self.string(mail.in_reply_to)
        firstReference = Self.string(mail.first_reference)
        thread = Self.string(mail.thread_id)
        labels = Self.string(mail.labels)
        listID = Self.string(mail.list_id)
        precedence = Self.string(mail.precedence)
        autoSubmitted = Self.string(mail.auto_submitted)
        hasUnsubscribe = mail.has_unsubscribe != 0
        dateText = Self.string(mail.date_text)
        date = mail.has_date != 0 ? mail.date : nil
        received = mail.has_received != 0 ? mail.received : nil
        parts = UnsafeBufferPointer(start: mail.bodies, count: mail.body_count).map {
            Part(
                isHTML: $0.kind == CMS_HTML.rawValue, bytes: Self.bytes($0.text), isFlowed: $0.is_flowed != 0,
                deletesSpace: $0.deletes_space != 0)
        }
        attachments = UnsafeBufferPointer(start: mail.attachments, count: mail.attachment_count).map {
            Attachment(name: Self.string($0.name), mime: Self.string($0.mime) ?? "")
        }
    }

    private static func bytes(_ text: cms_text) -> [UInt8] {
        guard let start = text.bytes, text.count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: text.count))
    }

    /// The string; nil if it is missing or empty.
    private static func string(_ text: cms_text) -> String? {
        guard let start = text.bytes, text.count > 0 else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: text.count), as: UTF8.self)
    }

    private static func strings(_ texts: UnsafePointer<cms_text>?, _ count: Int) -> [String] {
        UnsafeBufferPointer(start: texts, count: texts == nil ? 0 : count).compactMap(string)
    }
}
