/// Recognizes files that have text in a column or member but hold no messages.
///
/// Such files are part of platform exports, or are kept beside them. Only the generic formats, which accept anything
/// with a text (JSON, JSON Lines, tables, chats as text), ask here. Files are recognized by members, columns and
/// folders that nothing else has; a text that could be a message stays one.
enum KnownLists {
    /// Identifies a file of a known export that holds no messages; nil: it is not one.
    ///
    /// - Parameter path: of the file, with its parent folders as far as they are known.
    static func list(_ opening: Opening, path: String) -> Detection? {
        if opening.firstByte == UInt8(ascii: "{") || opening.firstByte == UInt8(ascii: "[") {
            let members = JSONMembers(opening)
            // It has the members of a record, wherever it lies.
            if members.top.contains("text") { return nil }
            // Google's own chats are part of a Takeout too.
            if members.has(rows: ["creator", "created_date"]) || members.has(rows: ["creator", "text"]) { return nil }
            if let found = list(of: members) { return found }
        } else if let header = header(opening), let found = list(of: header) {
            return found
        }
        return folder(of: path)
    }

    /// Identifies a file that is not part of any export; nil: it may hold messages.
    static func stranger(_ opening: Opening) -> String? {
        if opening.firstByte == UInt8(ascii: "{") || opening.firstByte == UInt8(ascii: "[") {
            let members = JSONMembers(opening)
            return members.top.contains("text") ? nil : stranger(of: members)
        }
        if let found = text(opening) { return found }
        return header(opening).flatMap { stranger(of: $0) }
    }

    // MARK: Folders

    /// Folders that only exports have, with advice on how to get messages.
    private static let folders: [(name: String, detection: Detection)] = [
        ("Takeout", takeout("a file of Google Takeout")), ("your_instagram_activity", instagram),
        ("followers_and_following", instagram), ("ads_information", meta), ("personal_information", meta),
        ("apps_and_websites_off_of_instagram", instagram), ("security_and_login_information", meta),
        ("logged_information", meta), ("your_facebook_activity", facebook),
        ("your_activity_across_facebook", facebook), ("apps_and_websites_off_of_facebook", facebook),
        ("comments_and_reactions", facebook), ("your_topics", meta), ("your_threads_activity", meta),
    ]

    private static func folder(of path: String) -> Detection? {
        let parts = path.split { $0 == "/" || $0 == ":" || $0 == "\\" }.dropLast()
        guard !parts.isEmpty, !parts.contains("Google Chat") else { return nil }
        return folders.first { folder in parts.contains { $0 == folder.name } }?.detection
    }

    private static func takeout(_ what: String) -> Detection {
        Detection(
            format: "google-takeout", reason: what,
            missing: ["in Google Takeout, only Mail (mbox) and YouTube comments are messages"], hasMessages: false)
    }

    private static let advice = "; to get messages, select “Messages” and JSON when you request the download"
    private static let instagram = Detection(
        format: "instagram-json", reason: "a list from an Instagram export",
        missing: ["this part of an Instagram export contains no messages" + advice], hasMessages: false)
    private static let facebook = Detection(
        format: "messenger-json", reason: "a list from a Facebook export",
        missing: ["this part of a Facebook export contains no messages" + advice], hasMessages: false)
    private static let meta = Detection(
        format: "instagram-json", reason: "a list from an Instagram or Facebook export",
        missing: ["this part of the export contains no messages" + advice], hasMessages: false)

    private static func own(_ format: String, _ what: String) -> Detection {
        Detection(
            format: format, reason: what,
            missing: ["\(what) are only the owner's, so there is nothing to triage"],
            hasMessages: false)
    }

    // MARK: JSON

    private static func list(of members: JSONMembers) -> Detection? {
        // Google
        if members.top.contains("userEditedTimestampUsec") || members.has(top: ["isTrashed", "isPinned"]) {
            return takeout("a note of Google Keep")
        }
        if members.has(rows: ["header", "title", "time"]) { return takeout("My Activity of Google") }
        if members.has(rows: ["title", "titleUrl", "time"]) { return takeout("a history of YouTube or Google") }
        let google: Set<String> = [
            "Browser History", "Typed Url", "Search Engines", "timelineObjects", "semanticSegments", "rawSignals",
            "fitnessActivity", "Data Source", "Autofill", "Data Points",
        ]
        if !members.top.isDisjoint(with: google) { return takeout("a file of Google Takeout") }
        if members.has(rows: ["latitudeE7", "longitudeE7"]) { return takeout("places of Google Takeout") }
        if let kind = members.kind, kind.contains("#"), !kind.hasPrefix("youtube#") {
            return takeout("a list of a Google service")
        }
        // Meta
        // Comments are structured like the other lists, plus a member for media; truncated comments are reported
        // elsewhere.
        let isComments = members.has(rows: ["media_list_data", "string_map_data"])
        if members.hasAny(rows: ["string_list_data", "label_values"])
            || (members.rows.contains("string_map_data") && !isComments)
            || members.hasAny(top: ["label_values", "ig_custom_audiences_all_types", "topics_your_topics"])
        {
            return meta
        }
        if members.has(rows: ["creation_timestamp", "uri"]) || members.isOwnMedia {
            return own("instagram-json", "posts from an Instagram export")
        }
        if members.rows.contains("timestamp"), !members.rows.contains("sender_name"),
            members.isPostOfFacebook
        {
            return own("messenger-json", "posts, searches or reactions from a Facebook export")
        }
        if members.has(rows: ["name", "timestamp"]), members.rows.count == 2 { return facebook }
        // X, Discord, music and movies
        if members.has(rows: ["full_text", "id_str"]) { return own("x-archive", "posts from an X archive") }
        if members.has(top: ["event_type", "event_id"]) || members.has(rows: ["event_type", "event_id"]) {
            return Detection(
                format: "discord-package", reason: "events from a Discord data package", hasMessages: false)
        }
        return nil
    }

