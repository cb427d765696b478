import TriageCore

/// A LinkedIn data export: messages and the notes on invitations; as its zip, its folder or a single CSV file.
struct LinkedInFormat: ExportFormat {
    let name = "linkedin-csv"
    let summary = "a LinkedIn data export: messages.csv alone, or its zip or folder"
    var readsFilesAlone: Bool { false }

    var sharesNames: Bool { true }

    func detect(_ opening: Opening) -> Detection? {
        guard let table = LinkedInTable(opening) else { return nil }
        let reason =
            switch table.kind {
            case .messages: "columns of LinkedIn messages ('FROM', 'TO', 'DATE', 'CONTENT')"
            case .invitations: "columns of LinkedIn invitations"
            case .profile: "the profile of a LinkedIn export"
            case .other: "the connections of a LinkedIn export"
            }
        return Detection(
            format: name, reason: reason, hasMessages: table.kind == .messages || table.kind == .invitations)
    }

    /// Names of files that no other export has.
    private static let certain: Set<String> = [
        "profile", "connections", "invitations", "positions", "registration", "email addresses", "profile summary",
    ]
    /// Folders that an export has beside its CSV files.
    private static let folders = ["Jobs/", "Verifications/", "Articles/"]

    func claim(_ paths: [String]) -> Claim? {
        var folders: [String: [(path: String, base: String)]] = [:]
        for path in paths {
            guard let base = TablePath.base(path) else { continue }
            folders[ContainerNames.folder(of: path), default: []].append((path, base))
        }
        let exports = folders.filter { _, files in
            let certain = Set(files.map(\.base)).intersection(Self.certain)
            let hasMessages = files.contains { $0.base == "messages" }
            return hasMessages ? !certain.isEmpty : certain.isSuperset(of: ["profile", "connections"])
        }
        guard !exports.isEmpty else { return nil }
        let files = exports.sorted { $0.key < $1.key }.flatMap { $0.value.sorted { $0.path < $1.path } }
        func all(_ bases: String...) -> [String] { files.filter { bases.contains($0.base) }.map(\.path) }
        let messages = all("messages")
        let beside = exports.keys.sorted().filter(\.isEmpty).flatMap { _ in Self.folders }
        return Claim(
            detection: Detection(
                format: name, reason: "the tables of a LinkedIn export such as \(files[0].path)",
                missing: messages.isEmpty
                    ? ["the export has no messages.csv: request it again from LinkedIn and select messages"] : [],
                hasMessages: !(messages + all("invitations")).isEmpty),
            passes: [all("profile", "invitations", "messages"), messages + all("invitations")],
            roots: TablePath.roots(of: exports.keys.sorted(), among: paths) + beside)
    }

    func makeReader(_ context: ReadingContext) -> any ExportReader { LinkedInReader(context) }
}

/// Reads the messages of a LinkedIn export, and the notes on invitations.
///
/// For a whole export, a first pass finds the owner. For a single table, the messages are held, as far as they fit into
/// memory, until the whole table has shown who takes part in every conversation.
private final class LinkedInReader: ExportReader {
    private let context: ReadingContext
    private let buffer: ConversationBuffer
    private var hold = MessageHold()
    private var owner = LinkedInOwner()
    private var drafts = 0

    // The file being read.
    private var member = Member(path: "", source: "")
    private var columns: LinkedInTable?
    private var rows: NamedRows?
    private var time = TableTime(sample: [])
    private var isSurvey = false

    init(_ context: ReadingContext) {
        self.context = context
        buffer = ConversationBuffer(context, order: .newestFirst)
    }

