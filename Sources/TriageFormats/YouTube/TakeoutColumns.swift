/// Which column of a Takeout table holds what.
///
/// By the names of the header in English; in any other language by what the cells look like, because headers are
/// translated. Never by place: columns were moved and added several times.
struct TakeoutColumns: Equatable {
    enum Field: String, CaseIterable {
        case id, channel, time, price, currency, parent, post, video, text
    }

    private(set) var columns: [Field: Int] = [:]
    /// Cells of a row.
    private(set) var width: Int

    private static let names: [String: Field] = [
        "comment id": .id, "live chat id": .id, "channel id": .channel, "comment create timestamp": .time,
        "live chat create timestamp": .time, "price": .price, "currency code": .currency,
        "parent comment id": .parent, "post id": .post, "video id": .video, "comment text": .text,
        "live chat text": .text,
    ]

    /// - Parameter opening: of a table with commas.
    init?(_ opening: Opening) {
        var rows: [[String]] = []
        var parser = CSVParser(delimiter: 0x2C, maximumLength: Opening.limit)
        opening.bytes.withUnsafeBufferPointer { bytes in
            // The names come first; the rest need not be parsed.
            let head = UnsafeBufferPointer(rebasing: bytes[..<min(bytes.count, 1 << 16)])
            parser.feed(head) { if rows.count < 40, !$0.isBlank { rows.append($0.strings()) } }
            if opening.isWhole, head.count == bytes.count {
                parser.finish { if rows.count < 40, !$0.isBlank, !$0.isUnclosed { rows.append($0.strings()) } }
            }
        }
        guard let header = rows.first, (6...12).contains(header.count) else { return nil }
        width = header.count
        for (index, name) in header.enumerated() {
            if let field = Self.names[name.lowercased().trimmingBlanks()], columns[field] == nil {
                columns[field] = index
            }
        }
        if columns[.text] != nil, columns[.time] != nil, columns[.video] != nil { return }
        columns = [:]
        guard fill(from: rows.dropFirst().filter { $0.count == header.count }) else { return nil }
    }

    /// Finds the columns by the shape of their cells.
    private mutating func fill(from rows: [[String]]) -> Bool {
        guard !rows.isEmpty else { return false }
        func columns(_ isOne: (String) -> Bool) -> [Int] {
            (0..<width).filter { column in
                let cells = rows.map { $0[column] }.filter { !$0.isEmpty }
                return !cells.isEmpty && cells.allSatisfy(isOne)
            }
        }
        guard let channel = columns(Self.isChannel).first,
            let time = columns({ $0.contains("T") && ExportTime(iso: $0) != nil && $0.hasSuffix("+00:00") }).first,
            let text = (0..<width).first(where: { column in rows.contains { Self.isSegments($0[column]) } })
        else { return false }
        self.columns = [.channel: channel, .time: time, .text: text]
        var rest = (0..<width).filter { ![channel, time, text].contains($0) }
        func claim(_ field: Field, _ candidates: [Int]) {
            guard let column = candidates.first(where: rest.contains) else { return }
            self.columns[field] = column
            rest.removeAll { $0 == column }
        }
        claim(.price, columns { Double($0) != nil })
        claim(.currency, columns { $0.utf8.count == 3 && $0.utf8.allSatisfy { (0x41...0x5A).contains($0) } })
        claim(.video, columns { $0.utf8.count == 11 && $0.utf8.allSatisfy(Self.isIDByte) })
        // Its own id no row lacks, and no two share.
        claim(
            .id,
            rest.filter { column in
                rows.allSatisfy { $0[column].utf8.count > 11 } && Set(rows.map { $0[column] }).count == rows.count
            })
        let posts = columns { $0.hasPrefix("Ugkx") }
        claim(.post, posts.filter { column in rows.allSatisfy { $0[column].isEmpty || !$0[column].contains(".") } })
        return true
    }

    private static func isChannel(_ cell: String) -> Bool {
        cell.utf8.count == 24 && cell.hasPrefix("UC") && cell.utf8.allSatisfy(isIDByte)
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }

    private static func isSegments(_ cell: String) -> Bool {
        cell.hasPrefix("{\"text\":") || cell.hasPrefix("{\"takeoutSegments\":")
    }
}
