import TriageCore

/// Which column holds which field.
struct ColumnMapping: Equatable {
    /// Index of the column for each field that was found.
    var columns: [TableField: Int] = [:]

    /// Parses the values of `--map`: `field=column`.
    ///
    /// - Throws: ``TriageError`` `input.bad-map`, exit 64.
    static func names(_ options: [String]) throws -> [String: String] {
        var names: [String: String] = [:]
        for option in options {
            let parts = option.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, !parts[1].isEmpty, let field = field(named: String(parts[0])) else {
                throw TriageError(
                    "input.bad-map", "'\(option)' does not map a field to a column", at: "--map",
                    remedy: "write field=column with one of these fields: "
                        + TableField.allCases.map(\.rawValue).joined(separator: ", "), exit: .usage)
            }
            names[field.rawValue] = String(parts[1])
        }
        return names
    }

    private static func field(named name: String) -> TableField? {
        let short = ["handle": "sender.handle", "name": "sender.name", "time": "sent_at", "sender": "sender.name"]
        return TableField(rawValue: short[name] ?? name)
    }

    /// Finds the columns of a table.
    ///
    /// - Parameters:
    ///   - header: column names; nil: there are none.
    ///   - sample: the first rows.
    ///   - named: the values of `--map`: a name in the header, or a number from 1.
    /// - Throws: ``TriageError`` `input.no-such-column` or `input.which-column`, exit 65.
    init(header: [String]?, sample: [[String]], named: [String: String] = [:], at place: String = "") throws {
        let width = max(header?.count ?? 0, sample.map(\.count).max() ?? 0)
        for (field, column) in named.sorted(by: { $0.key < $1.key }) {
            guard let field = TableField(rawValue: field) else { continue }
            let index =
                header?.firstIndex(of: column)
                ?? header?.firstIndex { ColumnNames.normalized($0) == ColumnNames.normalized(column) }
                ?? Int(column).flatMap { (1...max(1, width)).contains($0) ? $0 - 1 : nil }
            guard let index else {
                throw TriageError(
                    "input.no-such-column", "there is no column '\(column)' for '\(field.rawValue)'", at: place,
                    remedy: header.map { "the columns are: " + $0.joined(separator: ", ") }
                        ?? "the table has no header; name columns by number from 1", exit: .badData)
            }
            columns[field] = index
        }
        let names = header.map { $0.map(ColumnNames.normalized) }
        for (field, candidates) in ColumnNames.fields where columns[field] == nil {
            for candidate in candidates {
                guard let index = names?.firstIndex(of: candidate), !columns.values.contains(index) else { continue }
                guard Self.fits(candidate, sample.compactMap { index < $0.count ? $0[index] : nil }) else { continue }
                columns[field] = index
                break
            }
        }
        if columns[.clock] == nil { columns[.clock] = Self.clock(names ?? [], sample, columns) }
        if columns[.text] == nil, let index = try Self.textByContent(sample, width, columns, header, place) {
            columns[.text] = index
        }
        if header == nil, columns[.time] == nil {
            columns[.time] = (0..<width).first { column in
                let cells = sample.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
                return !columns.values.contains(column) && !cells.isEmpty
                    && cells.allSatisfy { TableTime.looksLikeTime($0) }
            }
        }
    }

    private static func fits(_ name: String, _ cells: [String]) -> Bool {
        let filled = cells.filter { !$0.isEmpty }
        switch name {
        case "data", "time": return filled.isEmpty || filled.contains(where: TableTime.looksLikeTime)
        case "type", "direction":
            return !filled.isEmpty && filled.allSatisfy { TableRow.direction($0) != nil }
        default: return true
        }
    }

    /// The column with clock times, if the time column has only days: spreadsheets often separate the two.
    private static func clock(_ names: [String], _ sample: [[String]], _ taken: [TableField: Int]) -> Int? {
        func cells(_ column: Int) -> [String] {
            sample.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
        }
        guard let days = taken[.time].map(cells), !days.isEmpty, days.allSatisfy(TableTime.looksLikeDay) else {
            return nil
        }
        return names.indices.first { column in
            let clocks = cells(column)
            return ColumnNames.clocks.contains(names[column]) && !taken.values.contains(column) && !clocks.isEmpty
                && clocks.allSatisfy(TableTime.looksLikeClock)
        }
    }