    private static func stranger(of members: JSONMembers) -> String? {
        let top = members.top
        if members.has(top: ["name", "version"]),
            !top.isDisjoint(with: [
                "dependencies", "devDependencies", "scripts", "main", "license", "lockfileVersion", "packages",
                "engines", "manifest_version", "require",
            ])
        {
            return "a package's description"
        }
        if !top.isDisjoint(with: [
            "lockfileVersion", "compilerOptions", "openapi", "swagger", "$schema", "manifest_version", "nbformat",
        ]) {
            return "a file of a program"
        }
        if members.type == "FeatureCollection" || (members.type == "Feature" && top.contains("geometry")) {
            return "a map (GeoJSON)"
        }
        if members.has(rows: ["endTime", "trackName"]) || members.has(rows: ["ts", "ms_played"]) {
            return "a music history"
        }
        let lines = top.isEmpty ? members.rows : top
        let levels: Set<String> = ["level", "severity", "loglevel", "log_level", "levelname", "lvl"]
        let places: Set<String> = [
            "pid", "hostname", "logger", "ts", "time", "timestamp", "@timestamp", "caller", "module", "service", "v",
            "t", "logger_name", "thread_name", "datetime",
        ]
        if !lines.isDisjoint(with: levels), !lines.isDisjoint(with: places), !hasSender(lines) { return "a log" }
        if lines.isSuperset(of: ["__REALTIME_TIMESTAMP", "MESSAGE"]) || lines == ["log", "stream", "time"] {
            return "a log"
        }
        return nil
    }

    /// Whether a member names the sender.
    private static func hasSender(_ names: Set<String>) -> Bool {
        let fields: Set<TableField> = [.handle, .name, .senderID, .conversation]
        return names.contains { name in
            ColumnNames.field(of: name).map { fields.contains($0) } == true
                && !["name", "login"].contains(ColumnNames.normalized(name))
        }
    }

    // MARK: Tables

    /// The names in the first row, or in the row after a preamble.
    private static func header(_ opening: Opening) -> Set<String>? {
        guard let shape = TableShape(opening.inUnicode), let first = shape.header ?? shape.sample.first else {
            return nil
        }
        return Set(first.map(ColumnNames.normalized))
    }

    private static func list(of names: Set<String>) -> Detection? {
        if names == ["date", "link", "message"] || names.isSuperset(of: ["date", "share_link", "share_commentary"]) {
            return own("linkedin-csv", "comments and posts from a LinkedIn export")
        }
        if names.isSuperset(of: ["first_name", "last_name", "connected_on"]) {
            return Detection(format: "linkedin-csv", reason: "contacts from a LinkedIn export", hasMessages: false)
        }
        if names.isSuperset(of: ["tweet_id", "text"]) { return own("x-archive", "posts from an X archive") }
        if names.isSuperset(of: ["channel_id", "channel_url", "channel_title"])
            || names.isSuperset(of: ["playlist_id", "playlist_title_(original)"])
            || names.isSuperset(of: ["video_id", "playlist_video_creation_timestamp"])
        {
            return takeout("a list of YouTube")
        }
        return nil
    }

    private static func stranger(of names: Set<String>) -> String? {
        if hasSender(names) {
            return names.isSuperset(of: ["url", "username", "password"]) ? "passwords" : nil
        }
        let hasText = names.contains { ColumnNames.text.contains($0) }
        let money: Set<String> = [
            "amount", "balance", "debit", "credit", "betrag", "saldo", "importe", "montant", "valor", "iban",
            "paid_out", "paid_in", "money_in", "money_out", "bedrag", "importo", "kwota", "belopp", "running_balance",
            "withdrawal", "deposit", "debit_amount", "credit_amount", "fee", "currency",
        ]
        let sums = names.intersection(money).count
        if sums >= 1, !hasText || (sums >= 2 && !names.isDisjoint(with: ["balance", "saldo", "running_balance"])) {
            return "a list of payments"
        }
        let given = names.contains("given_name") || names.contains("first_name")
        let family = names.contains("family_name") || names.contains("last_name")
        if given, family, !hasText { return "contacts" }
        if names.isSuperset(of: ["subject", "start_date"]) { return "a calendar" }
        let counts: Set<String> = [
            "views", "impressions", "clicks", "reach", "spend", "watch_time_(hours)", "subscribers", "sessions",
            "pageviews",
        ]
        // YouTube names the column with a video's id "content".
        if !names.isDisjoint(with: counts), names.intersection(ColumnNames.text).isSubset(of: ["content"]) {
            return "statistics"
        }
        if names == ["title", "date"] { return "a film history" }
        return nil
    }

