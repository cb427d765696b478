/// Where things stand in the chat messages of a Twitch privacy export.
///
/// Only the columns named here are ever read: the others hold the owner's IP address and where it was.
struct TwitchColumns {
    /// Of files that lost their header.
    private static let usual = [
        "time", "city", "country", "region", "body_full", "asn_id", "ip", "login", "server_timestamp", "body",
        "channel",
        "msg_id", "filtered_tags", "asn", "user_id", "time_utc", "canonical_client_id", "room_id", "room_type",
        "chatroom_type", "chatroom_id", "channel_points_modification", "previously_dropped", "is_reply", "is_mention",
        "chant_id", "chant_message_id",
    ]

    let delimiter: UInt8
    let hasHeader: Bool
    private let names: [String]
    private let places: [String: Int]

    var width: Int { names.count }

    /// nil: the opening is of something else.
    init?(_ opening: Opening) {
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            guard let row = Self.firstRow(opening, delimiter), row.count > 1 else { continue }
            let names = row.map { $0.trimmingBlanks().lowercased() }
            let set = Set(names)
            if set.isSuperset(of: ["body", "channel", "msg_id"]) || set.isSuperset(of: ["body_full", "login"]) {
                self.init(names, delimiter, hasHeader: true)
                return
            }
            let columns = TwitchColumns(Self.usual, delimiter, hasHeader: false)
            if row.count >= Self.usual.count, columns.fits(row) || columns.aligned(row) != nil {
                self = columns
                return
            }
        }
        return nil
    }

    private init(_ names: [String], _ delimiter: UInt8, hasHeader: Bool) {
        self.names = names
        self.delimiter = delimiter
        self.hasHeader = hasHeader
        places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    private static func firstRow(_ opening: Opening, _ delimiter: UInt8) -> [String]? {
        var first: [String]?
        var parser = CSVParser(delimiter: delimiter, maximumLength: 1 << 16)
        opening.bytes.withUnsafeBufferPointer { bytes in
            parser.feed(UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))) { row in
                if first == nil, !row.isBlank { first = row.strings() }
            }
            if first == nil, opening.isWhole { parser.finish { if first == nil { first = $0.strings() } } }
        }
        return first
    }

    /// A cell by the name of its column; nil when it is empty or not there.
    func cell(_ name: String, _ row: [String]) -> String? {
        guard let place = places[name], place < row.count, !row[place].isEmpty else { return nil }
        return row[place]
    }

    /// A row with a cell for each column; nil when it cannot be told which cell is which.
    ///
    /// Some rows have commas in texts without quotes: their cells are joined again where everything else then fits. A
    /// wrong guess would print an address as a name, so a row that is in doubt is refused.
    func aligned(_ row: [String]) -> [String]? {
        guard row.count > width else { return row.count == width && (hasHeader || fits(row)) ? row : nil }
        if row[width...].allSatisfy(\.isEmpty), fits(row) { return Array(row[..<width]) }
        let extra = row.count - width
        let separator = String(decoding: [delimiter], as: UTF8.self)
        var found: [[String]] = []
        let texts = [places["body_full"], places["body"]].compactMap { $0 }.sorted()
        guard let first = texts.first, extra <= 1000 else { return nil }
        for inFirst in Set([extra, extra / 2, 0]) where texts.count > 1 || inFirst == extra {
            var cells = row
            cells.replaceSubrange(
                first...(first + inFirst), with: [cells[first...(first + inFirst)].joined(separator: separator)])
            if let last = texts.dropFirst().first {
                let rest = extra - inFirst
                cells.replaceSubrange(
                    last...(last + rest), with: [cells[last...(last + rest)].joined(separator: separator)])
                // Both columns hold the same text, one of them cut short.
                guard cells[first].hasPrefix(cells[last]) || cells[last].hasPrefix(cells[first]) else { continue }
            }
            if fits(cells) { found.append(cells) }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Whether the cells that have a form have it, as far as there are such columns.
    private func fits(_ row: [String]) -> Bool {
        let times = ["time", "time_utc", "server_timestamp"].compactMap { cell($0, row) }
        guard !times.isEmpty, times.allSatisfy(TableTime.looksLikeTime) else { return false }
        if let address = cell("ip", row), !Self.isAddress(address) { return false }
        if let login = cell("login", row) {
            guard login.utf8.count <= 25, login.utf8.allSatisfy(Self.isLogin) else { return false }
        }
        return true
    }

    static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count >= 3, bytes.count <= 45 else { return false }
        let isHex = bytes.allSatisfy {
            ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66) || $0 == 0x2E || $0 == 0x3A
        }
        return isHex && (bytes.count { $0 == 0x2E } == 3 || bytes.count { $0 == 0x3A } > 1)
    }

    private static func isLogin(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F
    }
}
