import TriageCore

/// Makes a message of a row of DiscordChatExporter's table.
struct DiscordChatRow {
    private let table: NamedTable
    private let time: TableTime
    private let zone: TimeZoneRules
    private let zoneName: String

    init(_ table: NamedTable, _ opening: Opening, _ options: ReadingOptions) {
        self.table = table
        var time = TableTime(sample: Self.dates(table, opening))
        if time.order == nil { time.order = options.dateOrder.flatMap { .init(rawValue: $0.rawValue) } }
        self.time = time
        zone = TimeZoneRules(name: options.timeZone)
        zoneName = options.timeZone.isEmpty ? "UTC" : options.timeZone
    }

    /// The times in the first rows, which show the order of day and month.
    private static func dates(_ table: NamedTable, _ opening: Opening) -> [String] {
        var dates: [String] = []
        let rows = NamedRows(table, opening: opening, maximumLine: 1 << 16)
        opening.bytes.withUnsafeBufferPointer { bytes in
            rows.feed(UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))) { event in
                if dates.count < 50, case .row(let row) = event, let date = table.cell("date", row) {
                    dates.append(date)
                }
            }
        }
        return dates
    }

    /// The time as the table has it.
    func date(_ row: CSVParser.Row) -> String { table.cell("date", row) ?? "" }

    /// Without what the name of the file says.
    func message(_ row: CSVParser.Row) -> (message: Message, milliseconds: Int64?) {
        var message = Message()
        message.platform = "discord"
        message.sender.id = table.cell("authorid", row)
        message.sender.handle = table.cell("author", row).map(Self.handle)
        message.text = table.cell("content", row) ?? ""
        message.attachments = Self.addresses(table.cell("attachments", row) ?? "").map {
            let address = SharedLink.withoutToken($0)
            let name = SharedLink.name(of: address)
            return Message.Attachment(
                type: name == "voice-message.ogg" ? "voice" : SharedLink.type(of: address), name: name, url: address)
        }
        message.reactions = Self.reactions(table.cell("reactions", row) ?? "")
        message.raw = [("kind", .string("message"))]
        let date = date(row)
        var milliseconds: Int64?
        if let exact = ExportTime(iso: date), date.utf8.count > 19 {
            message.sentAt = exact.text
            milliseconds = exact.milliseconds
        } else if let reading = read(date) {
            let seconds = reading.hasZone ? reading.seconds : zone.utc(ofLocal: reading.seconds)
            message.sentAt = Timestamp.text(seconds: seconds, milliseconds: reading.milliseconds)
            milliseconds = seconds * 1000 + Int64(reading.milliseconds)
            if let precision = reading.precision { message.raw.append(("sent_at_precision", .string(precision))) }
            if !reading.hasZone { message.raw.append(("tz_assumed", .string(zoneName))) }
        } else if !date.isEmpty {
            message.raw.append(("time_text", .string(date)))
        }
        return (message, milliseconds)
    }

    private static let months = [
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
        "dec": 12,
    ]

    /// Also `11-Dec-23 02:01 AM`, as versions until 2023 wrote it.
    private func read(_ date: String) -> TableTime.Reading? {
        let parts = date.split(separator: "-", maxSplits: 2)
        guard parts.count == 3, let month = Self.months[parts[1].lowercased()] else { return time.read(date) }
        var plain = time
        plain.order = .dmy
        return plain.read("\(parts[0])/\(month)/\(parts[2])")
    }

    /// Accounts without a number had `#0000` put behind their name.
    private static func handle(_ author: String) -> String {
        guard let sign = author.lastIndex(of: "#"), sign > author.startIndex else { return author }
        let number = author[sign...].dropFirst()
        return !number.isEmpty && number.allSatisfy { $0 == "0" } ? String(author[..<sign]) : author
    }

    /// Addresses between commas, which names of files may have too.
    private static func addresses(_ cell: String) -> [String] {
        let parts = cell.split(separator: ",")
        guard parts.first?.hasPrefix("http") == true else { return parts.map(String.init) }
        return parts.reduce(into: []) { found, part in
            if part.hasPrefix("http") { found.append(String(part)) } else { found[found.count - 1] += "," + part }
        }
    }

    /// `👍 (3),wave (1)`.
    private static func reactions(_ cell: String) -> [Message.Reaction] {
        cell.split(separator: ",").compactMap { part in
            guard part.hasSuffix(")"), let open = part.lastIndex(of: "("),
                let count = Int(part[open...].dropFirst().dropLast())
            else { return nil }
            let name = String(part[..<open]).trimmingBlanks()
            guard !name.isEmpty else { return nil }
            // Emojis of a server have names of letters.
            let isOwn = name.utf8.allSatisfy { $0 < 0x80 }
            return Message.Reaction(emoji: isOwn ? ":\(name):" : name, count: count)
        }
    }
}
