/// A table that a program of Discord's world wrote: columns by their names, in any order.
struct DiscordTable {
    let delimiter: UInt8
    /// Cells of a row.
    let width: Int
    private let places: [String: Int]
    /// The first rows behind the header.
    let sample: [[String]]

    /// - Parameter wanted: names in small letters, all of which must be there; nil otherwise.
    init?(_ opening: Opening, wanted: Set<String>) {
        guard let first = opening.firstByte, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
            first != UInt8(ascii: "<")
        else { return nil }
        // Programs that tables are opened and saved in change the delimiter.
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            let rows = Self.rows(opening, delimiter)
            guard let header = rows.first else { continue }
            let names = header.map { $0.trimmingBlanks().lowercased() }
            guard wanted.isSubset(of: names) else { continue }
            self.delimiter = delimiter
            width = names.count
            places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
            sample = Array(rows.dropFirst())
            return
        }
        return nil
    }

    private static func rows(_ opening: Opening, _ delimiter: UInt8) -> [[String]] {
        var rows: [[String]] = []
        var parser = CSVParser(delimiter: delimiter, maximumLength: 1 << 16)
        opening.bytes.withUnsafeBufferPointer { bytes in
            let head = UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))
            parser.feed(head) { if rows.count < 50, !$0.isBlank { rows.append($0.strings()) } }
            if opening.isWhole, head.count == bytes.count {
                parser.finish { if rows.count < 50, !$0.isBlank { rows.append($0.strings()) } }
            }
        }
        return rows
    }

    /// A cell by the name of its column; nil when it is empty or not there.
    func cell(_ name: String, _ row: CSVParser.Row) -> String? {
        guard let place = places[name] else { return nil }
        let bytes = row.cell(place)
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The cells of a column in the first rows.
    func column(_ name: String) -> [String] {
        guard let place = places[name] else { return [] }
        return sample.compactMap { place < $0.count ? $0[place] : nil }
    }
}