    /// The column with sentences: longest on average, rarely repeated, mostly with spaces.
    private static func textByContent(
        _ sample: [[String]], _ width: Int, _ taken: [TableField: Int], _ header: [String]?, _ place: String
    ) throws -> Int? {
        var candidates: [(column: Int, length: Double)] = []
        for column in 0..<width where !taken.values.contains(column) {
            let cells = sample.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
            guard !cells.isEmpty, Set(cells).count * 2 > cells.count else { continue }
            guard cells.count(where: { $0.contains(" ") }) * 2 > cells.count else { continue }
            guard !cells.allSatisfy(TableTime.looksLikeTime) else { continue }
            let length = Double(cells.reduce(0) { $0 + $1.utf8.count }) / Double(cells.count)
            candidates.append((column, length))
        }
        candidates.sort { $0.length > $1.length }
        guard let best = candidates.first else { return nil }
        if candidates.count > 1, candidates[1].length > 0.7 * best.length {
            let names = candidates.prefix(2).map { candidate in
                header.flatMap { candidate.column < $0.count ? $0[candidate.column] : nil }
                    ?? String(candidate.column + 1)
            }
            throw TriageError(
                "input.which-column", "two columns could be the text: \(names.joined(separator: ", "))", at: place,
                remedy: "choose one with --map text=\(names[0])", exit: .badData)
        }
        return best.column
    }
}

/// The column and member names known for each field.
enum ColumnNames {
    /// Names for the message text, best first.
    static let text = [
        "text", "message", "body", "content", "comment", "comment_text", "message_text", "msg", "caption", "review",
        "mensaje", "texto", "comentario", "nachricht", "kommentar", "inhalt", "contenu", "commentaire", "mensagem",
        "messaggio", "commento", "testo", "текст", "сообщение",
    ]

    /// Names for the other fields, best first.
    static let fields: [(field: TableField, names: [String])] = [
        (.text, text),
        (
            .handle,
            [
                "username", "handle", "screen_name", "login", "user_name", "sender_username", "author_username",
                "profile", "sender_handle",
            ]
        ),
        (
            .name,
            [
                "sender_name", "author_name", "display_name", "full_name", "name", "from", "sender", "author", "user",
                "autor", "remitente", "absender", "expéditeur", "auteur",
            ]
        ),
        (.senderID, ["sender_id", "author_id", "user_id", "from_id"]),
        (
            .time,
            [
                "sent_at", "created_at", "timestamp", "date", "datetime", "time", "created", "published_at",
                "date_time", "fecha", "datum", "uhrzeit", "data",
            ]
        ),
        (.id, ["id", "message_id", "comment_id", "mid", "cid", "uuid"]),
        (
            .conversation,
            [
                "conversation_id", "thread_id", "thread", "conversation", "chat", "chat_id", "channel", "post_id",
                "video_id", "url",
            ]
        ),
        (.platform, ["platform", "source", "network"]),
        (.reply, ["reply_to", "parent_id", "in_reply_to", "replied_to"]),
        (.direction, ["is_self", "is_from_me", "from_me", "outgoing", "direction", "type"]),
        (.followers, ["followers", "follower_count", "followers_count"]),
        (.verified, ["verified", "is_verified"]),
        (.lang, ["lang", "language"]),
    ]

    /// Names for a column of clock times beside a column of days.
    static let clocks: Set<String> = ["time", "sent_time", "hour", "uhrzeit", "zeit", "hora", "heure", "ora"]

    private static let byName: [String: TableField] = {
        var map: [String: TableField] = [:]
        for (field, names) in fields {
            for name in names where map[name] == nil { map[name] = field }
        }
        return map
    }()

    /// The field that a column with this name holds; nil: unknown.
    static func field(of name: String) -> TableField? { byName[normalized(name)] }

    /// The name in lower case, trimmed, with camelCase split, and with spaces, hyphens and dots as `_`.
    static func normalized(_ name: String) -> String {
        var out = ""
        var wasLower = false
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            if properties.isWhitespace || scalar == "-" || scalar == "." || scalar == "_" {
                if !out.isEmpty, out.last != "_" { out.append("_") }
                wasLower = false
            } else {
                if wasLower, properties.isUppercase { out.append("_") }
                wasLower = properties.isLowercase || properties.numericType != nil
                out.append(properties.lowercaseMapping)
            }
        }
        while out.last == "_" { out.removeLast() }
        return out
    }
}

/// A field that a column can hold.
enum TableField: String, CaseIterable, Sendable {
    case text
    case handle = "sender.handle"
    case name = "sender.name"
    case senderID = "sender.id"
    case time = "sent_at"
    /// The clock time beside a column of days.
    case clock = "sent_time"
    case id
    case conversation = "conversation_id"
    case platform
    case reply = "reply_to"
    case direction = "sender.is_self"
    case followers = "sender.followers"
    case verified = "sender.verified"
    case lang
}
