import TriageCore

/// Makes a message from a row.
struct TableRow {
    let mapping: ColumnMapping
    let header: [String]?
    let time: TableTime
    let file: String
    /// The time zone for times without one, and its name.
    private let zone: TimeZoneRules
    private let zoneName: String
    private let rawNames: [String?]

    /// Keys of `raw` with a meaning of their own; a column with such a name gets another key.
    private static let reserved: Set<String> = [
        "kind", "folder", "sent_at_precision", "tz_assumed", "source", "time_text", "date_order",
    ]

    init(
        mapping: ColumnMapping, header: [String]?, width: Int, time: TableTime, file: String, timeZone: String = ""
    ) {
        zone = TimeZoneRules(name: timeZone)
        zoneName = timeZone.isEmpty ? "UTC" : timeZone
        self.mapping = mapping
        self.header = header
        self.time = time
        self.file = file
        let taken = Set(mapping.columns.values)
        rawNames = (0..<width).map { index in
            guard !taken.contains(index) else { return nil }
            let name = header.flatMap { index < $0.count ? $0[index] : nil } ?? ""
            if name.isEmpty { return "column_\(index + 1)" }
            return Self.reserved.contains(name) ? "column_" + name : name
        }
    }

    /// Whether a direction column's value means outgoing (true) or incoming (false).
    static func direction(_ cell: String) -> Bool? {
        switch cell.trimmingBlanks().lowercased() {
        case "out", "outgoing", "outbound", "sent", "1", "true", "yes": true
        case "in", "incoming", "inbound", "received", "0", "false", "no": false
        default: nil
        }
    }

    /// - Parameter cells: valid UTF-8.
    func message(_ cells: [String], line: Int) -> Message {
        func cell(_ field: TableField) -> String? {
            guard let index = mapping.columns[field], index < cells.count, !cells[index].isEmpty else { return nil }
            return cells[index]
        }
        var message = Message()
        message.text = mapping.columns[.text].flatMap { $0 < cells.count ? cells[$0] : nil } ?? ""
        message.id = cell(.id)
        message.platform = cell(.platform)?.lowercased() ?? "generic"
        message.conversationID = cell(.conversation)
        message.sender.handle = cell(.handle)
        message.sender.name = cell(.name)
        message.sender.id = cell(.senderID)
        message.sender.followers = cell(.followers).flatMap(Self.count)
        message.sender.isVerified = cell(.verified).flatMap(Self.direction)
        message.sender.isSelf = cell(.direction).flatMap(Self.direction)
        message.replyTo = cell(.reply)
        message.lang = cell(.lang)
        if let text = cell(.time) {
            let whole = cell(.clock).map { "\(text) \($0)" } ?? text
            let isRead = whole == text || time.read(whole) != nil
            readTime(isRead ? whole : text, into: &message)
            if !isRead { message.raw.append(("time_text", .string(whole))) }
        }
        for (index, name) in rawNames.enumerated() {
            guard let name, index < cells.count, !cells[index].isEmpty else { continue }
            message.raw.append((name, .string(cells[index])))
        }
        message.raw.append(Message.source(file, line: line))
        return message
    }

    private func readTime(_ text: String, into message: inout Message) {
        let reading = time.read(text)
        // A bare date must stay that day, both in UTC and in the creator's time zone: midnight is moved only where it
        // would fall on the evening before.
        let isLocal = reading.map { !$0.hasZone && ($0.precision != "day" || zone.offset(at: $0.seconds) < 0) } ?? false
        guard let reading,
            let sentAt = Timestamp.text(
                seconds: isLocal ? zone.utc(ofLocal: reading.seconds) : reading.seconds,
                milliseconds: reading.milliseconds)
        else {
            message.raw.append(("time_text", .string(text)))
            return
        }
        message.sentAt = sentAt
        if let precision = reading.precision { message.raw.append(("sent_at_precision", .string(precision))) }
        if !reading.hasZone { message.raw.append(("tz_assumed", .string(isLocal ? zoneName : "UTC"))) }
        if let order = time.order, order != .ymd { message.raw.append(("date_order", .string(order.rawValue))) }
    }

    /// Parses counts such as `1200`, `1,200`, `1 200`, `1.2k`, `3M`.
    static func count(_ text: String) -> Int? {
        var digits = text.trimmingBlanks().lowercased()
        var factor = 1.0
        if digits.hasSuffix("k") { factor = 1e3 } else if digits.hasSuffix("m") { factor = 1e6 }
        if factor > 1 {
            digits.removeLast()
            guard let number = Double(digits), number >= 0, number < 1e9 else { return nil }
            return Int((number * factor).rounded())
        }
        digits.removeAll { $0 == "," || $0 == " " || $0 == "\u{A0}" }
        guard let number = Int(digits), number >= 0 else { return nil }
        return number
    }
}
