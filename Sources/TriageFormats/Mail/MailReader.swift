import TriageCore

/// Reads mbox files and single emails; one reader serves all files of a claim, so that duplicates are emitted once.
final class MailReader: ExportReader {
    private let context: ReadingContext
    private let expectsMailbox: Bool
    private var isMailbox: Bool
    private let desk: MailboxAssembler
    private var member = Member(path: "", source: "")
    private var splitter: MailSplitter
    /// A single email so far, and the number of bytes over the limit.
    private var mail: [UInt8] = []
    private var left = 0
    private var number = 0

    /// - Parameter isMailbox: whether files contain many emails with separators between them.
    init(_ context: ReadingContext, isMailbox: Bool) {
        self.context = context
        expectsMailbox = isMailbox
        self.isMailbox = isMailbox
        desk = MailboxAssembler(context)
        splitter = MailSplitter(limit: context.options.maximumLine)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        // File names may be wrong; use the name only if the content shows neither format.
        isMailbox =
            MboxFormat().detect(opening) != nil || (expectsMailbox && EMLFormat().detect(opening) == nil)
        number = 0
        mail = []
        left = 0
        splitter = MailSplitter(limit: context.options.maximumLine)
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        if isMailbox {
            try splitter.feed(bytes) { try self.take($0) }
        } else {
            let room = max(0, context.options.maximumLine - mail.count)
            mail.append(contentsOf: bytes.prefix(room))
            left += max(0, bytes.count - room)
        }
        return true
    }

    func end(fault: RejectReason?) throws {
        if isMailbox {
            try splitter.finish { try self.take($0) }
        } else if mail.contains(where: { !Opening.isBlank($0) }) {
            try take(MailSplitter.Piece(bytes: mail, left: left, time: nil))
        }
        mail = []
        guard let fault else { return }
        context.assembler.beginSource(member.source)
        try context.assembler.append(reject: fault, number: number + 1, offset: -1)
    }

    func finish() throws { try desk.finish() }

    private func take(_ piece: MailSplitter.Piece) throws {
        number += 1
        try desk.take(piece.bytes, left: piece.left, separatorTime: piece.time, number: number, member)
    }
}

/// Single emails, as saved by email programs.
struct EMLFormat: ExportFormat {
    let name = "eml"
    let summary = "single mails (.eml), one file or a folder of them"

    /// Header fields of which an email has at least two.
    private static let known: Set<String> = [
        "from", "date", "subject", "message-id", "received", "mime-version", "delivered-to",
    ]
    /// The maximum length of a header.
    private static let longestHeader = 64 * 1024

    func detect(_ opening: Opening) -> Detection? {
        guard let start = opening.bytes.firstIndex(where: { !Opening.isBlank($0) }) else { return nil }
        var found: [String] = []
        var at = start
        let end = min(opening.bytes.count, start + Self.longestHeader)
        while at < end {
            let stop = opening.bytes[at...].firstIndex(of: 0x0A)
            // A line without its end proves nothing.
            guard stop != nil || opening.isWhole else { return nil }
            var line = opening.bytes[at..<(stop ?? opening.bytes.count)]
            if line.last == 0x0D { line = line.dropLast() }
            at = (stop ?? opening.bytes.count) + 1
            if line.isEmpty {
                guard found.count >= 2 else { return nil }
                return Detection(
                    format: name,
                    reason: "a header with " + found.prefix(4).joined(separator: ", ") + " and an empty line")
            }
            if line.first == 0x20 || line.first == 0x09 {
                guard at > start, line.startIndex > start else { return nil }
                continue
            }
            guard let name = MailSeparator.fieldName(line) else { return nil }
            let lower = String(decoding: name, as: UTF8.self).lowercased()
            if Self.known.contains(lower), !found.contains(lower) { found.append(lower) }
        }
        return nil
    }

    func claim(_ paths: [String]) -> Claim? {
        let mails = paths.filter { $0.lowercased().hasSuffix(".eml") }
        guard !mails.isEmpty else { return nil }
        return Claim(
            detection: Detection(format: name, reason: mails.count == 1 ? "a mail" : "\(mails.count) mails"),
            passes: [mails], roots: [])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MailReader(context, isMailbox: false) }
}

/// Mailboxes written by Gmail's Takeout, Thunderbird and others: emails one after another, separated by `From ` lines.
struct MboxFormat: ExportFormat {
    let name = "mbox"
    let summary = "mails from Gmail Takeout, Thunderbird, Apple Mail, Google Groups (.mbox)"

    func detect(_ opening: Opening) -> Detection? {
        guard let first = opening.firstLine, MailSeparator.form(first) != nil else { return nil }
        var rest = opening.bytes[first.endIndex...]
        if rest.first == 0x0D { rest = rest.dropFirst() }
        rest = rest.dropFirst()
        guard let name = MailSeparator.fieldName(rest.prefix { $0 != 0x0A }) else { return nil }
        // Names of header fields are not message text, but this may not be a field name, so limit its length.
        let seen = name.count <= 40 ? String(decoding: name, as: UTF8.self) : "…"
        return Detection(format: self.name, reason: "a line that separates mails, and '\(seen):' below it")
    }

    func claim(_ paths: [String]) -> Claim? {
        let boxes = paths.filter { $0.lowercased().hasSuffix(".mbox") }
        guard !boxes.isEmpty else { return nil }
        // Other files beside them do not belong to the mailboxes.
        return Claim(
            detection: Detection(format: name, reason: boxes.count == 1 ? "an mbox file" : "\(boxes.count) mbox files"),
            passes: [boxes], roots: [])
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { MailReader(context, isMailbox: true) }
}