    /// Whether there was an earlier pass to find the owner.
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
        try reject(
            RejectReason(code: "linkedin.no-table", reason: "this is not a table from a LinkedIn export"), nil, 1, 0)
    }

    /// The order of day and month, from the first rows together: a single date may not show it.
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
        try buffer.flush()
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
        // Most invitations have no note.
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

    /// The recipients of the held messages.
    private var recipients: [String?] = []

    private func learn(_ row: LinkedInRow, _ columns: LinkedInTable) {
        if columns.kind == .invitations {
            if row.message.sender.isSelf == true, let slug = row.message.sender.id { owner.add(inviter: slug) }
            return
        }
        if let name = row.message.sender.name, let slug = row.message.sender.id { owner.add(sender: name, slug: slug) }
        owner.add(row.slugs, to: row.message.conversationID ?? "")
    }

    /// Determines the owner from what is known, and emits the held messages.
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
        try buffer.add(
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

/// Finds out which person in a LinkedIn export is its owner.
///
/// It tries, in this order: the sender of the invitations, the person with the profile's name, and the person who is in
/// nearly all conversations. Without evidence, nobody is the owner.
private struct LinkedInOwner {
    private var profileName: String?
    private var inviter: String?
    private var common = NameTally()
    /// Profile URLs by name: of the profile's name once it is known, else of everybody.
    private var named: [String: Set<String>] = [:]
    private static let limit = 100_000

    private(set) var slug: String?
    private(set) var name: String?
    private(set) var isSettled = false

    mutating func add(profile name: String) { if !name.isEmpty { profileName = name } }

    mutating func add(inviter slug: String) { inviter = inviter ?? slug }

    mutating func add(sender: String, slug: String) {
        guard named.count < Self.limit else { return }
        named[sender, default: []].insert(slug)
    }

    mutating func add(_ slugs: Set<String>, to conversation: String) {
        for slug in slugs { common.add(slug, in: conversation) }
    }

    /// Decides from what is known; later calls change nothing.
    mutating func settle() {
        guard !isSettled else { return }
        isSettled = true
        name = profileName
        if let inviter {
            slug = inviter
        } else if let own = profileName.flatMap({ named[$0] }), own.count == 1 {
            slug = own.first
        } else {
            let found = common.most
            // The person found has a different name from the profile's, which is a contradiction.
            if let found, let own = profileName.flatMap({ named[$0] }), !own.contains(found) { return }
            slug = found
        }
    }

    /// Whether a message is the owner's own; nil: unknown.
    func isOwn(_ sender: (name: String?, slug: String?), hasAddresses: Bool) -> Bool? {
        if let own = slug, let other = sender.slug { return own == other }
        if sender.slug == nil, let name, let other = sender.name, !hasAddresses { return name == other }
        // A sender without a profile URL is not the owner, who has one.
        if slug != nil, hasAddresses { return false }
        return nil
    }
}

/// A CSV file of a LinkedIn export, recognized by its header alone because other exports use the same file names.
struct LinkedInTable {
    enum Kind {
        case messages
        /// Requests to connect, some with a note.
        case invitations
        /// Gives the owner's name.
        case profile
        /// Part of an export, without messages.
        case other
    }

    let kind: Kind
    let table: NamedTable

    init?(_ opening: Opening) {
        guard let found = NamedTable.find(opening, Self.kind(of:)) else { return nil }
        (kind, table) = found
    }

    private static func kind(of names: Set<String>) -> Kind? {
        if names.isSuperset(of: ["from", "to", "date", "content"]),
            !names.isDisjoint(with: ["conversation id", "direction", "folder"])
        {
            return .messages
        }
        if names.isSuperset(of: ["from", "to", "sent at", "message", "direction"]) { return .invitations }
        if names.isSuperset(of: ["first name", "last name", "headline"]) { return .profile }
        if names.isSuperset(of: ["first name", "last name", "connected on"]) { return .other }
        return nil
    }

    /// Whether people can be distinguished by more than their names.
    var hasAddresses: Bool { table.has("sender profile url") }

    /// The identifying part of a profile's or page's URL; nil when there is none.
    static func slug(_ address: String) -> String? {
        var path = Substring(address.trimmingBlanks())
        if let end = path.firstIndex(where: { $0 == "?" || $0 == "#" }) { path = path[..<end] }
        let parts = path.split(separator: "/")
        if let mark = parts.firstIndex(of: "in"), mark + 1 < parts.count { return String(parts[mark + 1]) }
        return parts.count > 2 ? parts.last.map(String.init) : nil
    }
}

/// Makes a message from a row of a LinkedIn export.
struct LinkedInRow {
    var message = Message()
    var time: Int64?
    var timeText = ""
    /// The participants' profile slugs, as far as URLs give them.
    var slugs: Set<String> = []
    /// The recipient's name; several names cannot be separated.
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
        raw.append(Message.source(file, line: line))
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
        // Names contain commas, URLs do not.
        let recipients = cell("recipient profile urls")?.split(separator: ",") ?? []
        slugs = Set(recipients.compactMap { LinkedInTable.slug(String($0)) } + [sender].compactMap { $0 })
        let content = cell("content") ?? ""
        let isPage = Self.isHTML(content)
        let page = isPage ? HTMLText.plain(content) : content
        // If nothing is left of it, it was not HTML.
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
            // The query and fragment may contain access tokens.
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
        // Old exports do not say that times are UTC.
        if !reading.hasZone { raw.append(("tz_assumed", .string("UTC"))) }
    }

    private static let tags = [
        "p", "br", "a", "div", "span", "b", "i", "strong", "em", "ul", "ol", "li", "table", "html",
    ]

    /// Whether it contains an HTML tag; `I <3 this` and `a < b` do not.
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
