import TriageCore

/// Reads mbox files and single mails; one reader for all files of a claim, so that what lies in several comes out once.
final class MailReader: ExportReader {
    private let context: ReadingContext
    private let expectsMailbox: Bool
    private var isMailbox: Bool
    private let desk: MailDesk
    private var member = Member(path: "", source: "")
    private var splitter: MailSplitter
    /// A single mail, and what of it is too much.
    private var mail: [UInt8] = []
    private var left = 0
    private var number = 0

    /// - Parameter isMailbox: whether files have many mails with separators between them.
    init(_ context: ReadingContext, isMailbox: Bool) {
        self.context = context
        expectsMailbox = isMailbox
        self.isMailbox = isMailbox
        desk = MailDesk(context)
        splitter = MailSplitter(limit: context.options.maximumLine)
    }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        // Names may be wrong; where neither is seen, the name is all there is.
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