    // MARK: Text

    private static func text(_ opening: Opening) -> String? {
        let lines = opening.bytes.prefix(1 << 16).split(separator: 0x0A).prefix(60)
            .map { line in line.drop(while: Opening.isBlank) }.filter { !$0.isEmpty }
        guard let first = lines.first else { return nil }
        func begins(_ line: ArraySlice<UInt8>, _ text: String) -> Bool { line.starts(with: text.utf8) }
        if begins(first, "BEGIN:VCARD") { return "contacts (vCard)" }
        if begins(first, "BEGIN:VCALENDAR") { return "a calendar (iCalendar)" }
        if begins(first, "WEBVTT") || lines.prefix(3).contains(where: isCue) { return "subtitles" }
        if begins(first, "%PDF") { return nil }
        // A line with only a time, then a name, then the words that were said.
        let moments = lines.count(where: isMoment)
        if isMoment(first), moments * 5 >= lines.count {
            return "an iMessage chat exported as text; export it as CSV or JSON, or read columns with --from csv"
        }
        return nil
    }

    /// Whether a line is a subtitle's time range, `00:00:01,000 --> 00:00:04,000`.
    private static func isCue(_ line: ArraySlice<UInt8>) -> Bool {
        guard let arrow = line.firstRange(of: Array(" --> ".utf8)), arrow.lowerBound - line.startIndex <= 16 else {
            return false
        }
        return line[..<arrow.lowerBound].allSatisfy { $0 &- 0x30 < 10 || ":,.".utf8.contains($0) }
    }

    /// Whether a line is a time such as `May 17, 2022  5:29:42 PM`, with or without a note in brackets after it.
    private static func isMoment(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count >= 20, line.count <= 120 else { return false }
        let parts = String(decoding: line, as: UTF8.self).split { " ,\u{202F}\u{A0}\r".contains($0) }
        guard parts.count >= 5, parts[0].count <= 9, parts[0].allSatisfy(\.isLetter), let day = Int(parts[1]),
            (1...31).contains(day), let year = Int(parts[2]), (2000...2100).contains(year)
        else { return false }
        let clock = parts[3].split(separator: ":")
        guard clock.count >= 2, clock.allSatisfy({ Int($0) != nil }) else { return false }
        let half = parts[4].uppercased()
        guard half == "AM" || half == "PM" else { return false }
        return parts.count == 5 || parts[5].hasPrefix("(")
    }
}

/// The names of a JSON value's top-level members and of the members of its first rows.
private struct JSONMembers {
    private(set) var top = Set<String>()
    private(set) var rows = Set<String>()
    /// The top-level strings used to identify the file.
    private(set) var kind: String?
    private(set) var type: String?
    private let outline: JSONOutline

    init(_ opening: Opening) {
        outline = JSONOutline(opening, texts: ["kind", "type"])
        kind = outline.texts["kind"]
        type = outline.texts["type"]
        for path in outline.kinds.keys where !path.isEmpty {
            guard let bracket = path.firstRange(of: "[]") else {
                if !path.contains(".") { top.insert(path) }
                continue
            }
            // Rows of a top-level array, or of an array that is a top-level member.
            guard !path[..<bracket.lowerBound].contains(".") else { continue }
            let rest = path[bracket.upperBound...]
            if rest.hasPrefix("."), !rest.dropFirst().contains("."), !rest.contains("[]") {
                rows.insert(String(rest.dropFirst()))
            }
        }
    }

    func has(top names: Set<String>) -> Bool { top.isSuperset(of: names) }
    func has(rows names: Set<String>) -> Bool { rows.isSuperset(of: names) }
    func hasAny(top names: Set<String>) -> Bool { !top.isDisjoint(with: names) }
    func hasAny(rows names: Set<String>) -> Bool { !rows.isDisjoint(with: names) }

    /// Whether these are pictures that the owner posted: `[{"media":[{"uri","creation_timestamp","title"}]}]`.
    var isOwnMedia: Bool {
        outline.kinds.keys.contains { $0.hasSuffix("media[].creation_timestamp") }
    }

    /// Whether it is `{"timestamp", "data":[{"post"}], "title"}`; searches and reactions have the same form.
    var isPostOfFacebook: Bool {
        let inner = outline.kinds.keys.filter { $0.contains("[].data[].") }.map { path in
            path.split(separator: ".").last.map(String.init) ?? ""
        }
        return inner.contains { ["post", "text", "reaction", "update_timestamp", "backdated_timestamp"].contains($0) }
            || outline.kinds.keys.contains { $0.contains("[].attachments[].data[].") }
            || (rows.isSubset(of: ["timestamp", "title", "data", "attachments", "tags"]) && rows.contains("title"))
    }
}
