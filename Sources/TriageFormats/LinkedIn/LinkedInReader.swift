import TriageCore

/// Reads the messages of a LinkedIn export, and the words that came with invitations.
///
/// Of a whole export the first pass looks for the owner; of a single table the messages are held, as far as they fit,
/// until all of it has told who takes part in everything.
final class LinkedInReader: ExportReader {
    private let context: ReadingContext
    private let shelf: MessageShelf
    private var hold = MessageHold()
    private var owner = LinkedInOwner()
    private var drafts = 0

    // The file that is being read.
    private var member = Member(path: "", source: "")
    private var columns: LinkedInTable?
    private var rows: NamedRows?
    private var time = TableTime(sample: [])
    private var isSurvey = false

    init(_ context: ReadingContext) {
        self.context = context
        shelf = MessageShelf(context, order: .newestFirst)
    }

    /// Whether there was a pass before the one that reads messages.
    private var isWhole: Bool { !context.paths.isEmpty }

    func begin(_ member: Member, opening: Opening) throws {
        self.member = member
        isSurvey = isWhole && member.pass == 0
        context.assembler.beginSource(member.source)
        let found = LinkedInTable(opening)
        columns = found
        rows = found.map {
            NamedRows($0.table, opening: opening, maximumLine: context.options.maximumLine)
        }
        if let found { time = order(of: found, opening) }
        guard found == nil, !isSurvey else { return }
        guard isWhole else {
            throw TriageError(
                "input.no-table", "this is not a table from a LinkedIn export", at: member.source,
                remedy: "omit --from, or use --from csv", exit: .badData)
        }
        try reject(RejectReason(code: "linkedin.no-table", reason: "this is no table of a LinkedIn export"), nil, 1, 0)
    }

    /// Some dates do not show which number is the day; the first rows together may.
    private func order(of columns: LinkedInTable, _ opening: Opening) -> TableTime {
        var sample: [String] = []
        let name = columns.kind == .invitations ? "sent at" : "date"
        let rows = NamedRows(columns.table, opening: opening, maximumLine: Opening.limit)
        opening.bytes.withUnsafeBufferPointer { bytes in
            rows.feed(UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))) { event in
                if case .row(let row) = event, let cell = columns.table.cell(name, row) { sample.append(cell) }
            }
        }
        var time = TableTime(sample: sample)
        if time.order == nil { time.order = context.options.dateOrder.flatMap { .init(rawValue: $0.rawValue) } }
        return time
    }

    func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard let columns, columns.kind != .other else { return false }
        try rows?.feed(bytes, take)
        return true
    }

    func end(fault: RejectReason?) throws {
        if let fault {
            if !isSurvey { try reject(fault, nil, (rows?.line ?? 0) + 1, -1) }
        } else {
            try rows?.finish(take)
        }
        if !isWhole { try settle() }
    }

    func finish() throws {
        try settle()
        try shelf.flush()
        if drafts > 0 {
            context.notices(drafts == 1 ? "1 unsent draft was skipped" : "\(drafts) unsent drafts were skipped")
        }
    }

    private func take(_ event: NamedRows.Event) throws {
        switch event {
        case .row(let row): try take(row, row.line)
        case .fault(let reason, let row):
            if !isSurvey { try reject(reason, row, row.line, row.offset) }
        }
    }

    private func take(_ row: CSVParser.Row, _ line: Int) throws {
        guard let columns else { return }
        if columns.kind == .profile {
            let names = [columns.table.cell("first name", row), columns.table.cell("last name", row)]
            owner.add(profile: names.compactMap { $0?.trimmingBlanks() }.joined(separator: " "))
            return
        }
        let found = LinkedInRow(row, columns, time: time, file: member.path, line: line)
        if !isWhole || isSurvey { learn(found, columns) }
        guard !isSurvey else { return }
        if columns.table.hasStrayWords(row) { context.unread.note(member.source) }
        if found.isDraft {
            drafts += 1
            return
        }
        // Most invitations come without a word.
        if columns.kind == .invitations, found.message.text.isEmpty { return }
        let item = MessageHold.Item(
            message: found.message, time: found.time, timeText: found.timeText, number: line, source: member.source)
        if isWhole || owner.isSettled {
            try add(item, found.recipient, columns.hasAddresses)
        } else {
            hold.add(item)
            recipients.append(found.recipient)
            if hold.isFull { try settle() }
        }
    }

    /// To whom the messages that are held went.
    private var recipients: [String?] = []

    private func learn(_ row: LinkedInRow, _ columns: LinkedInTable) {
        if columns.kind == .invitations {
            if row.message.sender.isSelf == true, let slug = row.message.sender.id { owner.add(inviter: slug) }
            return
        }
        if let name = row.message.sender.name, let slug = row.message.sender.id { owner.add(sender: name, slug: slug) }
        owner.add(row.slugs, to: row.message.conversationID ?? "")
    }

    /// Decides who the owner is by what is known, and gives out what waited for it.
    private func settle() throws {
        owner.settle()
        let waiting = recipients
        recipients = []
        for (item, recipient) in zip(hold.take(), waiting) { try add(item, recipient, columns?.hasAddresses == true) }
    }

    private func add(_ item: MessageHold.Item, _ recipient: String?, _ hasAddresses: Bool) throws {
        owner.settle()
        var item = item
        var message = item.message
        if message.sender.isSelf == nil {
            message.sender.isSelf = owner.isOwn(
                (message.sender.name, message.sender.id), hasAddresses: hasAddresses)
        }
        if message.conversationTitle == nil, (message.participants ?? 2) <= 2, let isOwn = message.sender.isSelf {
            message.conversationTitle = isOwn ? recipient : message.sender.name
        }
        item.message = message
        try shelf.add(
            message, time: item.time, timeText: item.timeText, idPrefix: "li:", number: item.number,
            source: item.source)
    }

    private func reject(_ reason: RejectReason, _ row: CSVParser.Row?, _ line: Int, _ offset: Int) throws {
        context.assembler.beginSource(member.source)
        try (row?.raw ?? []).withUnsafeBufferPointer {
            try context.assembler.append(
                reject: reason, raw: $0.isEmpty || $0.count > 1 << 16 ? nil : $0, number: line, offset: offset)
        }
    }
}
